#include "core/ir/node.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include "core/ir/children.h"

namespace ls::ir {

std::uint64_t Node::next_id() {
    static std::atomic<std::uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

template <class T>
Ref<T> seal(std::shared_ptr<T> node) {
    std::uint32_t below = 0;
    const auto deepen = [&below](const Node& child) { below = std::max(below, child.depth); };
    for_each_child(*node, deepen, deepen);
    node->depth = below == std::numeric_limits<std::uint32_t>::max() ? below : below + 1;
    // Types are derived from each other all along a chain of statements; kept, their origins would be as long as the
    // program, and nobody asks where a type came from.
    if constexpr (std::is_base_of_v<TypeNode, T>) node->origin = nullptr;
    return node;
}

// Every kind of node, so that seal() needs no header that knows them all.
template Ref<ScalarTypeNode> seal(std::shared_ptr<ScalarTypeNode>);
template Ref<TensorTypeNode> seal(std::shared_ptr<TensorTypeNode>);
template Ref<TileTypeNode> seal(std::shared_ptr<TileTypeNode>);
template Ref<BufferTypeNode> seal(std::shared_ptr<BufferTypeNode>);
template Ref<TupleTypeNode> seal(std::shared_ptr<TupleTypeNode>);
template Ref<ArrayTypeNode> seal(std::shared_ptr<ArrayTypeNode>);
template Ref<PtrTypeNode> seal(std::shared_ptr<PtrTypeNode>);
template Ref<NamedTypeNode> seal(std::shared_ptr<NamedTypeNode>);
template Ref<ConstIntNode> seal(std::shared_ptr<ConstIntNode>);
template Ref<ConstFloatNode> seal(std::shared_ptr<ConstFloatNode>);
template Ref<ConstBoolNode> seal(std::shared_ptr<ConstBoolNode>);
template Ref<StringNode> seal(std::shared_ptr<StringNode>);
template Ref<NoneNode> seal(std::shared_ptr<NoneNode>);
template Ref<DTypeNameNode> seal(std::shared_ptr<DTypeNameNode>);
template Ref<SymbolNode> seal(std::shared_ptr<SymbolNode>);
template Ref<VarNode> seal(std::shared_ptr<VarNode>);
template Ref<UnaryNode> seal(std::shared_ptr<UnaryNode>);
template Ref<BinaryNode> seal(std::shared_ptr<BinaryNode>);
template Ref<CastNode> seal(std::shared_ptr<CastNode>);
template Ref<SelectNode> seal(std::shared_ptr<SelectNode>);
template Ref<TupleNode> seal(std::shared_ptr<TupleNode>);
template Ref<TupleGetNode> seal(std::shared_ptr<TupleGetNode>);
template Ref<SubscriptNode> seal(std::shared_ptr<SubscriptNode>);
template Ref<SliceNode> seal(std::shared_ptr<SliceNode>);
template Ref<MemberNode> seal(std::shared_ptr<MemberNode>);
template Ref<DictNode> seal(std::shared_ptr<DictNode>);
template Ref<LambdaNode> seal(std::shared_ptr<LambdaNode>);
template Ref<LayoutValueNode> seal(std::shared_ptr<LayoutValueNode>);
template Ref<CallNode> seal(std::shared_ptr<CallNode>);
template Ref<AssignNode> seal(std::shared_ptr<AssignNode>);
template Ref<EvalNode> seal(std::shared_ptr<EvalNode>);
template Ref<StoreNode> seal(std::shared_ptr<StoreNode>);
template Ref<ReturnNode> seal(std::shared_ptr<ReturnNode>);
template Ref<YieldNode> seal(std::shared_ptr<YieldNode>);
template Ref<BreakNode> seal(std::shared_ptr<BreakNode>);
template Ref<ContinueNode> seal(std::shared_ptr<ContinueNode>);
template Ref<AssertNode> seal(std::shared_ptr<AssertNode>);
template Ref<CommentNode> seal(std::shared_ptr<CommentNode>);
template Ref<RawNode> seal(std::shared_ptr<RawNode>);
template Ref<SeqNode> seal(std::shared_ptr<SeqNode>);
template Ref<IfNode> seal(std::shared_ptr<IfNode>);
template Ref<ForNode> seal(std::shared_ptr<ForNode>);
template Ref<WhileNode> seal(std::shared_ptr<WhileNode>);
template Ref<WithNode> seal(std::shared_ptr<WithNode>);
template Ref<FunctionNode> seal(std::shared_ptr<FunctionNode>);
template Ref<ModuleNode> seal(std::shared_ptr<ModuleNode>);

const Node& first_origin(const Node& node) {
    const Node* at = &node;
    while (at->origin != nullptr) at = at->origin.get();
    return *at;
}

Status check_depth(const ModuleNode& module) {
    if (module.depth <= kMaxDepth) return ok_status();
    for (const Function& f : module.functions) {
        if (f->depth + 1 > kMaxDepth) {
            return error_at(
                f->span, "IR_TOO_DEEP",
                fmt::format("function {} nests {} levels deep; at most {} are walked", f->name, f->depth, kMaxDepth),
                "split long expressions and deeply nested blocks with named intermediate values");
        }
    }
    return error("IR_TOO_DEEP", fmt::format("the module nests {} levels deep", module.depth));
}

} // namespace ls::ir
