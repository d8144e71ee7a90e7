// The field over a table: what to show, and under it why that could not be understood.
#pragma once

#include <string>

#include "views/inspector/panel_ink.h"

namespace ls::views {

struct FilterError {
    std::string code; ///< "FILTER_NAME", shown in Mono; empty: no error
    std::string message;
    int begin = 0, end = 0; ///< bytes of the filter that are meant; begin == end: no place
    bool operator==(const FilterError&) const = default;
};

class FilterField {
public:
    struct Outcome {
        bool edited = false;    ///< text() changed
        bool submitted = false; ///< Enter
        float height = 0;       ///< device pixels used, padding and error included
    };
    Outcome draw(const PanelInk& ink, float width, const char* hint, const FilterError& error);
    /// Height without drawing.
    static float height(const PanelInk& ink, float width, const FilterError& error);

    const std::string& text() const { return text_; }
    void set_text(std::string text) { text_ = std::move(text); }
    void focus() { take_focus_ = true; }

private:
    std::string text_;
    bool take_focus_ = false;
};

} // namespace ls::views
