// Finds the row of the table that a call means.
#include "core/codegen/cuda/ptx_family.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ls::codegen::cuda {

namespace {

std::optional<int> number_in(std::string_view text) {
    int value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed != std::errc() || end == text.data()) return {};
    return value;
}

bool accepts(const Modifier& m, std::string_view token) { return std::find(m.choices.begin(), m.choices.end(), token) != m.choices.end(); }

/// The modifiers in the family's order; nothing when they are not one of its forms. Authors may write them in any order.
std::optional<std::vector<std::string>> arrange(const Family& family, std::span<const std::string> written) {
    const auto& slots = family.modifiers;
    std::vector<const std::string*> filled(slots.size(), nullptr);
    std::size_t at = 0, taken = 0;
    for (; taken < written.size(); ++taken) {
        while (at < slots.size() && !accepts(slots[at], written[taken])) {
            if (!slots[at].optional) break;
            ++at;
        }
        if (at == slots.size() || !accepts(slots[at], written[taken])) break;
        filled[at++] = &written[taken];
    }
    if (taken != written.size()) {
        std::fill(filled.begin(), filled.end(), nullptr);
        for (const std::string& token : written) {
            std::size_t slot = 0;
            while (slot < slots.size() && (filled[slot] != nullptr || !accepts(slots[slot], token))) ++slot;
            if (slot == slots.size()) return {};
            filled[slot] = &token;
        }
    }
    std::vector<std::string> ordered;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        if (filled[i] != nullptr) {
            ordered.push_back(*filled[i]);
        } else if (!slots[i].optional) {
            return {};
        }
    }
    return ordered;
}

struct TypeRow {
    std::string_view name;
    std::array<DType, 4> dtypes;
    std::size_t count;
};

constexpr std::array kTypes{
    TypeRow{"b8", {DType::UInt8, DType::Int8}, 2},
    TypeRow{"b16", {DType::UInt16, DType::Int16, DType::Fp16, DType::Bf16}, 4},
    TypeRow{"b32", {DType::UInt32, DType::Int32, DType::Fp32}, 3},
    TypeRow{"b64", {DType::UInt64, DType::Int64, DType::Fp64}, 3},
    TypeRow{"b32i", {DType::UInt32, DType::Int32}, 2},
    TypeRow{"b64i", {DType::UInt64, DType::Int64}, 2},
    TypeRow{"u8", {DType::UInt8}, 1},
    TypeRow{"s8", {DType::Int8}, 1},
    TypeRow{"u16", {DType::UInt16}, 1},
    TypeRow{"s16", {DType::Int16}, 1},
    TypeRow{"u32", {DType::UInt32}, 1},
    TypeRow{"s32", {DType::Int32}, 1},
    TypeRow{"u64", {DType::UInt64}, 1},
    TypeRow{"s64", {DType::Int64}, 1},
    TypeRow{"f32", {DType::Fp32}, 1},
    TypeRow{"f64", {DType::Fp64}, 1},
    TypeRow{"f32x2", {DType::UInt64}, 1},
    TypeRow{"f16x2", {DType::UInt32}, 1},
    TypeRow{"bf16x2", {DType::UInt32}, 1},
    TypeRow{"p", {DType::UInt32}, 1},
};

const TypeRow* find_type(std::string_view name) {
    const auto* found = std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeRow& t) { return t.name == name; });
    return found == kTypes.end() ? nullptr : found;
}

/// Bits of one element of a matrix operand of mma.
int matrix_bits(std::string_view type) {
    if (type == "tf32" || type == "f32" || type == "s32") return 32;
    return type == "f16" || type == "bf16" ? 16 : 8;
}

/// 32-bit registers that each of the 32 threads holds of a matrix of mma.m<M>n<N>k<K>: rows * columns * bits / 32 / 32.
std::optional<int> mma_registers(std::string_view which, std::span<const std::string> modifiers) {
    if (modifiers.size() < 9) return {};
    const std::string_view shape = modifiers[2];
    const std::size_t n = shape.find('n'), k = shape.find('k');
    if (shape.empty() || shape[0] != 'm' || n == std::string_view::npos || k == std::string_view::npos) return {};
    const auto rows = number_in(shape.substr(1)), cols = number_in(shape.substr(n + 1)), depth = number_in(shape.substr(k + 1));
    if (!rows || !cols || !depth) return {};
    // D, A, B and C types are the last four; mma_int may have satfinite before them.
    const std::size_t types = modifiers.size() - 4;
    if (which == "mma_a") return std::max(1, *rows * *depth * matrix_bits(modifiers[types + 1]) / 1024);
    if (which == "mma_b") return std::max(1, *depth * *cols * matrix_bits(modifiers[types + 2]) / 1024);
    return std::max(1, *rows * *cols * matrix_bits(modifiers[types]) / 1024);
}

