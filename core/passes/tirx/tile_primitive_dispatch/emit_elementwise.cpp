// Elementwise operations (spec/tirx.md 6): element by element, or in pairs where an instruction takes two.
#include <fmt/format.h>

#include "core/passes/tirx/tile_primitive_dispatch/arithmetic.h"
#include "core/passes/tirx/tile_primitive_dispatch/build_ir.h"
#include "core/passes/tirx/tile_primitive_dispatch/memory_access.h"

namespace ls::tirx::lower {

using namespace ir;

namespace {

using Places = std::vector<std::vector<Expr>>; ///< of the elements of one step

/// A source at the elements of one step: where they lie, or one value for all of them.
struct Lane {
    Var buffer;
    Places places;
    Expr value;

    Expr at(std::size_t k) const { return buffer == nullptr ? value : load(buffer, places[k]); }
};

class ElementwiseEmitter {
public:
    ElementwiseEmitter(const ElementwisePlan& plan, const Lowering& lowering)
        : plan_(plan), lowering_(lowering), dst_(lowering.buffer(0)) {}

    Statements emit() { return plan_.on_registers ? on_registers() : on_shared(); }

private:
    DType dst_dtype() const { return buffer_type(dst_)->dtype; }
    Expr scalar_of(const ElementwiseSource& source) const { return lowering_.tile.args()[source.argument]; }

    Statements on_registers() {
        std::vector<Stmt> out;
        std::vector<Var> views;
        const auto view = [&](const Var& whole, const TileLayout& layout) -> Var {
            auto type =
                derive(ref_as<BufferTypeNode>(registers("buffer", plan_.per_thread, buffer_type(whole)->dtype)->type));
            type->origin = nullptr;
            set_layout(*type, Layout(layout));
            const Var made = var("buffer", seal(std::move(type)));
            out.push_back(declare(made, whole));
            return made;
        };
        views.push_back(view(dst_, plan_.views[0]));
        for (const ElementwiseSource& source : plan_.sources) {
            if (source.region) views.push_back(view(lowering_.buffer(source.argument), plan_.views[views.size()]));
        }
        const Var f = loop_var("f");
        std::vector<Stmt> body;
        Places at;
        for (int k = 0; k < plan_.vector; ++k)
            at.push_back({plan_.vector == 1 ? Expr(f) : add(multiply(f, plan_.vector), i32(k))});
        // The reference's trace leaves the places of a pair under names of their own.
        if (plan_.vector > 1) {
            for (int k = 0; k < plan_.vector; ++k)
                local_value(body, fmt::format("dst_lane_indices_{}_0", k), at[static_cast<std::size_t>(k)][0]);
        }
        std::vector<Lane> lanes;
        std::size_t next = 1;
        for (const ElementwiseSource& source : plan_.sources) {
            lanes.push_back(source.region ? Lane{views[next++], at, nullptr} : Lane{nullptr, {}, scalar_of(source)});
        }
        LS_CHECK(step(views[0], at, lanes, body));
        out.push_back(serial(f, plan_.iterations, std::move(body)));
        return out;
    }

