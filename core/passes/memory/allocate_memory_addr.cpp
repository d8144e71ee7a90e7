#include "core/passes/memory/allocate_memory_addr.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/passes/memory/memref.h"
#include "core/passes/memory/space_plan.h"
#include "core/support/checked.h"

namespace ls::memory {

using namespace ir;

namespace {

struct Buffer {
    const VarNode* base = nullptr;
    std::int64_t bytes = 0;   ///< of its largest member, or as declared
    std::int64_t address = 0;
    bool declared = false;
};

using Buffers = std::map<TileSpace, std::vector<Buffer>>;

Buffers collect(const FunctionNode& function) {
    Buffers spaces;
    std::unordered_map<const VarNode*, std::int64_t> declared;
    std::unordered_map<const VarNode*, std::pair<TileSpace, std::size_t>> place;
    walk(*function.body, [&](const Node& node) {
        if (const auto* assign = as<AssignNode>(&node); assign != nullptr && assign->targets.size() == 1) {
            const auto* call = as<CallNode>(assign->value);
            const bool alloc = call != nullptr && (call->is_op("tile.alloc") || call->is_op("tensor.alloc"));
            if (alloc && is_pinned(*assign) && call->args.size() > 1) {
                declared[assign->targets[0].get()] = constant(call->args[1]).value_or(0);
            }
        }
        const auto* var = as<VarNode>(&node);
        const auto* tile = var == nullptr ? nullptr : as<TileTypeNode>(var->type);
        const auto* base = tile == nullptr || !tile->memref ? nullptr : as<VarNode>(tile->memref->base);
        if (base == nullptr) return true;
        const TileSpace space = tile->space.value_or(TileSpace::DDR);
        if (space == TileSpace::DDR) return true;
        const auto [at, is_new] = place.try_emplace(base, space, spaces[space].size());
        if (is_new) spaces[space].push_back({base, 0, 0, false});
        Buffer& buffer = spaces[at->second.first][at->second.second];
        buffer.bytes = std::max(buffer.bytes, tile->memref->size_bytes.value_or(0));
        if (const auto whole = declared.find(base); whole != declared.end()) {
            buffer.declared = true;
            buffer.bytes = std::max(buffer.bytes, whole->second);
        }
        return true;
    });
    return spaces;
}

class Placing final : public Mutator {
public:
    explicit Placing(const Hardware& hardware) : hardware_(hardware) {}
    std::vector<Diagnostic> findings;

protected:
    Function on_function(const Function& function) override {
        if (!is_in_core(function->function)) return function;
        auto reserved = reserved_buffers(*function);
        if (!reserved.ok()) {
            findings.push_back(std::move(reserved).error());
            return function;
        }
        reserved_ = std::move(reserved).value();
        buffers_.clear();
        for (auto& [space, list] : collect(*function)) place(*function, space, std::move(list));
        return Mutator::on_function(function);
    }

    Type on_type(const Type& type) override {
        const auto* base = as<TileTypeNode>(type) == nullptr ? nullptr : base_of(memref_of(type));
        const auto found = base == nullptr ? buffers_.end() : buffers_.find(base);
        if (found == buffers_.end()) return Mutator::on_type(type);
        MemRef memref = *memref_of(type);
        const Buffer& buffer = found->second;
        const auto offset = memref.byte_offset == nullptr ? std::optional<std::int64_t>(0) : constant(memref.byte_offset);
        if (offset || !buffer.declared) {
            const std::int64_t address = checked_add(buffer.address, offset.value_or(0)).value_or(0);
            const auto* placed = as<ConstIntNode>(memref.byte_offset);
            if (placed != nullptr && placed->value == address && placed->dtype == DType::Int64) return Mutator::on_type(type);
            memref.byte_offset = const_int(address, DType::Int64);
        } else {
            memref.byte_offset = binary(BinaryOp::Add, const_int(buffer.address), memref.byte_offset);
        }
        return Mutator::on_type(with_memref(type, std::move(memref)));
    }

    Expr on_call(const Call& call) override {
        const auto found = reserved_.base_bytes.find(call.get());
        const Expr now = Mutator::on_call(call);
        if (found == reserved_.base_bytes.end()) return now;
        auto placed = derive(ref_as<CallNode>(now));
        const auto kwarg = std::find_if(placed->kwargs.begin(), placed->kwargs.end(), [](const KeyValue& k) { return k.key == "base"; });
        if (kwarg == placed->kwargs.end()) {
            placed->kwargs.push_back({"base", const_int(found->second)});
        } else if (!is_constant(kwarg->value, found->second)) {
            kwarg->value = const_int(found->second);
        } else {
            return now;
        }
        return seal(std::move(placed));
    }

private:
    void place(const FunctionNode& function, TileSpace space, std::vector<Buffer> list) {
        std::stable_sort(list.begin(), list.end(), [](const Buffer& a, const Buffer& b) { return a.base->name < b.base->name; });
        const auto begin = reserved_.end_bytes.find(space);
        const std::int64_t kept = begin == reserved_.end_bytes.end() ? 0 : begin->second;
        SpacePlan plan(kept);
        for (Buffer& buffer : list) {
            buffer.address = plan.place(buffer.bytes);
            buffers_[buffer.base] = buffer;
        }
        const auto capacity = hardware_.capacity_bytes(space);
        if (capacity && plan.high_water() <= *capacity) return;
        if (!capacity) {
            findings.push_back(error_at(function.span, "MEM_SPACE", fmt::format("{} has tiles in {}, which {} does not have", function.name, name(space), hardware_.id)));
            return;
        }
        std::stable_sort(list.begin(), list.end(), [](const Buffer& a, const Buffer& b) { return a.bytes > b.bytes; });
        std::string largest;
        for (std::size_t i = 0; i < std::min<std::size_t>(3, list.size()); ++i) {
            largest += fmt::format("{}{} ({} B)", i == 0 ? "" : ", ", list[i].base->name, list[i].bytes);
        }
        findings.push_back(error_at(function.span, "MEM_CAPACITY",
                                    fmt::format("the {} buffers of {} need {} bytes of {}; {} has {}{}", list.size(), function.name, plan.high_water(),
                                                name(space), hardware_.id, *capacity,
                                                kept > 0 ? fmt::format(", of which the first {} are reserved for pipes", kept) : ""),
                                    fmt::format("the largest are {}: make tiles smaller, or shorten how long they live", largest)));
    }

    const Hardware& hardware_;
    Reserved reserved_;
    std::unordered_map<const VarNode*, Buffer> buffers_;
};

} // namespace

PassResult allocate_memory_addr(const Module& module, const PassContext& context) {
    Placing placing(*context.hardware);
    PassResult result;
    result.module = placing.mutate(module);
    result.diagnostics = std::move(placing.findings);
    if (!result.diagnostics.empty()) result.module = nullptr;
    return result;
}

} // namespace ls::memory