bool has(std::span<const std::string> modifiers, std::string_view token) { return std::find(modifiers.begin(), modifiers.end(), token) != modifiers.end(); }

/// How well an argument fits: nothing when it cannot be meant.
std::optional<int> fit(const Operand& o, std::span<const std::string> modifiers, const PtxArgument& a) {
    const bool integer = !a.type.pointer && a.type.lanes == 1 && is_integer(a.type.dtype);
    const bool wide = integer && bits(a.type.dtype) == 64;
    switch (o.kind) {
    case Operand::Kind::Address:
        if (address_space(o, modifiers) == Operand::Space::Tensor) return integer && (!wide || a.constant) ? std::optional(1) : std::nullopt;
        if (a.type.pointer) return 2;
        return integer && (!wide || address_space(o, modifiers) == Operand::Space::Generic) ? std::optional(1) : std::nullopt;
    case Operand::Kind::Pointer: return a.type.pointer || wide ? std::optional(2) : std::nullopt;
    case Operand::Kind::Immediate: return a.constant ? std::optional(2) : std::nullopt;
    case Operand::Kind::Predicate:
        if (a.type.is_value(DType::Bool)) return 3;
        return integer && !wide ? std::optional(0) : std::nullopt;
    case Operand::Kind::Literal: return std::nullopt;
    case Operand::Kind::Register: break;
    }
    if (a.type.pointer || a.type.lanes != 1) return {};
    const auto accepted = accepted_dtypes(register_type(o, modifiers));
    const DType dtype = a.type.dtype == DType::Index ? DType::Int32 : a.type.dtype;
    if (std::find(accepted.begin(), accepted.end(), dtype) != accepted.end()) return 2;
    if (o.written || accepted.empty()) return {};
    // A number of another width is converted, but a 64-bit value is not cut to 32 bits, nor a descriptor made of 32.
    if (!integer || !is_integer(accepted.front())) return {};
    if (a.constant) return 1;
    return wide == (bits(accepted.front()) == 64) ? std::optional(a.type.dtype == DType::Bool ? 0 : 1) : std::nullopt;
}

std::optional<int> operand_count(const Family& family, std::span<const std::string> modifiers) {
    int total = 0;
    for (const Operand& o : family.operands) {
        const auto lanes = operand_lanes(o, modifiers);
        if (!lanes) return {};
        if (o.kind != Operand::Kind::Literal) total += *lanes;
    }
    return total;
}

PtxInstruction instruction_of(const Family& family, std::vector<std::string> modifiers) {
    PtxInstruction made;
    made.family = &family;
    made.modifiers = std::move(modifiers);
    for (const Operand& o : family.operands) {
        made.lanes.push_back(operand_lanes(o, made.modifiers).value_or(0));
        const auto accepted = o.kind == Operand::Kind::Register ? accepted_dtypes(register_type(o, made.modifiers)) : std::span<const DType>();
        made.dtypes.push_back(accepted.empty() ? DType::UInt32 : accepted.front());
    }
    return made;
}

} // namespace

std::span<const DType> accepted_dtypes(std::string_view ptx_type) {
    const TypeRow* row = find_type(ptx_type);
    return row == nullptr ? std::span<const DType>() : std::span(row->dtypes).first(row->count);
}

std::string_view register_type(const Operand& operand, std::span<const std::string> modifiers) {
    if (operand.type != "type") return operand.type;
    for (std::size_t i = modifiers.size(); i-- > 0;) {
        if (find_type(modifiers[i]) != nullptr) return modifiers[i];
    }
    return {};
}

Operand::Space address_space(const Operand& operand, std::span<const std::string> modifiers) {
    if (operand.space != Operand::Space::AsWritten) return operand.space;
    const bool shared = has(modifiers, "shared") || has(modifiers, "shared::cta") || has(modifiers, "shared::cluster");
    return shared ? Operand::Space::Shared : Operand::Space::Generic;
}

