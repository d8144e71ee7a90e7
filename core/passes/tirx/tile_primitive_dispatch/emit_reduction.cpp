// sum, max and min (spec/tirx.md 6).
#include <fmt/format.h>

#include <limits>

#include "core/layout/operations.h"
#include "core/passes/tirx/tile_primitive_dispatch/arithmetic.h"
#include "core/passes/tirx/tile_primitive_dispatch/build_ir.h"
#include "core/passes/tirx/tile_primitive_dispatch/memory_access.h"

namespace ls::tirx::lower {

using namespace ir;

namespace {

/// Largest and smallest numbers of a type, where max and min start.
double limit_of(DType dtype) {
    switch (dtype) {
    case DType::Fp16: return 65504;
    case DType::Bf16: return 3.3895313892515355e38;
    case DType::Fp32: return std::numeric_limits<float>::max();
    case DType::Fp64: return std::numeric_limits<double>::max();
    default: return static_cast<double>((std::int64_t{1} << (bits(dtype) - 1)) - 1);
    }
}

class ReductionEmitter {
public:
    ReductionEmitter(const ReductionPlan& plan, const Lowering& lowering)
        : plan_(plan), lowering_(lowering), dst_(*lowering.region(0)), src_(*lowering.region(1)) {
        dtype_ = buffer_type(src_.buffer)->dtype;
        const auto args = lowering.tile.args();
        const auto* flag = args.size() > 3 ? as<ConstBoolNode>(args[3]) : nullptr;
        accumulate_ = flag != nullptr ? flag->value : args.size() > 3 && constant(args[3]).value_or(0) != 0;
    }

    Statements emit() {
        switch (plan_.kind) {
        case ReductionKind::Serial: serially(); break;
        case ReductionKind::PackedSum: packed_sum(); break;
        case ReductionKind::ThreeInputs: three_inputs(); break;
        case ReductionKind::SharedGroups: LS_CHECK(in_groups()); break;
        case ReductionKind::LaneReplica: over_lanes(); break;
        case ReductionKind::LocalView: LS_CHECK(over_view()); break;
        }
        return out_;
    }

private:
    Expr combined(const Expr& a, const Expr& b) const {
        return binary(plan_.op == "sum" ? BinaryOp::Add : plan_.op == "max" ? BinaryOp::Max : BinaryOp::Min, a, b);
    }
    Expr initial() const {
        if (plan_.op == "sum") return number(0, dtype_);
        const bool floats = info(dtype_).tirx.find("float") != std::string_view::npos;
        const double limit = limit_of(dtype_);
        if (plan_.op == "min") return number(limit, dtype_);
        return number(floats ? -limit : -limit - 1, dtype_);
    }
    Expr length(const std::vector<std::size_t>& dims) const {
        Expr total = i32(1);
        for (const std::size_t d : dims) total = multiply(total, src_.extent[d]);
        return total;
    }
    static Stmt loop(const Var& v, const Expr& extent, std::vector<Stmt> body) {
        auto made = std::make_shared<ForNode>();
        made->var = v;
        made->start = i32(0);
        made->stop = extent;
        made->step = i32(1);
        made->body = seq(std::move(body));
        return seal(std::move(made));
    }

    /// The source's element of a result and a count within it.
    Expr source(const Expr& result, const Expr& count) const {
        std::vector<Expr> at(src_.begin.size());
        const auto digits = [&](Expr rest, const std::vector<std::size_t>& dims) {
            for (std::size_t i = dims.size(); i-- > 0;) {
                const std::size_t d = dims[i];
                at[d] = add(make_binary(BinaryOp::Mod, rest, src_.extent[d]), src_.begin[d]);
                rest = make_binary(BinaryOp::FloorDiv, rest, src_.extent[d]);
            }
        };
        digits(result, plan_.kept);
        digits(count, plan_.reduced);
        return load(src_.buffer, std::move(at));
    }
    Expr result_at(const Expr& flat) const { return load(dst_.buffer, place_of(flat, dst_.begin, dst_.extent)); }

