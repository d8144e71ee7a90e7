// Text widths, each measured once: pictures that are drawn anew while something is dragged ask for the same words.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "core/scene/draw_list.h"

namespace ls::models {

/// Not for several threads at once.
class CachedMeasure final : public scene::TextMeasure {
public:
    explicit CachedMeasure(std::shared_ptr<const scene::TextMeasure> measure) : measure_(std::move(measure)) {}
    double width(std::string_view utf8, scene::FontFace face, double size) const override;

private:
    std::shared_ptr<const scene::TextMeasure> measure_;
    mutable std::unordered_map<std::string, double> widths_; ///< by face, size and text
};

/// The one that the window's pictures share.
const scene::TextMeasure& window_measure();

} // namespace ls::models
