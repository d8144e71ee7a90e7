// The cases say an instruction in words: "tcgen05_ld 32x32b x32 (f32 regs)", "mma ts cg2". What the words leave open is the
// first form of the family, with the state space written.
#include "app/conformance/run_tirx_cuda_names.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "app/conformance/run_tirx_layout_json.h"
#include "core/codegen/cuda/ptx_family.h"

namespace ls::conformance {

namespace {

using codegen::cuda::Family;
using codegen::cuda::Modifier;

/// The words in front of the parenthesis, taken apart at "_" and "::"; with `keep_names` a family's whole name stays one.
std::vector<std::string> words_of(std::string_view text, bool keep_names) {
    std::vector<std::string> words;
    text = text.substr(0, text.find('('));
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(" .,"), text.size());
        std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (word.starts_with("cg") && word.size() == 3) {
            words.push_back(fmt::format("cta_group::{}", word[2]));
            continue;
        }
        const auto rows = codegen::cuda::ptx_rows();
        const bool whole = keep_names && std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.name == word; });
        const auto families = codegen::cuda::ptx_families();
        const bool modifier = std::any_of(families.begin(), families.end(), [&](const Family& f) {
            return std::any_of(f.modifiers.begin(), f.modifiers.end(), [&](const Modifier& m) { return std::find(m.choices.begin(), m.choices.end(), word) != m.choices.end(); });
        });
        if (whole || modifier) {
            words.emplace_back(word);
            continue;
        }
        while (!word.empty()) {
            const std::size_t part = std::min(word.find_first_of("_:"), word.size());
            if (part > 0) words.emplace_back(word.substr(0, part));
            word.remove_prefix(std::min(part + 1, word.size()));
        }
    }
    return words;
}

std::optional<DType> registers_in(std::string_view text) {
    if (text.find("(f32") != std::string_view::npos) return DType::Fp32;
    if (text.find("(s32") != std::string_view::npos) return DType::Int32;
    return {};
}

/// Whether the word means this modifier: itself, its last part, or the beginning of that.
bool means(std::string_view choice, std::string_view word) {
    if (choice == word) return true;
    const std::size_t colons = choice.rfind("::");
    return colons != std::string_view::npos && choice.substr(colons + 2).starts_with(word);
}

bool is_number(std::string_view word) { return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; }); }

bool is_space(const Modifier& m) {
    return std::any_of(m.choices.begin(), m.choices.end(), [](std::string_view c) { return c == "shared" || c == "shared::cta" || c == "shared::cluster"; });
}

/// How well the words fit a family, and its modifiers; nothing when a word has no place.
std::optional<std::pair<int, std::vector<std::string>>> place(const Family& family, const std::vector<std::string>& words) {
    std::vector<std::string> parts;
    std::string_view name = family.row->name;
    while (!name.empty()) {
        const std::size_t end = std::min(name.find('_'), name.size());
        parts.emplace_back(name.substr(0, end));
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    int score = 0;
    std::vector<std::string_view> chosen(family.modifiers.size());
    for (std::size_t w = 0; w < words.size(); ++w) {
        bool placed = w == 0 && words[w] == family.row->name;
        placed |= is_number(words[w]) && std::any_of(family.operands.begin(), family.operands.end(), [](const auto& o) { return o.kind == codegen::cuda::Operand::Kind::Immediate; });
        if (placed && w > 0) continue;
        if (placed) {
            score += 1000;
            parts.clear();
        }
        if (const auto part = std::find(parts.begin(), parts.end(), words[w]); part != parts.end()) {
            parts.erase(part);
            score += 20 - static_cast<int>(w);
            placed = true;
        }
        for (std::size_t m = 0; m < family.modifiers.size() && !placed; ++m) {
            if (!chosen[m].empty()) continue;
            for (const std::string_view choice : family.modifiers[m].choices) {
                if (placed || !means(choice, words[w])) continue;
                chosen[m] = choice;
                placed = true;
            }
        }
        if (!placed) return {};
    }
    std::vector<std::string> modifiers;
    for (std::size_t m = 0; m < family.modifiers.size(); ++m) {
        const Modifier& slot = family.modifiers[m];
        if (chosen[m].empty() && is_space(slot)) {
            chosen[m] = *std::find_if(slot.choices.begin(), slot.choices.end(), [](std::string_view c) { return c.starts_with("shared"); });
        }
        if (chosen[m].empty() && !slot.optional) chosen[m] = slot.choices.front();
        if (!chosen[m].empty()) modifiers.emplace_back(chosen[m]);
    }
    return std::pair(score - static_cast<int>(parts.size()), std::move(modifiers));
}

} // namespace

Outcome run_cuda_helper_name(const Json& input, const Json& expect) {
    const std::string text = input.at("instr").get<std::string>();
    int best = 0;
    std::string_view family;
    std::vector<std::string> modifiers;
    for (const bool keep_names : {true, false}) {
        if (!family.empty()) break;
        const std::vector<std::string> words = words_of(text, keep_names);
        for (const Family& f : codegen::cuda::ptx_families()) {
            auto placed = place(f, words);
            if (!placed || (!family.empty() && placed->first <= best)) continue;
            best = placed->first;
            family = f.row->name;
            modifiers = std::move(placed->second);
        }
    }
    if (family.empty()) return failed(fmt::format("no family of instructions has the words \"{}\"", text));
    auto instruction = codegen::cuda::resolve_family(family, modifiers);
    if (!instruction) return failed(instruction.error().message);
    for (const std::string& word : words_of(text, true)) {
        if (is_number(word)) instruction->constants.push_back(word);
    }
    if (const auto dtype = registers_in(text)) {
        for (std::size_t i = 0; i < instruction->dtypes.size(); ++i) {
            if (instruction->family->operands[i].group) instruction->dtypes[i] = *dtype;
        }
    }
    return same_json(expect.at("helper"), codegen::cuda::helper_name(*instruction));
}

} // namespace ls::conformance
