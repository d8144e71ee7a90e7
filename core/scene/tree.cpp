#include "core/scene/tree.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/scene/metrics.h"

namespace ls::scene {

namespace {

constexpr double kBoxHeight = 40, kBoxPad = 10, kGlyph = 16;
constexpr double kGapX = 20, kGapY = 24, kMargin = 12;
constexpr std::size_t kMostLevels = 64, kMostBoxes = 4096;

/// One box; positions are relative to the parent until placed.
struct Box {
    const TreeNode* node = nullptr;
    TreeNode gathered; ///< stands for what is not drawn
    double width = 0, x = 0, y = 0;
    std::vector<std::size_t> children;
    const TreeNode& shown() const { return node != nullptr ? *node : gathered; }
};

std::size_t count_nodes(const TreeNode& root) {
    std::size_t n = 0;
    std::vector<const TreeNode*> todo{&root};
    while (!todo.empty()) {
        const TreeNode* node = todo.back();
        todo.pop_back();
        ++n;
        for (const TreeNode& c : node->children) todo.push_back(&c);
    }
    return n;
}

class Layout {
public:
    Layout(const std::vector<TreeNode>& roots, const TextMeasure& measure) : measure_(measure) {
        std::vector<std::size_t> tops;
        for (const TreeNode& root : roots) {
            if (boxes_.size() < kMostBoxes) tops.push_back(add(root, 0));
        }
        Outline all;
        for (const std::size_t top : tops) {
            const Outline tree = shape(top);
            const double shift = all.empty() ? -least(tree) : needed_shift(all, tree, 2 * kGapX);
            boxes_[top].x += shift;
            merge(all, tree, shift);
        }
        for (const std::size_t top : tops) place(top, kMargin, kMargin);
    }

    std::vector<Box>& boxes() { return boxes_; }

private:
    /// For each level the leftmost and rightmost edge.
    struct Edge {
        double left, right;
    };
    using Outline = std::vector<Edge>;

    double width_of(const TreeNode& n) const {
        const Metrics& m = Metrics::builtin();
        const double title = measure_.width(n.title, FontFace::Mono, m.small),
                     note = measure_.width(n.note, FontFace::Ui, m.micro);
        return 2 * std::ceil((std::max(title, note) + 2 * kBoxPad + kGlyph) / 2); // even: edges leave from whole pixels
    }

    std::size_t add(const TreeNode& node, std::size_t level) {
        const std::size_t at = boxes_.size();
        boxes_.push_back({&node, {}, width_of(node), 0, 0, {}});
        if (node.children.empty()) return at;
        if (level + 1 >= kMostLevels) {
            const std::size_t c = gather(count_nodes(node) - 1); // moves boxes_, so not inside the next line
            boxes_[at].children.push_back(c);
            return at;
        }
        std::size_t hidden = 0;
        for (const TreeNode& child : node.children) {
            if (boxes_.size() >= kMostBoxes) {
                hidden += count_nodes(child);
                continue;
            }
            const std::size_t c = add(child, level + 1);
            boxes_[at].children.push_back(c);
        }
        if (hidden > 0) {
            const std::size_t c = gather(hidden);
            boxes_[at].children.push_back(c);
        }
        return at;
    }

    std::size_t gather(std::size_t hidden) {
        Box box;
        box.gathered.title = "…";
        box.gathered.note = fmt::format("{} more", hidden);
        box.gathered.verdict = TreeNode::Verdict::Unvisited;
        box.width = width_of(box.gathered);
        boxes_.push_back(std::move(box));
        return boxes_.size() - 1;
    }

    static double least(const Outline& o) {
        double x = 0;
        for (const Edge& e : o) x = std::min(x, e.left);
        return x;
    }

    static double needed_shift(const Outline& left, const Outline& right, double gap) {
        double shift = -1e18;
        for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i)
            shift = std::max(shift, left[i].right + gap - right[i].left);
        return shift;
    }

    static void merge(Outline& into, const Outline& from, double shift) {
        for (std::size_t i = 0; i < from.size(); ++i) {
            if (i < into.size()) {
                into[i].right = from[i].right + shift;
            } else {
                into.push_back({from[i].left + shift, from[i].right + shift});
            }
        }
    }

    /// Sets the children's x relative to this box's left edge, and returns the subtree's outline relative to the same.
    Outline shape(std::size_t at) {
        Box& box = boxes_[at];
        Outline below;
        for (const std::size_t c : box.children) {
            const Outline child = shape(c);
            const double shift = below.empty() ? 0 : needed_shift(below, child, kGapX);
            boxes_[c].x = shift;
            merge(below, child, shift);
        }
        // Centred over its children.
        double move = 0;
        if (!box.children.empty()) {
            const Box &first = boxes_[box.children.front()], &last = boxes_[box.children.back()];
            move = std::round(box.width / 2 - (first.x + first.width / 2 + last.x + last.width / 2) / 2);
            for (const std::size_t c : box.children) boxes_[c].x += move;
        }
        Outline out{{0, box.width}};
        for (const Edge& e : below) out.push_back({e.left + move, e.right + move});
        return out;
    }

    void place(std::size_t at, double parent_x, double y) {
        Box& box = boxes_[at];
        box.x += parent_x;
        box.y = y;
        for (const std::size_t c : box.children) place(c, box.x, y + kBoxHeight + kGapY);
    }