std::optional<int> operand_lanes(const Operand& operand, std::span<const std::string> modifiers) {
    if (!operand.only_with.empty() && !has(modifiers, operand.only_with)) return 0;
    if (!operand.group) return 1;
    const std::string_view rule = operand.count;
    if (const auto fixed = number_in(rule)) return fixed;
    const auto after = [&](std::string_view letter) -> std::optional<int> {
        for (const std::string& m : modifiers) {
            if (m.size() > 1 && std::string_view(m).starts_with(letter)) {
                if (const auto n = number_in(std::string_view(m).substr(letter.size()))) return n;
            }
        }
        return {};
    };
    if (rule == "mask") return has(modifiers, "cta_group::2") ? 8 : 4;
    if (rule == "vec") return after("v");
    if (rule == "coords") {
        if (has(modifiers, "tile::gather4") || has(modifiers, "tile::scatter4")) return 5;
        for (const std::string& m : modifiers) {
            if (m.size() == 2 && m[1] == 'd') return number_in(m);
        }
        return {};
    }
    if (rule == "num") {
        const auto n = after("x");
        return n ? std::optional(*n * (has(modifiers, "m16n16") ? 2 : 1)) : n;
    }
    if (rule == "tmem") {
        // A lane of 32 bits is one register; 16x128b holds two registers a repetition, 16x256b four.
        const auto n = after("x");
        const int each = has(modifiers, "16x128b") ? 2 : has(modifiers, "16x256b") ? 4 : 1;
        return n && *n * each <= 128 ? std::optional(*n * each) : std::nullopt;
    }
    return mma_registers(rule, modifiers);
}

PtxText split_ptx(std::string_view text) {
    PtxText result;
    std::string_view best;
    for (const FamilyRow& row : ptx_rows()) {
        if (row.mnemonic.size() <= best.size()) continue;
        std::string folded(row.mnemonic);
        std::replace(folded.begin(), folded.end(), '.', '_');
        for (const std::string_view spelled : {std::string_view(folded), row.mnemonic}) {
            if (text.starts_with(spelled) && (text.size() == spelled.size() || text[spelled.size()] == '.')) best = row.mnemonic;
        }
    }
    if (best.empty()) best = text.substr(0, text.find('.'));
    result.mnemonic = best;
    text.remove_prefix(std::min(text.size(), best.size()));
    for (std::string_view token : split_words(text, '.')) {
        std::string word(token);
        for (std::size_t at = word.find("__"); at != std::string::npos; at = word.find("__", at)) word.replace(at, 2, "::");
        if (word.size() > 1 && word.back() == '_') word.pop_back();
        result.modifiers.push_back(std::move(word));
    }
    return result;
}

std::string PtxInstruction::opcode() const {
    std::string text(family->row->mnemonic);
    for (const std::string& m : modifiers) text.append(".").append(m);
    return text;
}

