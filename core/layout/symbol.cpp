// Nodes of symbolic expressions: making, ordering, evaluating and rewriting them.
#include "core/layout/symbol.h"

#include <algorithm>
#include <utility>

#include "core/layout/symbol_internal.h"

namespace ls {

namespace {

/// One immortal node; its own reference keeps it alive through static destruction.
const SymbolNode* overflow_node() {
    static const SymbolNode* const node = new SymbolNode;
    return node;
}

std::uint64_t mix(std::uint64_t seed, std::uint64_t value) {
    return (seed ^ (value + 0x9E3779B97F4A7C15ULL + (seed << 6U) + (seed >> 2U))) * 0xBF58476D1CE4E5B9ULL;
}

std::uint64_t hash_of(const Dim& dim) {
    return dim.is_constant() ? mix(1, static_cast<std::uint64_t>(dim.value())) : dim.node()->hash;
}

/// Counts the children of a node that is being made; answers false when it grew too large.
bool measure(SymbolNode& node, const Dim& child) {
    if (child.is_constant()) return true;
    node.depth = std::max<std::uint16_t>(node.depth, static_cast<std::uint16_t>(child.node()->depth + 1));
    node.size += child.node()->size;
    return node.depth <= SymbolNode::kMaxDepth && node.size <= SymbolNode::kMaxSize;
}

template <class T>
int three_way(const T& a, const T& b) {
    return a < b ? -1 : b < a ? 1 : 0;
}

int compare_all(const std::vector<Dim>& a, const std::vector<Dim>& b) {
    if (const int by_count = three_way(a.size(), b.size()); by_count != 0) return by_count;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (const int order = compare(a[i], b[i]); order != 0) return order;
    }
    return 0;
}

int compare_nodes(const SymbolNode& a, const SymbolNode& b) {
    if (const int by_kind = three_way(a.kind, b.kind); by_kind != 0) return by_kind;
    if (const int by_name = a.name.compare(b.name); by_name != 0) return by_name;
    if (a.kind == SymbolKind::Variable) {
        const int by_low = three_way(a.bounds.lo, b.bounds.lo);
        return by_low != 0 ? by_low : three_way(a.bounds.hi, b.bounds.hi);
    }
    if (const int by_operands = compare_all(a.operands, b.operands); by_operands != 0) return by_operands;
    if (const int by_terms = three_way(a.terms.size(), b.terms.size()); by_terms != 0) return by_terms;
    for (std::size_t i = 0; i < a.terms.size(); ++i) {
        if (const int order = compare_all(a.terms[i].factors, b.terms[i].factors); order != 0) return order;
        const int by_coefficient = three_way(a.terms[i].coefficient, b.terms[i].coefficient);
        if (by_coefficient != 0) return by_coefficient;
    }
    return three_way(a.constant, b.constant);
}

} // namespace

// --- ownership

void Dim::retain_node() const { node_->references_.fetch_add(1, std::memory_order_relaxed); }

void Dim::release() const {
    if (node_->references_.fetch_sub(1, std::memory_order_acq_rel) == 1 && node_ != overflow_node()) delete node_;
}

Dim Dim::overflow() { return Dim(overflow_node()); }
bool Dim::is_overflow() const { return node_ != nullptr && node_->kind == SymbolKind::Overflow; }

Dim Dim::symbol(std::string name) { return symbol(std::move(name), std::nullopt, std::nullopt); }

Dim Dim::symbol(std::string name, std::optional<std::int64_t> lo, std::optional<std::int64_t> hi) {
    if (lo && hi && *lo == *hi) return *lo;
    auto* node = new SymbolNode;
    node->kind = SymbolKind::Variable;
    node->bounds = {lo.value_or(Bounds::kOpenLow), hi.value_or(Bounds::kOpenHigh)};
    node->hash = mix(2, std::hash<std::string>{}(name));
    node->name = std::move(name);
    return Dim(node);
}

bool Dim::same_expression(const Dim& a, const Dim& b) {
    if (a.is_constant() || b.is_constant()) return false;
    return a.node_->hash == b.node_->hash && compare(a, b) == 0;
}

// --- making

namespace symbolic {

Dim atom(SymbolKind kind, Dim a, Dim b, Bounds bounds) {
    if (a.is_overflow() || b.is_overflow()) return Dim::overflow();
    const bool commutative =
        kind == SymbolKind::Min || kind == SymbolKind::Max || kind == SymbolKind::BitXor || kind == SymbolKind::BitAnd;
    // The constant comes last, as it is written: x & 7.
    if (commutative && (a.is_constant() || (!b.is_constant() && compare(b, a) < 0))) std::swap(a, b);
    if (bounds.lo == bounds.hi) return bounds.lo;
    auto* node = new SymbolNode;
    Dim result(node);
    node->kind = kind;
    node->bounds = bounds;
    node->hash = mix(mix(mix(3, static_cast<std::uint64_t>(kind)), hash_of(a)), hash_of(b));
    const bool fits = measure(*node, a) && measure(*node, b);
    node->operands.reserve(2);
    node->operands.push_back(std::move(a));
    node->operands.push_back(std::move(b));
    return fits ? result : Dim::overflow();
}

const SymbolNode* single_atom(const SymbolTerm& term) {
    return term.coefficient == 1 && term.factors.size() == 1 ? term.factors.front().node() : nullptr;
}

/// A Sum node of a polynomial that is neither constant nor one atom (symbol_sum.cpp makes sure).
Dim make_sum(Polynomial polynomial) {
    auto* node = new SymbolNode;
    Dim result(node);
    node->kind = SymbolKind::Sum;
    node->bounds = bounds(polynomial);
    if (node->bounds.lo == node->bounds.hi) return node->bounds.lo;
    node->constant = polynomial.constant;
    node->terms = std::move(polynomial.terms);
    node->hash = mix(4, static_cast<std::uint64_t>(node->constant));
    bool fits = true;
    for (const SymbolTerm& term : node->terms) {
        node->hash = mix(node->hash, static_cast<std::uint64_t>(term.coefficient));
        for (const Dim& factor : term.factors) {
            node->hash = mix(node->hash, hash_of(factor));
            fits = fits && measure(*node, factor);
        }
    }
    return fits ? result : Dim::overflow();
}

} // namespace symbolic

