#include "core/analysis/offset_proof.h"

#include <cassert>

#include <fmt/format.h>

#include "core/ir/walk.h"
#include "core/support/checked.h"

namespace ls {

using namespace ir;

OffsetFacts::OffsetFacts(const FunctionNode& function) {
    // A parameter, a loop variable or a variable that is assigned twice (all before ConvertToSSA) has more than one
    // value.
    for (const Param& p : function.params) definitions_[p.var.get()] = nullptr;
    walk(function, [&](const Node& node) {
        if (const auto* a = as<AssignNode>(&node)) {
            for (const Var& target : a->targets) bind(*target, a->targets.size() == 1 ? a->value.get() : nullptr);
        }
        if (const auto* f = as<ForNode>(&node)) {
            if (f->var != nullptr && f->start != nullptr && f->step != nullptr)
                loops_[f->var.get()] = {f->start.get(), f->step.get()};
        }
        return StmtNode::is(node.kind) || node.kind == NodeKind::Function;
    });
    for (const auto& [var, definition] : definitions_) loops_.erase(var);
}

void OffsetFacts::bind(const VarNode& target, const ExprNode* value) {
    // Scalars only: a tensor or a tile can be no part of an index.
    if (as<ScalarTypeNode>(target.type) == nullptr) return;
    const auto [at, fresh] = definitions_.emplace(&target, value);
    if (!fresh) at->second = nullptr;
    const auto* c = as<CallNode>(value);
    if (fresh && c != nullptr && (c->is_op("tile.get_block_idx") || c->is_op("tile.get_block_num"))) {
        never_negative_.insert(&target);
    } else if (!fresh) {
        never_negative_.erase(&target);
    }
}

const ExprNode* OffsetFacts::definition(const VarNode& var) const {
    const auto found = definitions_.find(&var);
    return found == definitions_.end() ? nullptr : found->second;
}

const OffsetFacts::LoopRange* OffsetFacts::loop(const VarNode& var) const {
    const auto found = loops_.find(&var);
    return found == loops_.end() ? nullptr : &found->second;
}

namespace {

class Prover {
public:
    Prover(Proof& proof, const OffsetFacts& facts, int budget) : proof_(proof), facts_(facts), budget_(budget) {}

    bool visit(ProofNode& node) {
        if (proof_.visits >= budget_) {
            proof_.out_of_budget = true;
            return false; // stays NotVisited
        }
        node.visit = ++proof_.visits;
        const bool good = proof_.question == Proof::Question::Multiple ? multiple(node) : non_negative(node);
        node.verdict = good ? Verdict::Proven : Verdict::Failed;
        return good;
    }

private:
    bool never(ProofNode& node, std::string rule) {
        node.rule = std::move(rule);
        return false;
    }
    static void add(ProofNode& node, const ExprNode* expr, std::string_view role) {
        ProofNode child;
        child.expr = expr;
        child.role = role;
        node.children.push_back(std::move(child));
    }
    /// All children, left to right, up to the first that fails.
    bool all(ProofNode& node) {
        for (ProofNode& child : node.children) {
            if (!visit(child)) return false;
        }
        return true;
    }
    /// Children left to right, up to the first that holds.
    bool any(ProofNode& node) {
        for (ProofNode& child : node.children) {
            if (visit(child)) return true;
        }
        return false;
    }

    void operands(ProofNode& node, const BinaryNode& b) {
        add(node, b.lhs.get(), "left");
        add(node, b.rhs.get(), "right");
    }

    bool loop_bounds(ProofNode& node, const OffsetFacts::LoopRange& range, std::string rule) {
        node.rule = std::move(rule);
        add(node, range.start, "start");
        add(node, range.step, "step");
        return all(node);
    }

    bool defined(ProofNode& node, const VarNode& v) {
        if (const ExprNode* value = facts_.definition(v)) {
            if (node.rule.empty()) node.rule = fmt::format("{} is what it was assigned", v.name);
            add(node, value, "definition");
            return visit(node.children.back());
        }
        return node.rule.empty() ? never(node, fmt::format("nothing is known of {}", v.name)) : false;
    }

