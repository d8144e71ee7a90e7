// The search for a product's L0 tile, to be looked at: every tile as a row of a table, and the space as a picture.
#pragma once

#include <vector>

#include "core/passes/nz/l0_chooser.h"
#include "core/scene/picture.h"
#include "core/scene/table.h"

namespace ls::figure {

/// A search and what it found.
struct L0Space {
    nz::L0Problem problem;
    const Hardware* hardware = nullptr; ///< never null
    DType operand = DType::Bf16;        ///< of A and B, for titles
    nz::L0Choice choice;

    const nz::L0Candidate& chosen() const { return choice.candidates[choice.chosen]; }
    /// Bytes of L0A, L0B or L0C that a tile takes with all its buffers.
    std::int64_t l0a_bytes(const nz::L0Candidate& tile) const;
    std::int64_t l0b_bytes(const nz::L0Candidate& tile) const;
    std::int64_t l0c_bytes(const nz::L0Candidate& tile) const;
};

Result<L0Space> l0_space(const nz::L0Problem& problem, DType operand, const Hardware& hardware);

/// Why a tile is not the one: what it exceeds, or by which rule and how much the chosen one is better.
std::string l0_verdict(const nz::L0Candidate& tile, const L0Space& space);

/// Tiles that fit, fastest first, then those that do not in the order tried. Keeps a reference to `space`.
class L0CandidateTable final : public scene::TableSource {
public:
    /// `ruled_out`: rows for tiles that do not fit, too.
    L0CandidateTable(const L0Space& space, bool ruled_out);

    const std::vector<scene::TableColumn>& columns() const override;
    std::int64_t row_count() const override { return static_cast<std::int64_t>(order_.size()); }
    std::string text(std::int64_t row, std::size_t column) const override;
    std::optional<scene::Cell> cell(std::int64_t) const override { return {}; }
    std::optional<std::int64_t> row_of(scene::Cell) const override { return {}; }
    const nz::L0Candidate& candidate(std::int64_t row) const {
        return space_.choice.candidates[order_[static_cast<std::size_t>(row)]];
    }

private:
    const L0Space& space_;
    std::vector<std::size_t> order_; ///< indices into the candidates
};

/// The space as a picture `width` points wide: the best wall of every m × n, the wall against m, n and k with what
/// rules tiles out, and how the chosen tile spends its cycles. Regions answer with candidate indices.
scene::Picture draw_l0_space(const L0Space& space, double width, const scene::TextMeasure& measure);

} // namespace ls::figure
