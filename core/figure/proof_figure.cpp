#include "core/figure/proof_figure.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/dialect/pypto/pypto.h"
#include "core/support/checked.h"

namespace ls::figure {

using namespace ir;
using scene::TreeNode;

namespace {

constexpr std::size_t kMostTitle = 36; ///< characters of an expression in a box

std::string shown(const ExprNode* expr) {
    if (expr == nullptr) return "nothing";
    std::string text = pypto::print(*expr);
    if (text.size() > kMostTitle) text = text.substr(0, kMostTitle - 2) + " …";
    return text;
}

/// The line of the source that a node was written on; 0 when it was written nowhere.
std::size_t source_line(const Node* node, std::string_view source) {
    const Node* first = node;
    while (first != nullptr && first->origin != nullptr) first = first->origin.get();
    if (first == nullptr || first->span.empty() || first->span.end > source.size()) return 0;
    return line_column(source, first->span.begin).line;
}

class Tree {
public:
    Tree(const Proof& proof, std::string_view source) : proof_(proof), source_(source) {}

    TreeNode node(const ProofNode& from) const {
        TreeNode made;
        made.title = shown(from.expr);
        made.id = from.visit;
        if (from.verdict == Verdict::NotVisited) {
            made.verdict = TreeNode::Verdict::Unvisited;
            made.note = proof_.out_of_budget ? "no visits left" : "not visited";
        } else {
            made.verdict = from.verdict == Verdict::Proven ? TreeNode::Verdict::Proven : TreeNode::Verdict::Failed;
            made.note = note(from);
        }
        made.describe = fmt::format("{}: {}", made.title, from.rule.empty() ? made.note : from.rule);
        for (const ProofNode& child : from.children) made.children.push_back(node(child));
        return made;
    }

private:
    std::string note(const ProofNode& from) const {
        const bool multiple = proof_.question == Proof::Question::Multiple;
        if (const auto v = constant(from.expr)) {
            return multiple ? fmt::format("{} mod {} = {}", *v, proof_.divisor, floor_mod(*v, proof_.divisor))
                            : std::string(*v < 0 ? "negative" : "not negative");
        }
        if (as<VarNode>(from.expr) != nullptr) {
            const bool loop = !from.children.empty() && from.children.front().role == "start";
            if (loop) return "loop: start and step";
            if (from.children.empty()) return from.verdict == Verdict::Proven ? "counts blocks" : "nothing is known of it";
            const std::size_t line = source_line(from.children.front().expr, source_);
            return line > 0 ? fmt::format("defined on line {}", line) : "is what it was assigned";
        }
        const auto* b = as<BinaryNode>(from.expr);
        if (b == nullptr) return "no rule for it";
        switch (b->op) {
        case BinaryOp::Mul: return multiple ? "one factor is enough" : "both must hold";
        case BinaryOp::Max: return multiple ? "both must hold" : "one is enough";
        case BinaryOp::Add:
        case BinaryOp::Min: return "both must hold";
        case BinaryOp::Sub: return multiple ? "both must hold" : "a difference never qualifies";
        case BinaryOp::FloorDiv: return multiple ? "a quotient never qualifies" : "as its left side";
        case BinaryOp::Mod: return multiple ? "a remainder never qualifies" : "as its left side";
        default: return "no rule for it";
        }
    }

    const Proof& proof_;
    std::string_view source_;
};

void append_lines(const TreeNode& node, int depth, std::string& text) {
    const auto mark = [&] {
        switch (node.verdict) {
        case TreeNode::Verdict::Proven: return "✓";
        case TreeNode::Verdict::Failed: return "✗";
        default: return "–";
        }
    }();
    text += fmt::format("{:{}}{} {}  ({})\n", "", 2 * depth, mark, node.title, node.note);
    for (const TreeNode& child : node.children) append_lines(child, depth + 1, text);
}

} // namespace

ProofView proof_view(const Proof& proof, std::string_view source) {
    ProofView view;
    const bool multiple = proof.question == Proof::Question::Multiple;
    view.question = multiple ? fmt::format("Multiple of {}", proof.divisor) : "Not negative";
    view.divisor = multiple ? proof.divisor : 1;
    view.proven = proof.proven;
    view.verdict = fmt::format("{}, {} of {} visits", proof.proven ? "proven" : "not proven", proof.visits, kProofBudget);
    view.subject = shown(proof.root.expr);
    view.tree = Tree(proof, source).node(proof.root);
    if (const ProofNode* obstacle = first_obstacle(proof)) {
        view.sentence = proof.out_of_budget
                            ? fmt::format("The walk ended after {} visits: simplify the expression.", kProofBudget)
                            : fmt::format("It stops at {}: {}.", shown(obstacle->expr), obstacle->rule);
    }
    return view;
}

std::vector<CoordinateProofs> coordinate_proofs(std::span<const ProofRecord> records, std::string_view source) {
    std::vector<CoordinateProofs> list;
    for (const ProofRecord& record : records) {
        if (list.empty() || list.back().call != record.call.get() ||
            !list.back().place.ends_with(", " + record.coordinate)) {
            CoordinateProofs one;
            one.place = fmt::format("{}, {}", record.call->op, record.coordinate);
            one.function = record.function != nullptr ? record.function->name : std::string();
            one.call = record.call.get();
            one.proven = true;
            list.push_back(std::move(one));
        }
        list.back().views.push_back(proof_view(record.proof, source));
        list.back().proven = list.back().proven && record.proof.proven;
    }
    return list;
}

std::string proof_text(const ProofView& view) {
    std::string text = fmt::format("{} of {}: {}\n", view.question, view.subject, view.verdict);
    if (view.divisor == 1) text = fmt::format("{}: {} ({})\n", view.question, view.subject, view.verdict);
    append_lines(view.tree, 1, text);
    return text;
}

std::span<const ProofRule> proof_rules() {
    static constexpr std::array<ProofRule, 12> rules{{
        {"constant", "remainder 0", "≥ 0"},
        {"a * b", "either", "both"},
        {"a + b", "both", "both"},
        {"a - b", "both", "never"},
        {"min(a, b)", "both", "both"},
        {"max(a, b)", "both", "either"},
        {"a // c", "never", "a, and c > 0"},
        {"a % c", "never", "a, and c > 0"},
        {"loop variable", "start and step", "start and step"},
        {"assigned name", "its value", "its value"},
        {"block number", "never", "always"},
        {"anything else", "never", "never"},
    }};
    return rules;
}

} // namespace ls::figure
