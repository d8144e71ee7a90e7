// Calls: PTX instructions, the compiler's intrinsics, CUDA's own functions.
#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/codegen/cuda/expressions.h"

namespace ls::codegen::cuda {

using namespace ir;

namespace {

constexpr std::string_view kBitsAs = R"(template <typename To, typename From>
__forceinline__ __device__ To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "the same bits under another type");
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}
)";

/// The operands of a ptx call, its modifiers, and what the marker after them says.
struct PtxParts {
    PtxText text;
    std::vector<Expr> operands;
    std::vector<std::size_t> predicates; ///< operands that are predicate registers
    Expr guard;
    bool keeps = false, sinks = false;
};

/// Two forms: printed after lowering, T.ptx.family(operands..., "modifier" or "" for each slot, marker), and authored,
/// T.ptx["instruction.with.modifiers"](operands..., pred=...). The marker lists "pred" (the last operand guards), "keep",
/// "p<i>" (operand i is a predicate), "s<i>" (lane i is discarded and has no operand).
PtxParts take_apart(const CallNode& c) {
    PtxParts parts;
    parts.text = split_ptx(std::string_view(c.op).substr(4));
    std::size_t end = c.args.size();
    while (end > 0 && c.args[end - 1]->kind == NodeKind::String) --end;
    parts.operands.assign(c.args.begin(), c.args.begin() + static_cast<std::ptrdiff_t>(end));
    for (std::size_t i = end; i + 1 < c.args.size(); ++i) {
        const std::string& token = as<StringNode>(c.args[i])->value;
        if (!token.empty()) parts.text.modifiers.push_back(token);
    }
    if (end < c.args.size()) {
        std::string_view marker = as<StringNode>(c.args.back())->value;
        while (!marker.empty()) {
            const std::size_t comma = std::min(marker.find(','), marker.size());
            const std::string_view flag = marker.substr(0, comma);
            marker.remove_prefix(std::min(comma + 1, marker.size()));
            std::size_t which = 0;
            const auto [digits_end, not_a_number] = std::from_chars(flag.data() + std::min<std::size_t>(1, flag.size()), flag.data() + flag.size(), which);
            const bool numbered = not_a_number == std::errc() && digits_end == flag.data() + flag.size();
            if (flag == "pred" && !parts.operands.empty()) {
                parts.guard = parts.operands.back();
                parts.operands.pop_back();
            } else if (flag == "keep") {
                parts.keeps = true;
            } else if (numbered && flag.front() == 's') {
                parts.sinks = true;
            } else if (numbered && flag.front() == 'p') {
                parts.predicates.push_back(which);
            }
        }
    }
    for (const KeyValue& k : c.kwargs) {
        if (k.key == "pred") parts.guard = k.value;
        if (k.key == "preserve_dst") parts.keeps = ir::constant(k.value).value_or(0) != 0 || (as<ConstBoolNode>(k.value) != nullptr && as<ConstBoolNode>(k.value)->value);
    }
    return parts;
}

std::string text_of(const Expr& e) {
    const auto* s = as<StringNode>(e);
    return s != nullptr ? s->value : std::string();
}

/// What the fields of an instruction descriptor hold for a format (spec/tirx.md 7.5).
std::optional<int> format_field(std::string_view dtype) {
    struct Row {
        std::string_view name;
        int field;
    };
    constexpr std::array kRows{Row{"float16", 0}, Row{"bfloat16", 1}, Row{"tf32", 2}, Row{"tensor_float32", 2}, Row{"float8_e4m3fn", 0},
                               Row{"float8_e4m3", 0}, Row{"float8_e5m2", 1}, Row{"float6_e2m3fn", 3}, Row{"float6_e3m2fn", 4},
                               Row{"float4_e2m1fn", 5}, Row{"uint8", 0}, Row{"int8", 1}, Row{"float32", 1}, Row{"int32", 2}};
    const auto* found = std::find_if(kRows.begin(), kRows.end(), [&](const Row& r) { return r.name == dtype; });
    return found == kRows.end() ? std::nullopt : std::optional(found->field);
}

} // namespace

std::optional<CType> Expressions::type_argument(const Expr& e) const {
    if (const auto* s = as<StringNode>(e)) return c_type_from_name(s->value);
    if (const auto* d = as<DTypeNameNode>(e)) return value_of(d->dtype);
    if (const auto* m = as<MemberNode>(e); m != nullptr && m->member == "ty") {
        const auto* c = as<CallNode>(m->base);
        if (c != nullptr && c->op == "handle") return kVoidPointer;
        return c != nullptr ? c_type_from_name(c->op) : std::nullopt;
    }
    const auto* c = as<CallNode>(e);
    return c != nullptr && c->op == "type_annotation" && !c->args.empty() ? type_argument(c->args[0]) : std::nullopt;
}

