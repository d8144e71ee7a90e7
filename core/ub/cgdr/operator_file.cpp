#include "core/ub/cgdr/operator_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/ub/cgdr/what_if.h"
#include "core/ub/model/json_tree.h"

namespace ls::ub::cgdr {

namespace {

using Kind = JsonNode::Kind;

constexpr std::string_view kOperator = "chunk_gated_delta_rule";
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 40;
constexpr std::int64_t kMaxCount = std::int64_t{1} << 31;
constexpr std::size_t kMaxSequences = 1'000'000;

struct ShapeKey {
    std::string_view key;
    std::int64_t HostInput::*field;
};
constexpr std::array kShape{ShapeKey{"batch", &HostInput::batch},   ShapeKey{"rows", &HostInput::t},
                            ShapeKey{"hqk", &HostInput::hqk},       ShapeKey{"hv", &HostInput::hv},
                            ShapeKey{"dk", &HostInput::dk},         ShapeKey{"dv", &HostInput::dv},
                            ShapeKey{"chunkSize", &HostInput::chunk_size}};

class OperatorReader {
public:
    void read(const JsonNode& root) {
        if (!expect(root, Kind::Object, "the file")) return;
        check_keys(root, {"operator", "variant", "platform", "shape", "seqLens", "whatIf"});
        if (const JsonNode* node = root.find("operator"); node == nullptr || node->string != kOperator)
            problem(node ? *node : root, "MODEL_VALUE", fmt::format("the operator must be \"{}\"", kOperator));
        if (const JsonNode* node = root.find("variant"); node && expect(*node, Kind::String, "variant")) {
            if (const auto variant = variant_from_name(node->string))
                file.input.variant = *variant;
            else
                problem(*node, "MODEL_VALUE", fmt::format("there is no variant \"{}\"", node->string),
                        "write \"v1108\" or \"v1135\"");
        }
        if (const JsonNode* node = root.find("platform"); node && expect(*node, Kind::Object, "platform"))
            read_platform(*node);
        else if (node == nullptr)
            problem(root, "MODEL_KEY_MISSING", "'platform' is missing");
        if (const JsonNode* node = root.find("shape"); node && expect(*node, Kind::Object, "shape")) read_shape(*node);
        if (const JsonNode* node = root.find("seqLens"); node && expect(*node, Kind::Array, "seqLens"))
            read_lengths(*node);
        if (const JsonNode* node = root.find("whatIf"); node && expect(*node, Kind::Array, "whatIf"))
            read_changes(*node);
    }

    OperatorFile file;
    std::vector<Diagnostic> problems;

private:
    void problem(const JsonNode& node, std::string code, std::string message, std::string hint = {}) {
        const std::string_view where = node.pointer.empty() ? "/" : std::string_view(node.pointer);
        problems.push_back(
            error_at(node.span, std::move(code), fmt::format("{}: {}", where, message), std::move(hint)));
    }
    bool expect(const JsonNode& node, Kind kind, std::string_view what) {
        if (node.is(kind)) return true;
        JsonNode wanted;
        wanted.kind = kind;
        problem(node, "MODEL_TYPE", fmt::format("{} must be {}, not {}", what, wanted.kind_name(), node.kind_name()));
        return false;
    }
    void check_keys(const JsonNode& object, const std::vector<std::string_view>& keys) {
        for (const JsonMember& member : object.members) {
            if (std::find(keys.begin(), keys.end(), member.key) != keys.end()) continue;
            file.warnings.push_back(
                warning_at(member.key_span, "MODEL_KEY_UNKNOWN",
                           fmt::format("{}: the key '{}' means nothing here", member.value.pointer, member.key),
                           fmt::format("known keys: {}", fmt::join(keys, ", "))));
        }
    }
    std::optional<std::int64_t> number(const JsonNode& object, std::string_view key, std::int64_t low,
                                       std::int64_t high) {
        const JsonNode* node = object.find(key);
        if (node == nullptr || !expect(*node, Kind::Integer, key)) return {};
        if (node->integer >= low && node->integer <= high) return node->integer;
        problem(*node, "MODEL_VALUE", fmt::format("{} = {} lies outside {}..{}", key, node->integer, low, high));
        return {};
    }

