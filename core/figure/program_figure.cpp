#include "core/figure/program_figure.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/figure/formula.h"

namespace ls::figure {

namespace {

bool is_blocked(const TensorLayout& tensor) { return tensor.shape.size() == 5 && tensor.dim_names.size() == 5 && tensor.dim_names[1] == "block"; }

std::string range_text(std::string_view what, std::int64_t begin, std::int64_t extent) {
    return extent == 1 ? fmt::format("{} {}", what, begin) : fmt::format("{}s {}–{}", what, begin, begin + extent - 1);
}

/// How many separate runs of memory the window is, and how far apart they begin.
std::string bursts_of_blocked(const check::AddressMap& map) {
    const int bits = map.tensor.element_bits();
    const auto& shard = map.tensor.layout.tile().shard;
    const std::int64_t bursts = map.extent[1];
    const std::int64_t burst_bytes = map.extent[2] * map.extent[3] * map.extent[4] * bits / 8;
    const std::int64_t step_bytes = shard[1].stride.value() * bits / 8;
    std::string text = fmt::format("{} burst{} of {} B", bursts, bursts == 1 ? "" : "s", burst_bytes);
    // The DMA counts the gap in blocks of 32 bytes.
    if (bursts > 1) text += fmt::format(", gap {} B = {} blocks", step_bytes - burst_bytes, (step_bytes - burst_bytes) / 32);
    return text + fmt::format(", first byte {}", hex_address(map.byte_of(0, 0)));
}

std::string runs_of_logical(const check::AddressMap& map) {
    const std::int64_t rows = map.window.shape[0];
    const std::int64_t cols = map.window.shape[1];
    const int bits = map.tensor.element_bits();
    const bool contiguous_row = cols == 1 || map.byte_of(0, cols - 1) - map.byte_of(0, 0) == (cols - 1) * bits / 8;
    std::string text = fmt::format("{} × {} elements, {} B", rows, cols, rows * cols * bits / 8);
    if (contiguous_row && rows > 1) text += fmt::format(", rows of {} B that begin {} B apart", cols * bits / 8, map.byte_of(1, 0) - map.byte_of(0, 0));
    return text + fmt::format(", first byte {}", hex_address(map.byte_of(0, 0)));
}

} // namespace

Result<AccessView> access_view(const check::Access& access, const ir::ModuleNode& module, const check::Bindings& bindings) {
    AccessView view;
    view.title = access.text();
    LS_TRY(view.map, check::address_map(access, module, bindings));
    const TensorLayout& tensor = view.map.tensor;
    const auto& begin = view.map.begin;
    const auto& extent = view.map.extent;
    LayoutFigureOptions options;
    scene::CellRect window;
    const std::size_t rank = tensor.shape.size();
    if (is_blocked(tensor)) {
        options.axes = ViewAxes{1, 2, {begin[0], 0, 0, begin[3], begin[4]}};
        window = {begin[1], begin[2], extent[1], extent[2]};
        view.subtitle = fmt::format("{}[{}], {}, {}", access.tensor, begin[0], range_text("column block", begin[1], extent[1]), range_text("fractal", begin[2], extent[2]));
        view.sentence = bursts_of_blocked(view.map);
    } else {
        if (rank >= 2) {
            options.axes = ViewAxes{rank - 2, rank - 1, begin};
            window = {begin[rank - 2], begin[rank - 1], extent[rank - 2], extent[rank - 1]};
        } else {
            window = {0, begin[0], 1, extent[0]};
        }
        const std::string slice = rank > 2 ? fmt::format("[{}]", fmt::join(begin.begin(), begin.end() - 2, ", ")) : "";
        view.subtitle = fmt::format("{}{}, {}, {}", access.tensor, slice, range_text("row", window.row, window.rows), range_text("column", window.col, window.cols));
        view.sentence = runs_of_logical(view.map);
    }
    if (view.map.assumed) view.sentence += "; unknown offsets stand at their first value";
    LS_TRY(view.figure, LayoutFigure::build(tensor, options));
    auto picture = std::make_shared<scene::GridScene>(*view.figure->logical());
    picture->title = view.title;
    picture->subtitle = view.subtitle;
    picture->overlays.push_back({window, scene::Overlay::Kind::Window, access.tile});
    view.picture = std::move(picture);
    return view;
}

std::optional<std::size_t> same_access(const std::vector<check::Access>& earlier, std::size_t index, const std::vector<check::Access>& later) {
    if (index >= earlier.size()) return {};
    const ir::Node* wanted = earlier[index].statement.get();
    for (std::size_t i = 0; i < later.size(); ++i) {
        for (const ir::Node* at = later[i].statement.get(); at != nullptr; at = at->origin.get()) {
            if (at == wanted) return i;
        }
    }
    // A pass may rebuild a statement without saying from what; then the order among equals tells.
    const auto same_kind = [&](const check::Access& a) { return a.kind == earlier[index].kind && a.function == earlier[index].function; };
    const auto before = std::count_if(earlier.begin(), earlier.begin() + static_cast<std::ptrdiff_t>(index), same_kind);
    const auto total = std::count_if(earlier.begin(), earlier.end(), same_kind);
    if (std::count_if(later.begin(), later.end(), same_kind) != total) return {};
    std::ptrdiff_t seen = 0;
    for (std::size_t i = 0; i < later.size(); ++i) {
        if (same_kind(later[i]) && seen++ == before) return i;
    }
    return {};
}

std::vector<FollowedElement> follow_element(std::span<const ir::Module> modules, std::size_t from, std::size_t index, std::int64_t row,
                                            std::int64_t col, const check::Bindings& bindings) {
    std::vector<FollowedElement> found(modules.size());
    if (from >= modules.size()) return found;
    const auto look = [&](std::size_t snapshot, const std::vector<check::Access>& all, std::optional<std::size_t> which) {
        FollowedElement& here = found[snapshot];
        here.snapshot = snapshot;
        if (!which) {
            here.why = "the access is not in this snapshot";
            return;
        }
        const auto map = check::address_map(all[*which], *modules[snapshot], bindings);
        if (!map.ok()) {
            here.why = map.error().message;
            return;
        }
        if (row < 0 || col < 0 || row >= map->window.shape[0] || col >= map->window.shape[1]) {
            here.why = fmt::format("({}, {}) is outside the window of {} × {}", row, col, map->window.shape[0], map->window.shape[1]);
            return;
        }
        here.coordinate = map->coordinate_of(row, col);
        here.byte = map->byte_of(row, col);
    };
    // Snapshots that share a module share the answer too.
    const auto walk = [&](std::ptrdiff_t step) {
        std::vector<check::Access> known = check::accesses(*modules[from]);
        std::optional<std::size_t> which = index < known.size() ? std::optional(index) : std::nullopt;
        if (step > 0) look(from, known, which);
        for (std::ptrdiff_t s = static_cast<std::ptrdiff_t>(from) + step; s >= 0 && s < static_cast<std::ptrdiff_t>(modules.size()); s += step) {
            const auto here = static_cast<std::size_t>(s);
            const auto before = static_cast<std::size_t>(s - step);
            if (modules[here] == modules[before]) {
                found[here] = found[before];
                found[here].snapshot = here;
                continue;
            }
            std::vector<check::Access> next = check::accesses(*modules[here]);
            std::optional<std::size_t> there;
            if (which && step > 0) {
                there = same_access(known, *which, next);
            } else if (which) {
                for (std::size_t i = 0; i < next.size() && !there; ++i) {
                    if (same_access(next, i, known) == which) there = i;
                }
            }
            look(here, next, there);
            known = std::move(next);
            which = there;
        }
    };
    walk(1);
    walk(-1);
    std::optional<std::int64_t> last;
    for (FollowedElement& element : found) {
        element.moved = element.byte && last && *element.byte != *last;
        if (element.byte) last = element.byte;
    }
    return found;
}

} // namespace ls::figure