std::string Expressions::shared_address(const Value& v) {
    if (!v.type.pointer) return typed(v, value_of(DType::UInt32));
    const Builtin& cvta = *find_builtin("cuda.cvta_generic_to_shared");
    use(cvta);
    return fmt::format("{}({})", cvta.helper, v.text);
}

std::string Expressions::argument(const Operand& operand, DType dtype, const PtxInstruction& instruction, const Value& v) {
    switch (operand.kind) {
    case Operand::Kind::Address:
        switch (address_space(operand, instruction.modifiers)) {
        case Operand::Space::Shared: return shared_address(v);
        case Operand::Space::Tensor: return typed(v, value_of(DType::UInt32));
        default: return v.type.pointer ? v.text : fmt::format("(const void*){}", wrapped(v));
        }
    case Operand::Kind::Pointer: return v.type.pointer ? v.text : fmt::format("(const void*){}", wrapped(v));
    case Operand::Kind::Predicate: return v.text;
    default: return typed(v, value_of(dtype));
    }
}

std::string Expressions::ptx(const CallNode& c) {
    PtxParts parts = take_apart(c);
    if (parts.sinks) {
        refuse(c.span, "CG_CUDA_PTX", fmt::format("{} discards some of its results", c.op), "give every result a register");
        return {};
    }
    std::vector<Value> values;
    std::vector<PtxArgument> arguments;
    for (std::size_t i = 0; i < parts.operands.size(); ++i) {
        Expr operand = parts.operands[i];
        PtxArgument a;
        const auto* wrapping = as<CallNode>(operand);
        bool predicate = std::find(parts.predicates.begin(), parts.predicates.end(), i) != parts.predicates.end();
        if (wrapping != nullptr && wrapping->op == "ptx.addr" && wrapping->args.size() == 2) {
            a.displacement = ir::constant(wrapping->args[1]).value_or(0);
            operand = wrapping->args[0];
        } else if (wrapping != nullptr && wrapping->op == "ptx.pred" && wrapping->args.size() == 1) {
            predicate = true;
            operand = wrapping->args[0];
        }
        values.push_back(value(operand));
        a.type = predicate ? value_of(DType::Bool) : values.back().type;
        a.constant = ir::constant(operand);
        arguments.push_back(a);
    }
    if (failure_) return {};
    Result<PtxInstruction> found = resolve_ptx(parts.text, arguments, parts.guard != nullptr, parts.keeps);
    if (!found) {
        found.error().span = c.span;
        fail(found.error());
        return {};
    }
    const PtxInstruction& instruction = *found;
    if (const auto missing = missing_on(instruction, arch_)) {
        refuse(c.span, "CG_CUDA_ARCH", fmt::format("{} is not on {}: it {}", instruction.opcode(), arch_, *missing), "set the target's \"arch\" to one that has it, or choose another variant with dispatch=");
        return {};
    }
    std::vector<std::string> texts;
    std::size_t at = 0;
    for (std::size_t o = 0; o < instruction.family->operands.size(); ++o) {
        const Operand& operand = instruction.family->operands[o];
        if (operand.kind == Operand::Kind::Literal) continue;
        for (int lane = 0; lane < instruction.lanes[o]; ++lane, ++at) {
            if (operand.kind == Operand::Kind::Immediate) continue;
            texts.push_back(argument(operand, instruction.dtypes[o], instruction, values[at]));
        }
    }
    if (parts.guard != nullptr) texts.push_back(value(parts.guard).text);
    const std::string name = helper_name(instruction);
    helpers_.add(name, helper_source(instruction));
    return fmt::format("{}({})", name, fmt::join(texts, ", "));
}

