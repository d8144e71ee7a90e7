#include "core/passes/tirx/workbench/gemm_subject.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ls::tirx {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kRoot = "gemm_async";
constexpr std::int64_t kLargest = 65536;        // of an extent
constexpr std::int64_t kSharedBytes = 1 << 18;  // what a descriptor's start address can say
constexpr std::int64_t kMostStages = 64;
constexpr std::int64_t kTmemColumns = 512;

struct Reader {
    std::string_view text;
    std::optional<Diagnostic> problem;

    /// The key as written; the first one of that name inside `owner`.
    Span span_of(std::string_view owner, std::string_view key) const {
        std::size_t from = 0;
        if (!owner.empty()) from = text.find(fmt::format("\"{}\"", owner));
        const std::string quoted = fmt::format("\"{}\"", key);
        const std::size_t at = from == std::string_view::npos ? from : text.find(quoted, from);
        return at == std::string_view::npos ? Span{} : Span{at, at + quoted.size()};
    }
    void refuse(std::string_view owner, std::string_view key, std::string message, std::string hint) {
        if (!problem) problem = error_at(span_of(owner, key), "BENCH_VALUE", std::move(message), std::move(hint));
    }
    std::int64_t number(const Json& from, std::string_view owner, std::string_view key, std::int64_t otherwise, std::int64_t low, std::int64_t high) {
        const auto at = from.find(key);
        if (at == from.end()) return otherwise;
        if (!at->is_number_integer() || (at->is_number_unsigned() && at->get<std::uint64_t>() > static_cast<std::uint64_t>(high)) ||
            at->get<std::int64_t>() < low || at->get<std::int64_t>() > high) {
            refuse(owner, key, fmt::format("{}{} is {}", owner.empty() ? "" : std::string(owner) + ".", key, at->dump()),
                   fmt::format("give a whole number from {} to {}", low, high));
            return otherwise;
        }
        return at->get<std::int64_t>();
    }
    bool flag(const Json& from, std::string_view owner, std::string_view key, bool otherwise) {
        const auto at = from.find(key);
        if (at == from.end()) return otherwise;
        if (!at->is_boolean()) {
            refuse(owner, key, fmt::format("{} is {}", key, at->dump()), "write true or false");
            return otherwise;
        }
        return at->get<bool>();
    }
    std::string word(const Json& from, std::string_view owner, std::string_view key, std::string otherwise) {
        const auto at = from.find(key);
        if (at == from.end()) return otherwise;
        if (!at->is_string()) {
            refuse(owner, key, fmt::format("{} is {}", key, at->dump()), "write it as a word in quotes");
            return otherwise;
        }
        return at->get<std::string>();
    }
    void known(const Json& object, std::string_view owner, std::initializer_list<std::string_view> keys) {
        for (const auto& [key, value] : object.items()) {
            if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
            refuse(owner, key, fmt::format("'{}' means nothing {}", key, owner.empty() ? "in gemm_async" : fmt::format("in {}", owner)),
                   fmt::format("known: {}", fmt::join(keys, ", ")));
        }
    }
    Json part(const Json& from, std::string_view key) {
        const auto at = from.find(key);
        if (at == from.end()) return Json::object();
        if (!at->is_object()) {
            refuse({}, key, fmt::format("{} is {}", key, at->dump()), "write an object in braces");
            return Json::object();
        }
        return *at;
    }
    GemmShared shared(const Json& root, std::string_view key, GemmShared made) {
        const Json one = part(root, key);
        known(one, key, {"swizzle", "layout", "transposed", "address", "stages", "stage"});
        const std::string mode = word(one, key, "swizzle", std::string(catalogue::name(made.swizzle)));
        if (const auto swizzle = catalogue::swizzle_mode_from_name(mode)) {
            made.swizzle = *swizzle;
        } else {
            refuse(key, "swizzle", fmt::format("'{}' is no swizzle mode", mode), "write none, 32B, 64B or 128B");
        }
        if (one.contains("layout")) made.layout = word(one, key, "layout", "");
        made.transposed = flag(one, key, "transposed", made.transposed);
        made.address_bytes = number(one, key, "address", made.address_bytes, 0, kSharedBytes - 16);
        made.stages = number(one, key, "stages", made.stages, 1, kMostStages);
        made.stage = number(one, key, "stage", made.stage, 0, kMostStages - 1);
        if (made.stage >= made.stages)
            refuse(key, "stage", fmt::format("{} has {} stages; there is no stage {}", key, made.stages, made.stage),
                   fmt::format("stages count from 0 to {}", made.stages - 1));
        return made;
    }
};

