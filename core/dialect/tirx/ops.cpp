#include "core/dialect/tirx/ops.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace ls::tirx {

using namespace ir;

namespace {

using D = ArgDefault;

// Argument orders of spec/tirx.md 5.1.
constexpr TileParameter kZero[] = {{"dst"}, {"src", D::None}};
constexpr TileParameter kUnary[] = {{"dst"}, {"src", D::None}, {"bias", D::None}, {"scale", D::None}};
constexpr TileParameter kPlainUnary[] = {{"dst"}, {"src", D::None}};
constexpr TileParameter kBinary[] = {{"dst"}, {"src1"}, {"src2"}};
constexpr TileParameter kCopy[] = {{"dst"}, {"src"}};
constexpr TileParameter kFill[] = {{"dst"}, {"value"}};
constexpr TileParameter kGemm[] = {{"D"},
                                   {"A"},
                                   {"B"},
                                   {"C"},
                                   {"transpose_A", D::False},
                                   {"transpose_B", D::False},
                                   {"alpha", D::One},
                                   {"beta", D::Zero}};
constexpr TileParameter kReduce[] = {{"dst"}, {"src"}, {"axes", D::MinusOne}, {"accum", D::False}};
constexpr TileParameter kReduceNegate[] = {
    {"output"}, {"input"}, {"reduce_op"}, {"reduce_axes", D::MinusOne}, {"accum", D::False}};
constexpr TileParameter kBinaryReduce[] = {{"binary_output"},           {"reduce_output"}, {"binary_input1"},
                                           {"binary_input2"},           {"binary_op"},     {"reduce_op"},
                                           {"reduce_axes", D::MinusOne}};
constexpr TileParameter kUnaryReduce[] = {
    {"unary_output"}, {"reduce_output"}, {"unary_input"},    {"unary_op"},
    {"reduce_op"},    {"bias", D::None}, {"scale", D::None}, {"reduce_axes", D::MinusOne}};
constexpr TileParameter kBinaryChain[] = {{"output"}, {"data"}, {"operand0"},          {"operand1"},
                                          {"op0"},    {"op1"},  {"reverse1", D::False}};
constexpr TileParameter kSelect[] = {{"dst"}, {"true_value"}, {"false_value"}, {"pred"}};
constexpr TileParameter kFma[] = {{"dst"}, {"src"}, {"scale"}, {"bias"}};
/// SFA and SFB come between B and transA, and only together; without them the call has six arguments.
constexpr TileParameter kGemmAsync[] = {{"C"},
                                        {"A"},
                                        {"B"},
                                        {"SFA", D::None},
                                        {"SFB", D::None},
                                        {"transA", D::False},
                                        {"transB", D::False},
                                        {"accum", D::False}};

constexpr TileOp kOps[] = {
    {"zero", kZero},
    {"sqrt", kUnary},
    {"exp", kUnary},
    {"exp2", kUnary},
    {"log2", kUnary},
    {"add", kBinary},
    {"sub", kBinary},
    {"mul", kBinary},
    {"fdiv", kBinary},
    {"minimum", kBinary},
    {"maximum", kBinary},
    {"copy", kCopy},
    {"fill", kFill},
    {"gemm", kGemm},
    {"reciprocal", kPlainUnary},
    {"sum", kReduce},
    {"max", kReduce},
    {"min", kReduce},
    {"memset", kFill},
    {"reduce_negate", kReduceNegate},
    {"binary_reduce", kBinaryReduce},
    {"unary_reduce", kUnaryReduce},
    {"binary_chain", kBinaryChain},
    {"select", kSelect},
    {"cast", kPlainUnary},
    {"fma", kFma},
    {"silu", kPlainUnary},
    {"permute_layout", kCopy},
    {"compose_op", {}},
    {"copy_async", kCopy},
    {"gemm_async", kGemmAsync},
};

struct ScopeName {
    std::string_view name;
    ExecScope scope;
};
constexpr std::array kScopes{ScopeName{"thread", ExecScope::Thread}, ScopeName{"warp", ExecScope::Warp},
                             ScopeName{"warpgroup", ExecScope::Warpgroup}, ScopeName{"cta", ExecScope::Cta},
                             ScopeName{"cluster", ExecScope::Cluster}};

} // namespace