Value Expressions::address_of(const CallNode& c) {
    const Expr& what = c.args[0];
    if (const auto* v = as<VarNode>(what)) {
        const Place* place = find(v);
        if (place != nullptr && place->kind == Place::Kind::TensorMap) return {"(void*)&" + place->text, kVoidPointer, false};
        return value(what);
    }
    const auto* s = as<SubscriptNode>(what);
    if (s == nullptr) return refuse(c.span, "CG_CUDA_CALL", "only an element of a buffer has an address", "write T.address_of(buffer[index])");
    const auto* v = as<VarNode>(s->base);
    const Place* place = v != nullptr ? find(v) : nullptr;
    if (place != nullptr && place->kind == Place::Kind::Buffer && is_sub_byte(place->type.dtype) && s->indices.size() == 1) {
        // Two elements a byte; an address is that of the byte that holds them.
        const auto index = ir::constant(s->indices[0]);
        const std::string text = index ? std::to_string(*index / 2) : fmt::format("{} / 2", wrapped(value(s->indices[0])));
        return {fmt::format("&{}[{}]", place->text, text), pointer_to(place->type), false};
    }
    const Value e = element(*s);
    return {"&" + e.text, pointer_to(e.type), false};
}

Value Expressions::reinterpret(const CallNode& c) {
    const auto to = type_argument(c.args[0]);
    const Value from = value(c.args[1]);
    if (!to) return refuse(c.span, "CG_CUDA_TYPE", "a reinterpretation as this type has no CUDA form", "reinterpret as a number, a vector of 2 or 4 of them, or a handle");
    if (to->pointer) return {fmt::format("({}){}", spelling(*to), wrapped(from)), *to};
    if (from.type == *to) return from;
    helpers_.add("bits_as", std::string(kBitsAs));
    if (from.type.pointer) return {fmt::format("({}){}", spelling(*to), wrapped(from)), *to};
    return {fmt::format("bits_as<{}>({})", spelling(*to), from.text), *to};
}

Value Expressions::shuffle(const CallNode& c) {
    const auto* vectors = as<TupleNode>(c.args[0]);
    const auto* indices = as<TupleNode>(c.args[1]);
    if (vectors == nullptr || indices == nullptr) return refuse(c.span, "CG_CUDA_VECTOR", "a shuffle takes two lists", "write T.Shuffle([vectors], [indices])");
    std::vector<std::string> lanes;
    CType lane = value_of(DType::UInt32);
    for (const Expr& vector : vectors->elements) {
        const Value v = value(vector);
        lane = value_of(v.type.dtype);
        if (v.type.lanes == 1) {
            lanes.push_back(v.text);
        } else {
            for (int i = 0; i < v.type.lanes; ++i) lanes.push_back(fmt::format("{}.{}", wrapped(v), "xyzw"[i]));
        }
    }
    std::vector<std::string> chosen;
    for (const Expr& index : indices->elements) {
        const auto i = ir::constant(index);
        if (!i || *i < 0 || *i >= static_cast<std::int64_t>(lanes.size())) {
            return refuse(c.span, "CG_CUDA_VECTOR", fmt::format("a shuffle of {} lanes has an index outside them", lanes.size()), "index from 0 to the number of lanes");
        }
        chosen.push_back(lanes[static_cast<std::size_t>(*i)]);
    }
    if (chosen.size() == 1) return {chosen[0], lane};
    const CType vector{lane.dtype, static_cast<int>(chosen.size()), false, false};
    const std::string name = chosen.size() <= 4 ? spelling(vector) : std::string();
    if (name.empty()) return refuse(c.span, "CG_CUDA_VECTOR", fmt::format("CUDA has no vector of {} lanes of this type", chosen.size()), "use 2 or 4 lanes of 32 bits");
    return {fmt::format("make_{}({})", name, fmt::join(chosen, ", ")), vector};
}

Value Expressions::byte_offset(const CallNode& c) {
    const Value base = value(c.args[0]), bytes = value(c.args[1]);
    auto type = c.args.size() > 2 ? type_argument(c.args[2]) : std::nullopt;
    const CType pointer = type && !type->pointer ? pointer_to(*type) : kVoidPointer;
    return {fmt::format("({})((char*){} + {})", spelling(pointer), wrapped(base), wrapped(bytes)), pointer, false};
}

Value Expressions::function_call(const CallNode& c) {
    const std::string name = c.args.empty() ? std::string() : text_of(c.args[0]);
    const auto* source = as<StringNode>(c.kwarg("source_code"));
    if (name.empty() || source == nullptr) {
        return refuse(c.span, "CG_CUDA_CALL", "a call of foreign source needs the function's name and its source_code", "write T.cuda.func_call(\"name\", ..., source_code=\"...\", return_type=...)");
    }
    helpers_.add(name, source->value.starts_with('\n') ? source->value.substr(1) : source->value);
    std::vector<std::string> texts;
    for (std::size_t i = 1; i < c.args.size(); ++i) texts.push_back(value(c.args[i]).text);
    std::optional<CType> type;
    for (const KeyValue& k : c.kwargs) {
        if (k.key == "return_type") type = type_argument(k.value);
    }
    return {fmt::format("{}({})", name, fmt::join(texts, ", ")), type.value_or(value_of(DType::Int32))};
}

