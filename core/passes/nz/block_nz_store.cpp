// An accumulator may go back to global memory in NZ order in one case only: FP32, whole rows, one panel, on A2/A3.
// The reason is in the instruction: it takes the distance between destination column blocks from the stored height and
// ignores the tensor's own stride, and it would lay a second panel behind the first as further columns.
#include <array>

#include <fmt/format.h>

#include "core/passes/nz/nz_access.h"

namespace ls::nz {

using namespace ir;

namespace {

/// Parts of the names of keyword arguments that change what is written (pre_quant_scalar, relu_pre_mode, atomic_type).
/// Their value may say "nothing": then they are as if absent.
constexpr std::array<std::string_view, 6> kConverting{"atomic", "quant", "relu", "dtype", "target_type", "cast"};

bool says_nothing(const Expr& value) {
    if (is_constant(value, 0) || as<NoneNode>(value) != nullptr) return true;
    if (const auto* b = as<ConstBoolNode>(value)) return !b->value;
    const auto* s = as<ir::SymbolNode>(value);
    if (s == nullptr) return false;
    const std::string_view last = s->last();
    return last == "None_" || last == "none" || last == "NONE" || last == "no_relu" || last == "NoRelu";
}

Diagnostic refuse(const NzAccess& access, std::string code, std::string message, std::string hint) {
    return error_at(access.call.span, std::move(code), std::move(message), std::move(hint));
}

Status check_source(const NzAccess& access, const TileTypeNode* tile) {
    if (!access.hardware.nz_store.supported) {
        return refuse(access, "NZ_STORE_BACKEND",
                      fmt::format("{} has no store from an accumulator into an NZ tensor", access.hardware.id),
                      "compile for a2a3, or annotate the output pl.ND");
    }
    if (tile == nullptr || tile->space != TileSpace::Acc) {
        return refuse(
            access, "NZ_STORE_SRC_SPACE",
            fmt::format("only a tile in Acc can be stored into an NZ tensor; this one is in {}",
                        tile == nullptr || !tile->space ? std::string_view("no known memory") : name(*tile->space)),
            "store the accumulator itself, or annotate the output pl.ND");
    }
    if (tile->dtype != DType::Fp32 || access.logical.dtype != DType::Fp32) {
        return refuse(access, "NZ_STORE_DTYPE",
                      fmt::format("an NZ store writes FP32 from FP32; this one writes {} from {}",
                                  info(access.logical.dtype).pypto, info(tile->dtype).pypto),
                      "accumulate and keep the output in FP32, or annotate the output pl.ND");
    }
    for (const KeyValue& k : access.call.kwargs) {
        for (const std::string_view key : kConverting) {
            if (k.key.find(key) != std::string::npos && !says_nothing(k.value)) {
                return refuse(access, "NZ_STORE_ATTR",
                              fmt::format("an NZ store cannot convert or combine on the way; this one has {}=", k.key),
                              "drop it, or annotate the output pl.ND");
            }
        }
    }
    return ok_status();
}

struct Extents {
    std::int64_t rows = 0, cols = 0;
};

Result<Extents> check_tile(const NzAccess& access, const TileTypeNode& tile) {
    if (tile.shape.size() != 2) {
        return refuse(access, "NZ_STORE_TILE_RANK",
                      fmt::format("the stored tile must have two axes, it has {}", tile.shape.size()),
                      "reshape it to [rows, columns]");
    }
    const auto rows = constant(tile.shape[0]), cols = constant(tile.shape[1]);
    if (!rows || !cols || *rows <= 0 || *cols <= 0) {
        return refuse(access, "NZ_STORE_TILE_DYNAMIC", "the stored tile must have constant positive extents",
                      "give it a static shape");
    }
    if (tile.view) {
        const auto& valid = tile.view->valid_shape;
        const bool whole =
            valid.empty() || (valid.size() == 2 && is_constant(valid[0], *rows) && is_constant(valid[1], *cols));
        if (!whole) {
            return refuse(access, "NZ_STORE_TILE_PARTIAL", "the stored tile must be valid throughout",
                          "drop its valid_shape, or annotate the output pl.ND");
        }
    }
    const std::int64_t unit = access.hardware.cube_unit;
    if (*rows % unit != 0 || *cols % unit != 0) {
        return refuse(access, "NZ_STORE_TILE_UNALIGNED",
                      fmt::format("the stored tile is {}x{}; both extents must be multiples of {}", *rows, *cols, unit),
                      "store tiles of whole 16x16 boxes");
    }
    return Extents{*rows, *cols};
}

/// A written partition must name one panel of exactly the tile.
Status check_partition(const NzAccess& access, Extents tile) {
    if (access.call.args.size() < 4 || as<NoneNode>(access.call.args[3]) != nullptr) return ok_status();
    LS_TRY(const std::vector<Expr> partition, coordinates(access.call, 3, "partition"));
    if (partition.size() < 2) {
        return refuse(access, "NZ_RANK_LT_2", fmt::format("the partition has rank {}", partition.size()),
                      "give it one extent for each axis");
    }
    for (std::size_t i = 0; i + 2 < partition.size(); ++i) {
        if (is_constant(partition[i], 1)) continue;
        return refuse(access, "NZ_STORE_MULTI_PANEL",
                      fmt::format("axis {} of the partition is not 1: one store writes one panel", i),
                      "store panel by panel");
    }
    if (is_constant(partition[partition.size() - 2], tile.rows) && is_constant(partition.back(), tile.cols))
        return ok_status();
    return refuse(access, "NZ_STORE_TILE_PARTIAL",
                  fmt::format("the partition is not the whole {}x{} tile", tile.rows, tile.cols), "drop the partition");
}

} // namespace

std::vector<std::int64_t> store_partition(std::int64_t rows, std::int64_t cols) {
    constexpr std::int64_t kC0 = 256 / 32; // FP32
    return {1, cols / kC0, rows / kFractalRows, kFractalRows, kC0};
}

Result<std::vector<Expr>> block_store(const NzAccess& access) {
    const CallNode& call = access.call;
    const auto* source = call.args.empty() ? nullptr : as<VarNode>(call.args[0]);
    const auto* tile = source != nullptr ? as<TileTypeNode>(source->type) : nullptr;
    LS_CHECK(check_source(access, tile));
    LS_TRY(const Extents extents, check_tile(access, *tile));
    LS_CHECK(check_partition(access, extents));
    LS_TRY(const std::vector<Expr> offsets, coordinates(call, 1, "offsets"));
    const std::size_t rank = access.logical.shape.size();
    if (offsets.size() != rank) {
        return error_at(call.span, "NZ_RANK_MISMATCH",
                        fmt::format("{} offsets are given to a tensor of rank {}", offsets.size(), rank),
                        "give one offset for each axis");
    }
    LS_TRY(const std::vector<Expr> blocked, block_shape(access.logical.shape, access.logical.dtype, call.span));
    if (!is_constant(access.logical.shape[rank - 2], extents.rows) || !is_constant(offsets[rank - 2], 0)) {
        const auto at = constant(offsets[rank - 2]);
        return refuse(
            access, "NZ_STORE_ROW_WINDOW",
            fmt::format("an NZ store writes all rows from row 0; this tile has {} of {} rows and starts at row {}: the "
                        "instruction would put the next "
                        "column block {} elements on, where the tensor has it {} on",
                        extents.rows, constant(access.logical.shape[rank - 2]).value_or(0),
                        at ? fmt::format("{}", *at) : std::string("that is not constant"), extents.rows * 8,
                        constant(access.logical.shape[rank - 2]).value_or(0) * 8),
            "store whole columns of the tensor, or stack independent parts on a leading axis, [PANELS, R, C]");
    }
    LS_TRY(Expr column,
           block_trailing_offset(offsets[rank - 1], *constant(blocked[4]), -1, access.facts, access.asked, place_of(call, 1)));
    LS_TRY(Expr batch, fold_leading_offsets(std::span(offsets).first(rank - 2), access.logical.shape, call.span));
    const auto start = constant(offsets[rank - 1]), whole = constant(access.logical.shape[rank - 1]);
    if (start && whole && *start + extents.cols > *whole) {
        access.warnings.push_back(
            warning_at(call.span, "NZ_WINDOW_OUTSIDE",
                       fmt::format("the store starts at column {} and writes {}, but the tensor has {}", *start,
                                   extents.cols, *whole),
                       "write only what the tensor has"));
    }
    return std::vector<Expr>{
        call.args[0],
        tuple({std::move(batch), std::move(column), const_int(0), const_int(0), const_int(0)}, call.args[1]->span),
        call.args[2], tuple(const_ints(store_partition(extents.rows, extents.cols)), call.span)};
}

} // namespace ls::nz
