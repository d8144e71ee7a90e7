#include "core/notation/pto_text.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/layout/catalogue/nz.h"
#include "core/layout/operations.h"
#include "core/notation/annotation.h"
#include "core/notation/cursor.h"

namespace ls::notation {

namespace {

constexpr std::size_t kViewRank = 5; // pto-isa right-aligns every view to five dimensions

using Build = Result<TensorLayout> (*)(std::span<const std::int64_t>, DType);
struct Order {
    std::string_view name;
    Build build;
};
constexpr std::array<Order, 3> kOrders{
    {{"ND", catalogue::nd_tensor}, {"DN", catalogue::dn_tensor}, {"NZ", catalogue::nz_tensor}}};

class Reader {
public:
    Reader(Cursor& cursor, const SymbolValues& values) : at_(cursor), values_(values) {}

    Result<TensorLayout> tensor() {
        accept_prefix();
        LS_CHECK(at_.require("Tensor", "'Tensor'", kHint));
        LS_CHECK(at_.require("[", {}, kHint));
        const std::size_t shape_begin = at_.position();
        LS_TRY(const Shape shape, extents());
        const Span shape_span = at_.since(shape_begin);
        LS_CHECK(at_.require(",", "',' and an element type", kHint));
        accept_prefix();
        const Span dtype_span = at_.here();
        const std::string_view dtype_name = at_.word();
        if (dtype_name.empty()) return at_.expected("an element type such as pl.INT8", kHint);
        LS_TRY(const DType dtype, find_dtype(dtype_name, dtype_span));
        LS_TRY(const Order* const order, this->order());
        LS_CHECK(at_.require("]", "',' or ']'", kHint));
        LS_CHECK(at_.require_end());
        Result<TensorLayout> layout = order->build(shape, dtype);
        if (!layout) {
            // Point at what is wrong: the type for a type, the shape for everything else.
            const bool about_type = layout.error().code.find("DTYPE") != std::string::npos;
            layout.error().span = about_type ? dtype_span : shape_span;
        }
        return layout;
    }

    Result<Shape> extents() {
        Shape out;
        LS_CHECK(at_.require("["));
        while (!at_.accept("]")) {
            if (!out.empty()) {
                LS_CHECK(at_.require(",", "',' or ']'"));
                if (at_.accept("]")) break;
            }
            LS_TRY(const auto number, at_.signed_number());
            if (number) {
                out.push_back(*number);
                continue;
            }
            const Span place = at_.here();
            const std::string_view word = at_.word();
            if (word.empty()) return at_.expected("a number");
            const auto known = values_.find(word);
            if (known == values_.end()) {
                return error_at(place, "TXT_SYMBOL", fmt::format("'{}' has no value", word),
                                fmt::format("give it one behind the layout: ... | {}=64", word));
            }
            out.push_back(known->second);
        }
        return out;
    }

private:
    static constexpr const char* kHint = "a tensor type looks like pl.Tensor[[256, 512], pl.INT8, pl.NZ]";

    void accept_prefix() {
        const std::size_t begin = at_.position();
        if (at_.accept("pl") && at_.accept(".")) return;
        at_.rewind(begin);
    }

    Result<const Order*> order() {
        if (!at_.accept(",")) return kOrders.data();
        accept_prefix();
        if (at_.accept("TensorLayout")) LS_CHECK(at_.require("."));
        const Span place = at_.here();
        const std::string_view word = at_.word();
        for (const Order& o : kOrders) {
            if (o.name == word) return &o;
        }
        return error_at(place, "TXT_NAME", fmt::format("there is no tensor layout '{}'", word),
                        "known: pl.ND, pl.DN, pl.NZ");
    }