    void serially() {
        const Var spa = loop_var("spa"), red = loop_var("red");
        const Expr result = result_at(spa);
        std::vector<Stmt> body;
        if (!accumulate_) body.push_back(store(result, initial()));
        body.push_back(loop(red, length(plan_.reduced), {store(result, combined(result, source(spa, red)))}));
        out_.push_back(loop(spa, length(plan_.kept), std::move(body)));
    }

    /// Element `index` of a source of one dimension.
    Expr element(std::initializer_list<Expr> distances) const {
        std::vector<Expr> at = src_.begin;
        for (std::size_t d = 0; d < at.size(); ++d) {
            if (is_constant(src_.extent[d], 1) && at.size() > 1) continue;
            for (const Expr& distance : distances) at[d] = add(at[d], distance);
            break;
        }
        return load(src_.buffer, std::move(at));
    }
    static Expr twice(const Var& v) { return make_binary(BinaryOp::Mul, i32(2), v); }
    static Expr chunk(const Var& outer) { return make_binary(BinaryOp::Mul, i32(8), add(outer, i32(1))); }
    std::int64_t elements() const { return constant(length(all_dims())).value_or(0); }
    std::vector<std::size_t> all_dims() const {
        std::vector<std::size_t> dims(src_.extent.size());
        for (std::size_t d = 0; d < dims.size(); ++d) dims[d] = d;
        return dims;
    }

    /// Eight sums, two by two in one instruction; then 8 → 4 → 2 → 1.
    void packed_sum() {
        const Var sums = registers("local_sum", 8, dtype_), acc = scalar("acc", DType::UInt64),
                  rhs = scalar("rhs", DType::UInt64);
        for (const Var& v : {sums, acc, rhs}) out_.push_back(allocate(v));
        const auto added = [&](std::vector<Stmt>& into, const Expr& low, const Expr& high, const Expr& a,
                               const Expr& b) {
            into.push_back(ptx("mov", {load(acc), low, high}, {"b64"}));
            into.push_back(ptx("mov", {load(rhs), a, b}, {"b64"}));
            into.push_back(ptx("add", {load(acc), load(acc), load(rhs)}, {"rn", "ftz", "", "f32x2", ""}));
            into.push_back(ptx("mov", {low, high, load(acc)}, {"b64"}));
        };
        const auto at = [&](const Expr& index) { return load(sums, std::vector<Expr>{index}); };
        const Var i = loop_var("i"), outer = loop_var("outer"), j = loop_var("j"), tail = loop_var("i");
        const Expr result = load(dst_.buffer, dst_.begin);
        out_.push_back(unrolled(i, 8, {store(at(i), element({i}))}));
        if (accumulate_) out_.push_back(store(load(sums), combined(element({}), result)));
        std::vector<Stmt> pair;
        added(pair, at(twice(j)), at(add(twice(j), i32(1))), element({chunk(outer), twice(j)}),
              element({chunk(outer), twice(j), i32(1)}));
        const std::int64_t count = elements();
        out_.push_back(serial(outer, count / 8 - 1, {unrolled(j, 4, std::move(pair))}));
        out_.push_back(
            serial(tail, count % 8, {store(load(sums), combined(load(sums), element({i32(count / 8 * 8), tail})))}));
        added(out_, load(sums, 0), load(sums, 1), load(sums, 2), load(sums, 3));
        added(out_, load(sums, 4), load(sums, 5), load(sums, 6), load(sums, 7));
        added(out_, load(sums, 0), load(sums, 1), load(sums, 4), load(sums, 5));
        out_.push_back(store(result, combined(load(sums, 0), load(sums, 1))));
    }