// --- reading

int compare(const Dim& a, const Dim& b) {
    if (a.is_constant() && b.is_constant()) return three_way(a.value(), b.value());
    if (a.is_constant() || b.is_constant()) return a.is_constant() ? -1 : 1;
    return a.node() == b.node() ? 0 : compare_nodes(*a.node(), *b.node());
}

Bounds bounds(const Dim& dim) {
    if (dim.is_constant()) return symbolic::point(dim.value());
    return dim.is_overflow() ? Bounds{} : dim.node()->bounds;
}

LinearForm linear_form(const Dim& dim) {
    symbolic::Polynomial polynomial = symbolic::polynomial(dim);
    LinearForm form;
    form.constant = polynomial.constant;
    for (SymbolTerm& term : polynomial.terms) form.terms.push_back(symbolic::make(std::move(term)));
    return form;
}

namespace {

using Value = std::optional<std::int64_t>;

Value evaluate_atom(SymbolKind kind, std::int64_t a, std::int64_t b) {
    switch (kind) {
    case SymbolKind::FloorDiv: return floor_div(Dim(a), Dim(b)).constant();
    case SymbolKind::FloorMod: return floor_mod(Dim(a), Dim(b)).constant();
    case SymbolKind::Min: return std::min(a, b);
    case SymbolKind::Max: return std::max(a, b);
    case SymbolKind::BitXor: return a ^ b;
    case SymbolKind::BitAnd: return a & b;
    case SymbolKind::ShiftLeft: return shift_left(a, static_cast<int>(b)).constant();
    case SymbolKind::ShiftRight: return a >> b;
    case SymbolKind::Overflow:
    case SymbolKind::Variable:
    case SymbolKind::Sum: break;
    }
    return {};
}

Value evaluate_sum(const SymbolNode& node, const Assignment& assignment) {
    Dim total = node.constant;
    for (const SymbolTerm& term : node.terms) {
        Dim product = term.coefficient;
        for (const Dim& factor : term.factors) {
            const Value value = evaluate(factor, assignment);
            if (!value) return {};
            product *= Dim(*value);
        }
        total += product;
    }
    return total.constant();
}

} // namespace

std::optional<std::int64_t> evaluate(const Dim& dim, const Assignment& assignment) {
    if (dim.is_constant()) return dim.value();
    const SymbolNode& node = *dim.node();
    switch (node.kind) {
    case SymbolKind::Overflow: return {};
    case SymbolKind::Variable: return assignment(node.name);
    case SymbolKind::Sum: return evaluate_sum(node, assignment);
    default: break;
    }
    const Value a = evaluate(node.operands[0], assignment);
    const Value b = evaluate(node.operands[1], assignment);
    return a && b ? evaluate_atom(node.kind, *a, *b) : Value{};
}

Dim substitute(const Dim& dim, const std::function<std::optional<Dim>(std::string_view)>& replacement) {
    if (dim.is_constant() || dim.is_overflow()) return dim;
    const SymbolNode& node = *dim.node();
    if (node.kind == SymbolKind::Variable) return replacement(node.name).value_or(dim);
    if (node.kind == SymbolKind::Sum) {
        Dim total = node.constant;
        for (const SymbolTerm& term : node.terms) {
            Dim product = term.coefficient;
            for (const Dim& factor : term.factors) product *= substitute(factor, replacement);
            total += product;
        }
        return total;
    }
    const Dim a = substitute(node.operands[0], replacement);
    const Dim b = substitute(node.operands[1], replacement);
    switch (node.kind) {
    case SymbolKind::FloorDiv: return floor_div(a, b);
    case SymbolKind::FloorMod: return floor_mod(a, b);
    case SymbolKind::Min: return min(a, b);
    case SymbolKind::Max: return max(a, b);
    case SymbolKind::BitXor: return bit_xor(a, b);
    case SymbolKind::BitAnd: return bit_and(a, b);
    case SymbolKind::ShiftLeft: return shift_left(a, static_cast<int>(b.value()));
    case SymbolKind::ShiftRight: return shift_right(a, static_cast<int>(b.value()));
    default: return Dim::overflow();
    }
}

namespace {

void collect(const Dim& dim, std::vector<std::string>& names) {
    if (dim.is_constant()) return;
    const SymbolNode& node = *dim.node();
    if (node.kind == SymbolKind::Variable && std::find(names.begin(), names.end(), node.name) == names.end()) {
        names.push_back(node.name);
    }
    for (const Dim& operand : node.operands) collect(operand, names);
    for (const SymbolTerm& term : node.terms) {
        for (const Dim& factor : term.factors) collect(factor, names);
    }
}

} // namespace

std::vector<std::string> variables(const Dim& dim) {
    std::vector<std::string> names;
    collect(dim, names);
    return names;
}

} // namespace ls
