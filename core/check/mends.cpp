#include "core/check/mends.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "core/check/access.h"
#include "core/support/checked.h"

namespace ls::check {

using namespace ir;

namespace {

constexpr std::size_t kMostMends = 4;

std::string_view words(std::string_view source, const Span& span) {
    return span.end <= source.size() && span.begin < span.end ? source.substr(span.begin, span.end - span.begin)
                                                              : std::string_view();
}

/// A name, a number or a call binds tighter than any operator.
bool is_atom(std::string_view text) {
    int depth = 0;
    for (const char c : text) {
        if (c == '(' || c == '[') ++depth;
        if (c == ')' || c == ']') --depth;
        if (depth == 0 && std::string_view(" +-*/%<>=&|^").find(c) != std::string_view::npos) return false;
    }
    return !text.empty();
}
std::string grouped(std::string_view text) { return is_atom(text) ? std::string(text) : fmt::format("({})", text); }

/// Where the value of an offset is written: the right side of its name's definition, or the operand itself.
struct Site {
    const ExprNode* value = nullptr;
    Span span;
    std::string name; ///< of the defined name; empty for an operand
};

/// The name as the program was read with it.
const std::string& first_name(const VarNode& var) {
    const VarNode* first = &var;
    while (first->origin != nullptr && first->origin->kind == NodeKind::Var)
        first = static_cast<const VarNode*>(first->origin.get());
    return first->name;
}

/// The first place of `name` as a word of its own inside `within`; empty when it is not there.
Span find_word(std::string_view source, const Span& within, std::string_view name) {
    const auto in_word = [&](std::size_t at) {
        return at < source.size() && (std::isalnum(static_cast<unsigned char>(source[at])) != 0 || source[at] == '_');
    };
    for (std::size_t at = source.find(name, within.begin); at != std::string_view::npos && at + name.size() <= within.end;
         at = source.find(name, at + 1)) {
        if ((at == 0 || !in_word(at - 1)) && !in_word(at + name.size())) return {at, at + name.size()};
    }
    return {};
}

/// `operands` is where the coordinate stands in the call: a name's own place is its definition's.
Site site_of(const Proof& proof, std::string_view source, const Span& operands) {
    Site site{proof.root.expr, proof.root.expr->span, {}};
    if (const auto* var = as<VarNode>(proof.root.expr)) site.span = find_word(source, operands, first_name(*var));
    const ProofNode* at = &proof.root;
    while (as<VarNode>(at->expr) != nullptr && at->children.size() == 1 && at->children.front().role == "definition") {
        const ProofNode& definition = at->children.front();
        if (words(source, definition.expr->span).empty()) break;
        site = {definition.expr, definition.expr->span, first_name(*as<VarNode>(at->expr))};
        if (as<VarNode>(definition.expr) != nullptr) break; // another name: what stands there is edited, not its definition
        at = &definition;
    }
    return site;
}

class Proposals {
public:
    Proposals(const std::string& source, const Trace& trace, const Diagnostic& refusal, const Rerun& rerun)
        : source_(source), trace_(trace), refusal_(refusal), rerun_(rerun) {}

    std::vector<Mend> take() {
        if (refusal_.code == "NZ_OFF_CONST") constant_offset();
        if (refusal_.code == "NZ_LOAD_TARGET") load_target();
        for (const ProofRecord& record : trace_.refused_proofs) {
            const Proof& proof = record.proof;
            const Span& call = record.call->span;
            const bool here = call.begin <= refusal_.span.begin && refusal_.span.end <= call.end;
            const bool sign = proof.question == Proof::Question::NonNegative;
            if (proof.proven || !here || sign != (refusal_.code == "NZ_OFF_UNPROVEN_SIGN")) continue;
            if (sign)
                not_negative(proof);
            else
                multiple(proof);
        }
        return std::move(mends_);
    }

private:
    /// Keeps the edit if the program is refused less with it.
    void offer(const Span& span, std::string replacement, std::string title, std::string effect) {
        if (mends_.size() >= kMostMends || words(source_, span) == replacement) return;
        for (const Mend& known : mends_) {
            if (known.span == span && known.replacement == replacement) return;
        }
        Mend mend{std::move(title), std::move(effect), span, std::move(replacement)};
        const std::optional<Trace> after = rerun_(mend.applied(source_));
        if (!after) return;
        // The program comes further, or this pass has less against it.
        const bool further = after->ok() || after->snapshots.size() > trace_.snapshots.size();
        if (!further && after->refusals.size() >= trace_.refusals.size()) return;
        mends_.push_back(std::move(mend));
    }
    void offer(const Site& site, std::string replacement, std::string effect) {
        std::string title = site.name.empty() ? replacement : fmt::format("{} = {}", site.name, replacement);
        offer(site.span, std::move(replacement), std::move(title), std::move(effect));
    }

    /// What the offset is for the first block and the first turn of every loop.
    std::optional<std::int64_t> first_value(const ExprNode* value) const {
        const Expr held(Expr(), value); // borrowed: the trace keeps it alive
        return evaluate(held, {}, *trace_.last().module);
    }

