#include "core/notation/notation.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include <fmt/format.h>

#include "core/notation/cursor.h"
#include "core/notation/cute_convert.h"
#include "core/notation/cute_text.h"
#include "core/notation/named.h"
#include "core/notation/pto_text.h"
#include "core/notation/tirx_text.h"
#include "core/notation/triton_convert.h"
#include "core/support/checked.h"

namespace ls {

namespace {

using notation::Annotation;

// --- TIRx

bool looks_like_tirx(std::string_view text) {
    notation::Cursor at(text);
    for (const std::string_view start : {"T.", "Tx.", "S[", "R[", "TileLayout", "ComposeLayout"}) {
        if (at.looking_at(start)) return true;
    }
    if (text.find("S[") != std::string_view::npos || text.find("R[") != std::string_view::npos) return true;
    // Offsets alone: 1@laneid. CuTe's basis leaves have a number behind '@'.
    const std::size_t sign = text.find('@');
    if (sign == std::string_view::npos) return false;
    notation::Cursor behind(text.substr(sign + 1));
    return !behind.word().empty();
}

Result<TensorLayout> read_tirx_tensor(std::string_view text, std::size_t base, const Annotation& annotation) {
    LS_TRY(Layout layout, notation::read_tirx(text, annotation.values, notation::Symbols::Refuse, base));
    return assume(std::move(layout));
}

Result<std::string> print_tirx_short(const TensorLayout& layout) { return notation::print_tirx(layout.layout); }
Result<std::string> print_tirx_reference(const TensorLayout& layout) {
    return notation::print_tirx_repr(layout.layout);
}

// --- CuTe

Result<TensorLayout> read_cute_tensor(std::string_view text, std::size_t base, const Annotation& annotation) {
    LS_TRY(const cute::Composed composed, cute::read_cute(text, base));
    LS_TRY(TensorLayout tensor, cute::to_tensor(composed, annotation.axes));
    LS_TRY(const TensorLayout checked, assume(tensor.layout));
    if (tensor.space == MemorySpace::Unknown) tensor.space = checked.space;
    return tensor;
}

/// Basis strides are printed with what they stand for, so that the text reads back.
Result<std::string> print_cute_tensor(const TensorLayout& layout) {
    LS_TRY(const cute::FromTensor from, cute::from_tensor(layout));
    std::string names;
    for (std::size_t i = 0; i < from.axes.size(); ++i)
        names += fmt::format("{}@{}={}", names.empty() ? " | " : ", ", i, from.axes[i].name());
    return cute::print(from.composed) + names;
}

// --- Triton

Result<TensorLayout> read_triton_tensor(std::string_view text, std::size_t base, const Annotation& annotation) {
    LS_TRY(const triton::Attribute attribute, triton::read_attribute(text, base));
    Shape shape;
    if (annotation.shape) {
        shape = *annotation.shape;
    } else if (attribute.name == "padded_shared" && attribute.find("shape") != nullptr) {
        LS_TRY(shape, attribute.integers("shape"));
    } else {
        return error_at(attribute.span, "TXT_SHAPE_NEEDED", "an encoding lays out tensors of any shape; say which one",
                        "write it behind the encoding: ... | f16 [64, 64]");
    }
    return triton::to_tensor(attribute, shape);
}

Result<std::string> print_triton_tensor(const TensorLayout& layout) {
    LS_TRY(const triton::LinearLayout linear, triton::from_tensor(layout));
    LS_TRY(std::string text, triton::print_attribute(linear));
    std::string extents;
    for (const std::int64_t extent : layout.shape) extents += fmt::format("{}{}", extents.empty() ? "" : ", ", extent);
    return fmt::format("{} | [{}]", text, extents);
}

// --- layouts by name

bool looks_like_call(std::string_view text) {
    if (cute::looks_like_cute(text)) return false; // ArithTuple(..) o .., tensor(..)
    const auto name = notation::called_name(text);
    return name && *name != "TileLayout" && *name != "ComposeLayout";
}

Result<TensorLayout> read_named_tensor(std::string_view text, std::size_t base, const Annotation&) {
    return notation::read_named(text, base);
}

/// A name is a claim about where a layout came from; it is made only if the name still gives this layout.
Result<std::string> print_named(const TensorLayout& layout) {
    const auto called = notation::called_name(layout.name);
    if (called && notation::find_named_layout(*called) != nullptr) {
        const Result<TensorLayout> named = notation::read_named(layout.name);
        if (named && named->layout == layout.layout) return layout.name + notation::print_annotation(layout, *named);
    }
    return error("TXT_CANNOT_SAY", "this layout was not made from a named one");
}

// --- Ascend

bool looks_like_pypto(std::string_view text) {
    notation::Cursor at(text);
    if (at.accept("pl")) at.accept(".");
    return at.looking_at("Tensor");
}

Result<TensorLayout> read_pypto_tensor(std::string_view text, std::size_t base, const Annotation& annotation) {
    return notation::read_pypto(text, annotation.values, base);
}

bool looks_like_view(std::string_view text) { return notation::Cursor(text).peek() == '['; }

Result<TensorLayout> read_view_tensor(std::string_view text, std::size_t base, const Annotation&) {
    LS_TRY(TensorLayout view, notation::read_pto_view(text, base));
    LS_CHECK(assume(view.layout)); // its size and offsets fit 64 bits
    return view;
}

constexpr std::array kNotations{
    NotationInfo{Notation::Pypto, "pypto", "pl.Tensor[[256, 512], pl.INT8, pl.NZ]",
                 "Tensor type with the byte order ND, DN or NZ", looks_like_pypto, read_pypto_tensor,
                 notation::print_pypto},
    NotationInfo{Notation::Triton, "Triton",
                 "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, "
                 "0]}> | f16 [64, 64]",
                 "Encodings of tensors in registers, shared and tensor memory", triton::looks_like_triton,
                 read_triton_tensor, print_triton_tensor},
    NotationInfo{Notation::PtoView, "PTO view", "[1, 4, 4, 16, 16] : [4096, 1024, 256, 16, 1]",
                 "Sizes and strides of a tensor view", looks_like_view, read_view_tensor, notation::print_pto_view},
    NotationInfo{Notation::Named, "Named", "nz(256, 512, i8)", "A hardware layout by its name", looks_like_call,
                 read_named_tensor, print_named},
    NotationInfo{Notation::Tirx, "TIRx", "S[(8, 64):(64, 1)]", "Shard, replica and offset over named axes",
                 looks_like_tirx, read_tirx_tensor, print_tirx_short},
    NotationInfo{Notation::Cute, "CuTe", "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)",
                 "Nested shapes and strides, leftmost fastest", cute::looks_like_cute, read_cute_tensor,
                 print_cute_tensor},
    NotationInfo{Notation::TirxReference, "TIRx script", "T.TileLayout(T.S[(8, 64):(64, 1)])",
                 "The form that TIRx scripts print", looks_like_tirx, read_tirx_tensor, print_tirx_reference},
};

/// The layout's text and where the annotation starts behind it.
struct Parts {
    std::string_view layout;
    std::size_t layout_begin = 0;
    std::string_view annotation;
    std::size_t annotation_begin = 0;
};
Parts split(std::string_view text) {
    Parts parts;
    const std::size_t bar = std::min(text.find('|'), text.size());
    parts.layout = text.substr(0, bar);
    while (!parts.layout.empty() && std::string_view(" \t\r\n").find(parts.layout.back()) != std::string_view::npos) {
        parts.layout.remove_suffix(1);
    }
    parts.annotation_begin = std::min(bar + 1, text.size());
    parts.annotation = text.substr(parts.annotation_begin);
    return parts;
}

std::string examples() {
    std::string out;
    for (const NotationInfo& n : kNotations) {
        if (!n.example.empty()) out += fmt::format("{}{}", out.empty() ? "" : "   ", n.example);
    }
    return out;
}

/// Lowest and highest value on one axis over the whole domain.
struct Extent {
    CheckedInt lowest = 0, highest = 0;
};
using Extents = std::map<Axis, Extent>;

void widen(Extents& extents, const Iter& iter) {
    Extent& e = extents[iter.axis];
    const CheckedInt reach = checked_mul(iter.extent.value() - 1, iter.stride.value());
    CheckedInt& side = reach && *reach < 0 ? e.lowest : e.highest;
    side = reach && side ? checked_add(*side, *reach) : CheckedInt{};
}

Status check_range(const Layout& layout) {
    Extents extents;
    const TileLayout& tile = layout.tile();
    for (const Iter& iter : tile.shard) widen(extents, iter);
    for (const Iter& iter : tile.replica) widen(extents, iter);
    for (const auto& [axis, amount] : tile.offset) {
        Extent& e = extents[axis];
        if (e.lowest) e.lowest = checked_add(*e.lowest, amount.value());
        if (e.highest) e.highest = checked_add(*e.highest, amount.value());
    }
    for (const auto& [axis, e] : extents) {
        if (!e.lowest || !e.highest) {
            return error("LAYOUT_OVERFLOW", fmt::format("offsets on axis {} do not fit 64 bits", axis.name()));
        }
    }
    return ok_status();
}

MemorySpace assumed_space(const Layout& layout) {
    if (layout.is_compose()) return MemorySpace::Smem;
    bool thread = false;
    for (const std::vector<Iter>* iters : {&layout.tile().shard, &layout.tile().replica}) {
        for (const Iter& iter : *iters) {
            if (iter.axis == axes::TLane || iter.axis == axes::TCol) return MemorySpace::Tmem;
            thread = thread || iter.axis.is_thread();
        }
    }
    return thread ? MemorySpace::Registers : MemorySpace::Unknown;
}

} // namespace

std::span<const NotationInfo> notations() { return kNotations; }

const NotationInfo& info(Notation notation) {
    const auto row = std::find_if(kNotations.begin(), kNotations.end(),
                                  [&](const NotationInfo& n) { return n.notation == notation; });
    assert(row != kNotations.end());
    return *row;
}

std::optional<Notation> recognise(std::string_view text) {
    const Parts parts = split(text);
    for (const NotationInfo& n : kNotations) {
        if (n.looks_like(parts.layout)) return n.notation;
    }
    return {};
}

Result<TensorLayout> read_layout(std::string_view text) {
    const Parts parts = split(text);
    notation::Cursor at(parts.layout);
    if (at.at_end()) return error_at({0, text.size()}, "TXT_EMPTY", "there is no layout", "for example: " + examples());
    LS_TRY(const Annotation annotation, notation::read_annotation(parts.annotation, parts.annotation_begin));
    const auto notation = recognise(text);
    if (!notation) {
        return error_at({0, parts.layout.size()}, "TXT_UNKNOWN",
                        "this looks like no way of writing a layout that is known here", "for example: " + examples());
    }
    Result<TensorLayout> layout = info(*notation).read(parts.layout, parts.layout_begin, annotation);
    if (!layout && layout.error().span.empty() && layout.error().span.begin == 0)
        layout.error().span = {0, parts.layout.size()};
    if (!layout) return layout;
    return notation::annotate(std::move(layout).value(), annotation);
}

Result<std::string> print_as(const TensorLayout& layout, Notation notation) { return info(notation).print(layout); }

std::string print_exact(const TensorLayout& layout) {
    const std::string text = notation::print_tirx(layout.layout);
    const Result<TensorLayout> assumed = assume(layout.layout);
    return text + notation::print_annotation(layout, assumed ? assumed.value() : TensorLayout{});
}

Result<TensorLayout> assume(Layout layout) {
    if (!layout.is_constant()) {
        return error("TXT_SYMBOL", "the layout has names without a value",
                     "give them values behind the layout: ... | M=64");
    }
    TensorLayout out;
    for (const Iter& iter : layout.tile().shard) out.shape.push_back(iter.extent.value());
    if (out.shape.empty()) out.shape.push_back(1);
    if (!checked_product(out.shape)) return error("LAYOUT_OVERFLOW", "the layout holds more than 2^63 elements");
    LS_CHECK(check_range(layout));
    out.space = assumed_space(layout);
    out.layout = std::move(layout);
    return out;
}

} // namespace ls
