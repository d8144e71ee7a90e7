#include "app/models/trace_access.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/check/access.h"
#include "core/figure/layout_figure.h"
#include "core/figure/program_figure.h"
#include "core/figure/transfer_figure.h"
#include "core/passes/pipeline.h"

namespace ls::models {

namespace {

/// Windows of more elements are not searched for bursts: the picture then shows the window alone.
constexpr std::int64_t kMostBurstElements = 1 << 21;
constexpr std::size_t kMostOutlines = 256;
constexpr double kPanelAspect = 2; ///< width : height of the memory picture

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
        if (!bursts.empty() && byte <= bursts.back().end)
            bursts.back().end = std::max(bursts.back().end, byte + bytes);
        else
            bursts.push_back({byte, byte + bytes});
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

/// The stride of the outermost dimension inside a matrix: what one row of the memory's picture holds.
std::int64_t row_bytes_of(const TensorLayout& tensor) {
    const std::int64_t bytes = std::max<std::int64_t>(1, tensor.element_bits() / 8);
    const Shape& shape = tensor.shape;
    // NZ order, logical or blocked: a column block a row.
    const auto& shard = tensor.layout.tile().shard;
    for (std::size_t i = 0; i < tensor.roles.size() && i < shard.size(); ++i) {
        if (tensor.roles[i].name == "column block" && shard[i].stride.is_constant())
            return std::max<std::int64_t>(1, shard[i].stride.value()) * bytes;
    }
    if (shape.size() == 5) return shape[2] * shape[3] * shape[4] * bytes; // [B, C/c0, R/16, 16, c0]
    return shape.empty() ? bytes : shape.back() * bytes;
}

} // namespace

struct TraceAccesses::State {
    std::shared_ptr<const Trace> trace;
    std::vector<ir::Module> modules;                  ///< one a snapshot; equal where nothing changed
    std::vector<std::vector<check::Access>> accesses; ///< of each snapshot
    /// became[i][s]: what access i of the source is in snapshot s.
    std::vector<std::vector<std::optional<std::size_t>>> became;

