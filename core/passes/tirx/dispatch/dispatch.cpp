#include "core/passes/tirx/dispatch/dispatch.h"

#include <algorithm>

#include <fmt/format.h>

namespace ls::tirx {

namespace {

struct Row {
    std::string variant;
    std::vector<std::string> lines;
};

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

/// Characters of UTF-8, which the report's columns count.
std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(std::string_view text, std::size_t columns) {
    return std::string(text) + std::string(columns - std::min(columns, width(text)), ' ');
}

std::string report(const std::string& header, const std::vector<Row>& rows) {
    if (rows.empty()) return header;
    std::size_t left = width("Variant");
    std::size_t right = width("Error");
    for (const Row& row : rows) {
        left = std::max(left, width(row.variant));
        for (const std::string& line : row.lines) right = std::max(right, width(line));
    }
    const std::string rule = fmt::format("+{}+{}+", std::string(left + 2, '-'), std::string(right + 2, '-'));
    const auto cells = [&](std::string_view a, std::string_view b) {
        return fmt::format("| {} | {} |", padded(a, left), padded(b, right));
    };
    std::string text = fmt::format("{}\n{}\n{}\n{}", header, rule, cells("Variant", "Error"), rule);
    for (const Row& row : rows) {
        for (std::size_t i = 0; i < row.lines.size(); ++i) text += "\n" + cells(i == 0 ? row.variant : "", row.lines[i]);
    }
    return text + "\n" + rule;
}

Row row_of(const Variant& variant, std::string summary, const DispatchCall& call) {
    Row row{fmt::format("{} (prio={})", variant.name, variant.priority), lines_of(summary)};
    row.lines.emplace_back("opcall:");
    for (std::string& line : lines_of(call.text)) row.lines.push_back(std::move(line));
    return row;
}

std::string rejections(const Variant& variant, const DispatchCall& call, const DispatchContext& context) {
    std::string text;
    for (const Predicate& predicate : variant.predicates) {
        const PredicateAnswer answer = predicate.test(call, context);
        if (answer.holds) continue;
        text += fmt::format("{}rejected: {}{}{}", text.empty() ? "" : "; ", predicate.name, answer.reason.empty() ? "" : " — ", answer.reason);
    }
    return text;
}

} // namespace

const Operand* DispatchCall::operand(std::size_t index) const {
    return index < args.size() ? std::get_if<Operand>(&args[index]) : nullptr;
}

std::int64_t DispatchContext::thread_count() const {
    std::int64_t count = 1;
    for (const auto& [axis, range] : split.intra) count *= range.extent;
    return count;
}

void Registry::add(std::string op, std::string target, Variant variant) {
    table_[{std::move(op), std::move(target)}].push_back(std::move(variant));
}

std::vector<const Variant*> Registry::variants(std::string_view op, std::string_view target) const {
    std::vector<const Variant*> out;
    const auto at = table_.find({std::string(op), std::string(target)});
    if (at == table_.end()) return out;
    for (const Variant& variant : at->second) out.push_back(&variant);
    std::stable_sort(out.begin(), out.end(), [](const Variant* a, const Variant* b) {
        return a->priority != b->priority ? a->priority > b->priority : a->name < b->name;
    });
    return out;
}

std::vector<std::string> Registry::operations(std::string_view target) const {
    std::vector<std::string> out;
    for (const auto& [key, variants] : table_) {
        if (key.second == target) out.push_back(key.first);
    }
    return out;
}

Result<Dispatched> dispatch(const Registry& registry, const DispatchCall& call, const DispatchContext& context) {
    const std::string header = fmt::format("TIRx schedule dispatch failed: op=tirx.tile.{} target={}", call.op, context.target);
    std::vector<const Variant*> variants = registry.variants(call.op, context.target);
    if (variants.empty()) return error("TIRX_DISPATCH", header + "\nno registered variants for this op/target");
    if (call.dispatch) {
        std::erase_if(variants, [&](const Variant* variant) { return variant->name != *call.dispatch; });
        if (variants.empty()) {
            return error("TIRX_DISPATCH", fmt::format("{}\nno variant named '{}' is registered", header, *call.dispatch));
        }
    }
    std::vector<Row> rows;
    for (const Variant* variant : variants) {
        if (const std::string why = rejections(*variant, call, context); !why.empty()) {
            rows.push_back(row_of(*variant, why, call));
            continue;
        }
        Attempt attempt = variant->implementation(call, context);
        if (auto* plan = std::get_if<TilePlan>(&attempt)) return Dispatched{variant->name, std::move(*plan)};
        if (const auto* declined = std::get_if<Declined>(&attempt)) {
            rows.push_back(row_of(*variant, "declined — " + declined->reason, call));
            continue;
        }
        const Raised& raised = std::get<Raised>(attempt);
        Row row = row_of(*variant, fmt::format("exception — {}: {}", raised.type, raised.message), call);
        row.lines.emplace_back("Traceback (most recent call last):");
        row.lines.push_back(fmt::format("  in the plan of variant {}", variant->name));
        for (std::string& line : lines_of(fmt::format("{}: {}", raised.type, raised.message))) row.lines.push_back(std::move(line));
        rows.push_back(std::move(row));
    }
    return error("TIRX_DISPATCH", report(header, rows), "name a variant with dispatch=, or change what its reason names");
}

} // namespace ls::tirx
