#include "core/passes/nz/blocked_shape.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::nz {

using namespace ir;

namespace {

/// The value of an expression for a message: its number, its name, or what it is.
std::string shown(const Expr& e) {
    if (const auto v = constant(e)) return fmt::format("{}", *v);
    if (const auto* v = as<VarNode>(e)) return v->name;
    return "an expression";
}

/// A name's own place is where it was defined: where it stands among the operands, only `otherwise` knows.
Span place(const Expr& e, Span otherwise) {
    const bool elsewhere = e->span.empty() || (as<VarNode>(e) != nullptr && !otherwise.empty());
    return elsewhere ? otherwise : e->span;
}

Status check_rank(std::size_t rank, std::string_view what, Span span) {
    if (rank >= 2) return ok_status();
    return error_at(span, "NZ_RANK_LT_2",
                    fmt::format("an NZ {} needs at least [rows, columns]; this has rank {}", what, rank),
                    "give it two axes or more, or annotate the tensor pl.ND");
}

Diagnostic overflow(Span span) {
    return error_at(span, "NZ_OVERFLOW", "the product of the leading axes does not fit in 64 bits",
                    "reshape to [B, R, C] with a smaller B");
}

Result<Expr> multiply(const Expr& a, const Expr& b, Span span) {
    const auto x = constant(a), y = constant(b);
    if (x && y) {
        const CheckedInt product = checked_mul(*x, *y);
        if (!product) return overflow(span);
        return const_int(*product);
    }
    if (x == 0 || y == 0) return const_int(0);
    if (y == 1) return a;
    if (x == 1) return b;
    return binary(BinaryOp::Mul, a, b);
}

Result<Expr> add(const Expr& a, const Expr& b, Span span) {
    const auto x = constant(a), y = constant(b);
    if (x && y) {
        const CheckedInt sum = checked_add(*x, *y);
        if (!sum) return overflow(span);
        return const_int(*sum);
    }
    if (x == 0) return b;
    if (y == 0) return a;
    return binary(BinaryOp::Add, a, b);
}

Diagnostic unproven(const Proof& proof, std::string code, std::string message, std::string hint, Span span) {
    Diagnostic d = error_at(span, std::move(code), std::move(message), std::move(hint));
    if (const ProofNode* obstacle = first_obstacle(proof)) {
        const std::string why =
            proof.out_of_budget
                ? fmt::format("the proof gave up after {} steps: definitions branch too often", proof.visits)
                : fmt::format("the proof stops here: {}", obstacle->rule);
        Diagnostic note = error_at(obstacle->expr->span, d.code, why);
        note.severity = Severity::Note;
        d.notes.push_back(std::move(note));
    }
    return d;
}

} // namespace

std::string axis_name(int axis) { return fmt::format("shape[{}]", axis); }

Result<std::int64_t> c0_elems(DType dtype, Span span) {
    const int width = bits(dtype);
    // Upstream gives FP64 no width at all: it has no line either.
    if (width < 8 || dtype == DType::Fp64) {
        return error_at(span, "NZ_DTYPE_SUBBYTE", fmt::format("{} has no 32-byte line here", info(dtype).pypto),
                        "use an element type of whole bytes up to 32 bits, or annotate the tensor pl.ND");
    }
    if (256 % width != 0) {
        return error_at(span, "NZ_DTYPE_UNSUPPORTED",
                        fmt::format("{} bits of {} do not divide the 32-byte line", width, info(dtype).pypto),
                        "annotate the tensor pl.ND");
    }
    return 256 / width;
}