    Statements on_shared() {
        std::vector<Stmt> out;
        const auto dst = *lowering_.region(0);
        const Expr tid = thread_of_scope(out, "tid", lowering_.context.scope, lowering_.kernel);
        if (tid == nullptr) return error("ELEMENTWISE_LAYOUT", "no id counts the threads of this scope");
        const Expr thread = lowering_.context.scope == ScopeKind::Thread ? load(local_value(out, "tid", i32(0))) : tid;
        const Var s = loop_var("s"), vec = loop_var("vec");
        Expr fused = add(multiply(multiply(s, plan_.chunk), plan_.threads), multiply(thread, plan_.chunk));
        const bool packed = plan_.vector > 1;
        if (!packed) fused = add(fused, vec);
        Places at;
        for (int k = 0; k < plan_.vector; ++k)
            at.push_back(place_of(packed ? add(fused, i32(k)) : fused, dst.begin, dst.extent));
        std::vector<Lane> lanes;
        for (const ElementwiseSource& source : plan_.sources) {
            if (!source.region) {
                lanes.push_back({nullptr, {}, scalar_of(source)});
                continue;
            }
            const auto from = *lowering_.region(source.argument);
            Lane lane{from.buffer, {}, nullptr};
            for (std::size_t k = 0; k < at.size(); ++k)
                lane.places.push_back(
                    source_place(dst, from, packed ? add(fused, i32(static_cast<std::int64_t>(k))) : fused, at[k]));
            lanes.push_back(std::move(lane));
        }
        std::vector<Stmt> body;
        LS_CHECK(step(dst_, at, lanes, body));
        const Expr inside = packed ? binary(BinaryOp::Le, add(fused, i32(plan_.chunk)), i32(plan_.total))
                                   : binary(BinaryOp::Lt, fused, i32(plan_.total));
        std::vector<Stmt> guarded{if_then(inside, seq(std::move(body)))};
        if (!packed) {
            auto loop = std::make_shared<ForNode>();
            loop->loop = LoopKind::Vectorized;
            loop->var = vec;
            loop->start = i32(0);
            loop->stop = i32(plan_.chunk);
            loop->step = i32(1);
            loop->body = seq(std::move(guarded));
            guarded = {seal(std::move(loop))};
        }
        out.push_back(serial(s, plan_.iterations, std::move(guarded)));
        scope_sync(out, lowering_.context.scope);
        return out;
    }

    /// The source's element for one of the destination: the same place in its own region, or the only one of a repeated
    /// dimension.
    static std::vector<Expr> source_place(const Region& dst, const Region& from, const Expr& fused,
                                          const std::vector<Expr>& at) {
        const bool same = dst.extent.size() == from.extent.size() &&
                          std::equal(dst.extent.begin(), dst.extent.end(), from.extent.begin(),
                                     [](const Expr& a, const Expr& b) { return same_place(a, b); });
        if (same) return place_of(fused, from.begin, from.extent);
        const std::size_t pad = dst.extent.size() - from.extent.size();
        std::vector<Expr> out;
        for (std::size_t d = 0; d < from.extent.size(); ++d) {
            const Expr own = make_binary(BinaryOp::Sub, at[pad + d], dst.begin[pad + d]);
            out.push_back(is_constant(from.extent[d], 1) ? from.begin[d] : add(own, from.begin[d]));
        }
        return out;
    }

    Status step(const Var& dst, const Places& at, const std::vector<Lane>& lanes, std::vector<Stmt>& body) const {
        if (plan_.vector > 1) {
            plan_.op == "cast" ? cast_pair(dst, at, lanes[0], body) : arithmetic_pair(dst, at, lanes, body);
            return ok_status();
        }
        LS_TRY(const Typed value, computed(lanes));
        const bool as_it_is = value.dtype == dst_dtype();
        body.push_back(store(load(dst, at[0]), as_it_is ? value.expr : converted(value.expr, dst_dtype())));
        return ok_status();
    }

