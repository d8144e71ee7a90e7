#include "core/passes/nz/l0_product.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::nz {

using namespace ir;

namespace {

/// A grid of more output tiles than this is not written out.
constexpr std::int64_t kMaxTiles = 4096;

std::optional<ProductKind> kind_of(const CallNode& call) {
    if (call.is_op("tile.matmul") && call.args.size() == 2) return ProductKind::Fresh;
    if (call.is_op("tile.matmul_acc") && call.args.size() == 3) return ProductKind::Accumulate;
    if (call.is_op("tile.matmul_bias") && call.args.size() == 3) return ProductKind::Bias;
    return {};
}

/// What the move from Mat to Bias can convert.
bool moves_to_bias(DType from, DType to, const Hardware& hardware) {
    if (from == DType::Int32 && to == DType::Int32) return true;
    if (to != DType::Fp32) return false;
    return from == DType::Fp32 || from == DType::Fp16 || (from == DType::Bf16 && hardware.cube_moves.bf16_to_bias);
}

} // namespace

std::int64_t L0Product::tiles() const { return ceil_div(M, tile.m) * ceil_div(N, tile.n); }

const TileTypeNode* tile_of(const Expr& value) {
    const auto* v = as<VarNode>(value);
    return v == nullptr ? nullptr : as<TileTypeNode>(v->type);
}

std::optional<TileExtents> static_extents(const TileTypeNode* tile, std::initializer_list<TileSpace> spaces) {
    if (tile == nullptr || tile->shape.size() != 2 || !tile->space) return {};
    if (std::find(spaces.begin(), spaces.end(), *tile->space) == spaces.end()) return {};
    const auto rows = constant(tile->shape[0]), cols = constant(tile->shape[1]);
    if (!rows || !cols || *rows <= 0 || *cols <= 0) return {};
    return TileExtents{*rows, *cols};
}

std::optional<BoxGranule> box_granule(const TileTypeNode& tile) {
    const TileView view = effective_view(tile);
    const bool rows_inside = *view.slayout == TileOrder::RowMajor;
    if (*view.slayout == TileOrder::NoneBox) return {};
    switch (*view.fractal_bytes) {
    case 1024: return BoxGranule{16, 16};
    case 32: return rows_inside ? BoxGranule{16, 2} : BoxGranule{2, 16};
    case 512: {
        const int width = bits(tile.dtype);
        if (width <= 0 || 256 % width != 0) return {};
        return rows_inside ? BoxGranule{16, 256 / width} : BoxGranule{256 / width, 16};
    }
    default: return {};
    }
}

void L0Analyser::note(Span span, std::string code, std::string message, std::string hint) {
    Diagnostic found = warning_at(span, std::move(code), std::move(message), std::move(hint));
    found.severity = Severity::Note;
    notes_.push_back(std::move(found));
}

Status L0Analyser::check_manual(const VarNode& operand, TileSpace space, std::string_view what,
                                const CallNode& call) const {
    const auto* tile = as<TileTypeNode>(operand.type);
    const auto extents = static_extents(tile, {space});
    if (!extents) return ok_status();
    const std::int64_t capacity = hardware_.capacity_bytes(space).value_or(0);
    const CheckedInt bits_used =
        checked_product(std::array{extents->rows, extents->cols, static_cast<std::int64_t>(bits(tile->dtype))});
    if (bits_used && ceil_div(*bits_used, 8) <= capacity) return ok_status();
    return error_at(call.span, "L0_OPERAND_CAPACITY",
                    fmt::format("the {} operand {} of {} is [{}, {}] {} in {} and takes {} bytes; {} has {}", what,
                                operand.name, call.op, extents->rows, extents->cols, info(tile->dtype).pypto,
                                name(space), bits_used ? fmt::to_string(ceil_div(*bits_used, 8)) : "too many",
                                hardware_.id, capacity),
                    fmt::format("keep it in Mat and hand that to {}: then tiles that fit are chosen; or extract a "
                                "smaller tile into {}",
                                call.op, name(space)));
}