Result<std::vector<Expr>> block_shape(std::span<const Expr> shape, DType dtype, Span span) {
    LS_CHECK(check_rank(shape.size(), "shape", span));
    LS_TRY(const std::int64_t c0, c0_elems(dtype, span));
    const Expr &rows = shape[shape.size() - 2], &cols = shape[shape.size() - 1];
    const auto r = constant(rows), c = constant(cols);
    if (!r) {
        return error_at(
            place(rows, span), "NZ_ROWS_DYNAMIC",
            fmt::format("shape[-2] = {} must be a constant, so that whole fractals can be counted", shown(rows)),
            "give the rows a static extent, or annotate the tensor pl.ND");
    }
    if (!c) {
        return error_at(
            place(cols, span), "NZ_COLS_DYNAMIC",
            fmt::format("shape[-1] = {} must be a constant, so that whole lines can be counted", shown(cols)),
            "give the columns a static extent, or annotate the tensor pl.ND");
    }
    if (*r <= 0 || *r % kFractalRows != 0) {
        return error_at(
            place(rows, span), "NZ_ROWS_UNALIGNED",
            fmt::format("shape[-2] = {} must be a positive multiple of 16: there are no partial fractals", *r),
            fmt::format("pad the rows to {}", align_up(std::clamp<std::int64_t>(*r, 1, INT64_MAX / 2), kFractalRows)));
    }
    if (*c <= 0 || *c % c0 != 0) {
        return error_at(
            place(cols, span), "NZ_COLS_UNALIGNED",
            fmt::format("shape[-1] = {} must be a positive multiple of c0 = {} for {}", *c, c0, info(dtype).pypto),
            fmt::format("pad the columns to {}", align_up(std::clamp<std::int64_t>(*c, 1, INT64_MAX / 2), c0)));
    }
    Expr batch = const_int(1);
    if (shape.size() == 3) {
        batch = shape[0]; // may be dynamic: it stands alone in its slot
    } else if (shape.size() > 3) {
        std::int64_t product = 1;
        for (std::size_t i = 0; i + 2 < shape.size(); ++i) {
            const auto extent = constant(shape[i]);
            if (!extent) {
                return error_at(
                    place(shape[i], span), "NZ_LEAD_DYNAMIC",
                    fmt::format("axis {} = {} is dynamic and cannot be multiplied into the single batch slot", i,
                                shown(shape[i])),
                    "reshape to [B, R, C], where B may be dynamic");
            }
            const CheckedInt next = checked_mul(product, *extent);
            if (!next) return overflow(span);
            product = *next;
        }
        batch = const_int(product);
    }
    return std::vector<Expr>{std::move(batch), const_int(*c / c0), const_int(*r / kFractalRows),
                             const_int(kFractalRows), const_int(c0)};
}

Result<Expr> fold_leading_offsets(std::span<const Expr> offsets, std::span<const Expr> parent, Span span) {
    if (offsets.empty()) return const_int(0);
    Expr folded = offsets[0];
    for (std::size_t i = 1; i < offsets.size(); ++i) {
        LS_TRY(const Expr scaled, multiply(folded, parent[i], span));
        LS_TRY(folded, add(scaled, offsets[i], span));
    }
    return folded;
}

Result<Expr> block_trailing_offset(const Expr& offset, std::int64_t divisor, int axis, const OffsetFacts& facts,
                                   std::vector<AskedProof>& asked, Span span) {
    const std::string unit =
        divisor == kFractalRows && axis == -2 ? std::string("16") : fmt::format("c0 = {}", divisor);
    const std::string coordinate = fmt::format("offset on {}", axis_name(axis));
    if (const auto v = constant(offset)) {
        if (*v < 0 || *v % divisor != 0) {
            return error_at(
                place(offset, span), "NZ_OFF_CONST",
                fmt::format("the {} must be a non-negative multiple of {}, it is {}", coordinate, unit, *v),
                fmt::format(
                    "start on a multiple of {}: {} or {}", divisor,
                    floor_div(std::max<std::int64_t>(*v, 0), divisor) * divisor,
                    checked_add(floor_div(std::max<std::int64_t>(*v, 0), divisor) * divisor, divisor).value_or(0)));
        }
        return const_int(*v / divisor);
    }
    asked.push_back({coordinate, prove_multiple(offset, divisor, facts)});
    if (!asked.back().proof.proven) {
        return unproven(
            asked.back().proof, "NZ_OFF_UNPROVEN_MULTIPLE",
            fmt::format("the {} must be a multiple of {}, and {} cannot be proven to be one", coordinate, unit,
                        shown(offset)),
            fmt::format("a constant, a loop variable whose start and step are multiples of {0}, a product with one "
                        "factor that is a multiple of {0}, "
                        "and sums, differences, min and max of such are provable: slice on a multiple of {0}",
                        divisor),
            place(offset, span));
    }
    asked.push_back({coordinate, prove_non_negative(offset, facts)});
    if (!asked.back().proof.proven) {
        return unproven(asked.back().proof, "NZ_OFF_UNPROVEN_SIGN",
                        fmt::format("the {} must not be negative, and {} cannot be proven not to be: a negative offset "
                                    "would be clamped to 0 and read fractal 0",
                                    coordinate, shown(offset)),
                        "constants from 0 on, the block number, loop variables that start and step upwards, and sums "
                        "and products of such are provable; "
                        "a difference never is: wrap it in pl.max(..., 0)",
                        place(offset, span));
    }
    return binary(BinaryOp::FloorDiv, offset, const_int(divisor), offset->span);
}