    /// Four maxima (or minima), each of itself and two more elements in one instruction.
    void three_inputs() {
        const Var held = registers("temp", 4, dtype_);
        out_.push_back(allocate(held));
        const auto three = [&](const Expr& d, const Expr& a, const Expr& b, const Expr& c) {
            return ptx(plan_.op, {d, a, b, c}, {"", "", "", "f32"});
        };
        const Var i = loop_var("i"), outer = loop_var("outer"), j = loop_var("i"), tail = loop_var("i");
        const Expr result = load(dst_.buffer, dst_.begin);
        const auto at = [&](const Var& index) { return load(held, std::vector<Expr>{index}); };
        out_.push_back(unrolled(i, 4, {store(at(i), combined(element({twice(i)}), element({twice(i), i32(1)})))}));
        if (accumulate_) out_.push_back(three(load(held), element({}), element({i32(1)}), result));
        const std::int64_t count = elements();
        out_.push_back(serial(outer, count / 8 - 1,
                              {unrolled(j, 4,
                                        {three(at(j), at(j), element({chunk(outer), twice(j)}),
                                               element({chunk(outer), twice(j), i32(1)}))})}));
        out_.push_back(
            serial(tail, count % 8, {store(load(held), combined(load(held), element({i32(count / 8 * 8), tail})))}));
        out_.push_back(store(result, combined(load(held, 0), load(held, 1))));
        out_.push_back(three(result, result, load(held, 2), load(held, 3)));
    }

    Expr shuffled(const Expr& mask, const Expr& value, std::int64_t distance, std::int64_t width) const {
        return combined(value, call("tvm_warp_shuffle_xor", {mask, value, i32(distance), i32(width), i32(32)}));
    }

    Status in_groups() {
        const LaunchParam* axis = lowering_.kernel.launch.find("threadIdx.x");
        if (axis == nullptr) return error("REDUCTION_LAYOUT", "threadIdx.x not in launch_params");
        Expr tid = axis->var;
        if (lowering_.context.scope != ScopeKind::Cta)
            tid = load(local_value(out_, "tid_in_scope", modulo(tid, plan_.threads)));
        const Var data = registers("thread_data", 1, dtype_);
        out_.push_back(allocate(data));
        const Expr group = divide(tid, plan_.group), lane = modulo(tid, plan_.group);
        const std::int64_t parallel = plan_.threads / plan_.group;
        const std::int64_t results = constant(length(plan_.kept)).value_or(1),
                           count = constant(length(plan_.reduced)).value_or(1);
        const Var step = loop_var("step"), t = loop_var("t");
        const Expr result = add(multiply(step, parallel), group), at = add(multiply(t, plan_.group), lane);
        std::vector<Stmt> body{store(load(data), initial())};
        body.push_back(serial(t, (count + plan_.group - 1) / plan_.group,
                              {if_then(binary(BinaryOp::Lt, at, i32(count)),
                                       seq({store(load(data), combined(load(data), source(result, at)))}))}));
        const Expr mask = call("tvm_warp_activemask", {});
        for (std::int64_t distance = 1; distance < plan_.group; distance *= 2) {
            body.push_back(store(load(data), shuffled(mask, load(data), distance, plan_.group)));
        }
        const Expr place = result_at(result);
        const Stmt write = store(place, accumulate_ ? combined(place, load(data)) : load(data));
        body.push_back(if_then(make_binary(BinaryOp::Eq, lane, i32(0)), seq({write})));
        out_.push_back(serial(step, (results + parallel - 1) / parallel,
                              {if_then(binary(BinaryOp::Lt, result, i32(results)), seq(std::move(body)))}));
        scope_sync(out_, lowering_.context.scope);
        return ok_status();
    }

    Var held_by_thread(const Var& whole, const char* name, std::vector<Expr> shape) {
        const Var view = view_of(whole, name, std::move(shape), storage(*layout_of(*buffer_type(whole))));
        out_.push_back(declare(view, whole));
        return view;
    }

    void over_lanes() {
        const Var src = held_by_thread(src_.buffer, "src_local", {i32(plan_.elements)});
        const Var dst = held_by_thread(dst_.buffer, "dst_local", {i32(plan_.elements)});
        const Var k = loop_var("k");
        const Expr place = load(dst, std::vector<Expr>{k});
        std::vector<Stmt> body;
        if (src_.buffer != dst_.buffer) body.push_back(store(place, load(src, std::vector<Expr>{k})));
        body.push_back(store(place, call("cuda.warp_reduce", {place, string(plan_.op), i32(plan_.width)})));
        out_.push_back(serial(k, plan_.elements, std::move(body)));
    }