    const check::Access* find(int access, int snapshot) const {
        if (access < 0 || access >= static_cast<int>(became.size()) || snapshot < 0 ||
            snapshot >= static_cast<int>(modules.size()))
            return nullptr;
        const auto at = became[static_cast<std::size_t>(access)][static_cast<std::size_t>(snapshot)];
        return at ? &accesses[static_cast<std::size_t>(snapshot)][*at] : nullptr;
    }
    /// Rows and columns of the tile, as the program was read.
    Shape window(int access) const {
        const check::Access* found = find(access, 0);
        if (found == nullptr) return {0, 0};
        const auto map = check::address_map(*found, *modules.front());
        return map.ok() && map->window.shape.size() == 2 ? map->window.shape : Shape{0, 0};
    }
};

TraceAccesses::TraceAccesses(std::shared_ptr<const Trace> trace) : state_(std::make_unique<State>()) {
    State& state = *state_;
    state.trace = std::move(trace);
    for (const Snapshot& snapshot : state.trace->snapshots) {
        const bool same = !state.modules.empty() && state.modules.back() == snapshot.module;
        state.accesses.push_back(same ? state.accesses.back() : check::accesses(*snapshot.module));
        state.modules.push_back(snapshot.module);
    }
    state.became.resize(state.accesses.front().size());
    for (std::size_t i = 0; i < state.became.size(); ++i) {
        std::optional<std::size_t> here = i;
        for (std::size_t s = 0; s < state.modules.size(); ++s) {
            const bool same = s == 0 || state.modules[s] == state.modules[s - 1];
            if (!same && here) here = figure::same_access(state.accesses[s - 1], *here, state.accesses[s]);
            state.became[i].push_back(here);
        }
    }
}

TraceAccesses::TraceAccesses() = default;
TraceAccesses::~TraceAccesses() = default;
TraceAccesses::TraceAccesses(TraceAccesses&&) noexcept = default;
TraceAccesses& TraceAccesses::operator=(TraceAccesses&&) noexcept = default;

int TraceAccesses::count() const { return state_ ? static_cast<int>(state_->became.size()) : 0; }

std::string TraceAccesses::text(int access) const {
    const check::Access* found = state_ ? state_->find(access, 0) : nullptr;
    return found ? found->text() : std::string();
}

std::int64_t TraceAccesses::rows(int access) const { return state_ ? state_->window(access)[0] : 0; }
std::int64_t TraceAccesses::columns(int access) const { return state_ ? state_->window(access)[1] : 0; }

std::vector<TrackedElement> TraceAccesses::track(int access, std::int64_t row, std::int64_t column) const {
    std::vector<TrackedElement> list;
    if (!state_ || access < 0 || access >= count()) return list;
    for (figure::FollowedElement& one :
         figure::follow_element(state_->modules, 0, static_cast<std::size_t>(access), row, column)) {
        TrackedElement words;
        if (one.byte) {
            words.coordinate = fmt::format("[{}]", fmt::join(one.coordinate, ", "));
            words.address = fmt::format("0x{:04X}", *one.byte);
        }
        words.why = std::move(one.why);
        words.moved = one.moved;
        list.push_back(std::move(words));
    }
    return list;
}

AccessPicture TraceAccesses::picture(int access, int snapshot) const {
    AccessPicture picture;
    const check::Access* found = state_ ? state_->find(access, snapshot) : nullptr;
    if (found == nullptr) {
        picture.why = "the access is not in this snapshot";
        return picture;
    }
    auto view = figure::access_view(*found, *state_->modules[static_cast<std::size_t>(snapshot)]);
    if (!view.ok()) {
        picture.why = view.error().message;
        return picture;
    }
    const TensorLayout& tensor = view->map.tensor;
    picture.tensor = fmt::format("{} [{}]", tensor.name, fmt::join(tensor.shape, ", "));
    picture.window = view->subtitle;
    picture.bursts = view->sentence;
    picture.logical = view->picture;

    // The same tensor as bytes, a column block a row.
    figure::LayoutFigureOptions options = view->figure->options();
    options.row_bytes = row_bytes_of(tensor);
    auto figure = figure::LayoutFigure::build(tensor, options);
    if (!figure.ok()) return picture;
    const std::int64_t rows = view->map.window.shape[0], cols = view->map.window.shape[1],
                       bytes = tensor.element_bits() / 8;
    std::vector<scene::CellRect> rects;
    if (bytes > 0 && rows > 0 && cols > 0 && rows * cols <= kMostBurstElements) {
        rects = outlines(bursts_of(view->map, rows, cols, bytes), bytes,
                         std::max<std::int64_t>(1, options.row_bytes / bytes));
    }
    auto physical = std::make_shared<scene::GridScene>(*(*figure)->physical());
    picture.region = {0, 0, physical->rows, physical->cols};
    if (!rects.empty()) {
        // Some rows above and below, and cells as wide as makes them fill a panel: a row holds thousands.
        const std::int64_t first = rects.front().row, last = rects.back().row + rects.back().rows,
                           around = std::max<std::int64_t>(last - first, 4);
        picture.region.row = std::max<std::int64_t>(0, first - around);
        picture.region.rows = std::min(physical->rows, last + around) - picture.region.row;
        physical->cell_aspect =
            kPanelAspect * static_cast<double>(picture.region.rows) / static_cast<double>(physical->cols);
        for (std::size_t i = 0; i < rects.size(); ++i) {
            const char* word = found->kind == check::AccessKind::Load ? "read" : "written";
            physical->overlays.push_back({rects[i], scene::Overlay::Kind::Window, i == 0 ? word : std::string()});
        }
    }
    picture.physical = std::move(physical);
    return picture;
}

std::vector<figure::TransferField> TraceAccesses::fields(int access, int snapshot, const std::string& chip) const {
    const check::Access* found = state_ ? state_->find(access, snapshot) : nullptr;
    const Hardware* hardware = find_hardware(chip);
    if (found == nullptr || hardware == nullptr) return {};
    return figure::transfer_fields(*found, *state_->modules[static_cast<std::size_t>(snapshot)], *hardware);
}

int TraceAccesses::access_of(int snapshot, const ir::Node* statement) const {
    for (int i = 0; i < count(); ++i) {
        const check::Access* found = state_->find(i, snapshot);
        if (found != nullptr && found->statement.get() == statement) return i;
    }
    return -1;
}

} // namespace ls::models