Result<std::vector<Expr>> block_offsets(std::span<const Expr> offsets, std::span<const Expr> parent, DType dtype,
                                        const OffsetFacts& facts, std::vector<AskedProof>& asked, Span span) {
    LS_CHECK(check_rank(offsets.size(), "offset list", span));
    if (offsets.size() != parent.size()) {
        return error_at(span, "NZ_RANK_MISMATCH",
                        fmt::format("{} offsets are given to a tensor of rank {}", offsets.size(), parent.size()),
                        "give one offset for each axis");
    }
    LS_TRY(const std::int64_t c0, c0_elems(dtype, span));
    LS_TRY(Expr row, block_trailing_offset(offsets[offsets.size() - 2], kFractalRows, -2, facts, asked, span));
    LS_TRY(Expr column, block_trailing_offset(offsets[offsets.size() - 1], c0, -1, facts, asked, span));
    LS_TRY(Expr batch, fold_leading_offsets(offsets.first(offsets.size() - 2), parent, span));
    return std::vector<Expr>{std::move(batch), std::move(column), std::move(row), const_int(0), const_int(0)};
}

Result<std::vector<Expr>> block_valid_shape(std::span<const Expr> valid, DType dtype, const OffsetFacts& facts,
                                            std::vector<AskedProof>& asked, Span span) {
    LS_CHECK(check_rank(valid.size(), "valid_shape", span));
    const Expr &rows = valid[valid.size() - 2], &cols = valid[valid.size() - 1];
    if (constant(rows)) return block_shape(valid, dtype, span);
    LS_TRY(const std::int64_t c0, c0_elems(dtype, span));
    const auto c = constant(cols);
    if (!c || *c <= 0 || *c % c0 != 0) {
        return error_at(place(cols, span), "NZ_VALID_COLS",
                        fmt::format("the valid columns must be a constant positive multiple of c0 = {}, they are {}",
                                    c0, shown(cols)),
                        fmt::format("narrow whole lines of {} columns", c0));
    }
    asked.push_back({"valid rows", prove_multiple(rows, kFractalRows, facts)});
    if (!asked.back().proof.proven) {
        return unproven(asked.back().proof, "NZ_VALID_UNPROVEN_MULTIPLE",
                        fmt::format("the valid rows must be a provable multiple of 16, and {} is not", shown(rows)),
                        "narrow whole fractals of 16 rows", place(rows, span));
    }
    // The sign is not asked: a negative extent gives an empty partition, which reads nothing.
    std::vector<Expr> plain(valid.begin(), valid.end());
    plain[plain.size() - 2] = const_int(kFractalRows);
    LS_TRY(std::vector<Expr> blocked, block_shape(plain, dtype, span));
    blocked[kRowFractal] = binary(BinaryOp::FloorDiv, rows, const_int(kFractalRows), rows->span);
    return blocked;
}

bool is_blocked_shape(std::span<const Expr> shape, DType dtype) {
    const auto c0 = c0_elems(dtype);
    return c0.ok() && shape.size() == kBlockedRank && is_constant(shape[3], kFractalRows) && is_constant(shape[4], *c0);
}

std::optional<GmGap> gm_gap(std::span<const Expr> tensor, std::span<const Expr> partition) {
    if (tensor.size() != kBlockedRank || partition.size() != kBlockedRank) return {};
    const auto whole = constant(tensor[kRowFractal]);
    const auto bursts = constant(partition[kColumnBlock]);
    if (!whole || !bursts) return {};
    const auto loaded = constant(partition[kRowFractal]);
    return GmGap{*whole * kFractalRows, loaded.value_or(0) * kFractalRows, *bursts};
}

} // namespace ls::nz
