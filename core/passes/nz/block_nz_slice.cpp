#include <fmt/format.h>

#include "core/passes/nz/nz_access.h"
#include "core/support/checked.h"

namespace ls::nz {

using namespace ir;

namespace {

bool whole_axis(const Expr& extent, const Expr& size, const Expr& offset) {
    const auto e = constant(extent), s = constant(size);
    return e && s && *e == *s && is_constant(offset, 0);
}

Status check_valid(const NzAccess& access, const std::vector<Expr>& shapes, const std::vector<Expr>& valid) {
    if (valid.empty()) return ok_status();
    if (valid.size() != shapes.size()) {
        return error_at(access.call.span, "NZ_SLICE_VALID_RANK",
                        fmt::format("valid_shape has rank {}, the window has rank {}", valid.size(), shapes.size()),
                        "drop valid_shape");
    }
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const auto v = constant(valid[i]), s = constant(shapes[i]);
        if (valid[i] == shapes[i] || (v && s && *v == *s)) continue;
        return error_at(access.call.span, "NZ_SLICE_VALID_NARROW",
                        fmt::format("on axis {} less is valid than the window spans; partial fractals do not exist", i),
                        "drop valid_shape");
    }
    return ok_status();
}

Status check_dropped(const NzAccess& access, std::size_t rank) {
    if (access.call.args.size() < 5) return ok_status();
    LS_TRY(const std::vector<Expr> dropped, coordinates(access.call, 4, "drop_dims"));
    for (const Expr& d : dropped) {
        const auto axis = constant(d);
        if (axis && *axis >= 0 && static_cast<std::size_t>(*axis) + 2 < rank) continue;
        return error_at(
            access.call.span, "NZ_SLICE_DROP_TRAILING",
            fmt::format("axis {} cannot be dropped: only leading axes can, the last two are the fractal plane",
                        axis ? fmt::format("{}", *axis) : std::string("that is not a constant")),
            "index a leading axis");
    }
    return ok_status();
}

/// Leading axes fold into one batch, so the window must be one run of panels: once an axis spans several, every later
/// one must be whole. [2, 2] at [0, 1] of [2, 4] names panels {1, 2, 5, 6}; folded it would be {1, 2, 3, 4}.
Status check_leading(const NzAccess& access, const std::vector<Expr>& shapes, const std::vector<Expr>& offsets) {
    bool spans = false;
    for (std::size_t i = 0; i + 2 < shapes.size(); ++i) {
        if (spans && !whole_axis(access.logical.shape[i], shapes[i], offsets[i])) {
            return error_at(
                access.call.span, "NZ_SLICE_MULTI_WINDOW",
                fmt::format(
                    "axis {} is narrowed although an earlier axis spans several: the panels would not lie side by side",
                    i),
                "narrow one leading axis only, or take one element of the axes before it");
        }
        spans = spans || constant(shapes[i]).value_or(2) > 1;
    }
    return ok_status();
}

} // namespace

Result<std::vector<Expr>> block_slice(const NzAccess& access) {
    const CallNode& call = access.call;
    LS_TRY(const std::vector<Expr> shapes, coordinates(call, 1, "window"));
    LS_TRY(const std::vector<Expr> offsets, coordinates(call, 2, "offsets"));
    std::vector<Expr> valid;
    if (call.args.size() > 3 && as<NoneNode>(call.args[3]) == nullptr) {
        LS_TRY(valid, coordinates(call, 3, "valid_shape"));
    }
    const std::size_t rank = access.logical.shape.size();
    if (shapes.size() != rank || offsets.size() != rank) {
        return error_at(call.span, "NZ_RANK_MISMATCH",
                        fmt::format("a window of rank {} at offsets of rank {} is taken from a tensor of rank {}",
                                    shapes.size(), offsets.size(), rank),
                        "give one extent and one offset for each axis");
    }
    LS_CHECK(check_valid(access, shapes, valid));
    LS_CHECK(check_dropped(access, rank));
    for (std::size_t i = rank - 2; i < rank; ++i) {
        if (whole_axis(access.logical.shape[i], shapes[i], offsets[i])) continue;
        return error_at(
            call.span, "NZ_SLICE_INNER_WINDOW",
            fmt::format("shape[{}] is not taken whole from 0: a window inside [rows, columns] is one run in every "
                        "column block, which no stride describes",
                        static_cast<int>(i) - static_cast<int>(rank)),
            "slice leading axes only and load the window with tile.load, or stack the parts on a leading axis");
    }
    LS_CHECK(check_leading(access, shapes, offsets));
    const DType dtype = access.logical.dtype;
    LS_TRY(std::vector<Expr> blocked_shapes, block_shape(shapes, dtype, call.span));
    LS_TRY(std::vector<Expr> blocked_offsets,
           block_offsets(offsets, access.logical.shape, dtype, access.facts, access.asked, place_of(call, 2)));
    std::vector<Expr> args{call.args[0], tuple(blocked_shapes, call.args[1]->span),
                           tuple(std::move(blocked_offsets), call.args[2]->span)};
    if (!valid.empty()) {
        LS_TRY(std::vector<Expr> blocked_valid, block_shape(valid, dtype, call.span));
        args.push_back(tuple(std::move(blocked_valid), call.args[3]->span));
    }
    return args; // drop_dims is gone: the fold has removed the axes
}

Status check_flatten(const NzAccess& access) {
    LS_TRY(const std::vector<Expr> shape, coordinates(access.call, 1, "shape"));
    std::int64_t elements = 1;
    bool known = true;
    for (const Expr& e : access.logical.shape) {
        const auto extent = constant(e);
        const CheckedInt next = extent ? checked_mul(elements, *extent) : CheckedInt{};
        known = known && next.has_value();
        elements = next.value_or(1);
    }
    if (known && shape.size() == 1 && is_constant(shape[0], elements)) return ok_status();
    return error_at(
        access.call.span, "NZ_RESHAPE_NOT_FLATTEN",
        known ? fmt::format("only [{}], the whole tensor in one axis, keeps its meaning; this asks for rank {}{}",
                            elements, shape.size(),
                            shape.size() == 1 && constant(shape[0])
                                ? fmt::format(" with {} elements", *constant(shape[0]))
                                : std::string{})
              : std::string("only a tensor of static extents can be flattened"),
        "flatten all of it, or annotate the tensor pl.ND");
}

} // namespace ls::nz
