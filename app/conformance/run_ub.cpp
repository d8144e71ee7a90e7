#include "app/conformance/run_ub.h"

#include <cmath>

#include <fmt/format.h>

namespace ls::conformance::ub {

namespace {

/// First difference below `path`, or empty.
std::string difference(const Json& expected, const Json& ours, const std::string& path) {
    const auto differs = [&] { return fmt::format("{}: expected {}, ours {}", path, expected.dump(), ours.dump()); };
    if (expected.is_number() && ours.is_number()) {
        const bool same = expected.is_number_float() || ours.is_number_float()
                              ? std::abs(expected.get<double>() - ours.get<double>()) <= 1e-6
                              : expected == ours;
        return same ? "" : differs();
    }
    if (expected.is_object() && ours.is_object()) {
        for (const auto& [key, value] : expected.items()) {
            const auto at = ours.find(key);
            if (at == ours.end())
                return fmt::format("{}/{}: expected {}, ours has no such value", path, key, value.dump());
            if (std::string text = difference(value, *at, path + "/" + key); !text.empty()) return text;
        }
        return "";
    }
    if (expected.is_array() && ours.is_array()) {
        if (expected.size() != ours.size()) {
            return fmt::format("{}: expected {} entries, ours {}: {} and {}", path, expected.size(), ours.size(),
                               expected.dump(), ours.dump());
        }
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (std::string text = difference(expected[i], ours[i], fmt::format("{}/{}", path, i)); !text.empty()) {
                return text;
            }
        }
        return "";
    }
    return expected == ours ? "" : differs();
}

} // namespace

Outcome compare(const Json& expected, const Json& ours) {
    std::string text = difference(expected, ours, "");
    return text.empty() ? passed() : failed(std::move(text));
}

std::int64_t integer(const Json& object, const char* key, std::int64_t otherwise) {
    return optional_integer(object, key).value_or(otherwise);
}

std::optional<std::int64_t> optional_integer(const Json& object, const char* key) {
    const auto at = object.find(key);
    if (at == object.end() || at->is_null()) return {};
    return at->get<std::int64_t>();
}

std::optional<bool> optional_bool(const Json& object, const char* key) {
    const auto at = object.find(key);
    if (at == object.end() || at->is_null()) return {};
    return at->get<bool>();
}

ls::ub::cgdr::Variant variant_of(const Json& test_case) {
    const auto read = [](const Json& object) -> std::optional<ls::ub::cgdr::Variant> {
        const auto at = object.find("variant");
        if (at == object.end() || !at->is_string()) return {};
        return ls::ub::cgdr::variant_from_name(at->get<std::string>());
    };
    if (const auto own = read(test_case)) return *own;
    if (const auto inner = read(test_case.value("params", Json::object()))) return *inner;
    return ls::ub::cgdr::Variant::V1108;
}

ls::ub::cgdr::HostInput host_input_of(const Json& params, ls::ub::cgdr::Variant variant) {
    ls::ub::cgdr::HostInput in;
    in.variant = variant;
    in.batch = integer(params, "batch", 1);
    in.t = integer(params, "t", integer(params, "T", 0));
    in.hv = integer(params, "hv", integer(params, "NV", 1));
    in.hqk = integer(params, "hqk", in.hv);
    in.dk = integer(params, "dk", 128);
    in.dv = integer(params, "dv", 128);
    in.ub_bytes = integer(params, "ubSize", 262144);
    in.aiv = integer(params, "aivNum", 8);
    in.chunk_size = integer(params, "chunkSize", integer(params, "cs", 64));
    return in;
}

ls::ub::cgdr::DeviceInput device_input_of(const Json& params, ls::ub::cgdr::Variant variant) {
    ls::ub::cgdr::DeviceInput in;
    in.variant = variant;
    in.chunk_size = integer(params, "cs", 64);
    in.dk = integer(params, "dk", 128);
    in.v_step = integer(params, "vStep", 128);
    in.dv = integer(params, "dv", in.v_step);
    in.hv = integer(params, "NV", 16);
    in.block_num = integer(params, "blockNum", 8);
    in.force_overlap = optional_bool(params, "forceOverlap");
    return in;
}

Json to_json(const ls::ub::Finding& finding) {
    Json object{{"code", std::string(finding.code)}, {"subject", finding.subject}};
    for (const ls::ub::Number& number : finding.numbers) object[std::string(number.name)] = number.value;
    if (const auto begin = finding.number("begin"), end = finding.number("end"); begin && end) {
        object["bytes"] = Json::array({*begin, *end});
    }
    // One number under every name that writers give it.
    static const std::vector<std::vector<const char*>> kSynonyms{
        {"off", "offset"},
        {"len", "length", "tbufLen", "limit", "capacity", "requested"},
        {"rounded", "actual", "aligned"},
        {"mod", "mod32", "remainder"},
        {"by", "over", "overrunBy"},
        {"count", "total", "used"},
        {"host", "hostTmp"},
        {"device", "deviceUsed"}};
    for (const auto& group : kSynonyms) {
        if (!object.contains(group.front())) continue;
        for (const char* name : group) {
            if (!object.contains(name)) object[name] = object[group.front()];
        }
    }
    return object;
}

} // namespace ls::conformance::ub