    Cursor& at_;
    const SymbolValues& values_;
};

Diagnostic cannot(std::string why) { return error("TXT_CANNOT_SAY", std::move(why), "TIRx text can say every layout"); }

bool same_map(const Layout& a, const Layout& b) {
    const Result<Layout> left = canonicalize(a);
    const Result<Layout> right = canonicalize(b);
    return left.ok() && right.ok() && *left == *right;
}

} // namespace

Result<TensorLayout> read_pypto(std::string_view text, const SymbolValues& values, std::size_t base) {
    Cursor cursor(text, base);
    return Reader(cursor, values).tensor();
}

Result<TensorLayout> read_pto_view(std::string_view text, std::size_t base) {
    Cursor at(text, base);
    const SymbolValues none;
    Reader reader(at, none);
    at.skip_space();
    const std::size_t begin = at.position();
    LS_TRY(const Shape shape, reader.extents());
    LS_CHECK(at.require(":", "':' and the strides", "a view looks like [1, 4, 4, 16, 16] : [4096, 1024, 256, 16, 1]"));
    LS_TRY(const Shape strides, reader.extents());
    LS_CHECK(at.require_end());
    if (shape.size() != strides.size()) {
        return error_at(at.since(begin), "TXT_STRIDE_COUNT",
                        fmt::format("{} extents but {} strides", shape.size(), strides.size()),
                        "write one stride for each extent");
    }
    TileLayout tile;
    for (std::size_t d = 0; d < shape.size(); ++d) tile.shard.push_back({shape[d], strides[d], axes::m});
    TensorLayout out;
    Result<Layout> layout = make_layout(std::move(tile));
    if (!layout) {
        layout.error().span = at.since(begin);
        return layout.error();
    }
    out.layout = std::move(layout).value();
    out.shape = shape.empty() ? Shape{1} : shape;
    out.space = MemorySpace::Gm;
    return out;
}

Result<std::string> print_pypto(const TensorLayout& layout) {
    if (!layout.dtype) return cannot("a pypto tensor type needs an element type");
    const std::string_view dtype = info(*layout.dtype).pypto;
    if (dtype.empty()) return cannot(fmt::format("pypto has no element type {}", info(*layout.dtype).brief));
    for (const Order& order : kOrders) {
        const Result<TensorLayout> candidate = order.build(layout.shape, *layout.dtype);
        if (!candidate || !same_map(candidate->layout, layout.layout)) continue;
        return fmt::format("pl.Tensor[[{}], pl.{}{}]", fmt::join(layout.shape, ", "), dtype,
                           order.name == "ND" ? std::string() : fmt::format(", pl.{}", order.name));
    }
    return cannot("pypto tensor types are ND, DN or NZ; this layout is none of them");
}

Result<std::string> print_pto_view(const TensorLayout& layout) {
    const TileLayout& tile = layout.layout.tile();
    if (layout.layout.is_compose()) return cannot("a tensor view has no swizzle");
    if (!tile.replica.empty()) return cannot("a tensor view has no replicas");
    if (!layout.layout.is_constant()) return cannot("a tensor view of unknown extents");
    for (const auto& [axis, amount] : tile.offset) {
        if (!amount.is(0))
            return cannot(fmt::format("a tensor view starts at its pointer, this layout at {} on {}", to_string(amount),
                                      axis.name()));
    }
    if (layout.dtype) {
        const Result<TensorLayout> nz = catalogue::nz_tensor(layout.shape, *layout.dtype);
        if (nz && same_map(nz->layout, layout.layout)) {
            const auto blocking = catalogue::nz_blocking(layout.shape, *layout.dtype);
            return fmt::format("[{}] : [{}]", fmt::join(blocking->shape, ", "),
                               fmt::join(blocking->stride_elems, ", "));
        }
    }
    std::vector<std::string> extents, strides;
    for (const Iter& iter : tile.shard) {
        if (iter.axis != axes::m)
            return cannot(fmt::format("a tensor view addresses memory, this layout has axis {}", iter.axis.name()));
        extents.push_back(to_string(iter.extent));
        strides.push_back(to_string(iter.stride));
    }
    if (extents.size() > kViewRank)
        return cannot(
            fmt::format("a tensor view has at most {} dimensions, this layout needs {}", kViewRank, extents.size()));
    return fmt::format("[{}] : [{}]", fmt::join(extents, ", "), fmt::join(strides, ", "));
}

} // namespace ls::notation
