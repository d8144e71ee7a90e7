// What a program's loads and stores look like in one snapshot, and where one element stands in every snapshot.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/check/access.h"
#include "core/figure/layout_figure.h"
#include "core/scene/grid.h"

namespace ls::figure {

/// The window of one access laid over its tensor.
struct AccessView {
    std::string title;     ///< "load wt ← w"
    std::string subtitle;  ///< "w[1], rows 256–511, columns 512–1023"
    std::string sentence;  ///< "16 bursts of 8192 B, 57344 B apart, first byte 0x902000"
    check::AddressMap map;
    std::shared_ptr<const LayoutFigure> figure;         ///< of the whole tensor, standing at the window's slice
    std::shared_ptr<const scene::GridScene> picture;    ///< its logical picture with the window over it
};

/// Logical tensors are shown as rows by columns. Blocked NZ tensors are shown as column blocks (down) by fractals (right):
/// a cell is one fractal of 512 bytes, a row of the window is one burst. Refusals: CHECK_*, FIG_*.
Result<AccessView> access_view(const check::Access& access, const ir::ModuleNode& module, const check::Bindings& bindings = {});

/// One element of an access's tile in one snapshot.
struct FollowedElement {
    std::size_t snapshot = 0;
    std::vector<std::int64_t> coordinate; ///< in the tensor's own coordinates of this snapshot
    std::optional<std::int64_t> byte;     ///< address; empty when it cannot be computed
    std::string why;                      ///< why there is none
    bool moved = false;                   ///< the address differs from the snapshot before that had one
};

/// Follows element (row, col) of the tile that access `index` of `modules[from]` moves through all modules. Accesses are
/// recognised by their statement's origins, so that renaming and copying do not lose them.
std::vector<FollowedElement> follow_element(std::span<const ir::Module> modules, std::size_t from, std::size_t index, std::int64_t row,
                                            std::int64_t col, const check::Bindings& bindings = {});

/// The access of `later` that access `index` of `earlier` became: same statement by origin, else the same place in order.
std::optional<std::size_t> same_access(const std::vector<check::Access>& earlier, std::size_t index, const std::vector<check::Access>& later);

} // namespace ls::figure
