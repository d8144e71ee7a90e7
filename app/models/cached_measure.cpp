#include "app/models/cached_measure.h"

#include <fmt/format.h>

#include "views/paint/paint.h"

namespace ls::models {

double CachedMeasure::width(std::string_view utf8, scene::FontFace face, double size) const {
    constexpr std::size_t kMost = 20'000;
    std::string key = fmt::format("{} {} ", static_cast<int>(face), size);
    key += utf8;
    if (const auto known = widths_.find(key); known != widths_.end()) return known->second;
    if (widths_.size() >= kMost) widths_.clear();
    const double width = measure_->width(utf8, face, size);
    widths_.emplace(std::move(key), width);
    return width;
}

const scene::TextMeasure& window_measure() {
    static const CachedMeasure shared(paint::text_measure());
    return shared;
}

} // namespace ls::models
