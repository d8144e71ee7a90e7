// copy_async by TMA (spec/tirx.md 8.1): tensor maps encoded on the host, once for each, and an instruction for each
// box.
#include <fmt/format.h>

#include "core/dialect/tirx/tirx.h"
#include "core/passes/tirx/tile_primitive_dispatch/build_ir.h"
#include "core/passes/tirx/tile_primitive_dispatch/memory_access.h"

namespace ls::tirx::lower {

using namespace ir;

namespace {

class TmaEmitter {
public:
    TmaEmitter(const TmaPlan& plan, const Lowering& lowering) : plan_(plan), lowering_(lowering) {
        shared_ = lowering.buffer(plan.map.to_shared ? 0 : 1);
        global_ = lowering.buffer(plan.map.to_shared ? 1 : 0);
    }

    Statements emit() {
        LS_TRY(const Var map, encoded(plan_.map, global_));
        if (plan_.prefetch && lowering_.kernel.launch.warp_in_cta() == nullptr) {
            return error("TMA_CONFIG", "prefetch_tensormap requires warp_id_in_cta launch param",
                         "declare the threads of a CTA");
        }
        if (plan_.prefetch) prefetch(map);
        Expr address = address_of(map);
        LS_CHECK(selected(address));
        if (plan_.issue_axes.empty()) {
            LS_TRY(const Expr offset, number(plan_.smem_offset_elems));
            LS_TRY(std::vector<Expr> at, numbers(plan_.map.coordinates));
            instruction(out_, address, offset, std::move(at));
            return out_;
        }
        const Var issue = loop_var("issue");
        std::vector<Stmt> body;
        LS_CHECK(issue_at(issue, address, body));
        out_.push_back(unrolled(issue, plan_.issues(), std::move(body)));
        return out_;
    }

private:
    Result<Expr> number(const Dim& dim) const {
        Expr e = lowering_.expr(dim);
        if (e == nullptr) return error("LAYOUT_OVERFLOW", "a number of the tensor map leaves 64 bits");
        return e;
    }
    Result<std::vector<Expr>> numbers(const std::vector<Dim>& dims) const {
        std::vector<Expr> out;
        for (const Dim& dim : dims) {
            LS_TRY(Expr e, number(dim));
            out.push_back(std::move(e));
        }
        return out;
    }

    /// name = T.tvm_stack_alloca("tensormap", 1), filled by the driver before the launch; the same map for the same
    /// fields.
    Result<Var> encoded(const TensorMap& map, const Var& tensor) {
        const Var root = tensor;
        LS_TRY(const Expr base_offset, number(map.base_offset_bytes));
        LS_TRY(const std::vector<Expr> dims, numbers(map.global_dims));
        LS_TRY(const std::vector<Expr> strides, numbers(map.global_strides_bytes));
        LS_TRY(const std::vector<Expr> box, numbers(map.box));
        std::vector<Expr> fields{string(std::string(info(map.dtype).tirx)), i32(static_cast<std::int64_t>(map.rank())),
                                 call("handle_add_byte_offset", {data_of(root), base_offset})};
        for (const auto* list : {&dims, &strides, &box}) fields.insert(fields.end(), list->begin(), list->end());
        for (std::size_t d = 0; d < map.rank(); ++d) fields.push_back(i32(1));
        fields.push_back(i32(0)); // interleave: none
        for (const int setting : {map.swizzle, map.l2_promotion, map.oob_fill}) fields.push_back(i32(setting));
        if (map.forced_dtype >= 0) fields.push_back(i32(map.forced_dtype));

        std::string key = "tensormap";
        for (const Expr& field : fields) key += ":" + print(*field);
        Var& made = lowering_.kernel.made_once[key];
        if (made != nullptr) return made;
        auto type = std::make_shared<NamedTypeNode>();
        type->name = "TensorMap";
        made = var(fmt::format("{}_tensormap", tensor->name), seal(std::move(type)));
        fields.insert(fields.begin(), {string("runtime.cuTensorMapEncodeTiled"), made});
        lowering_.kernel.host_init.push_back({assign(made, call("tvm_stack_alloca", {string("tensormap"), i32(1)})),
                                              eval(call("call_packed", std::move(fields)))});
        return made;
    }

    void prefetch(const Var& map) {
        Var& done = lowering_.kernel.made_once[fmt::format("prefetch:{}:{}", map->name, map->id)];
        if (done != nullptr) return;
        done = map;
        const Expr elected = binary(BinaryOp::Ne, call("cuda.elect_sync", {}), u32(0));
        const Expr first_warp = binary(BinaryOp::Eq, lowering_.kernel.launch.warp_in_cta(), i32(0));
        const Stmt fetch =
            ptx("prefetch", {call("reinterpret", {handle_type(), address_of(map)})}, {"", "", "", "tensormap"});
        lowering_.kernel.device_init.push_back({if_then(first_warp, seq({if_then(elected, seq({fetch}))}))});
    }