    bool multiple(ProofNode& node) {
        const std::int64_t d = proof_.divisor;
        if (const auto v = constant(node.expr)) {
            const std::int64_t rest = floor_mod(*v, d);
            node.rule = fmt::format("constant {}: {} mod {} = {}", *v, *v, d, rest);
            return rest == 0;
        }
        if (const auto* v = as<VarNode>(node.expr)) {
            if (const auto* range = facts_.loop(*v)) {
                if (loop_bounds(node, *range, fmt::format("loop variable {}: start and step are multiples", v->name)))
                    return true;
            }
            return defined(node, *v);
        }
        const auto* b = as<BinaryNode>(node.expr);
        if (b == nullptr) return never(node, "no rule for this kind of expression");
        switch (b->op) {
        case BinaryOp::Mul:
            node.rule = "product: one factor is a multiple";
            operands(node, *b);
            return any(node);
        case BinaryOp::Add:
        case BinaryOp::Sub:
        case BinaryOp::Min:
        case BinaryOp::Max:
            node.rule = fmt::format("{}: both sides are multiples", spelling(b->op));
            operands(node, *b);
            return all(node);
        default: return never(node, fmt::format("{} is never taken to be a multiple", spelling(b->op)));
        }
    }

    bool non_negative(ProofNode& node) {
        if (const auto v = constant(node.expr)) {
            node.rule = fmt::format("constant {}", *v);
            return *v >= 0;
        }
        if (const auto* v = as<VarNode>(node.expr)) {
            if (facts_.never_negative(*v)) {
                node.rule = fmt::format("{} counts blocks", v->name);
                return true;
            }
            if (const auto* range = facts_.loop(*v)) {
                if (loop_bounds(node, *range,
                                fmt::format("loop variable {}: start and step are not negative", v->name)))
                    return true;
            }
            return defined(node, *v);
        }
        const auto* b = as<BinaryNode>(node.expr);
        if (b == nullptr) return never(node, "no rule for this kind of expression");
        switch (b->op) {
        case BinaryOp::Mul:
        case BinaryOp::Add:
        case BinaryOp::Min:
            node.rule = fmt::format("{}: neither side is negative", spelling(b->op));
            operands(node, *b);
            return all(node);
        case BinaryOp::Max:
            node.rule = "max: one side is not negative";
            operands(node, *b);
            return any(node);
        case BinaryOp::Mod:
        case BinaryOp::FloorDiv: {
            const auto by = constant(b->rhs);
            if (!by || *by <= 0)
                return never(node, fmt::format("{} by something that is no positive constant", spelling(b->op)));
            node.rule = fmt::format("{} {}: the left side is not negative", spelling(b->op), *by);
            add(node, b->lhs.get(), "left");
            return visit(node.children.back());
        }
        case BinaryOp::Sub: return never(node, "a difference may always be negative");
        default: return never(node, fmt::format("{} is never taken to be non-negative", spelling(b->op)));
        }
    }

    Proof& proof_;
    const OffsetFacts& facts_;
    int budget_;
};

Proof prove(Proof proof, const Expr& expr, const OffsetFacts& facts, int budget) {
    proof.subject = expr;
    proof.root.expr = expr.get();
    proof.root.role = "offset";
    proof.proven = expr != nullptr && Prover(proof, facts, budget).visit(proof.root);
    return proof;
}

} // namespace

Proof prove_multiple(const Expr& expr, std::int64_t divisor, const OffsetFacts& facts, int budget) {
    assert(is_power_of_two(divisor));
    Proof proof;
    proof.question = Proof::Question::Multiple;
    proof.divisor = divisor;
    return prove(std::move(proof), expr, facts, budget);
}

Proof prove_non_negative(const Expr& expr, const OffsetFacts& facts, int budget) {
    Proof proof;
    proof.question = Proof::Question::NonNegative;
    return prove(std::move(proof), expr, facts, budget);
}

const ProofNode* first_obstacle(const Proof& proof) {
    if (proof.proven) return nullptr;
    const ProofNode* at = &proof.root;
    while (true) {
        const ProofNode* deeper = nullptr;
        for (const ProofNode& child : at->children) {
            if (child.verdict == Verdict::Failed) deeper = &child;
        }
        if (deeper == nullptr) return at;
        at = deeper;
    }
}

} // namespace ls