    void read_platform(const JsonNode& node) {
        check_keys(node, {"name", "ubBytes", "vectorCores"});
        const JsonNode* name = node.find("name");
        if (name == nullptr) return problem(node, "MODEL_KEY_MISSING", "'name' is missing");
        if (!expect(*name, Kind::String, "name")) return;
        auto platform = find_platform(name->string);
        if (!platform.ok()) {
            Diagnostic why = std::move(platform).error();
            why.span = name->span;
            problems.push_back(std::move(why));
            return;
        }
        file.platform = std::move(platform).value();
        file.input.ub_bytes = number(node, "ubBytes", -1, kMaxBytes).value_or(file.platform.planning_bytes());
        file.input.aiv = number(node, "vectorCores", 0, 1 << 20).value_or(file.platform.planning_cores().value_or(0));
    }
    void read_shape(const JsonNode& node) {
        std::vector<std::string_view> keys;
        for (const ShapeKey& one : kShape) keys.push_back(one.key);
        check_keys(node, keys);
        for (const ShapeKey& one : kShape) {
            if (const auto value = number(node, one.key, 0, kMaxCount)) file.input.*one.field = *value;
        }
        if (node.find("hqk") == nullptr) file.input.hqk = file.input.hv;
    }
    void read_lengths(const JsonNode& node) {
        if (node.items.size() > kMaxSequences)
            return problem(node, "MODEL_VALUE",
                           fmt::format("{} sequences, at most {}", node.items.size(), kMaxSequences));
        for (const JsonNode& item : node.items) {
            if (!expect(item, Kind::Integer, "a length")) return;
            if (item.integer < std::numeric_limits<std::int32_t>::min() ||
                item.integer > std::numeric_limits<std::int32_t>::max())
                return problem(item, "MODEL_VALUE", fmt::format("the length {} does not fit 32 bits", item.integer));
            file.seq_lens.push_back(static_cast<std::int32_t>(item.integer));
        }
    }
    void read_changes(const JsonNode& node) {
        for (const JsonNode& item : node.items) {
            if (!expect(item, Kind::String, "a change")) return;
            TriedChange change{item.string, {}};
            if (const std::size_t equals = item.string.find('='); equals != std::string::npos) {
                std::int64_t value = 0;
                const char* const end = item.string.data() + item.string.size();
                const auto [at, failed] = std::from_chars(item.string.data() + equals + 1, end, value);
                if (failed != std::errc() || at != end || value < 0 || value > kMaxCount) {
                    problem(item, "MODEL_VALUE", fmt::format("\"{}\" has no usable number", item.string),
                            "write a name, or name=number");
                    continue;
                }
                change = {item.string.substr(0, equals), value};
            }
            if (const auto known = find_what_if(change.id); !known.ok()) {
                Diagnostic why = known.error();
                why.span = item.span;
                problems.push_back(std::move(why));
                continue;
            }
            file.changes.push_back(std::move(change));
        }
    }
};

} // namespace

std::string to_text(const TriedChange& change) {
    return change.value ? fmt::format("{}={}", change.id, *change.value) : change.id;
}

bool looks_like_operator(std::string_view text) { return text.find("\"operator\"") != std::string_view::npos; }

Result<OperatorFile> read_operator(std::string_view text) {
    LS_TRY(const JsonNode root, parse_json(text));
    OperatorReader reader;
    reader.read(root);
    if (reader.problems.empty()) {
        if (Status valid = validate(reader.file.input); !valid.ok()) {
            Diagnostic why = std::move(valid).error();
            if (const JsonNode* shape = root.find("shape")) why.span = shape->span;
            return why;
        }
        return std::move(reader.file);
    }
    Diagnostic first = std::move(reader.problems.front());
    first.notes.assign(std::make_move_iterator(reader.problems.begin() + 1),
                       std::make_move_iterator(reader.problems.end()));
    return first;
}

std::string write_operator(const OperatorFile& file) {
    const HostInput& in = file.input;
    std::string text = fmt::format("{{\n  \"operator\": \"{}\",\n  \"variant\": \"{}\",\n", kOperator, name(in.variant));
    text += fmt::format("  \"platform\": {{\"name\": {}", nlohmann::json(file.platform.id).dump());
    if (in.ub_bytes != file.platform.planning_bytes()) text += fmt::format(", \"ubBytes\": {}", in.ub_bytes);
    if (in.aiv != file.platform.planning_cores().value_or(0)) text += fmt::format(", \"vectorCores\": {}", in.aiv);
    text += "},\n  \"shape\": {";
    for (std::size_t i = 0; i < kShape.size(); ++i)
        text += fmt::format("{}\"{}\": {}", i == 0 ? "" : ", ", kShape[i].key, in.*kShape[i].field);
    text += fmt::format("}},\n  \"seqLens\": [{}]", fmt::join(file.seq_lens, ", "));
    if (!file.changes.empty()) {
        text += ",\n  \"whatIf\": [";
        for (std::size_t i = 0; i < file.changes.size(); ++i)
            text += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", to_text(file.changes[i]));
        text += "]";
    }
    return text + "\n}\n";
}

Result<Scenario> scenario_of(const OperatorFile& file, const HostPlan& plan) {
    Scenario scenario = scenario_of(plan, &file.platform);
    for (const TriedChange& change : file.changes) {
        LS_TRY(const WhatIf what_if, find_what_if(change.id));
        what_if.apply(scenario, change.value);
    }
    return scenario;
}

} // namespace ls::ub::cgdr