    /// Other tensors that a condition chooses: selected_tensormap: T.let = T.Select(c, &other, &map)
    Status selected(Expr& address) {
        if (plan_.selectors.empty()) return ok_status();
        const auto* list = as<TupleNode>(lowering_.tile.config("src_selector"));
        if (list == nullptr || list->elements.size() != plan_.selectors.size()) {
            return error("TMA_CONFIG", "src_selector is a list of pairs of a condition and a tensor");
        }
        for (std::size_t i = plan_.selectors.size(); i-- > 0;) {
            const auto* pair = as<TupleNode>(list->elements[i]);
            const auto region =
                pair != nullptr && pair->elements.size() == 2 ? region_of(pair->elements[1]) : std::nullopt;
            if (!region) return error("TMA_CONFIG", "src_selector is a list of pairs of a condition and a tensor");
            LS_TRY(const Var map, encoded(plan_.selectors[i], region->buffer));
            address = select(pair->elements[0], address_of(map), address);
        }
        const Var choice = var("selected_tensormap", scalar_type(DType::UInt64));
        out_.push_back(assign(choice, address));
        address = choice;
        return ok_status();
    }

    Status issue_at(const Var& issue, const Expr& map, std::vector<Stmt>& body) {
        LS_TRY(const Expr base, number(plan_.smem_offset_elems));
        LS_TRY(std::vector<Expr> at, numbers(plan_.map.coordinates));
        std::vector<std::int64_t> divisors(plan_.issue_axes.size(), 1);
        for (std::size_t i = divisors.size(); i-- > 1;) divisors[i - 1] = divisors[i] * plan_.issue_axes[i].extent;
        Expr offset = i32(0);
        for (std::size_t i = 0; i < divisors.size(); ++i) {
            const auto& axis = plan_.issue_axes[i];
            const Expr value = modulo(divide(issue, divisors[i]), axis.extent);
            offset = add(offset, multiply(value, axis.smem_stride_elems));
            for (const auto& part : axis.coordinates) {
                at[part.dim] = add(at[part.dim], modulo(divide(value, part.divisor), part.modulus));
            }
        }
        IndexSimplifier known;
        known.set_loop(*issue, i32(0), i32(plan_.issues()));
        for (Expr& c : at) c = known.simplify(c);
        instruction(body, map, add(base, known.simplify(offset)), std::move(at));
        return ok_status();
    }

    void instruction(std::vector<Stmt>& out, const Expr& map, const Expr& smem_offset, std::vector<Expr> at) {
        const Var window = view_of(shared_, "buffer", {i32(1)}, {});
        out.push_back(declare(window, shared_));
        const Expr shared = to_shared(address_of(load(window, {smem_offset})));
        const Expr tensor_map = call("reinterpret", {handle_type(), map});
        if (!plan_.map.gather4.empty()) gather_rows(at);
        for (Expr& c : at) c = cast_to(c, DType::Int32);
        const TensorMap& m = plan_.map;
        const std::string rank = fmt::format("{}d", m.rank());
        const std::string hint = plan_.cache_hint ? "L2::cache_hint" : "";
        std::vector<Expr> operands;
        std::vector<std::string> words{"async", "bulk", "tensor", rank};
        if (m.to_shared) {
            operands = {shared, tensor_map};
            operands.insert(operands.end(), at.begin(), at.end());
            operands.push_back(barrier());
            if (m.multicast) operands.push_back(cast_to(lowering_.setting("cta_mask"), DType::UInt16));
            for (std::string w :
                 {std::string("shared::cluster"), std::string("global"),
                  std::string(m.gather4.empty() ? "" : "tile::gather4"), std::string("mbarrier::complete_tx::bytes"),
                  std::string(m.multicast ? "multicast::cluster" : ""),
                  m.sm >= 100 ? fmt::format("cta_group::{}", m.cta_group) : std::string()}) {
                words.push_back(std::move(w));
            }
        } else {
            operands.push_back(tensor_map);
            operands.insert(operands.end(), at.begin(), at.end());
            operands.push_back(shared);
            if (!m.reduce.empty()) words.insert(words.begin(), "reduce");
            words.insert(words.end(), {"global", "shared::cta"});
            if (!m.reduce.empty()) words.push_back(m.reduce);
            words.insert(words.end(), {"tile", "bulk_group"});
        }
        if (plan_.cache_hint) operands.push_back(cache_policy());
        words.push_back(hint);
        out.push_back(ptx("cp", std::move(operands), words));
    }

    /// The author's pointer, or address in shared memory.
    Expr barrier() const {
        const Expr given = lowering_.setting("mbar");
        return expr_dtype(given) == DType::UInt32 ? given : to_shared(given);
    }
    Expr cache_policy() const {
        const Expr hint = lowering_.setting("cache_hint");
        const auto* text = as<StringNode>(hint);
        if (text == nullptr) return hint;
        const std::uint64_t policy = text->value == "evict_first"  ? 0x12F0000000000000U
                                     : text->value == "evict_last" ? 0x14F0000000000000U
                                                                   : 0x1000000000000000U;
        return u64(policy);
    }
    void gather_rows(std::vector<Expr>& at) const {
        const auto* rows = as<TupleNode>(lowering_.tile.config("gather4"));
        at.resize(1);
        if (rows != nullptr) at.insert(at.end(), rows->elements.begin(), rows->elements.end());
    }

    const TmaPlan& plan_;
    const Lowering& lowering_;
    Var shared_, global_;
    std::vector<Stmt> out_;
};

} // namespace

Statements emit(const TmaPlan& plan, const Lowering& lowering) { return TmaEmitter(plan, lowering).emit(); }

} // namespace ls::tirx::lower