    const TextMeasure& measure_;
    std::vector<Box> boxes_;
};

struct Look {
    Role fill = Role::Panel, edge = Role::Field;
    double width = 1;
    bool dashed = false;
    Role title = Role::Text, note = Role::Text2;
};

Look look_of(TreeNode::Verdict verdict) {
    switch (verdict) {
    case TreeNode::Verdict::Proven: return {Role::FineTint, Role::Fine, 1};
    case TreeNode::Verdict::Failed: return {Role::FindingTint, Role::Finding, 2};
    case TreeNode::Verdict::Unvisited: return {Role::None, Role::Line2, 1, true, Role::Text2, Role::Text3};
    case TreeNode::Verdict::Neutral: break;
    }
    return {};
}

Paint ink(Role role) { return {ColorKey::role(role)}; }

/// ✓, ✗ or − as lines, so that no font is needed.
void draw_glyph(DrawList& out, TreeNode::Verdict verdict, Point c) {
    const Paint paint = ink(look_of(verdict).edge == Role::Line2 ? Role::Text3 : look_of(verdict).edge);
    const auto line = [&](std::vector<Point> points) { out.add(Polyline{std::move(points), paint, 1.8}); };
    switch (verdict) {
    case TreeNode::Verdict::Proven: line({{c.x - 4, c.y}, {c.x - 1.2, c.y + 3}, {c.x + 4.2, c.y - 3.4}}); break;
    case TreeNode::Verdict::Failed:
        line({{c.x - 3.5, c.y - 3.5}, {c.x + 3.5, c.y + 3.5}});
        line({{c.x + 3.5, c.y - 3.5}, {c.x - 3.5, c.y + 3.5}});
        break;
    case TreeNode::Verdict::Unvisited: line({{c.x - 4, c.y}, {c.x + 4, c.y}}); break;
    case TreeNode::Verdict::Neutral: break;
    }
}

/// Down from the parent, across, down to the child.
void draw_edge(DrawList& out, const Box& parent, const Box& child, double shift) {
    const Metrics& m = Metrics::builtin();
    const Look look = look_of(child.shown().verdict);
    const double x0 = shift + parent.x + parent.width / 2, x1 = shift + child.x + child.width / 2;
    const double y0 = parent.y + kBoxHeight, y1 = child.y, middle = std::round((y0 + y1) / 2);
    Polyline line{{{x0, y0}, {x0, middle}, {x1, middle}, {x1, y1}}, ink(look.edge), std::max(1.5, look.width)};
    if (look.dashed) {
        line.width = 1;
        line.dash_on = m.unvisited_dash[0];
        line.dash_off = m.unvisited_dash[1];
    }
    out.add(std::move(line));
}

void draw_box(Picture& out, const Box& box, double shift) {
    const Metrics& m = Metrics::builtin();
    const TreeNode& node = box.shown();
    const Look look = look_of(node.verdict);
    const Rect r{shift + box.x, box.y, box.width, kBoxHeight};
    if (look.fill != Role::None) out.list.add(FillRect{r, ink(look.fill), 5});
    StrokeRect edge{r, ink(look.edge), look.width, 5};
    if (look.dashed) {
        edge.dash_on = m.unvisited_dash[0];
        edge.dash_off = m.unvisited_dash[1];
    }
    out.list.add(edge);
    const double title_y = node.note.empty() ? r.y + kBoxHeight / 2 : r.y + 13;
    draw_glyph(out.list, node.verdict, {r.x + kBoxPad + 4, title_y});
    const double text_x = r.x + kBoxPad + kGlyph;
    out.list.add(
        Text{{text_x, title_y}, node.title, FontFace::Mono, m.small, HAlign::Left, VAlign::Middle, ink(look.title)});
    if (!node.note.empty()) {
        out.list.add(
            Text{{text_x, r.y + 28}, node.note, FontFace::Ui, m.micro, HAlign::Left, VAlign::Middle, ink(look.note)});
    }
    std::string describe = node.describe;
    if (describe.empty()) describe = node.note.empty() ? node.title : fmt::format("{}: {}", node.title, node.note);
    out.hits.push_back({r, node.id, std::move(describe)});
}

} // namespace

Picture draw_tree(const std::vector<TreeNode>& roots, const TextMeasure& measure) {
    Picture picture;
    Layout layout(roots, measure);
    std::vector<Box>& boxes = layout.boxes();
    double left = 0, right = 0, bottom = 0;
    for (const Box& box : boxes) {
        left = std::min(left, box.x - kMargin);
        right = std::max(right, box.x + box.width + kMargin);
        bottom = std::max(bottom, box.y + kBoxHeight + kMargin);
    }
    picture.list.width = right - left;
    picture.list.height = bottom;
    // Weak edges first: a failing path lies over dashed ones.
    for (const bool strong : {false, true}) {
        for (const Box& box : boxes) {
            for (const std::size_t c : box.children) {
                if ((boxes[c].shown().verdict == TreeNode::Verdict::Failed) == strong)
                    draw_edge(picture.list, box, boxes[c], -left);
            }
        }
    }
    for (const Box& box : boxes) draw_box(picture, box, -left);
    return picture;
}

} // namespace ls::scene
