#include "core/layout/engine/watch.h"

#include <fmt/format.h>

namespace ls::engine {

Status Watch::tick(const Watch* watch, std::int64_t done, std::int64_t total) {
    if (watch == nullptr) return ok_status();
    if (watch->cancel != nullptr && watch->cancel->load(std::memory_order_relaxed)) {
        return error("ENGINE_CANCELLED", fmt::format("stopped on request after {} of {} steps", done, total));
    }
    if (watch->progress) watch->progress(total <= 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total));
    return ok_status();
}

} // namespace ls::engine
