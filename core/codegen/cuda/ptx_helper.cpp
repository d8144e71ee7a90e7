// The helper that stands for one instruction: its name, and its definition with inline assembly (spec/tirx.md 11).
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/codegen/cuda/ptx_family.h"

namespace ls::codegen::cuda {

namespace {

using Kind = Operand::Kind;

/// What the definition is put together from, operand by operand.
struct Parts {
    std::vector<std::string> parameters, outputs, inputs;
    std::string declare, before, after;    ///< inside the assembly block: predicates and their conversions
    std::vector<std::string> pre, post;    ///< C++ around it: carriers of types that cannot be bound
    std::vector<std::string> texts;        ///< of each operand that is there
    std::vector<const Operand*> operands;
    int index = 0; ///< of the next %k
};

class HelperWriter {
public:
    explicit HelperWriter(const PtxInstruction& i) : i_(i) {}

    std::string write() {
        bool touches_memory = i_.family->row->orders_memory;
        std::size_t constant = 0;
        for (std::size_t o = 0; o < i_.family->operands.size(); ++o) {
            const Operand& operand = i_.family->operands[o];
            if (i_.lanes[o] == 0) continue;
            std::vector<std::string> registers;
            for (int lane = 0; lane < i_.lanes[o]; ++lane) registers.push_back(one(operand, i_.dtypes[o], constant));
            parts_.texts.push_back(operand.group ? fmt::format("{{{}}}", fmt::join(registers, ", ")) : registers.front());
            parts_.operands.push_back(&operand);
            touches_memory |= operand.kind == Kind::Address && address_space(operand, i_.modifiers) != Operand::Space::Tensor;
        }
        std::string instruction = i_.opcode();
        const std::vector<std::string> operands = joined();
        instruction += operands.empty() ? ";" : fmt::format(" {};", fmt::join(operands, ", "));
        if (i_.guarded) {
            parts_.parameters.emplace_back("uint32_t guard");
            parts_.inputs.emplace_back("\"r\"(guard)");
            parts_.declare += ".reg .pred p; ";
            parts_.before += fmt::format("setp.ne.b32 p, %{}, 0; ", parts_.index);
            instruction = "@p " + instruction;
        }
        if (!parts_.declare.empty()) instruction = fmt::format("{{ {}{}{}{} }}", parts_.declare, parts_.before, instruction, parts_.after);
        std::string body;
        for (const std::string& line : parts_.pre) body += fmt::format("  {}\n", line);
        body += fmt::format("  asm{}(\"{}\" : {} : {}{});\n", i_.family->row->is_volatile ? " volatile" : "", instruction, fmt::join(parts_.outputs, ", "),
                            fmt::join(parts_.inputs, ", "), touches_memory ? " : \"memory\"" : "");
        for (const std::string& line : parts_.post) body += fmt::format("  {}\n", line);
        return fmt::format("__forceinline__ __device__ void {}({}) {{\n{}}}\n", helper_name(i_), fmt::join(parts_.parameters, ", "), body);
    }

private:
    std::string next() { return fmt::format("%{}", parts_.index++); }

    void in(std::string_view type, std::string name, char constraint, std::string_view convert = {}) {
        parts_.inputs.push_back(convert.empty() ? fmt::format("\"{}\"({})", constraint, name) : fmt::format("\"{}\"({}({}))", constraint, convert, name));
        parts_.parameters.push_back(fmt::format("{} {}", type, name));
    }

    /// The text of one register or address, with its parameter and its binding.
    std::string one(const Operand& operand, DType dtype, std::size_t& constant) {
        switch (operand.kind) {
        case Kind::Literal: return std::string(operand.text);
        case Kind::Immediate: return i_.constants.size() > constant ? i_.constants[constant++] : std::string("0");
        case Kind::Pointer: in("const void*", fmt::format("a{}", parts_.index), 'l'); return next();
        case Kind::Address: return address(operand);
        case Kind::Predicate: return predicate(operand);
        case Kind::Register: break;
        }
        const AsmBinding& binding = *asm_binding(dtype);
        if (!operand.written) {
            in(binding.c_type, fmt::format("a{}", parts_.index), binding.constraint, binding.to_carrier);
            return next();
        }
        const std::string name = fmt::format("d{}", parts_.index);
        const char sign = operand.read || (i_.guarded && i_.keeps) ? '+' : '=';
        parts_.parameters.push_back(fmt::format("{}& {}", binding.c_type, name));
        if (binding.carrier == binding.c_type) {
            parts_.outputs.push_back(fmt::format("\"{}{}\"({})", sign, binding.constraint, name));
        } else {
            // Its old value matters only where it is read or kept.
            parts_.pre.push_back(sign == '+' ? fmt::format("{} {}_bits = {}({});", binding.carrier, name, binding.to_carrier, name)
                                             : fmt::format("{} {}_bits;", binding.carrier, name));
            parts_.outputs.push_back(fmt::format("\"{}{}\"({}_bits)", sign, binding.constraint, name));
            parts_.post.push_back(fmt::format("{} = {}({}_bits);", name, binding.from_carrier, name));
        }
        return next();
    }

