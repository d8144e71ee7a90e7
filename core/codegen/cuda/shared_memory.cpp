#include "core/codegen/cuda/shared_memory.h"

#include <unordered_set>

#include <fmt/format.h>

#include "core/ir/walk.h"
#include "core/support/checked.h"

namespace ls::codegen::cuda {

using namespace ir;

namespace {

constexpr std::int64_t kStaticLimit = 48 * 1024;
constexpr std::int64_t kBlockLimit = 227 * 1024; ///< of compute capability 9.0 and 10.0
constexpr std::int64_t kSwizzleUnit = 1024;

/// Buffers whose addresses go into descriptors and bulk copies, through views of them.
std::unordered_set<const VarNode*> addressed_by_hardware(const CudaKernel& kernel) {
    std::unordered_map<const VarNode*, const VarNode*> viewed;
    std::unordered_set<const VarNode*> found;
    for (const Stmt& s : kernel.body) {
        for_each_stmt(*s, [&](const StmtNode& one) {
            const auto* a = as<AssignNode>(&one);
            const auto* c = a != nullptr ? as<CallNode>(a->value) : nullptr;
            if (c == nullptr || c->op != "decl_buffer" || c->kwarg("data") == nullptr) return;
            for (const VarNode* v : used_vars(*c->kwarg("data"))) viewed[a->targets[0].get()] = v;
        });
        for_each_call(*s, [&](const CallNode& c) {
            const bool bulk = c.op == "ptx.cp" || c.op.starts_with("ptx.cp.");
            if (!bulk && c.op.find("encode_matrix_descriptor") == std::string::npos && c.op != "cuda.cvta_generic_to_shared") return;
            for (const VarNode* v : used_vars(c)) {
                for (int hops = 0; viewed.contains(v) && hops < 64; ++hops) v = viewed[v];
                found.insert(v);
            }
        });
    }
    return found;
}

} // namespace

Result<SharedMemory> plan_shared(const CudaKernel& kernel) {
    SharedMemory plan;
    std::vector<std::pair<const VarNode*, bool>> order; // and whether it is dynamic as written
    std::optional<Diagnostic> why;
    for (const Stmt& s : kernel.body) {
        for_each_stmt(*s, [&](const StmtNode& one) {
            const auto* a = as<AssignNode>(&one);
            const auto* c = a != nullptr && a->targets.size() == 1 ? as<CallNode>(a->value) : nullptr;
            const auto* type = c != nullptr && (c->op == "alloc_buffer" || (c->op == "decl_buffer" && c->kwarg("data") == nullptr)) ? as<BufferTypeNode>(a->targets[0]->type) : nullptr;
            if (type == nullptr || why || !type->scope.starts_with("shared")) return;
            SharedBuffer b;
            const auto element = element_type(*type);
            const auto elements = constant_elements(*type);
            if (!element || !elements || *elements < 1 || *elements > (std::int64_t{1} << 32)) {
                why = error_at(one.span, element ? "CG_CUDA_SHARED" : "CG_CUDA_TYPE", fmt::format("{}: its size in shared memory is not a constant of a known type", a->targets[0]->name), "allocate a constant number of elements");
                return;
            }
            b.element = *element;
            b.elements = *elements;
            b.bytes = storage_bytes(*element, *elements);
            if (type->align && *type->align > b.align_bytes) b.align_bytes = *type->align;
            if (!plan.buffers.emplace(a->targets[0].get(), b).second) return;
            order.emplace_back(a->targets[0].get(), type->scope == "shared.dyn");
            if (type->scope != "shared.dyn") plan.static_bytes += b.bytes;
        });
    }
    if (why) return *why;
    const auto addressed = addressed_by_hardware(kernel);
    const bool all = plan.static_bytes > kStaticLimit;
    if (all) plan.static_bytes = 0;
    for (const auto& [var, dynamic] : order) {
        SharedBuffer& b = plan.buffers[var];
        if (b.bytes >= kSwizzleUnit && addressed.contains(var) && b.align_bytes < kSwizzleUnit) b.align_bytes = kSwizzleUnit;
        if (!dynamic && !all) continue;
        const auto padded = checked_add(plan.arena_bytes, b.align_bytes - 1);
        b.offset_bytes = padded.value_or(0) / b.align_bytes * b.align_bytes;
        plan.arena_bytes = b.offset_bytes + b.bytes;
    }
    if (plan.arena_bytes + plan.static_bytes > kBlockLimit) {
        return error_at(kernel.origin->span, "CG_CUDA_SHARED", fmt::format("{} needs {} bytes of shared memory; a block has {}", kernel.name, plan.arena_bytes + plan.static_bytes, kBlockLimit), "use fewer stages or smaller tiles");
    }
    return plan;
}

} // namespace ls::codegen::cuda
