#include "core/ub/work/hazards.h"

#include <algorithm>
#include <array>
#include <limits>

namespace ls::ub::work {

namespace {

constexpr std::array kHazards{
    Hazard{"quota-zero", "the quota is never computed and stays 0?", [](WorkInput& in) { in.quota_override = 0; }},
    Hazard{"quota-huge", "the quota holds garbage, 2^32 − 1?",
           [](WorkInput& in) { in.quota_override = std::numeric_limits<std::uint32_t>::max(); }},
    Hazard{"quota-floor", "the quota is rounded down?", [](WorkInput& in) { in.rule = Rule::FloorQuota; }},
    Hazard{"called-twice", "the owner evaluates IsCurrentBlock twice?",
           [](WorkInput& in) { in.rule = Rule::DoubleCall; }},
    Hazard{"retried", "a core that is refused evaluates IsCurrentBlock again?",
           [](WorkInput& in) { in.rule = Rule::RetryCall; }},
    Hazard{"negative-length", "the second sequence has a negative length?",
           [](WorkInput& in) {
               if (in.seq_lens.empty()) return;
               std::int32_t& length = in.seq_lens[in.seq_lens.size() > 1 ? 1 : 0];
               if (length > 0) length = -length;
           }},
    Hazard{"empty-sequence", "the first sequence is empty?",
           [](WorkInput& in) {
               if (!in.seq_lens.empty()) in.seq_lens.front() = 0;
           }},
};

} // namespace

std::span<const Hazard> hazards() { return kHazards; }

const Hazard* find_hazard(std::string_view id) {
    const auto at = std::find_if(kHazards.begin(), kHazards.end(), [&](const Hazard& one) { return one.id == id; });
    return at == kHazards.end() ? nullptr : &*at;
}

} // namespace ls::ub::work
