#include "core/passes/tirx/kernel_attributes.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/fold.h"
#include "core/ir/mutator.h"
#include "core/ir/substitute.h"
#include "core/passes/tirx/function_pass.h"

namespace ls::tirx {

using namespace ir;

namespace {

constexpr std::string_view kMinBlocks = "tirx.launch_bounds_min_blocks_per_sm";
constexpr std::string_view kMaxCluster = "tirx.launch_bounds_max_blocks_per_cluster";
constexpr std::string_view kMaxRegisters = "tirx.max_registers";
constexpr std::string_view kDynamicBytes = "tirx.dyn_smem_bytes";
constexpr std::string_view kUseDynamic = "tirx.use_dyn_shared_memory";
constexpr std::string_view kDependentLaunch = "tirx.use_programtic_dependent_launch";
constexpr std::string_view kCooperativeLaunch = "tirx.use_cooperative_launch";

bool speaks_of_launch(std::string_view key) {
    return key == kMinBlocks || key == kMaxCluster || key == kMaxRegisters || key == kDynamicBytes;
}

class Collector final : public Mutator {
public:
    LaunchInfo info;
    Expr declared_bytes, inferred_bytes;
    std::optional<Diagnostic> refusal;

protected:
    Var on_define(const Var& var) override { return var; }
    Expr on_expr(const Expr& expr) override { return expr; }

    Stmt on_stmt(const Stmt& stmt) override {
        if (const auto* a = as<AssignNode>(stmt)) note(*a);
        const auto* w = as<WithNode>(stmt);
        if (w == nullptr) return Mutator::on_stmt(stmt);
        if (const auto axis = launched_axis(*w); !axis.empty()) {
            if (std::find(info.params.begin(), info.params.end(), axis) == info.params.end()) {
                info.params.emplace_back(axis);
                info.args.push_back(substitute(launched_extent(*w), bound_));
            }
            return Mutator::on_stmt(stmt);
        }
        std::vector<KeyValue> left;
        bool taken = false;
        for (const KeyValue& k : attributes_of(*w)) {
            if (speaks_of_launch(k.key)) {
                take(k, stmt->span);
                taken = true;
            } else {
                left.push_back(k);
            }
        }
        if (!taken) return Mutator::on_stmt(stmt);
        const Seq body = mutate(w->body);
        if (left.empty()) return body;
        auto made = derive(ref_as<WithNode>(stmt));
        made->scope = call("attr", {dict(std::move(left))});
        made->body = body;
        return seal(std::move(made));
    }

private:
    void refuse(std::string_view code, Span span, std::string message, std::string hint) {
        if (!refusal) refusal = error_at(span, std::string(code), std::move(message), std::move(hint));
    }

    void take(const KeyValue& k, Span span) {
        const auto value = constant(k.value);
        if (!value || *value < (k.key == kDynamicBytes ? 0 : 1)) {
            return refuse("TIRX_LAUNCH_BOUNDS", span, fmt::format("{} must be a positive number", k.key),
                          "write a constant");
        }
        if (k.key == kDynamicBytes) {
            if (declared_bytes != nullptr) {
                return refuse("TIRX_DYNAMIC_SHARED", span, "a kernel says the size of its dynamic shared memory twice",
                              "keep one tirx.dyn_smem_bytes");
            }
            declared_bytes = k.value;
            return;
        }
        for (const KeyValue& known : info.attributes) {
            if (known.key == k.key && !is_constant(known.value, *value)) {
                refuse("TIRX_LAUNCH_BOUNDS", span,
                       fmt::format("{} is given as {} and as another number", k.key, *value),
                       "a kernel has one value of it");
            }
        }
        set_attr(info.attributes, k.key, k.value);
    }

    /// Extents may be written in variables that the body binds; the host knows only what they stand for.
    void note(const AssignNode& a) {
        if (a.targets.size() != 1) return;
        const auto* type = buffer_type(a.targets[0]);
        if (type == nullptr) {
            if (as<ScalarTypeNode>(a.targets[0]->type)) bound_[a.targets[0].get()] = substitute(a.value, bound_);
            return;
        }
        const auto* how = as<CallNode>(a.value);
        if (type->scope != "shared.dyn" || how == nullptr || !how->is_op("alloc_buffer")) return;
        if (inferred_bytes != nullptr) {
            return refuse("TIRX_DYNAMIC_SHARED", a.span, "a kernel allocates dynamic shared memory twice",
                          "allocate once and take views of it");
        }
        Expr bytes = const_int((element_bits(dtype_text(*type)) + 7) / 8, DType::Int32);
        for (const Expr& e : type->shape) bytes = make_binary(BinaryOp::Mul, e, bytes);
        inferred_bytes = substitute(bytes, bound_);
    }

    Substitution bound_;
};

} // namespace

std::vector<KeyValue> attributes_of(const WithNode& with) {
    const auto* c = as<CallNode>(with.scope);
    if (c == nullptr || !c->is_op("attr")) return {};
    if (c->args.size() == 1) {
        const auto* entries = as<DictNode>(c->args[0]);
        return entries != nullptr ? entries->entries : std::vector<KeyValue>{};
    }
    const auto* key = c->args.size() == 3 ? as<StringNode>(c->args[1]) : nullptr;
    return key != nullptr ? std::vector<KeyValue>{{key->value, c->args[2]}} : std::vector<KeyValue>{};
}

Result<LaunchInfo> launch_info(const Seq& body, const ExprNode* requested) {
    Collector collector;
    collector.info.body = collector.mutate(body);
    LaunchInfo info = std::move(collector.info);
    const auto has = [&](std::string_view key) {
        return std::any_of(info.attributes.begin(), info.attributes.end(),
                           [&](const KeyValue& k) { return k.key == key; });
    };
    if (collector.refusal) return *std::move(collector.refusal);
    if ((has(kMaxCluster) && !has(kMinBlocks)) || (has(kMaxRegisters) && has(kMinBlocks))) {
        return error("TIRX_LAUNCH_BOUNDS",
                     "blocks per cluster need blocks per multiprocessor, and registers go without launch bounds",
                     "CUDA has __launch_bounds__(threads, blocks, cluster) or __maxnreg__, not both");
    }
    for (const std::string_view flag : {kDependentLaunch, kCooperativeLaunch}) {
        const auto* list = as<TupleNode>(requested);
        const bool asked =
            list != nullptr && std::any_of(list->elements.begin(), list->elements.end(), [&](const Expr& e) {
                const auto* s = as<StringNode>(e);
                return s != nullptr && s->value == flag;
            });
        if (asked) info.params.emplace_back(flag);
    }
    Expr bytes = collector.declared_bytes;
    if (bytes == nullptr && collector.inferred_bytes != nullptr) {
        if (is_constant(collector.inferred_bytes, 0)) {
            return error("TIRX_DYNAMIC_SHARED", "the size of the dynamic shared memory is not said anywhere",
                         "put T.attr({\"tirx.dyn_smem_bytes\": BYTES}) into the kernel");
        }
        bytes = collector.inferred_bytes;
    }
    if (bytes != nullptr) {
        info.params.emplace_back(kUseDynamic);
        info.args.push_back(bytes);
    }
    return info;
}

} // namespace ls::tirx
