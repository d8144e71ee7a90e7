#include "app/conformance/run_tirx_tile.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/conformance/run_tirx_layout_json.h"

namespace ls::conformance {

Result<tirx::Operand> operand_from_json(const Json& input, const std::string& prefix, std::string scope, DType dtype) {
    LS_TRY(Layout layout, layout_from_json(input.at(prefix + "layout")));
    std::vector<Dim> shape;
    if (input.contains(prefix + "shape")) {
        LS_TRY(shape, dims_from_json(input[prefix + "shape"]));
    } else {
        for (const Iter& iter : layout.tile().shard) shape.push_back(iter.extent);
    }
    tirx::Operand operand = tirx::whole(prefix.empty() ? "buffer" : prefix.substr(0, prefix.size() - 1), std::move(scope),
                                        dtype, std::move(shape), std::move(layout));
    if (input.contains(prefix + "region")) {
        operand.region.clear();
        for (const Json& range : input[prefix + "region"]) {
            LS_TRY(const Dim begin, dim_from_json(range.at(0)));
            LS_TRY(const Dim end, dim_from_json(range.at(1)));
            operand.region.push_back({begin, end - begin});
        }
    }
    return operand;
}

tirx::Config config_from_json(const Json& json) {
    tirx::Config config;
    if (!json.is_object()) return config;
    for (const auto& [key, value] : json.items()) {
        if (value.is_boolean()) config.emplace(key, value.get<bool>());
        if (value.is_number_integer()) config.emplace(key, value.get<std::int64_t>());
        if (value.is_number_float()) config.emplace(key, value.get<double>());
        if (value.is_string()) config.emplace(key, value.get<std::string>());
    }
    return config;
}

namespace {

bool says(const Diagnostic& why, const std::string& text) {
    if (why.message.find(text) != std::string::npos || why.hint.find(text) != std::string::npos) return true;
    return std::any_of(why.notes.begin(), why.notes.end(), [&](const Diagnostic& note) { return says(note, text); });
}

} // namespace

Outcome refused_with(const Diagnostic& why, const std::string& text) {
    if (text == "any" || says(why, text)) return passed();
    return failed(fmt::format("refused with '{}', expected it to say '{}'", why.message, text));
}

std::string hex(std::uint64_t value, int digits) { return fmt::format("0x{:0{}x}", value, digits); }

} // namespace ls::conformance
