#include "app/models/trace_access.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "core/check/access.h"
#include "core/figure/layout_figure.h"
#include "core/passes/pipeline.h"

namespace ls::models {

namespace {

/// Windows of more elements are not searched for bursts: the picture then shows the window alone.
constexpr std::int64_t kMostBurstElements = 1 << 21;
constexpr std::size_t kMostOutlines = 256;
constexpr double kPanelAspect = 2; ///< width : height of the memory picture

std::string list_text(const std::vector<std::int64_t>& numbers) { return fmt::format("[{}]", fmt::join(numbers, ", ")); }

struct Burst {
    std::int64_t begin = 0, end = 0; ///< bytes
};

/// The bytes of the window as ascending runs.
std::vector<Burst> bursts_of(const check::AddressMap& map, std::int64_t rows, std::int64_t cols, std::int64_t bytes) {
    std::vector<std::int64_t> at;
    at.reserve(static_cast<std::size_t>(rows * cols));
    for (std::int64_t r = 0; r < rows; ++r) {
        for (std::int64_t c = 0; c < cols; ++c) at.push_back(map.byte_of(r, c));
    }
    std::sort(at.begin(), at.end());
    std::vector<Burst> bursts;
    for (const std::int64_t byte : at) {
        if (!bursts.empty() && byte <= bursts.back().end) bursts.back().end = std::max(bursts.back().end, byte + bytes);
        else bursts.push_back({byte, byte + bytes});
    }
    return bursts;
}

/// Bursts as rectangles of a picture whose rows hold `row_elems` elements; equal ones below each other are joined.
std::vector<scene::CellRect> outlines(const std::vector<Burst>& bursts, std::int64_t bytes, std::int64_t row_elems) {
    std::vector<scene::CellRect> rects;
    const auto add = [&](scene::CellRect rect) {
        if (!rects.empty()) {
            scene::CellRect& last = rects.back();
            if (last.col == rect.col && last.cols == rect.cols && last.row + last.rows == rect.row) {
                last.rows += rect.rows;
                return;
            }
        }
        if (rects.size() < kMostOutlines) rects.push_back(rect);
    };
    for (const Burst& burst : bursts) {
        std::int64_t begin = burst.begin / bytes;
        const std::int64_t end = burst.end / bytes;
        while (begin < end) {
            const std::int64_t row = begin / row_elems, col = begin % row_elems;
            const std::int64_t whole_rows = col == 0 ? (end - begin) / row_elems : 0;
            const std::int64_t taken = whole_rows > 0 ? whole_rows * row_elems : std::min(end - begin, row_elems - col);
            add({row, col, std::max<std::int64_t>(whole_rows, 1), whole_rows > 0 ? row_elems : taken});
            begin += taken;
        }
    }
    return rects;
}

std::shared_ptr<const scene::GridScene> with_overlays(const std::shared_ptr<const scene::GridScene>& scene,
                                                      const std::vector<scene::CellRect>& rects, const std::string& label) {
    if (!scene) return nullptr;
    auto copy = std::make_shared<scene::GridScene>(*scene);
    for (std::size_t i = 0; i < rects.size(); ++i) {
        copy->overlays.push_back({rects[i], scene::Overlay::Kind::Window, i == 0 ? label : std::string()});
    }
    return copy;
}

/// The stride of the outermost dimension inside a matrix: what one row of the memory's picture holds.
std::int64_t row_bytes_of(const TensorLayout& tensor) {
    const std::int64_t bytes = std::max<std::int64_t>(1, tensor.element_bits() / 8);
    const Shape& shape = tensor.shape;
    // NZ order, logical or blocked: a column block a row.
    const auto& shard = tensor.layout.tile().shard;
    for (std::size_t i = 0; i < tensor.roles.size() && i < shard.size(); ++i) {
        if (tensor.roles[i].name == "column block" && shard[i].stride.is_constant()) return std::max<std::int64_t>(1, shard[i].stride.value()) * bytes;
    }
    if (shape.size() == 5) return shape[2] * shape[3] * shape[4] * bytes; // [B, C/c0, R/16, 16, c0]
    return shape.empty() ? bytes : shape.back() * bytes;
}

} // namespace

struct TraceAccesses::State {
    std::shared_ptr<const Trace> trace;
    std::vector<std::vector<check::Access>> by_snapshot;
    /// by_source[i][s]: position in by_snapshot[s] of what access i of the source became, −1 when it is gone.
    std::vector<std::vector<int>> by_source;

