#include "core/ub/model/model_edit.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/support/dtype.h"
#include "core/ub/model/json_tree.h"

namespace ls::ub {

namespace {

Diagnostic no_place(std::string what) { return error("MODEL_VALUE", fmt::format("the model's text has no {}", what)); }

/// Replacements at places of one text, made together.
class Splices {
public:
    explicit Splices(std::string_view text) : text_(text) {}

    /// `object[key] = value`, where it stands, or after the last member.
    void set(const JsonNode& object, std::string_view key, std::string value) {
        if (const JsonNode* node = object.find(key)) return replace(node->span, std::move(value));
        const bool first = object.members.empty();
        const std::size_t at = first ? object.span.begin + 1 : object.members.back().value.span.end;
        replace({at, at}, fmt::format("{}\"{}\": {}", first ? "" : ", ", key, value));
    }
    void replace(Span span, std::string with) { list_.push_back({span, std::move(with)}); }

    std::string done() {
        std::stable_sort(list_.begin(), list_.end(), [](const One& a, const One& b) { return a.span.begin < b.span.begin; });
        std::string out;
        std::size_t at = 0;
        for (const One& one : list_) {
            if (one.span.begin > at) out += text_.substr(at, one.span.begin - at);
            out += one.with;
            at = std::max(at, one.span.end);
        }
        out += text_.substr(at);
        return out;
    }

private:
    struct One {
        Span span;
        std::string with;
    };
    std::string_view text_;
    std::vector<One> list_;
};

const JsonNode* alloc_node(const JsonNode& root, std::size_t alloc) {
    const JsonNode* allocs = root.find("allocs");
    return allocs && alloc < allocs->items.size() ? &allocs->items[alloc] : nullptr;
}

const JsonNode* view_node(const JsonNode& root, ViewPlace at) {
    const JsonNode* alloc = alloc_node(root, at.alloc);
    const JsonNode* views = alloc ? alloc->find("views") : nullptr;
    return views && at.view < views->items.size() ? &views->items[at.view] : nullptr;
}

const PlacedView* placed(const Partition& partition, ViewPlace at) {
    if (at.alloc >= partition.allocs.size() || at.view >= partition.allocs[at.alloc].views.size()) return nullptr;
    return &partition.allocs[at.alloc].views[at.view];
}

std::int64_t whole_elements(const PlacedView& view, std::int64_t bytes) {
    return std::max<std::int64_t>(1, bytes / std::max(1, whole_bytes(view.dtype)));
}

/// A view that leaves the cursor no longer pushes what follows, so what follows is written down where it stands.
void pin(Splices& edit, const JsonNode& root, const Partition& partition, ViewPlace at, std::int64_t off) {
    const PlacedAlloc& alloc = partition.allocs[at.alloc];
    edit.set(*view_node(root, at), "off", fmt::format("{}", off));
    if (!alloc.views[at.view].at_cursor) return;
    for (std::size_t later = at.view + 1; later < alloc.views.size(); ++later) {
        const JsonNode* node = view_node(root, {at.alloc, later});
        if (node && alloc.views[later].at_cursor) edit.set(*node, "off", fmt::format("{}", alloc.views[later].off));
    }
}

} // namespace

Result<std::string> move_view(std::string_view text, const Partition& partition, ViewPlace at, std::int64_t off) {
    LS_TRY(const JsonNode root, parse_json(text));
    if (!view_node(root, at) || !placed(partition, at)) return no_place("such view");
    if (off < 0) return error("MODEL_VALUE", fmt::format("a view cannot begin at byte {}", off));
    Splices edit(text);
    pin(edit, root, partition, at, off);
    return edit.done();
}

Result<std::string> resize_view(std::string_view text, const Partition& partition, ViewPlace at, std::int64_t bytes) {
    LS_TRY(const JsonNode root, parse_json(text));
    const JsonNode* node = view_node(root, at);
    const PlacedView* view = placed(partition, at);
    if (!node || !view) return no_place("such view");
    Splices edit(text);
    edit.set(*node, "elems", fmt::format("{}", whole_elements(*view, bytes)));
    return edit.done();
}

Result<std::string> move_view_begin(std::string_view text, const Partition& partition, ViewPlace at, std::int64_t off) {
    LS_TRY(const JsonNode root, parse_json(text));
    const JsonNode* node = view_node(root, at);
    const PlacedView* view = placed(partition, at);
    if (!node || !view) return no_place("such view");
    if (off < 0 || off >= view->end) return error("MODEL_VALUE", fmt::format("a view that ends at {} cannot begin at {}", view->end, off));
    Splices edit(text);
    edit.set(*node, "elems", fmt::format("{}", whole_elements(*view, view->end - off)));
    pin(edit, root, partition, at, off);
    return edit.done();
}

Result<std::string> resize_alloc(std::string_view text, const Partition& partition, std::size_t alloc,
                                 std::int64_t bytes) {
    LS_TRY(const JsonNode root, parse_json(text));
    const JsonNode* node = alloc_node(root, alloc);
    if (!node || alloc >= partition.allocs.size()) return no_place("such buffer");
    if (bytes < 0) return error("MODEL_VALUE", fmt::format("a buffer of {} bytes", bytes));
    Splices edit(text);
    edit.set(*node, "len", fmt::format("{}", bytes));
    return edit.done();
}

Result<std::string> set_queue_blocks(std::string_view text, std::size_t alloc, std::int64_t blocks) {
    LS_TRY(const JsonNode root, parse_json(text));
    const JsonNode* node = alloc_node(root, alloc);
    if (!node) return no_place("such queue");
    Splices edit(text);
    edit.set(*node, "num", fmt::format("{}", std::max<std::int64_t>(0, blocks)));
    return edit.done();
}

Result<std::string> set_parameter(std::string_view text, std::string_view name, std::int64_t value) {
    LS_TRY(const JsonNode root, parse_json(text));
    const JsonNode* params = root.find("params");
    const JsonNode* node = params ? params->find(name) : nullptr;
    if (!node) return no_place(fmt::format("parameter '{}'", name));
    Splices edit(text);
    edit.replace(node->span, fmt::format("{}", value));
    return edit.done();
}

Result<std::string> set_platform(std::string_view text, std::string_view name) {
    LS_TRY(const JsonNode root, parse_json(text));
    const JsonNode* platform = root.find("platform");
    if (!platform || !platform->is(JsonNode::Kind::Object)) return no_place("platform");
    Splices edit(text);
    // Rewritten whole: sizes of the former chip must not stay.
    edit.replace(platform->span, fmt::format("{{\"name\": {}}}", nlohmann::json(std::string(name)).dump()));
    return edit.done();
}

} // namespace ls::ub
