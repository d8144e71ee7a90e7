// A strip of steps: passes as cards on a line; what changed nothing is a row of dots, what did not run is dashed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/scene/picture.h"

namespace ls::scene {

struct StripStep {
    enum class State : std::uint8_t { Unchanged, Changed, Refused, NotRun };
    std::string number; ///< "04"
    std::string name;   ///< "ConvertToSSA"
    std::string note;   ///< under the card: "renames"
    State state = State::Unchanged;
    bool card = false; ///< shown as a card even where nothing changed (the first step, named stops)
    std::string describe;
};

/// Hit regions carry the step's index; a row of dots has one region a dot. The strip is as wide as it needs to be.
Picture draw_strip(const std::vector<StripStep>& steps, std::optional<std::size_t> selected,
                   const TextMeasure& measure);

} // namespace ls::scene
