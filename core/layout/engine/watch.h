// How work that may take longer than a second reports its progress and is told to stop.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "core/support/result.h"

namespace ls::engine {

/// Handed down by pointer; null means "nobody watches". Both members may be empty.
struct Watch {
    const std::atomic<bool>* cancel = nullptr; ///< set to true from any thread to stop the work
    std::function<void(double)> progress;      ///< called on the working thread with the part done, 0 to 1

    /// Reports `done` of `total` steps. ENGINE_CANCELLED once `cancel` is set.
    static Status tick(const Watch* watch, std::int64_t done, std::int64_t total);
};

} // namespace ls::engine