bool L0Analyser::constrain_bias(const L0Product& product, const CallNode& call, L0Problem& problem) {
    const TileTypeNode& bias = *tile_of(product.bias);
    const TileTypeNode &a = *tile_of(product.lhs), &b = *tile_of(product.rhs);
    const auto refuse = [&](std::string message, std::string hint) {
        note(call.span, "L0_BIAS_WINDOW", std::move(message), "PH-AT-011: " + hint);
        return false;
    };
    if (a.space != TileSpace::Mat) {
        return refuse("the left operand of tile.matmul_bias is not in Mat: the product is left as it is",
                      "load both operands into Mat");
    }
    if (bias.space == TileSpace::Mat && !moves_to_bias(bias.dtype, product.acc_dtype, hardware_)) {
        return refuse(fmt::format("{} cannot move a bias of {} from Mat into a Bias tile of {}: the product is left as "
                                  "it is",
                                  hardware_.id, info(bias.dtype).pypto, info(product.acc_dtype).pypto),
                      "keep the bias in the accumulator's type");
    }
    const auto box_a = box_granule(a), box_b = box_granule(b);
    if (!box_a || !box_b) {
        return refuse("the operands of tile.matmul_bias have no boxes: the product is left as it is",
                      "keep the layout that a load into Mat gives");
    }
    problem.step_m = std::max(problem.step_m, box_a->rows);
    problem.step_n = std::max(problem.step_n, box_b->cols);
    problem.step_k = std::max({problem.step_k, box_a->cols, box_b->rows});
    problem.box_m = box_a->rows;
    problem.box_n = box_b->cols;
    const std::int64_t widest = hardware_.capacity_bytes(TileSpace::Bias).value_or(0) / problem.bytes_c;
    if (widest < hardware_.cube_unit) {
        return refuse(fmt::format("{} has no Bias memory for {} elements", hardware_.id, hardware_.cube_unit),
                      "add the bias in the vector core");
    }
    problem.max_n = std::min(widest, problem.max_n.value_or(widest));
    if (bias.space == TileSpace::Mat) { // its windows are loaded inside the loops, two or four at a time
        problem.max_n_pipelined = widest / 2;
        problem.max_n_nested = widest / 4;
    } else {
        problem.min_n = product.N; // Bias memory has no windows
    }
    if (product.M % problem.step_m != 0 || product.N % problem.step_n != 0 || product.K % problem.step_k != 0) {
        return refuse(fmt::format("[{}, {}, {}] is not made of whole [{}, {}, {}] boxes: the product is left as it is",
                                  product.M, product.N, product.K, problem.step_m, problem.step_n, problem.step_k),
                      "pad the operands to whole boxes");
    }
    return true;
}

Result<L0Tile> L0Analyser::choose(const L0Problem& p) {
    const auto number = [](std::optional<std::int64_t> v) { return v.value_or(-1); };
    const std::vector<std::int64_t> key{p.M,
                                        p.N,
                                        p.K,
                                        p.bytes_a,
                                        p.bytes_b,
                                        p.bytes_c,
                                        p.box_m,
                                        p.box_n,
                                        p.acc_row_align,
                                        p.step_m,
                                        p.step_n,
                                        p.step_k,
                                        number(p.max_n),
                                        number(p.max_n_pipelined),
                                        number(p.min_n),
                                        number(p.fixed_m),
                                        static_cast<std::int64_t>(p.allow_hold_a)};
    if (const auto known = chosen_.find(key); known != chosen_.end()) return known->second;
    Result<L0Choice> choice = choose_l0_tile(p, hardware_);
    Result<L0Tile> tile = choice.ok() ? Result<L0Tile>(L0Tile{choice->m, choice->n, choice->k, choice->regime,
                                                              choice->double_output, choice->a_outside})
                                      : Result<L0Tile>(std::move(choice).error());
    return chosen_.emplace(key, std::move(tile)).first->second;
}