std::string_view name(ExecScope scope) { return kScopes[static_cast<std::size_t>(scope)].name; }

std::string_view prefix(ExecScope scope) {
    if (scope == ExecScope::Thread) return "tile";
    return scope == ExecScope::Warpgroup ? "wg" : name(scope);
}

std::optional<ExecScope> exec_scope_from_name(std::string_view text) {
    if (text == "wg") return ExecScope::Warpgroup;
    for (const ScopeName& s : kScopes) {
        if (s.name == text) return s.scope;
    }
    return {};
}

const TileOp* find_tile_op(std::string_view name) {
    const auto* found =
        std::find_if(std::begin(kOps), std::end(kOps), [&](const TileOp& op) { return op.name == name; });
    return found == std::end(kOps) ? nullptr : found;
}

std::span<const TileOp> tile_ops() { return kOps; }

std::optional<TileCall> as_tile_call(const CallNode& call) {
    if (call.callee != CalleeKind::Op || !call.op.starts_with(kTilePrefix)) return {};
    TileCall tile;
    tile.call = &call;
    tile.op = std::string_view(call.op).substr(kTilePrefix.size());
    if (const auto* scope = as<StringNode>(call.attr("scope"))) {
        tile.scope = exec_scope_from_name(scope->value).value_or(ExecScope::Thread);
    }
    if (const auto* dispatch = as<StringNode>(call.attr("dispatch"))) tile.dispatch = dispatch->value;
    tile.workspace = as<DictNode>(call.attr("workspace"));
    return tile;
}

std::optional<TileCall> as_tile_call(const StmtNode& stmt) {
    const CallNode* call = nullptr;
    if (const auto* e = as<EvalNode>(&stmt)) call = as<CallNode>(e->value);
    if (const auto* w = as<WithNode>(&stmt)) call = as<CallNode>(w->scope);
    return call != nullptr ? as_tile_call(*call) : std::nullopt;
}

Expr make_tile_call(TileCallParts parts, Span span) {
    while (!parts.args.empty() && parts.args.back()->kind == NodeKind::None) parts.args.pop_back();
    const auto by_key = [](const KeyValue& a, const KeyValue& b) { return a.key < b.key; };
    std::stable_sort(parts.config.begin(), parts.config.end(), by_key);
    std::vector<KeyValue> attrs;
    if (parts.scope != ExecScope::Thread) attrs.push_back({"scope", string(std::string(name(parts.scope)))});
    if (parts.dispatch) attrs.push_back({"dispatch", string(std::move(*parts.dispatch))});
    if (!parts.workspace.empty()) attrs.push_back({"workspace", dict(std::move(parts.workspace))});
    return call(std::string(kTilePrefix) + parts.op, std::move(parts.args), std::move(parts.config), std::move(attrs),
                {}, span);
}

std::optional<PtxInstruction> ptx_instruction(const CallNode& call) {
    constexpr std::string_view kPrefix = "ptx.";
    if (call.callee != CalleeKind::Op || !call.op.starts_with(kPrefix)) return {};
    PtxInstruction result;
    result.text = call.op.substr(kPrefix.size());
    std::size_t operands = call.args.size();
    while (operands > 0 && call.args[operands - 1]->kind == NodeKind::String) --operands;
    result.operands = std::span(call.args).first(operands);
    for (std::size_t i = operands; i < call.args.size(); ++i) {
        const std::string& token = as<StringNode>(call.args[i])->value;
        if (token.empty()) continue;
        std::int64_t which = 0;
        const auto [end, error] = std::from_chars(token.data() + 1, token.data() + token.size(), which);
        const bool predicate = token.front() == 'p' && i + 1 == call.args.size() && error == std::errc() &&
                               end == token.data() + token.size();
        if (predicate) {
            result.predicate = which;
        } else {
            result.text += '.';
            result.text += token;
        }
    }
    return result;
}

} // namespace ls::tirx
