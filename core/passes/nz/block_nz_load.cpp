#include <fmt/format.h>

#include "core/passes/nz/nz_access.h"
#include "core/support/checked.h"

namespace ls::nz {

using namespace ir;

Result<std::vector<Expr>> coordinates(const CallNode& call, std::size_t index, std::string_view what) {
    const auto* list = index < call.args.size() ? as<TupleNode>(call.args[index]) : nullptr;
    if (list != nullptr) return list->elements;
    return error_at(call.span, "NZ_COORDINATES", fmt::format("the {} of {} must be written as a list", what, call.op),
                    fmt::format("pl.{} takes lists like [row, column]", call.op));
}

Span place_of(const CallNode& call, std::size_t index) {
    return index < call.args.size() && !call.args[index]->span.empty() ? call.args[index]->span : call.span;
}

namespace {

/// The wrap that the guard is for: only where the gap's field is that narrow.
std::string gap_hint(const Hardware& hardware) {
    std::string hint = "load a taller row tile: the gap is the rows that it leaves out; or stack the layers on a batch "
                       "axis, [LAYERS, K, N]";
    if (hardware.nz_load.gap_field_bits == 0)
        hint += fmt::format("; {} itself would pass the whole stride", hardware.pto_arch);
    return hint;
}

Status check_gap(const NzAccess& access, const std::vector<Expr>& tensor, const std::vector<Expr>& partition) {
    const auto gap = gm_gap(tensor, partition);
    if (!gap || gap->bursts <= 1) return ok_status();
    const std::int64_t most = access.hardware.nz_load.max_guarded_gap_blocks;
    if (gap->blocks() <= most) return ok_status();
    return error_at(access.call.span, "NZ_GM_GAP",
                    fmt::format("this load would read wrong data: between {} column blocks it must skip {} 32-byte "
                                "blocks ({} rows of the tensor less {} "
                                "loaded), and the copy to L1 keeps only 16 bits of that, at most {}. This is a guard "
                                "for pto-isa#317, not a limit of NZ",
                                gap->bursts, gap->blocks(), gap->whole_rows, gap->loaded_rows, most),
                    gap_hint(access.hardware));
}

/// Constant windows that reach out of the tensor: not refused upstream, and never meant.
void warn_outside(const NzAccess& access, const std::vector<Expr>& offsets, const std::vector<Expr>& extents) {
    for (std::size_t i = 0; i < offsets.size() && i < extents.size() && i < access.logical.shape.size(); ++i) {
        const auto at = constant(offsets[i]), size = constant(extents[i]), whole = constant(access.logical.shape[i]);
        if (!at || !size || !whole) continue;
        const CheckedInt end = checked_add(*at, *size);
        if (end && *end <= *whole) continue;
        access.warnings.push_back(
            warning_at(access.call.span, "NZ_WINDOW_OUTSIDE",
                       fmt::format("on axis {} the window starts at {} and takes {}, but the tensor has {}", i, *at,
                                   *size, *whole),
                       "read only what the tensor has"));
    }
}

void warn_limits(const NzAccess& access, const std::vector<Expr>& partition) {
    const NzLoadLimits& limits = access.hardware.nz_load;
    const auto bursts = constant(partition[kColumnBlock]), fractals = constant(partition[kRowFractal]);
    if (bursts && *bursts > limits.max_bursts) {
        access.warnings.push_back(warning_at(
            access.call.span, "NZ_LOAD_BURSTS",
            fmt::format("the load takes {} column blocks; pto-isa accepts at most {}", *bursts, limits.max_bursts),
            "load fewer columns at a time"));
    }
    if (fractals && *fractals > limits.max_tile_rows / kFractalRows) {
        access.warnings.push_back(
            warning_at(access.call.span, "NZ_LOAD_ROWS",
                       fmt::format("the load takes {} rows; pto-isa accepts at most {} in a Mat tile",
                                   *fractals * kFractalRows, limits.max_tile_rows),
                       "load fewer rows at a time"));
    }
}

} // namespace

Result<std::vector<Expr>> block_load(const NzAccess& access) {
    const CallNode& call = access.call;
    const auto* target = as<ir::SymbolNode>(call.kwarg("target_memory"));
    if (target == nullptr || target->last() != "Mat") {
        return error_at(
            call.span, "NZ_LOAD_TARGET",
            fmt::format("an NZ tensor can only be loaded into Mat, the way of a cube operand; this load has {}",
                        target == nullptr ? std::string("no target_memory")
                                          : fmt::format("target_memory={}", target->name)),
            "write target_memory=pl.Mem.Mat, or annotate the tensor pl.ND");
    }
    LS_TRY(const std::vector<Expr> offsets, coordinates(call, 1, "offsets"));
    LS_TRY(const std::vector<Expr> shapes, coordinates(call, 2, "window"));
    const DType dtype = access.logical.dtype;
    LS_TRY(std::vector<Expr> blocked_offsets,
           block_offsets(offsets, access.logical.shape, dtype, access.facts, access.asked, place_of(call, 1)));
    LS_TRY(std::vector<Expr> blocked_shapes, block_shape(shapes, dtype, call.span));
    std::vector<Expr> partition = blocked_shapes;
    std::vector<Expr> extents = shapes;
    const bool narrowed = call.args.size() > 3 && as<NoneNode>(call.args[3]) == nullptr;
    if (narrowed) {
        LS_TRY(extents, coordinates(call, 3, "valid_shape"));
        LS_TRY(partition, block_valid_shape(extents, dtype, access.facts, access.asked, place_of(call, 3)));
    }
    for (const std::vector<Expr>* window : {&blocked_shapes, &partition}) {
        if (is_constant((*window)[kBatch], 1)) continue;
        // The instruction lays batches behind one another as further columns: a window of several is not what was
        // meant.
        return error_at(call.span, "NZ_LOAD_MULTI_BATCH",
                        fmt::format("the window takes {} panels at once; a tile holds one",
                                    constant((*window)[kBatch]) ? fmt::format("{}", *constant((*window)[kBatch]))
                                                                : std::string("a dynamic number of")),
                        "load one panel at a time: make every leading extent of the window 1");
    }
    LS_TRY(const std::vector<Expr> tensor, block_shape(access.logical.shape, dtype, call.span));
    LS_CHECK(check_gap(access, tensor, partition));
    warn_outside(access, offsets, extents);
    warn_limits(access, partition);

    std::vector<Expr> args{call.args[0], tuple(std::move(blocked_offsets), call.args[1]->span),
                           tuple(std::move(blocked_shapes), call.args[2]->span)};
    if (narrowed) args.push_back(tuple(std::move(partition), call.args[3]->span));
    for (std::size_t i = 4; i < call.args.size(); ++i) args.push_back(call.args[i]);
    return args;
}

} // namespace ls::nz