Result<PtxInstruction> resolve_ptx(const PtxText& text, std::span<const PtxArgument> arguments, bool guarded, bool keeps) {
    const Family* best = nullptr;
    std::vector<std::string> best_modifiers;
    int best_fit = -1;
    bool named = false;
    std::string counts;
    for (const Family& family : ptx_families()) {
        if (family.row->mnemonic != text.mnemonic) continue;
        auto modifiers = arrange(family, text.modifiers);
        if (!modifiers) continue;
        const auto count = operand_count(family, *modifiers);
        if (!count) continue;
        named = true;
        if (*count != static_cast<int>(arguments.size())) {
            counts += fmt::format("{}{}", counts.empty() ? "" : " or ", *count);
            continue;
        }
        std::size_t at = 0;
        int score = 0;
        bool fits = true;
        for (const Operand& o : family.operands) {
            const int lanes = o.kind == Operand::Kind::Literal ? 0 : *operand_lanes(o, *modifiers);
            for (int lane = 0; lane < lanes && fits; ++lane) {
                const auto one = fit(o, *modifiers, arguments[at++]);
                fits = one.has_value();
                score += one.value_or(0);
            }
            if (!fits) break;
        }
        if (fits && score > best_fit) {
            best_fit = score;
            best = &family;
            best_modifiers = std::move(*modifiers);
        }
    }
    const std::string shown = fmt::format("{}{}{}", text.mnemonic, text.modifiers.empty() ? "" : ".", fmt::join(text.modifiers, "."));
    if (best == nullptr) {
        if (!named) {
            return error("CG_CUDA_PTX", fmt::format("no instruction {} is known here", shown),
                         "check its modifiers against the PTX manual; resources/docs/export.md lists the families that are exported");
        }
        std::string why = counts.empty() ? "an operand has a type that it does not take" : fmt::format("it takes {} operands, not {}", counts, arguments.size());
        return error("CG_CUDA_PTX", fmt::format("{}: {}", shown, why), "give the operands in PTX order, results first");
    }
    PtxInstruction made = instruction_of(*best, std::move(best_modifiers));
    made.guarded = guarded;
    made.keeps = keeps;
    std::size_t at = 0;
    int address = 0;
    for (std::size_t i = 0; i < best->operands.size(); ++i) {
        const Operand& o = best->operands[i];
        if (o.kind == Operand::Kind::Literal || made.lanes[i] == 0) continue;
        const PtxArgument& first = arguments[at];
        if (o.kind == Operand::Kind::Immediate) made.constants.push_back(std::to_string(*first.constant));
        if (o.kind == Operand::Kind::Address) {
            if (first.displacement != 0) made.displacements.emplace_back(address, first.displacement);
            ++address;
        }
        if (o.kind == Operand::Kind::Register) {
            const auto accepted = accepted_dtypes(register_type(o, made.modifiers));
            const DType dtype = first.type.dtype == DType::Index ? DType::Int32 : first.type.dtype;
            bool same = std::find(accepted.begin(), accepted.end(), dtype) != accepted.end();
            for (int lane = 1; lane < made.lanes[i]; ++lane) same = same && arguments[at + static_cast<std::size_t>(lane)].type.dtype == first.type.dtype;
            if (same) {
                made.dtypes[i] = dtype;
            } else if (o.written) {
                return error("CG_CUDA_PTX", fmt::format("{}: the results of one group have different types", shown), "write them to registers of one type");
            }
        }
        at += static_cast<std::size_t>(made.lanes[i]);
    }
    return made;
}

Result<PtxInstruction> resolve_family(std::string_view family, std::span<const std::string> modifiers) {
    for (const Family& f : ptx_families()) {
        if (f.row->name != family) continue;
        auto ordered = arrange(f, modifiers);
        if (ordered && operand_count(f, *ordered)) return instruction_of(f, std::move(*ordered));
        return error("CG_CUDA_PTX", fmt::format("{} has no form {}", family, fmt::join(modifiers, ".")));
    }
    return error("CG_CUDA_PTX", fmt::format("no family {} is known here", family));
}

std::optional<std::string> missing_on(const PtxInstruction& instruction, std::string_view arch) {
    std::string_view digits = arch.starts_with("sm_") ? arch.substr(3) : arch;
    const int number = number_in(digits).value_or(0);
    const bool specific = !digits.empty() && (digits.back() == 'a' || digits.back() == 'f');
    Needs needs = instruction.family->row->needs;
    const bool copy = instruction.family->row->mnemonic == "cp";
    const bool newer = (copy && (has(instruction.modifiers, "cta_group::1") || has(instruction.modifiers, "cta_group::2") ||
                                 has(instruction.modifiers, "tile::gather4") || has(instruction.modifiers, "tile::scatter4") ||
                                 has(instruction.modifiers, "cp_mask"))) ||
                       has(instruction.modifiers, "f32x2");
    if (newer && needs < Needs::Sm100) needs = Needs::Sm100;
    switch (needs) {
    case Needs::Sm80: return number >= 80 ? std::nullopt : std::optional<std::string>("needs sm_80 or above");
    case Needs::Sm90: return number >= 90 ? std::nullopt : std::optional<std::string>("needs sm_90 or above");
    case Needs::Accelerated: return number >= 90 && specific ? std::nullopt : std::optional<std::string>("needs sm_90a, sm_100a or their like");
    case Needs::Hopper: return number == 90 && specific ? std::nullopt : std::optional<std::string>("exists on sm_90a alone; later chips have tcgen05 instead");
    case Needs::Sm100: return number >= 100 ? std::nullopt : std::optional<std::string>("needs sm_100 or above");
    case Needs::Blackwell: return number >= 100 && number < 120 && specific ? std::nullopt : std::optional<std::string>("needs sm_100a or its like (sm_103a, sm_110a)");
    }
    return {};
}

} // namespace ls::codegen::cuda
