// The slim bar of tables: a handle in a lane, along either axis.
#pragma once

#include <optional>

#include "views/inspector/panel_ink.h"

namespace ls::views {

class ScrollBar {
public:
    static constexpr double kThickness = 12; ///< points

    /// Draws into the lane from (x, y), `length` device pixels long; `shown` is the visible share of all, `at` the
    /// position 0..1. Returns the position that the user drags it to.
    double draw(const PanelInk& ink, const char* id, float x, float y, float length, bool upright, double shown,
                double at);
    bool dragged() const { return grabbed_.has_value(); }

private:
    std::optional<float> grabbed_; ///< where the handle was taken, from its beginning
};

} // namespace ls::views