    void not_negative(const Proof& proof) {
        const Site site = site_of(proof, source_, refusal_.span);
        const std::string text(words(source_, site.span));
        if (text.empty()) return;
        const auto first = first_value(site.value);
        offer(site, fmt::format("pl.max({}, 0)", text),
              first && *first < 0 ? fmt::format("The first block reads from 0 instead of {}: what it read there is read "
                                                "twice. Where the offset is not negative nothing changes.",
                                                *first)
                                  : std::string("Where the offset is not negative nothing changes; below it reads from 0."));
        if (const auto* b = as<BinaryNode>(site.value); b != nullptr && b->op == BinaryOp::Sub) {
            const std::string left(words(source_, b->lhs->span)), right(words(source_, b->rhs->span));
            if (!left.empty() && !right.empty())
                offer(site, left, fmt::format("Every block moves up by {}: it reads what the next one read.", right));
        }
    }

    void multiple(const Proof& proof) {
        const Site site = site_of(proof, source_, refusal_.span);
        const std::string text(words(source_, site.span));
        const std::int64_t d = proof.divisor;
        if (text.empty()) return;
        const std::string rounds = fmt::format(
            "Rounds down to a multiple of {}: offsets between two of them read from the lower one.", d);
        if (const auto* b = as<BinaryNode>(site.value); b != nullptr && b->op == BinaryOp::Mul) {
            for (const auto& [factor, other] : {std::pair(b->rhs, b->lhs), std::pair(b->lhs, b->rhs)}) {
                const auto value = constant(factor);
                const std::string with(words(source_, other->span));
                if (!value || *value <= 0 || with.empty()) continue;
                const CheckedInt up = checked_mul(floor_div(*value - 1, d) + 1, d);
                if (!up) continue;
                offer(site, fmt::format("{} * {}", grouped(with), *up),
                      fmt::format("Steps of {} instead of {}.", *up, *value));
            }
        }
        offer(site, fmt::format("{} // {} * {}", grouped(text), d, d), rounds);
        offer(site, fmt::format("pl.max({}, 0) // {} * {}", text, d, d), rounds + " Below 0 it reads from 0.");
        if (as<VarNode>(site.value) != nullptr) {
            offer(site, fmt::format("{} * {}", text, d), fmt::format("{} then counts steps of {}.", text, d));
            offer(site, fmt::format("pl.max({}, 0) * {}", text, d),
                  fmt::format("{} then counts steps of {}; below 0 it reads from 0.", text, d));
        }
    }

    void constant_offset() {
        const std::string_view text = words(source_, refusal_.span);
        if (text.starts_with('-')) offer(refusal_.span, "0", "0", "Starts at the first.");
        std::int64_t value = 0;
        for (const char c : text) {
            const CheckedInt next = c >= '0' && c <= '9' ? checked_mul(value, 10) : CheckedInt{};
            const CheckedInt sum = next ? checked_add(*next, c - '0') : CheckedInt{};
            if (!sum) return;
            value = *sum;
        }
        // Rows take 16, columns c0 = 4, 8, 16 or 32: the run decides which of them is asked for.
        for (const std::int64_t d : {4, 8, 16, 32}) {
            const std::int64_t below = floor_div(value, d) * d;
            if (below == value || mends_.size() >= 2) continue;
            offer(refusal_.span, fmt::format("{}", below), fmt::format("{}", below), fmt::format("Starts {} earlier.", value - below));
            if (const CheckedInt above = checked_add(below, d)) {
                offer(refusal_.span, fmt::format("{}", *above), fmt::format("{}", *above),
                      fmt::format("Starts {} later.", *above - value));
            }
        }
    }

    void load_target() {
        const std::string_view call = words(source_, refusal_.span);
        if (call.empty()) return;
        constexpr std::string_view mat = "pl.Mem.Mat";
        const std::string_view key = "target_memory=";
        if (const std::size_t at = call.find(key); at != std::string_view::npos) {
            const std::size_t begin = at + key.size();
            const std::size_t end = call.find_first_of(",) \n", begin);
            if (end == std::string_view::npos) return;
            offer({refusal_.span.begin + begin, refusal_.span.begin + end}, std::string(mat), fmt::format("{}{}", key, mat),
                  "The tile then lies in L1, the way of a cube operand.");
        } else if (call.back() == ')') {
            offer({refusal_.span.end - 1, refusal_.span.end}, fmt::format(", {}{})", key, mat), fmt::format("{}{}", key, mat),
                  "The tile then lies in L1, the way of a cube operand.");
        }
    }

    const std::string& source_;
    const Trace& trace_;
    const Diagnostic& refusal_;
    const Rerun& rerun_;
    std::vector<Mend> mends_;
};

} // namespace

std::string Mend::applied(std::string_view source) const {
    std::string text(source.substr(0, span.begin));
    text += replacement;
    text += source.substr(std::min(span.end, source.size()));
    return text;
}

std::vector<Mend> propose_mends(const std::string& source, const Trace& trace, std::size_t refusal, const Rerun& rerun) {
    if (trace.ok() || refusal >= trace.refusals.size()) return {};
    return Proposals(source, trace, trace.refusals[refusal], rerun).take();
}

} // namespace ls::check
