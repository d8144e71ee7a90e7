// A TableSource as an ImGui table: only the rows in sight are asked for, the scroll position is a row number, so
// sixteen million rows cost as much as twenty.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/scene/table.h"
#include "views/inspector/panel_ink.h"
#include "views/inspector/scroll_bar.h"

class QKeyEvent;

namespace ls::views {

class TableWidget {
public:
    /// What the user did in this frame.
    struct Outcome {
        std::optional<std::int64_t> clicked, activated; ///< row; activated by Enter or a double click
        std::optional<std::int64_t> context;            ///< row of a right click
        std::optional<int> sort_column;                 ///< a header was clicked
        std::optional<int> header;                      ///< the pointer is on this column's title
    };
    /// What to light up.
    struct Marks {
        std::optional<std::int64_t> hovered; ///< row of the linked hover, shown when the pointer is elsewhere
        const std::vector<scene::Cell>* selected = nullptr;
        int sort_column = -1;
        bool descending = false;
        bool focus_ring = false;
        bool sortable = true;
    };

    void set_source(std::shared_ptr<const scene::TableSource> source);
    const std::shared_ptr<const scene::TableSource>& source() const { return source_; }

    /// Draws into the rectangle that starts at ImGui's cursor. Sizes in device pixels.
    Outcome draw(const char* id, const PanelInk& ink, float width, float height, const Marks& marks);
    /// Height of a table that shows all its rows, in points.
    static double natural_height(std::int64_t rows);

    /// The row under the pointer, or where the keyboard stands.
    std::optional<std::int64_t> hovered() const { return hovered_; }
    bool pointer_inside() const { return pointer_inside_; }
    void enter();                                       ///< the keyboard comes to the first row in sight
    void leave() { hovered_.reset(), cursor_.reset(); } ///< the keyboard went elsewhere
    std::int64_t first_row() const { return static_cast<std::int64_t>(first_); }
    int visible_rows() const { return visible_rows_; }
    void scroll_to(std::int64_t row); ///< as little as needed
    void centre_on(std::int64_t row); ///< only when it is out of sight

    /// Arrows, Page, Home, End move the row cursor; Enter activates it. False when the key means nothing here.
    bool key(const QKeyEvent& event);
    std::optional<std::int64_t> cursor() const { return cursor_; }

    std::string row_text(std::int64_t row) const; ///< cells parted by tabs
    /// Comma-separated with a header line (RFC 4180), at most `limit` rows.
    std::string csv(std::int64_t limit) const;

private:
    void measure(const PanelInk& ink);
    /// Device pixels that each column needs for its title and its text, without padding.
    /// Without `roomy` only what rows looked at so far take up, not the widths that the source would like.
    std::vector<float> column_needs(const PanelInk& ink, const Marks& marks, bool roomy);
    void header(const PanelInk& ink, const Marks& marks, Outcome& outcome);
    void rows(const PanelInk& ink, const Marks& marks, float left, float width, float bottom);
    std::int64_t row_count() const { return source_ ? source_->row_count() : 0; }
    double last_first() const;
    void pointer(const PanelInk& ink, float left, float right, float top, float bottom, Outcome& outcome);

    std::shared_ptr<const scene::TableSource> source_;
    std::vector<float> body_width_;            ///< points that sampled rows need, by column
    std::optional<std::int64_t> centre_later_; ///< asked for before the height was known
    double first_ = 0;                         ///< first row in sight; the fraction gathers small turns of the wheel
    int visible_rows_ = 0;
    std::optional<std::int64_t> hovered_, cursor_, activate_;
    bool pointer_inside_ = false;
    float scroll_x_ = 0; ///< device pixels, where the columns need more than there is
    int key_steps_ = 0;  ///< sideways, by the arrow keys, not yet done
    ScrollBar down_, across_;
};

} // namespace ls::views