Result<std::optional<L0Product>> L0Analyser::analyse(const Ref<AssignNode>& assign, const L0Wish& wish) {
    const std::optional<L0Product> none;
    const auto* call = as<CallNode>(assign->value);
    const auto kind = call == nullptr ? std::nullopt : kind_of(*call);
    if (!kind || assign->targets.size() != 1) return none;
    const std::size_t first = *kind == ProductKind::Accumulate ? 1 : 0;
    L0Product p;
    p.assign = assign;
    p.kind = *kind;
    p.lhs = ref_as<VarNode>(call->args[first]);
    p.rhs = ref_as<VarNode>(call->args[first + 1]);
    if (p.lhs == nullptr || p.rhs == nullptr) return none;
    const TileTypeNode *a = tile_of(p.lhs), *b = tile_of(p.rhs), *c = tile_of(assign->targets[0]);
    if (a == nullptr || b == nullptr || c == nullptr) return none;
    if (*kind == ProductKind::Accumulate) {
        p.acc = ref_as<VarNode>(call->args[0]);
        const TileTypeNode* acc = tile_of(p.acc);
        if (acc == nullptr || acc->shape.size() != 2) return none;
    }
    LS_CHECK(check_manual(*p.lhs, TileSpace::Left, "left", *call));
    LS_CHECK(check_manual(*p.rhs, TileSpace::Right, "right", *call));

    const auto left = static_extents(a, {TileSpace::Mat, TileSpace::Vec}), right = static_extents(b, {TileSpace::Mat});
    if (!left || !right || left->cols != right->rows) return none;
    if (*kind == ProductKind::Bias) {
        p.bias = ref_as<VarNode>(call->args[2]);
        const auto bias = static_extents(tile_of(call->args[2]), {TileSpace::Mat, TileSpace::Bias});
        if (!bias || bias->rows != 1 || bias->cols != right->cols) return none;
        p.bias_load = wish.bias_load;
        p.bias_loaded = wish.bias_loaded;
    }
    p.M = left->rows;
    p.N = right->cols;
    p.K = left->cols;
    p.acc_dtype = c->dtype;
    p.stage_lhs = a->space == TileSpace::Vec;
    const TileView view = effective_view(*c);
    if (view.valid_shape.size() != 2) return none;
    p.valid_m = view.valid_shape[0];
    p.valid_n = view.valid_shape[1];

    L0Problem problem = l0_problem(p.M, p.N, p.K, a->dtype, b->dtype, c->dtype, hardware_);
    problem.box_m = wish.box_m;
    problem.box_n = wish.box_n;
    problem.fixed_m = wish.fixed_m;
    problem.max_n = wish.max_n;
    problem.allow_hold_a = problem.allow_hold_b = !wish.only_output_regime;
    problem.keep_candidates = false;
    if (p.bias != nullptr && !constrain_bias(p, *call, problem)) return none;

    const Result<L0Tile> tile = choose(problem);
    if (!tile.ok()) {
        if (tile.error().code == "NZ_STORE_NO_TILE")
            return error_at(call->span, tile.error().code, tile.error().message, tile.error().hint);
        note(call->span, tile.error().code, fmt::format("{}: {}", call->op, tile.error().message), tile.error().hint);
        return none;
    }
    p.tile = *tile;
    if (p.tile.m == p.M && p.tile.n == p.N && p.tile.k == p.K) return none;
    if (p.bias != nullptr && p.tile.n != p.N && p.bias_load == nullptr) {
        note(call->span, "L0_BIAS_WINDOW",
             "tile.matmul_bias needs fewer columns at a time, but its bias is not one whole [1, N] tile.load used here "
             "alone with only loads in between: the product is left as it is",
             "PH-AT-011: load the bias right before the product");
        return none;
    }
    if (p.tiles() > kMaxTiles) {
        note(call->span, "L0_PLACEMENT",
             fmt::format("{} would be cut into {} tiles, more than {}: it is left as it is", call->op, p.tiles(),
                         kMaxTiles),
             "PH-AT-006: write the outer loops by hand");
        return none;
    }
    return std::optional<L0Product>(std::move(p));
}

} // namespace ls::nz
