#include "core/ub/platform.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "embedded/ub_platforms.h"

namespace ls::ub {

namespace {

using Json = nlohmann::json;

std::optional<std::int64_t> optional_number(const Json& object, const char* key) {
    const auto at = object.find(key);
    if (at == object.end() || !at->is_number_integer()) return {};
    return at->get<std::int64_t>();
}

Platform read_platform(const Json& object) {
    Platform p;
    p.id = object.value("id", "");
    p.aliases = object.value("aliases", std::vector<std::string>{});
    p.ub_bytes = object.value("ubBytes", std::int64_t{0});
    p.ub_runtime_bytes = optional_number(object, "ubRuntime");
    p.reserved_tail_bytes = object.value("reservedTailBytes", std::int64_t{0});
    p.tmp_scratch_offset = optional_number(object, "tmpScratchOffset");
    p.ai_cores = optional_number(object, "aiCores");
    p.vector_cores = optional_number(object, "vectorCores");
    p.aiv_num_reported = optional_number(object, "aivNumReported");
    p.core_num_reported = optional_number(object, "coreNumReported");
    p.queue_buffers_per_position = object.value("totalQueueBuffersPerPosition", std::int64_t{8});
    p.note = object.value("note", "");
    return p;
}

/// The file is part of the build; platform_test.cpp reads every row of it back, so a malformed file never ships.
std::vector<Platform> read_all() {
    std::vector<Platform> all;
    const Json file = Json::parse(embedded::ub_platforms, nullptr, false);
    if (file.is_discarded() || !file.contains("platforms")) return all;
    for (const Json& object : file["platforms"]) all.push_back(read_platform(object));
    return all;
}

bool same_name(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

} // namespace

std::int64_t Platform::planning_tail_bytes() const {
    if (!tmp_scratch_offset) return reserved_tail_bytes;
    return std::max<std::int64_t>(0, planning_bytes() - *tmp_scratch_offset);
}

std::span<const Platform> platforms() {
    static const std::vector<Platform> all = read_all();
    return all;
}

Result<Platform> find_platform(std::string_view name) {
    for (const Platform& p : platforms()) {
        const bool hit =
            same_name(p.id, name) ||
            std::any_of(p.aliases.begin(), p.aliases.end(), [&](const auto& alias) { return same_name(alias, name); });
        if (hit) return p;
    }
    std::string known;
    for (const Platform& p : platforms()) known += fmt::format("{}{}", known.empty() ? "" : ", ", p.id);
    return error("UB_PLATFORM_UNKNOWN", fmt::format("no chip is called '{}'", name), fmt::format("known: {}", known));
}

} // namespace ls::ub