    Result<std::vector<Expr>> numbers(const std::vector<Dim>& dims) const {
        std::vector<Expr> out;
        for (const Dim& dim : dims) {
            out.push_back(lowering_.expr(dim));
            if (out.back() == nullptr) return error("LAYOUT_OVERFLOW", "an extent of the reduction leaves 64 bits");
        }
        return out;
    }
    static Expr total(const std::vector<Expr>& extents) {
        Expr all = i32(1);
        for (const Expr& e : extents) all = multiply(all, e);
        return all;
    }

    /// Each thread over its own registers; then the lanes of the reduced dimensions.
    Status over_view() {
        LS_TRY(const auto src_shape, numbers(plan_.src.shape));
        LS_TRY(const auto dst_shape, numbers(plan_.dst.shape));
        LS_TRY(const auto dst_begin, numbers(plan_.dst.begin));
        LS_TRY(const auto dst_extent, numbers(plan_.dst.extent));
        LS_TRY(const auto src_begin, numbers(plan_.src.begin));
        LS_TRY(const auto src_extent, numbers(plan_.src.extent));
        const Var src = held_by_thread(src_.buffer, "src_local", src_shape),
                  dst = held_by_thread(dst_.buffer, "dst_local", dst_shape);
        const bool save = accumulate_ && !plan_.shuffle_masks.empty(), in_place = src_.buffer == dst_.buffer;
        const Var before = registers("old_val", 1, dtype_);
        if (save) out_.push_back(allocate(before));
        const Var spa = loop_var("spa"), red = loop_var("red");
        const std::vector<Expr> dst_at = place_of(spa, dst_begin, dst_extent);
        const Expr place = load(dst, dst_at);
        std::vector<Stmt> body;
        if (save) body.push_back(store(load(before), place));
        if (!in_place) {
            if (save || !accumulate_) body.push_back(store(place, initial()));
            std::vector<Expr> begins, extents;
            for (const std::size_t d : plan_.reduced) {
                if (!plan_.src.place[d]) continue;
                begins.push_back(src_begin[*plan_.src.place[d]]);
                extents.push_back(src_extent[*plan_.src.place[d]]);
            }
            const std::vector<Expr> counts = begins.empty() ? std::vector<Expr>{} : place_of(red, begins, extents);
            std::vector<Expr> src_at;
            std::size_t next = 0;
            for (std::size_t d = 0; d < plan_.src.place.size(); ++d) {
                if (!plan_.src.place[d]) continue;
                const bool reduced = std::find(plan_.reduced.begin(), plan_.reduced.end(), d) != plan_.reduced.end();
                src_at.push_back(reduced ? counts[next++] : dst_at[*plan_.dst.place[d]]);
            }
            if (src_at.empty()) src_at.push_back(i32(0));
            body.push_back(loop(red, total(extents), {store(place, combined(place, load(src, std::move(src_at))))}));
        }
        const Expr mask = call("tvm_warp_activemask", {});
        for (const std::int64_t distance : plan_.shuffle_masks)
            body.push_back(store(place, shuffled(mask, place, distance, 32)));
        if (save) body.push_back(store(place, combined(place, load(before))));
        out_.push_back(loop(spa, total(dst_extent), std::move(body)));
        return ok_status();
    }

    const ReductionPlan& plan_;
    const Lowering& lowering_;
    Region dst_, src_;
    DType dtype_ = DType::Fp32;
    bool accumulate_ = false;
    std::vector<Stmt> out_;
};

} // namespace

Statements emit(const ReductionPlan& plan, const Lowering& lowering) { return ReductionEmitter(plan, lowering).emit(); }

} // namespace ls::tirx::lower