/// T.Let(body, where={x: v}): a value with a name, inside an expression.
Value Expressions::let(const CallNode& c) {
    const auto* inside = as<LambdaNode>(c.args.size() == 2 ? c.args[1] : Expr());
    if (inside == nullptr || inside->params.size() != 1) return refuse(c.span, "CG_CUDA_CALL", "this T.Let has no single variable", "bind one variable");
    const Value bound = value(c.args[0]);
    const std::string name = name_of(*inside->params[0]);
    define(inside->params[0].get(), {Place::Kind::Scalar, name, bound.type});
    if (is_nonnegative(c.args[0])) known_nonnegative(inside->params[0].get());
    const Value body = value(inside->body);
    return {fmt::format("[&] {{ const {} {} = {}; return {}; }}()", spelling(bound.type), name, bound.text, body.text), body.type};
}

/// Formats become their numbers here; the rest is encoded when the kernel runs.
Value Expressions::descriptor(const CallNode& c, bool block_scaled) {
    const std::size_t expected = block_scaled ? 17 : 14;
    if (c.args.size() != expected) return refuse(c.span, "CG_CUDA_CALL", fmt::format("{} takes {} arguments, not {}", c.op, expected, c.args.size()), "give all of them");
    const auto format = [&](std::size_t i) { return format_field(text_of(c.args[i])); };
    const auto d = format(1);
    auto a = format(2), b = format(3);
    const bool narrow = text_of(c.args[2]) == "float4_e2m1fn" && text_of(c.args[3]) == "float4_e2m1fn";
    // Two four-bit operands are of kind mxf4 or mxf4nvf4, whose only format is 1.
    if (block_scaled && narrow) a = b = 1;
    if (!a || !b || !d) return refuse(c.span, "CG_CUDA_TYPE", fmt::format("{}: no such operand format", c.op), "use the formats of the instruction descriptor: float16, bfloat16, tf32, float8, float6, float4, int8, uint8");
    std::vector<std::string> texts{value(c.args[0]).text};
    const auto pass = [&](std::size_t i) { texts.push_back(value(c.args[i]).text); };
    if (block_scaled) {
        pass(8), pass(9);
        texts.push_back(std::to_string(*a));
        texts.push_back(std::to_string(*b));
        texts.emplace_back(text_of(c.args[4]).find("e8m0") != std::string::npos ? "1" : "0");
        for (const std::size_t i : {11U, 12U, 14U, 15U, 16U}) pass(i);
    } else {
        pass(4), pass(5);
        for (const int f : {*d, *a, *b}) texts.push_back(std::to_string(f));
        for (const std::size_t i : {7U, 8U, 10U, 11U, 12U, 13U}) pass(i);
    }
    const Builtin& encode = *find_builtin(block_scaled ? "instr_descriptor_block_scaled" : "instr_descriptor");
    use(encode);
    return {fmt::format("{}({})", encode.helper, fmt::join(texts, ", ")), value_of(DType::Int32)};
}

Value Expressions::warp_shuffle(const CallNode& c) {
    // mask, value, lane or delta, width; the warp's size follows and is CUDA's own.
    if (c.args.size() < 4) return refuse(c.span, "CG_CUDA_CALL", fmt::format("{} takes a mask, a value, a lane and a width", c.op), "give all four");
    std::vector<std::string> texts;
    CType moved;
    for (std::size_t i = 0; i < 4; ++i) {
        const Value v = value(c.args[i]);
        if (i == 1) moved = v.type;
        texts.push_back(v.text);
    }
    const std::string_view name = c.op == "tvm_warp_shuffle" ? "__shfl_sync" : c.op == "tvm_warp_shuffle_up" ? "__shfl_up_sync" : "__shfl_down_sync";
    return {fmt::format("{}({})", name, fmt::join(texts, ", ")), moved};
}

