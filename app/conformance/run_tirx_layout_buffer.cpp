#include "app/conformance/run_tirx_layout_buffer.h"

#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "app/conformance/run_tirx_layout_json.h"
#include "core/layout/buffer_view.h"

namespace ls::conformance {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts{""};
    for (const char c : text) {
        if (c == ' ') continue;
        if (c == separator)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

std::int64_t number(const std::string& text) { return std::strtoll(text.c_str(), nullptr, 10); }

/// The text between the first `open` from `from` on and the next ']'.
std::optional<std::string> between(const std::string& text, const std::string& open) {
    const std::size_t begin = text.find(open);
    const std::size_t end = begin == std::string::npos ? begin : text.find(']', begin);
    if (end == std::string::npos) return {};
    return text.substr(begin + open.size(), end - begin - open.size());
}

SubIndex read_index(const std::string& text) {
    const std::vector<std::string> parts = split(text, ':');
    if (parts.size() == 1) return Dim(number(parts[0]));
    SubRange range;
    if (!parts[0].empty()) range.begin = number(parts[0]);
    if (!parts[1].empty()) range.end = Dim(number(parts[1]));
    if (parts.size() > 2 && !parts[2].empty()) range.step = number(parts[2]);
    return range;
}

Json shape_json(const BufferView& view) {
    Json shape = Json::array();
    for (const Dim& extent : view.shape) shape.push_back(extent.constant().value_or(-1));
    return shape;
}

bool ok(const Outcome& outcome) { return outcome.kind == Outcome::Kind::Passed; }

} // namespace

Outcome run_buffer_sub(const Json& input, const Json& expect) {
    LS_TRY_OUTCOME(const Layout layout, layout_from_json(input.at("layout")));
    const std::string expression = input.at("expr").get<std::string>();
    const auto shape = between(expression, "[");
    const auto indices = between(expression, ".sub[");
    if (!shape || !indices) return failed(fmt::format("cannot read {}", expression));
    BufferView buffer{{}, layout, 0};
    for (const std::string& extent : split(*shape, ',')) buffer.shape.emplace_back(number(extent));
    std::vector<SubIndex> list;
    for (const std::string& index : split(*indices, ',')) list.push_back(read_index(index));

    const Result<BufferView> part = sub_view(buffer, list);
    if (expect.contains("error")) return refused(part, "a view");
    if (!part) return failed(part.error().message);
    if (const Outcome outcome = same_dim(expect.at("elem_offset_delta"), part->elem_offset); !ok(outcome))
        return outcome;
    if (expect.contains("shape")) {
        if (const Outcome outcome = same_json(expect["shape"], shape_json(*part)); !ok(outcome)) return outcome;
    }
    return expect.contains("layout") ? same_layout(expect["layout"], *part->layout) : passed();
}

Outcome run_buffer_local(const Json& input, const Json& expect) {
    LS_TRY_OUTCOME(const Layout layout, layout_from_json(input.at("layout")));
    BufferView buffer{{}, layout, 0};
    for (const Iter& iter : layout.tile().shard) buffer.shape.push_back(iter.extent);
    // ".local()" or ".local(4, 8)"
    const std::string expression = input.at("expr").get<std::string>();
    const std::size_t open = expression.find('(');
    std::vector<Dim> dims;
    if (open != std::string::npos) {
        for (const std::string& extent : split(expression.substr(open + 1, expression.find(')') - open - 1), ',')) {
            if (!extent.empty()) dims.emplace_back(number(extent));
        }
    }
    const Result<BufferView> view = dims.empty() ? local_view(buffer) : local_view(buffer, dims);
    if (expect.contains("error")) return refused(view, "a view");
    if (!view) return failed(view.error().message);
    if (const Outcome outcome = same_json(expect.at("shape"), shape_json(*view)); !ok(outcome)) return outcome;
    if (expect.contains("layout_is_trivial")) {
        if (const Outcome outcome = same_json(expect["layout_is_trivial"], is_trivial(*view->layout)); !ok(outcome))
            return outcome;
    }
    return expect.contains("storage") ? same_layout(expect["storage"], storage(layout)) : passed();
}

} // namespace ls::conformance
