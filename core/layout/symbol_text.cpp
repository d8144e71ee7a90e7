// Python-like text of a Dim. Precedence, loosest first: |, ^, &, << >>, + -, * // %, atoms.
#include <algorithm>

#include <fmt/format.h>

#include "core/layout/symbol_internal.h"

namespace ls {

namespace {

enum Precedence : int { kXor = 1, kAnd, kShift, kSum, kProduct, kAtom };

struct Text {
    std::string text;
    int precedence;
};

Text write(const Dim& dim);

std::string at_least(const Dim& dim, int precedence) {
    const Text inner = write(dim);
    return inner.precedence >= precedence ? inner.text : fmt::format("({})", inner.text);
}

Text binary(const SymbolNode& node, std::string_view op, int precedence) {
    // Operators group to the left: the right operand needs parentheses at equal precedence.
    return {
        fmt::format("{} {} {}", at_least(node.operands[0], precedence), op, at_least(node.operands[1], precedence + 1)),
        precedence};
}

/// Few know how tightly bit operators bind, so their operands stand in parentheses.
Text bits(const SymbolNode& node, std::string_view op, int precedence) {
    return {fmt::format("{} {} {}", at_least(node.operands[0], kAtom), op, at_least(node.operands[1], kAtom)),
            precedence};
}

Text call(const SymbolNode& node, std::string_view name) {
    return {fmt::format("{}({}, {})", name, write(node.operands[0]).text, write(node.operands[1]).text), kAtom};
}

/// |coefficient| · factors, divisions first so that they need no parentheses, the number last: i // 8 * 64.
Text write_term(const SymbolTerm& term) {
    const bool one = term.coefficient == 1 || term.coefficient == -1;
    if (one && term.factors.size() == 1) return write(term.factors.front());
    std::vector<Dim> factors = term.factors;
    std::stable_partition(factors.begin(), factors.end(), [](const Dim& f) {
        return f.node()->kind == SymbolKind::FloorDiv || f.node()->kind == SymbolKind::FloorMod;
    });
    std::string text;
    for (const Dim& factor : factors) {
        text = text.empty() ? at_least(factor, kProduct) : fmt::format("{} * {}", text, at_least(factor, kAtom));
    }
    if (one) return {text, kProduct};
    const auto magnitude = term.coefficient < 0 ? 0 - static_cast<std::uint64_t>(term.coefficient)
                                                : static_cast<std::uint64_t>(term.coefficient);
    return {fmt::format("{} * {}", text, magnitude), kProduct};
}

/// Large strides first, as an address is read: i * 64 + j + 3; of equal ones, digits before whole coordinates.
bool written_before(const SymbolTerm* a, const SymbolTerm* b) {
    if (a->coefficient != b->coefficient) return a->coefficient > b->coefficient;
    const auto plain = [](const SymbolTerm* term) {
        return term->factors.front().node()->kind == SymbolKind::Variable;
    };
    return !plain(a) && plain(b);
}

Text write_sum(const SymbolNode& node) {
    std::vector<const SymbolTerm*> order;
    for (const SymbolTerm& term : node.terms) order.push_back(&term);
    std::stable_sort(order.begin(), order.end(), written_before);
    std::string text;
    for (const SymbolTerm* term : order) {
        const Text one = write_term(*term);
        const bool minus = term->coefficient < 0;
        // A leading minus binds tighter than the division under it: -(i // 4).
        const bool bare = one.precedence >= (minus && text.empty() ? kAtom : kProduct);
        text += text.empty() ? (minus ? "-" : "") : (minus ? " - " : " + ");
        text += bare ? one.text : fmt::format("({})", one.text);
    }
    if (node.constant > 0) text += fmt::format(" + {}", node.constant);
    if (node.constant < 0) text += fmt::format(" - {}", 0 - static_cast<std::uint64_t>(node.constant));
    const bool product = node.terms.size() == 1 && node.constant == 0 && node.terms.front().coefficient > 0;
    return {text, product ? kProduct : kSum};
}

Text write(const Dim& dim) {
    if (dim.is_constant()) return {fmt::format("{}", dim.value()), dim.value() < 0 ? kSum : kAtom};
    const SymbolNode& node = *dim.node();
    switch (node.kind) {
    case SymbolKind::Overflow: return {"overflow", kAtom};
    case SymbolKind::Variable: return {node.name, kAtom};
    case SymbolKind::FloorDiv: return binary(node, "//", kProduct);
    case SymbolKind::FloorMod: return binary(node, "%", kProduct);
    case SymbolKind::Min: return call(node, "min");
    case SymbolKind::Max: return call(node, "max");
    case SymbolKind::BitXor: return bits(node, "^", kXor);
    case SymbolKind::BitAnd: return bits(node, "&", kAnd);
    case SymbolKind::ShiftLeft: return bits(node, "<<", kShift);
    case SymbolKind::ShiftRight: return bits(node, ">>", kShift);
    case SymbolKind::Sum: return write_sum(node);
    }
    return {"?", kAtom};
}

} // namespace

std::string to_string(const Dim& dim) { return write(dim).text; }

} // namespace ls