    const check::Access* find(int access, int snapshot) const {
        if (access < 0 || access >= static_cast<int>(by_source.size()) || snapshot < 0 || snapshot >= static_cast<int>(by_snapshot.size())) return nullptr;
        const int at = by_source[static_cast<std::size_t>(access)][static_cast<std::size_t>(snapshot)];
        return at < 0 ? nullptr : &by_snapshot[static_cast<std::size_t>(snapshot)][static_cast<std::size_t>(at)];
    }
};

TraceAccesses::TraceAccesses(std::shared_ptr<const Trace> trace) : state_(std::make_unique<State>()) {
    state_->trace = std::move(trace);
    std::unordered_map<const ir::Node*, int> source;
    for (std::size_t s = 0; s < state_->trace->snapshots.size(); ++s) {
        const Snapshot& snapshot = state_->trace->snapshots[s];
        if (s > 0 && !snapshot.changed) {
            // The same module: the same accesses.
            state_->by_snapshot.push_back(state_->by_snapshot.back());
            for (auto& row : state_->by_source) row.push_back(row.back());
            continue;
        }
        state_->by_snapshot.push_back(check::accesses(*snapshot.module));
        const auto& here = state_->by_snapshot.back();
        if (s == 0) {
            for (std::size_t i = 0; i < here.size(); ++i) {
                source.emplace(here[i].statement.get(), static_cast<int>(i));
                state_->by_source.push_back({static_cast<int>(i)});
            }
            continue;
        }
        for (auto& row : state_->by_source) row.push_back(-1);
        for (std::size_t i = 0; i < here.size(); ++i) {
            for (const ir::Node* node = here[i].statement.get(); node != nullptr; node = node->origin.get()) {
                const auto found = source.find(node);
                if (found == source.end()) continue;
                int& slot = state_->by_source[static_cast<std::size_t>(found->second)].back();
                if (slot < 0) slot = static_cast<int>(i); // of several copies the first is followed
                break;
            }
        }
    }
}

TraceAccesses::TraceAccesses() = default;
TraceAccesses::~TraceAccesses() = default;
TraceAccesses::TraceAccesses(TraceAccesses&&) noexcept = default;
TraceAccesses& TraceAccesses::operator=(TraceAccesses&&) noexcept = default;

int TraceAccesses::count() const { return state_ ? static_cast<int>(state_->by_source.size()) : 0; }

std::string TraceAccesses::text(int access) const {
    const check::Access* found = state_ ? state_->find(access, 0) : nullptr;
    return found ? found->text() : std::string();
}

namespace {

std::optional<check::AddressMap> map_of(const check::Access* access, const Trace& trace, int snapshot, std::string* why = nullptr) {
    if (access == nullptr) {
        if (why) *why = "not in the program any more";
        return {};
    }
    auto map = check::address_map(*access, *trace.snapshots[static_cast<std::size_t>(snapshot)].module);
    if (map.ok()) return std::move(map).value();
    if (why) *why = map.error().message;
    return {};
}

std::int64_t window_extent(const check::AddressMap& map, std::size_t dim) { return map.window.shape.size() > dim ? map.window.shape[dim] : 0; }

} // namespace

std::int64_t TraceAccesses::rows(int access) const {
    const auto map = state_ ? map_of(state_->find(access, 0), *state_->trace, 0) : std::nullopt;
    return map ? window_extent(*map, 0) : 0;
}

std::int64_t TraceAccesses::columns(int access) const {
    const auto map = state_ ? map_of(state_->find(access, 0), *state_->trace, 0) : std::nullopt;
    return map ? window_extent(*map, 1) : 0;
}

std::vector<TrackedElement> TraceAccesses::track(int access, std::int64_t row, std::int64_t column) const {
    std::vector<TrackedElement> list;
    if (!state_) return list;
    std::optional<std::int64_t> before;
    for (int s = 0; s < static_cast<int>(state_->by_snapshot.size()); ++s) {
        TrackedElement one;
        one.snapshot = s;
        const auto map = map_of(state_->find(access, s), *state_->trace, s, &one.why);
        if (map && row >= 0 && column >= 0 && row < window_extent(*map, 0) && column < window_extent(*map, 1)) {
            const std::int64_t byte = map->byte_of(row, column);
            one.coordinate = list_text(map->coordinate_of(row, column));
            one.address = fmt::format("0x{:04X}", byte);
            one.moved = before && *before != byte;
            before = byte;
        } else if (map) {
            one.why = fmt::format("outside of the {} × {} window", window_extent(*map, 0), window_extent(*map, 1));
        }
        list.push_back(std::move(one));
    }
    return list;
}

AccessPicture TraceAccesses::picture(int access, int snapshot) const {
    AccessPicture picture;
    if (!state_) return picture;
    const auto map = map_of(state_->find(access, snapshot), *state_->trace, snapshot, &picture.why);
    if (!map) return picture;
    const std::string access_word = state_->find(access, snapshot)->kind == check::AccessKind::Load ? "read" : "written";
    const TensorLayout& tensor = map->tensor;
    picture.tensor = fmt::format("{} {}", tensor.name, list_text(tensor.shape));
    picture.window = fmt::format("{} + {}", list_text(map->begin), list_text(map->extent));

    figure::LayoutFigureOptions options;
    const std::size_t rank = tensor.shape.size();
    // Rows by columns; of a blocked tensor its column blocks by its fractals, where a row of the window is one burst.
    const bool blocked = rank == 5 && tensor.dim_names.size() == 5 && tensor.dim_names[1] == "block";
    const std::size_t down = blocked ? 1 : rank - 2;
    const std::size_t right = blocked ? 2 : rank - 1;
    if (rank >= 2) {
        // The slice that holds the window's first element.
        options.axes = figure::ViewAxes{down, right, map->begin};
        options.axes->fixed.resize(rank, 0);
    }
    options.row_bytes = row_bytes_of(tensor);
    auto figure = figure::LayoutFigure::build(tensor, options);
    if (!figure.ok()) {
        picture.why = figure.error().message;
        return picture;
    }
    if (rank >= 2 && map->begin.size() == rank && map->extent.size() == rank) {
        picture.logical = with_overlays((*figure)->logical(), {{map->begin[down], map->begin[right], map->extent[down], map->extent[right]}}, "window");
    }
    const std::int64_t rows = window_extent(*map, 0), cols = window_extent(*map, 1);
    const std::int64_t bytes = tensor.element_bits() / 8;
    std::vector<scene::CellRect> rects;
    if (bytes > 0 && rows > 0 && cols > 0 && rows * cols <= kMostBurstElements) {
        const std::vector<Burst> bursts = bursts_of(*map, rows, cols, bytes);
        const std::int64_t first = bursts.front().end - bursts.front().begin;
        const bool alike = std::all_of(bursts.begin(), bursts.end(), [&](const Burst& one) { return one.end - one.begin == first; });
        picture.bursts = fmt::format("{} {} of {}{} B, first at 0x{:04X}", bursts.size(), bursts.size() == 1 ? "burst" : "bursts",
                                     alike ? "" : "up to ", alike ? first : rows * cols * bytes, bursts.front().begin);
        rects = outlines(bursts, bytes, std::max<std::int64_t>(1, options.row_bytes / bytes));
    }
    auto physical = std::make_shared<scene::GridScene>(*(*figure)->physical());
    picture.region = {0, 0, physical->rows, physical->cols};
    if (!rects.empty()) {
        // Some rows above and below, and cells as wide as makes them fill a panel: a row holds thousands.
        const std::int64_t first = rects.front().row, last = rects.back().row + rects.back().rows, around = std::max<std::int64_t>(last - first, 4);
        picture.region.row = std::max<std::int64_t>(0, first - around);
        picture.region.rows = std::min(physical->rows, last + around) - picture.region.row;
        physical->cell_aspect = kPanelAspect * static_cast<double>(picture.region.rows) / static_cast<double>(physical->cols);
    }
    picture.physical = with_overlays(physical, rects, access_word);
    return picture;
}

int TraceAccesses::access_of(int snapshot, const ir::Node* statement) const {
    if (!state_ || snapshot < 0 || snapshot >= static_cast<int>(state_->by_snapshot.size())) return -1;
    for (int i = 0; i < count(); ++i) {
        const check::Access* found = state_->find(i, snapshot);
        if (found != nullptr && found->statement.get() == statement) return i;
    }
    return -1;
}

} // namespace ls::models
