// Types as annotations print them.
#include <fmt/format.h>

#include "core/dialect/pypto/printer.h"

namespace ls::pypto {

using namespace ir;

void ExprPrinter::memref(const MemRef& m) {
    if (m.byte_offset == nullptr && as<VarNode>(m.base) != nullptr) { // a declared MemRef
        expr(*m.base, 0);
    } else {
        out_ += "pl.MemRef(";
        expr(*m.base, 0);
        if (m.byte_offset != nullptr) {
            out_ += ", ";
            expr(*m.byte_offset, 0);
        }
        if (m.size_bytes) fmt::format_to(std::back_inserter(out_), ", {}", *m.size_bytes);
        if (m.slots) fmt::format_to(std::back_inserter(out_), ", slots={}", *m.slots);
        out_ += ')';
    }
    if (m.slot != nullptr) {
        out_ += '[';
        expr(*m.slot, 0);
        out_ += ']';
    }
}

void ExprPrinter::tensor(const TensorTypeNode& t) {
    out_ += t.distributed ? "pld.DistributedTensor[" : "pl.Tensor[";
    dims(t.shape);
    fmt::format_to(std::back_inserter(out_), ", pl.{}", info(t.dtype).pypto);
    if (t.view) {
        const TensorView& v = *t.view;
        out_ += ", pl.TensorView(";
        if (!v.valid_shape.empty() || !v.stride.empty() || v.order != TensorOrder::ND || v.pad != PadValue::Null) {
            if (!v.valid_shape.empty()) {
                out_ += "valid_shape=";
                dims(v.valid_shape);
                out_ += ", ";
            }
            out_ += "stride=";
            dims(v.stride);
            fmt::format_to(std::back_inserter(out_), ", layout=pl.TensorLayout.{}", name(v.order));
            if (v.pad != PadValue::Null) fmt::format_to(std::back_inserter(out_), ", pad=pl.PadValue.{}", name(v.pad));
        }
        out_ += ')';
    }
    if (t.memref) {
        out_ += ", ";
        memref(*t.memref);
    }
    if (!t.window_buffer.empty()) {
        out_ += ", ";
        quoted("window_buffer=" + t.window_buffer, '"');
    }
    out_ += ']';
}

void ExprPrinter::tile_view(const TileTypeNode& t) {
    const bool all = level_ == DumpLevel::Explicit;
    const ImplicitTileView implied = implicit_view(t);
    const TileView full = effective_view(t);
    std::string before = std::move(out_);
    out_ = "pl.TileView(";
    const auto field = [this](std::string_view key, std::string_view value) {
        if (out_.back() != '(') out_ += ", ";
        fmt::format_to(std::back_inserter(out_), "{}={}", key, value);
    };
    const auto field_dims = [&](std::string_view key, const std::vector<Expr>& values) {
        if (values.empty()) return;
        field(key, "");
        dims(values);
    };
    if (t.view) {
        field_dims("valid_shape", t.view->valid_shape);
        field_dims("stride", t.view->stride);
        if (t.view->start_offset != nullptr) {
            field("start_offset", "");
            expr(*t.view->start_offset, 0);
        }
    }
    if (all || *full.blayout != implied.blayout) field("blayout", fmt::format("pl.TileLayout.{}", name(*full.blayout)));
    if (all || *full.slayout != implied.slayout) field("slayout", fmt::format("pl.TileLayout.{}", name(*full.slayout)));
    if (all || *full.fractal_bytes != implied.fractal_bytes) field("fractal", fmt::format("{}", *full.fractal_bytes));
    if (*full.pad != PadValue::Null) field("pad", fmt::format("pl.PadValue.{}", name(*full.pad)));
    if (*full.compact != CompactMode::Null) field("compact", fmt::format("pl.CompactMode.{}", name(*full.compact)));
    const std::string view = std::move(out_);
    out_ = std::move(before);
    if (view.back() == '(') return;
    out_ += ", ";
    out_ += view;
    out_ += ')';
}

void ExprPrinter::tile(const TileTypeNode& t) {
    out_ += "pl.Tile[";
    dims(t.shape);
    fmt::format_to(std::back_inserter(out_), ", pl.{}", info(t.dtype).pypto);
    if (t.memref) {
        out_ += ", ";
        memref(*t.memref);
    }
    if (t.space) fmt::format_to(std::back_inserter(out_), ", pl.Mem.{}", name(*t.space));
    tile_view(t);
    out_ += ']';
}

void ExprPrinter::type(const TypeNode& t) {
    switch (t.kind) {
    case NodeKind::ScalarType:
        fmt::format_to(std::back_inserter(out_), "pl.Scalar[pl.{}]",
                       info(static_cast<const ScalarTypeNode&>(t).dtype).pypto);
        break;
    case NodeKind::TensorType: tensor(static_cast<const TensorTypeNode&>(t)); break;
    case NodeKind::TileType: tile(static_cast<const TileTypeNode&>(t)); break;
    case NodeKind::TupleType: {
        const auto& elements = static_cast<const TupleTypeNode&>(t).elements;
        out_ += "pl.Tuple[";
        for (std::size_t i = 0; i < elements.size(); ++i) {
            if (i > 0) out_ += ", ";
            type(*elements[i]);
        }
        out_ += ']';
        break;
    }
    case NodeKind::ArrayType: {
        const auto& a = static_cast<const ArrayTypeNode&>(t);
        out_ += "pl.Array[";
        expr(*a.length, 0);
        fmt::format_to(std::back_inserter(out_), ", pl.{}]", info(a.dtype).pypto);
        break;
    }
    case NodeKind::PtrType: out_ += "pl.Ptr"; break;
    case NodeKind::NamedType: {
        const auto& n = static_cast<const NamedTypeNode&>(t);
        out_ += n.name;
        if (!n.arguments.empty()) {
            out_ += '[';
            list(n.arguments);
            out_ += ']';
        }
        break;
    }
    default: out_ += "pl.UnknownType";
    }
}

std::string print(const TypeNode& t, DumpLevel level) {
    std::string out;
    ExprPrinter(level, out).type(t);
    return out;
}

} // namespace ls::pypto