/// T.cuda.warp_reduce(value, op, width) and T.cuda.cta_reduce(value, op, warps, scratch): every thread gets the result.
Value Expressions::reduction(const CallNode& c) {
    const bool block = c.op == "cuda.cta_reduce";
    const std::string op = c.args.size() == (block ? 4U : 3U) ? text_of(c.args[1]) : std::string();
    const auto count = op.empty() ? std::nullopt : ir::constant(c.args[2]);
    const bool known = op == "sum" || op == "max" || op == "min";
    const bool power = count && *count >= (block ? 1 : 2) && *count <= 32 && (*count & (*count - 1)) == 0;
    if (!known || !power) return refuse(c.span, "CG_CUDA_CALL", fmt::format("T.{} takes a value, \"sum\", \"max\" or \"min\", and a power of two up to 32", c.op), "write T.cuda.warp_reduce(x, \"sum\", 32)");
    const std::string step = op == "sum" ? "value + other" : fmt::format("{}(value, other)", op);
    const auto warp = [&](std::int64_t width) {
        const std::string name = fmt::format("tvm_builtin_cuda_warp_reduce_{}_{}", op, width);
        helpers_.add(name, fmt::format("template <typename T>\n__forceinline__ __device__ T {}(T value) {{\n#pragma unroll\n  for (int mask = {}; mask > 0; mask >>= 1) {{\n"
                                       "    const T other = __shfl_xor_sync(0xFFFFFFFF, value, mask);\n    value = {};\n  }}\n  return value;\n}}\n",
                                       name, width / 2, step));
        return name;
    };
    const Value v = value(c.args[0]);
    if (!block) return {fmt::format("{}({})", warp(*count), v.text), v.type};
    const std::string within = warp(32), name = fmt::format("tvm_builtin_cuda_cta_reduce_{}_{}", op, *count);
    // The first warp reduces what the warps found; lanes beyond their number repeat the first, which changes no minimum and
    // no maximum, and add nothing to a sum.
    const std::string beyond = op == "sum" ? "T(0)" : "scratch[0]";
    helpers_.add(name, fmt::format("template <typename T>\n__forceinline__ __device__ T {0}(T value, void* raw) {{\n  T* scratch = (T*)raw;\n"
                                   "  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);\n  value = {1}(value);\n"
                                   "  if (thread % 32 == 0) scratch[thread / 32] = value;\n  __syncthreads();\n  if (thread < 32) {{\n"
                                   "    value = {1}(thread < {2} ? scratch[thread] : {3});\n    if (thread == 0) scratch[0] = value;\n  }}\n  __syncthreads();\n"
                                   "  return scratch[0];\n}}\n",
                                   name, within, *count, beyond));
    return {fmt::format("{}({}, {})", name, v.text, value(c.args[3]).text), v.type};
}

Value Expressions::special_register(const CallNode& c) {
    const auto width = c.args.size() == 2 ? ir::constant(c.args[0]) : std::nullopt;
    const std::string reg = c.args.size() == 2 ? text_of(c.args[1]) : std::string();
    const bool plain = std::all_of(reg.begin(), reg.end(), [](char ch) { return (ch >= 'a' && ch <= 'z') || (ch >= '0' && ch <= '9') || ch == '.' || ch == '_'; });
    if ((width != 32 && width != 64) || reg.empty() || !plain) return refuse(c.span, "CG_CUDA_CALL", "a special register is read as 32 or 64 bits by its name", "write T.cuda.mov_sreg(32, \"clusterid.x\")");
    std::string name = "tvm_builtin_ptx_fetch_register_" + reg;
    std::replace(name.begin(), name.end(), '.', '_');
    helpers_.add(name, fmt::format("__forceinline__ __device__ int{0}_t {1}() {{\n  uint{0}_t x;\n  asm volatile(\"mov.u{0} %0, %{2};\" : \"={3}\"(x));\n  return (int{0}_t)x;\n}}\n",
                                   *width, name, reg, *width == 64 ? 'l' : 'r'));
    return {name + "()", value_of(*width == 64 ? DType::Int64 : DType::Int32)};
}

Value Expressions::builtin(const Builtin& b, const CallNode& c) {
    if (static_cast<int>(c.args.size()) != b.arguments && !(b.helper == "__syncwarp" && c.args.size() <= 1)) {
        return refuse(c.span, "CG_CUDA_CALL", fmt::format("T.{} takes {} arguments, not {}", c.op, b.arguments, c.args.size()), "give all of them");
    }
    std::vector<std::string> texts;
    CType returned = value_of(DType::Int32);
    const Builtin* used = &b;
    for (std::size_t i = 0; i < c.args.size(); ++i) {
        const Value v = value(c.args[i]);
        // An address in shared memory is waited for as it is; a pointer is turned into one first.
        if (b.op == "cuda.mbarrier_wait" && i == 0 && !v.type.pointer) used = find_builtin("cuda.mbarrier_wait_raw");
        texts.push_back(v.text);
        if (b.returns == "=1" && i == 1) returned = v.type;
    }
    use(*used);
    if (const auto type = c_type_from_name(b.returns)) returned = *type;
    return {fmt::format("{}({})", used->helper, fmt::join(texts, ", ")), returned};
}