Json shared_json(const GemmShared& one) {
    Json json{{"swizzle", catalogue::name(one.swizzle)}, {"transposed", one.transposed}, {"address", one.address_bytes}};
    if (one.layout) json["layout"] = *one.layout;
    if (one.stages != 1 || one.stage != 0) {
        json["stages"] = one.stages;
        json["stage"] = one.stage;
    }
    return json;
}

} // namespace

GemmSubject worked_example() {
    GemmSubject subject;
    subject.a.address_bytes = 0x400;
    subject.b.address_bytes = 0x4400;
    return subject;
}

bool looks_like_gemm_subject(std::string_view text) {
    return text.find("\"gemm_async\"") != std::string_view::npos && text.find_first_not_of(" \t\r\n") != std::string_view::npos &&
           text[text.find_first_not_of(" \t\r\n")] == '{';
}

Result<GemmSubject> read_gemm_subject(std::string_view text) {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) {
        std::size_t at = 0;
        try {
            [[maybe_unused]] const Json again = Json::parse(text);
        } catch (const nlohmann::json::parse_error& problem) {
            at = problem.byte == 0 ? 0 : std::min(problem.byte - 1, text.size());
        }
        return error_at({at, std::min(at + 1, text.size())}, "BENCH_JSON", "the text is no JSON from here on", "a comma or a brace is missing or too many");
    }
    if (!json.is_object() || !json.contains(kRoot) || !json[kRoot].is_object())
        return error_at({0, std::min<std::size_t>(1, text.size())}, "BENCH_JSON", "the document has no object \"gemm_async\"",
                        "write { \"gemm_async\": { \"m\": 128, \"n\": 128, \"k\": 64 } }");
    const Json& root = json[kRoot];
    Reader reader{text, {}};
    reader.known(root, {}, {"m", "n", "k", "dtype", "a", "b", "c", "cta_group", "accum", "weight_stationary"});
    GemmSubject subject = worked_example();
    subject.m = reader.number(root, {}, "m", subject.m, 1, kLargest);
    subject.n = reader.number(root, {}, "n", subject.n, 1, kLargest);
    subject.k = reader.number(root, {}, "k", subject.k, 1, kLargest);
    const std::string type = reader.word(root, {}, "dtype", "f16");
    if (const auto dtype = dtype_from_name(type)) {
        subject.dtype = *dtype;
    } else {
        reader.refuse({}, "dtype", fmt::format("'{}' is no element type", type), "such as f16, bf16, f8e4m3, tf32");
    }
    subject.a = reader.shared(root, "a", subject.a);
    subject.b = reader.shared(root, "b", subject.b);
    const Json c = reader.part(root, "c");
    reader.known(c, "c", {"columns", "first_column"});
    subject.c_columns = reader.number(c, "c", "columns", subject.c_columns, 1, kTmemColumns);
    subject.c_first_column = reader.number(c, "c", "first_column", subject.c_first_column, 0, kTmemColumns - 1);
    subject.cta_group = reader.number(root, {}, "cta_group", subject.cta_group, 1, 2);
    subject.accum = reader.flag(root, {}, "accum", subject.accum);
    subject.weight_stationary = reader.flag(root, {}, "weight_stationary", subject.weight_stationary);
    if (reader.problem) return *reader.problem;
    return subject;
}

std::string write_gemm_subject(const GemmSubject& subject) {
    Json root{{"m", subject.m}, {"n", subject.n}, {"k", subject.k}, {"dtype", info(subject.dtype).brief}};
    root["a"] = shared_json(subject.a);
    root["b"] = shared_json(subject.b);
    root["c"] = Json{{"columns", subject.c_columns}, {"first_column", subject.c_first_column}};
    root["cta_group"] = subject.cta_group;
    root["accum"] = subject.accum;
    if (subject.weight_stationary) root["weight_stationary"] = true;
    return Json{{kRoot, std::move(root)}}.dump(2) + "\n";
}

} // namespace ls::tirx
