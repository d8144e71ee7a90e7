#include "core/ub/cgdr/what_if.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

namespace ls::ub::cgdr {

namespace {

using Value = std::optional<std::int64_t>;

constexpr std::array kWhatIfs{
    WhatIf{"double-buffer", "the device initialises the queue with two blocks, the host budgeted one?", "blocks",
           [](Scenario& s, Value v) { s.tweaks.queue_num = v.value_or(2); }},
    WhatIf{"append-view", "somebody carves one more view after the last one?", "elements",
           [](Scenario& s, Value v) { s.tweaks.appended_elems = v.value_or(s.device.chunk_size); }},
    WhatIf{"cursor-elements", "the cursor is advanced by elements instead of bytes?", "",
           [](Scenario& s, Value) { s.tweaks.cursor = CursorUnit::Elements; }},
    WhatIf{"cursor-double", "the cursor is advanced twice?", "",
           [](Scenario& s, Value) { s.tweaks.cursor = CursorUnit::Doubled; }},
    WhatIf{"bytes-as-elements", "chunkAttnOutFp32 is given its bytes as element count?", "elements",
           [](Scenario& s, Value v) {
               const std::int64_t row = widths(s.device.variant, s.device.dk, s.device.v_step).v_step_aligned;
               s.tweaks.elems_override.emplace_back(ViewId::ChunkAttnOut, v.value_or(s.device.chunk_size * row * 4));
           }},
    WhatIf{"advance-last", "the cursor is moved past the last view too?", "",
           [](Scenario& s, Value) { s.tweaks.advance_past_last = true; }},
    WhatIf{"rest-first", "the rest buffer is requested before the queue?", "",
           [](Scenario& s, Value) { s.rest_first = true; }},
    WhatIf{"rest-takes-all", "the rest buffer is requested first and takes all that is left?", "",
           [](Scenario& s, Value) {
               s.rest_first = true;
               s.rest_rule = RestRule::AllThatIsLeft;
           }},
    WhatIf{"blocks", "another number of blocks is launched?", "blocks",
           [](Scenario& s, Value v) { s.device.block_num = v.value_or(s.device.hv); }},
    WhatIf{"share", "the device always shares scores and state?", "",
           [](Scenario& s, Value) { s.device.force_overlap = true; }},
    WhatIf{"separate", "the device always keeps scores and state apart?", "",
           [](Scenario& s, Value) { s.device.force_overlap = false; }},
    WhatIf{"serial-tiles", "one core handles several V tiles in turn?", "tiles",
           [](Scenario& s, Value v) { s.tiles_per_core = v.value_or(2); }},
    WhatIf{"forget-beta", "a v1135 host forgets the twelfth view?", "",
           [](Scenario& s, Value) {
               s.device.variant = Variant::V1135;
               s.host.omit_beta = true;
           }},
    WhatIf{"extra-field", "the host's record has one field more than the device's?", "fields",
           [](Scenario& s, Value v) { s.host_record_fields = v.value_or(17); }},
    WhatIf{"init-leaves", "Init leaves early and Process runs all the same?", "",
           [](Scenario& s, Value) { s.init_returns_bool = false; }},
    WhatIf{"v-step", "another V step is used?", "vStep",
           [](Scenario& s, Value v) { s.device.v_step = v.value_or(24); }},
};

} // namespace

std::span<const WhatIf> what_ifs() { return kWhatIfs; }

Result<WhatIf> find_what_if(std::string_view id) {
    const auto at = std::find_if(kWhatIfs.begin(), kWhatIfs.end(), [&](const WhatIf& w) { return w.id == id; });
    if (at != kWhatIfs.end()) return *at;
    std::string known;
    for (const WhatIf& w : kWhatIfs) known += fmt::format("{}{}", known.empty() ? "" : ", ", w.id);
    return error("UB_WHATIF_UNKNOWN", fmt::format("there is no what-if called '{}'", id),
                 fmt::format("known: {}", known));
}

} // namespace ls::ub::cgdr