Value Expressions::call(const CallNode& c) {
    if (c.callee == CalleeKind::Function) return refuse(c.span, "CG_CUDA_CALL", fmt::format("{} is a function of the module; a kernel calls none", c.op), "inline it");
    const std::size_t n = c.args.size();
    if (c.op == "address_of" && n == 1) return address_of(c);
    if (c.op == "reinterpret" && n == 2) return reinterpret(c);
    if (c.op == "Shuffle" && n == 2) return shuffle(c);
    if ((c.op == "ptr_byte_offset" || c.op == "handle_add_byte_offset") && n >= 2) return byte_offset(c);
    if ((c.op == "truncmod" || c.op == "Div" || c.op == "truncdiv") && n == 2) {
        const Value lhs = value(c.args[0]), rhs = value(c.args[1]);
        return {fmt::format("{} {} {}", wrapped(lhs), c.op == "truncmod" ? "%" : "/", wrapped(rhs)), lhs.type, false};
    }
    if (c.op == "bitwise_not" && n == 1) {
        const Value v = value(c.args[0]);
        return {"~" + wrapped(v), v.type, false};
    }
    if (c.op == "if_then_else" && n == 3) return select(c.args[0], c.args[1], c.args[2]);
    if (c.op == "Let") return let(c);
    if ((c.op == "likely" || c.op == "tvm_thread_invariant") && n == 1) return value(c.args[0]);
    if (c.op == "cuda.func_call") return function_call(c);
    if (c.op.starts_with("tvm_warp_shuffle")) return warp_shuffle(c);
    if (c.op == "tvm_warp_activemask") return {"__activemask()", value_of(DType::UInt32)};
    if (c.op == "cuda.mov_sreg") return special_register(c);
    if (c.op == "cuda.warp_reduce" || c.op == "cuda.cta_reduce") return reduction(c);
    if (c.op == "cuda.tcgen05.encode_instr_descriptor") return descriptor(c, false);
    if (c.op == "cuda.tcgen05.encode_instr_descriptor_block_scaled") return descriptor(c, true);
    if (c.op == "cuda.ldg" && n >= 1) {
        const Value address = value(c.args[0]);
        const auto type = n > 1 ? type_argument(c.args[1]) : std::nullopt;
        if (type && !type->pointer) return {fmt::format("__ldg((const {}*){})", spelling(*type), wrapped(address)), *type};
    }
    if (const Builtin* b = find_builtin(c.op)) return builtin(*b, c);
    if (n >= 1 && c.callee == CalleeKind::Op) {
        const std::string probe = math_function(c.op, DType::Fp32);
        if (!probe.empty()) {
            std::vector<Value> values;
            for (const Expr& a : c.args) values.push_back(value(a));
            const CType type = values[0].type;
            // Sixteen-bit floats are computed as float, and rounded once.
            const CType computed = value_of(type.dtype == DType::Fp64 ? DType::Fp64 : DType::Fp32);
            std::vector<std::string> texts;
            for (const Value& v : values) texts.push_back(typed(v, computed));
            const Value result{fmt::format("{}({})", math_function(c.op, computed.dtype), fmt::join(texts, ", ")), computed};
            return type == computed || !is_floating(type.dtype) ? result : Value{typed(result, type), type};
        }
    }
    if (c.op.starts_with("tirx.tile.")) {
        return refuse(c.span, "CG_CUDA_NOT_LOWERED", fmt::format("T.tile.{} is not lowered", c.op.substr(10)), "TilePrimitiveDispatch chooses its variant: run the passes, or export a snapshot from FlattenBuffer on");
    }
    return refuse(c.span, "CG_CUDA_CALL", fmt::format("T.{} has no CUDA form here", c.op), "export.md lists what has; T.cuda.func_call takes source of your own");
}

std::string Expressions::statement(const CallNode& c) {
    if (c.callee == CalleeKind::Op && c.op.starts_with("ptx.")) return ptx(c);
    if (c.op == "tvm_storage_sync") {
        const std::string scope = c.args.empty() ? std::string() : text_of(c.args[0]);
        return scope == "warp" ? "__syncwarp()" : "__syncthreads()";
    }
    return call(c).text;
}

} // namespace ls::codegen::cuda