    std::string address(const Operand& operand) {
        const std::string name = fmt::format("a{}", parts_.index);
        if (address_space(operand, i_.modifiers) == Operand::Space::Generic) {
            in("const void*", name, 'l');
        } else {
            in("uint32_t", name, 'r');
        }
        const auto displaced = std::find_if(i_.displacements.begin(), i_.displacements.end(), [&](const auto& d) { return d.first == addresses_; });
        ++addresses_;
        const std::string text = displaced == i_.displacements.end() ? next() : fmt::format("{}+{}", next(), displaced->second);
        return operand.bracket >= 0 ? text : fmt::format("[{}]", text);
    }

    /// Inline assembly cannot bind predicates: a 32-bit register carries them, and the block converts.
    std::string predicate(const Operand& operand) {
        const bool keeps = i_.guarded && i_.keeps;
        const std::string reg = operand.written ? fmt::format("pd{}", written_predicates_++) : fmt::format("ps{}", read_predicates_++);
        parts_.declare += fmt::format(".reg .pred {}; ", reg);
        const std::string bound = fmt::format("{}{}", operand.written ? "d" : "a", parts_.index);
        if (operand.written) {
            parts_.parameters.push_back(fmt::format("uint32_t& {}", bound));
            parts_.outputs.push_back(fmt::format("\"{}r\"({})", operand.read || keeps ? '+' : '=', bound));
            parts_.after += fmt::format(" selp.b32 %{}, 1, 0, {};", parts_.index, reg);
        } else {
            in("uint32_t", bound, 'r');
        }
        if (operand.read || keeps) parts_.before += fmt::format("setp.ne.b32 {}, %{}, 0; ", reg, parts_.index);
        ++parts_.index;
        return reg;
    }

    /// Operands with brackets around those that share them, and | between those that share a place.
    std::vector<std::string> joined() const {
        std::vector<std::string> all;
        for (std::size_t o = 0; o < parts_.texts.size();) {
            const Operand& operand = *parts_.operands[o];
            std::string text = parts_.texts[o++];
            const auto take = [&](int Operand::*key, std::string_view between) {
                while (o < parts_.texts.size() && operand.*key >= 0 && parts_.operands[o]->*key == operand.*key) text.append(between).append(parts_.texts[o++]);
            };
            take(&Operand::pipe, "|");
            take(&Operand::bracket, ", ");
            all.push_back(operand.bracket >= 0 ? fmt::format("[{}]", text) : text);
        }
        return all;
    }

    const PtxInstruction& i_;
    Parts parts_;
    int addresses_ = 0, read_predicates_ = 0, written_predicates_ = 0;
};

} // namespace

std::string helper_name(const PtxInstruction& i) {
    std::string name = fmt::format("tvm_builtin_ptx_{}", i.family->row->name);
    for (const std::string& m : i.modifiers) name.append("_").append(m);
    for (const std::string& c : i.constants) name.append("_").append(c);
    for (const auto& [slot, bytes] : i.displacements) name += fmt::format("_addr{}_{}{}", slot, bytes > 0 ? 'p' : 'm', bytes > 0 ? bytes : -bytes);
    // Types are named, all of them, as soon as one is not the first that the instruction takes.
    bool canonical = true;
    std::string types;
    for (std::size_t o = 0; o < i.family->operands.size(); ++o) {
        const Operand& operand = i.family->operands[o];
        if (i.lanes[o] == 0 || (operand.kind != Kind::Register && operand.kind != Kind::Predicate)) continue;
        const auto accepted = accepted_dtypes(register_type(operand, i.modifiers));
        const DType dtype = operand.kind == Kind::Predicate ? DType::UInt32 : i.dtypes[o];
        if (!accepted.empty() && accepted.front() != dtype) canonical = false;
        types.append("_").append(asm_binding(dtype)->suffix);
    }
    if (!canonical) name += types;
    if (i.guarded) {
        const bool result = std::any_of(i.family->operands.begin(), i.family->operands.end(), [](const Operand& o) { return o.written && !o.read; });
        name += !result ? "_pred" : i.keeps ? "_pred_keep" : "_pred_undef";
    }
    std::string identifier;
    for (std::size_t c = 0; c < name.size(); ++c) {
        if (name.compare(c, 2, "::") == 0) {
            identifier += "__";
            ++c;
        } else {
            identifier += name[c] == '.' ? '_' : name[c] == '-' ? 'm' : name[c];
        }
    }
    return identifier;
}

std::string helper_source(const PtxInstruction& instruction) { return HelperWriter(instruction).write(); }

} // namespace ls::codegen::cuda