    struct Typed {
        Expr expr;
        std::optional<DType> dtype;
        Typed(Expr e) : expr(std::move(e)), dtype(expr_dtype(expr)) {} // NOLINT: a value is one with its own type
        Typed(Expr e, DType d) : expr(std::move(e)), dtype(d) {}
    };
    /// The operation on one element.
    Result<Typed> computed(const std::vector<Lane>& lanes) const {
        const std::string& op = plan_.op;
        std::vector<Expr> v;
        for (const Lane& lane : lanes) v.push_back(lane.at(0));
        if (op == "zero") return Typed(number(0, DType::Fp32));
        if (op == "fill" || op == "cast") return Typed(v[0]);
        if (op == "add") return Typed(arithmetic(BinaryOp::Add, v[0], v[1]));
        if (op == "sub") return Typed(arithmetic(BinaryOp::Sub, v[0], v[1]));
        if (op == "mul") return Typed(arithmetic(BinaryOp::Mul, v[0], v[1]));
        if (op == "fdiv") return Typed(arithmetic(BinaryOp::Div, v[0], v[1]));
        if (op == "maximum") return Typed(arithmetic(BinaryOp::Max, v[0], v[1]));
        if (op == "fma") return Typed(arithmetic(BinaryOp::Add, arithmetic(BinaryOp::Mul, v[0], v[1]), v[2]));
        const DType dtype = expr_dtype(v[0]).value_or(DType::Fp32);
        if (op == "reciprocal") return Typed(arithmetic(BinaryOp::Div, number(1, dtype), v[0]));
        if (op == "silu") {
            const Expr negative = binary(BinaryOp::Sub, number(0, dtype), v[0]);
            return Typed(
                arithmetic(BinaryOp::Div, v[0], binary(BinaryOp::Add, number(1, dtype), call("exp", {negative}))));
        }
        // exp(x · scale + bias) and its like
        const auto args = lowering_.tile.args();
        Expr x = v[0];
        if (args.size() > 3 && args[3]->kind != NodeKind::None) x = arithmetic(BinaryOp::Mul, x, args[3]);
        if (lanes.size() > 1) {
            x = arithmetic(BinaryOp::Add, x, v[1]);
        } else if (args.size() > 2 && args[2]->kind == NodeKind::ConstFloat) {
            x = arithmetic(BinaryOp::Add, x, args[2]);
        }
        return Typed(call(op, {x}), expr_dtype(x).value_or(dtype));
    }

    /// op.f32x2 on 64-bit registers that are packed and taken apart by mov.
    void arithmetic_pair(const Var& dst, const Places& at, const std::vector<Lane>& lanes,
                         std::vector<Stmt>& body) const {
        static constexpr const char* names[] = {"lhs", "rhs", "addend"};
        std::vector<Var> pairs;
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            pairs.push_back(scalar(names[i], DType::UInt64));
            body.push_back(allocate(pairs.back()));
        }
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            body.push_back(ptx(
                "mov", {load(pairs[i]), converted(lanes[i].at(0), DType::Fp32), converted(lanes[i].at(1), DType::Fp32)},
                {"b64"}));
        }
        const auto* asked = as<StringNode>(lowering_.setting("rounding_mode"));
        const std::string rounding = asked != nullptr && plan_.op != "fma" ? asked->value : "rz";
        std::vector<Expr> operands{load(pairs[0])};
        for (const Var& pair : pairs) operands.push_back(load(pair));
        std::vector<std::string> words{rounding, "ftz", "", "f32x2"};
        if (plan_.op != "mul") words.emplace_back("");
        body.push_back(ptx(plan_.op, std::move(operands), words));
        body.push_back(ptx("mov", {load(dst, at[0]), load(dst, at[1]), load(pairs[0])}, {"b64"}));
    }

    void cast_pair(const Var& dst, const Places& at, const Lane& src, std::vector<Stmt>& body) const {
        const auto text = [](DType t) { return std::string(info(t).tirx); };
        const auto pair_type = [](DType t) {
            return t == DType::Fp32 ? "float2" : t == DType::Fp16 ? "half2" : "nv_bfloat162";
        };
        const DType from = buffer_type(src.buffer)->dtype, to = dst_dtype();
        const char* intrinsic = from == DType::Fp32
                                    ? (to == DType::Fp16 ? "__float22half2_rn" : "__float22bfloat162_rn")
                                    : (from == DType::Fp16 ? "__half22float2" : "__bfloat1622float2");
        const std::string name = fmt::format("tvm_builtin_cast_{}x2_{}x2", text(from), text(to));
        const std::string source = fmt::format("\n__forceinline__ __device__ void {}(void* dst, void* src) {{\n"
                                               "    (({}*)dst)[0] = {}((({}*)src)[0]);\n}}\n",
                                               name, pair_type(to), intrinsic, pair_type(from));
        body.push_back(eval(call("cuda.func_call", {string(name), address_of(load(dst, at[0])), address_of(src.at(0))},
                                 {{"source_code", string(source)}})));
    }

    const ElementwisePlan& plan_;
    const Lowering& lowering_;
    Var dst_;
};

} // namespace

Statements emit(const ElementwisePlan& plan, const Lowering& lowering) {
    return ElementwiseEmitter(plan, lowering).emit();
}

} // namespace ls::tirx::lower
