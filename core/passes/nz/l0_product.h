// One product that is cut into tiles for L0: its operands, its extents and the tile that was chosen. spec/nz.md C.9.
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "core/ir/stmt.h"
#include "core/passes/nz/l0_chooser.h"

namespace ls::nz {

enum class ProductKind : std::uint8_t { Fresh, Accumulate, Bias };

/// The chosen tile without the candidates.
struct L0Tile {
    std::int64_t m = 0, n = 0, k = 0;
    L0Regime regime = L0Regime::Output;
    bool double_output = false;
    bool a_outside = true;
};

struct L0Product {
    ir::Ref<ir::AssignNode> assign; ///< target = tile.matmul...(operands as they are now)
    ProductKind kind = ProductKind::Fresh;
    ir::Var lhs, rhs;       ///< [M, K] in Mat or Vec, [K, N] in Mat
    ir::Var bias;           ///< [1, N] in Mat or Bias; only of Bias
    ir::Var acc;            ///< only of Accumulate
    ir::Call bias_load;     ///< the load that made the bias, where parts of it can be loaded instead; else null
    ir::Var bias_loaded;    ///< what it made
    bool stage_lhs = false; ///< the left operand is in Vec and is moved to Mat first
    std::int64_t M = 0, N = 0, K = 0;
    ir::Expr valid_m, valid_n;
    DType acc_dtype = DType::Fp32;
    L0Tile tile;

    bool splits_output() const { return tile.m != M || tile.n != N; }
    std::int64_t tiles() const;
};

/// What is asked of a tile beyond the product's own extents.
struct L0Wish {
    bool only_output_regime = false; ///< neither operand is held for the whole loop
    std::optional<std::int64_t> fixed_m, max_n;
    std::int64_t box_m = 1, box_n = 1;
    ir::Call bias_load;
    ir::Var bias_loaded;
};

/// Reads products and chooses their tiles; equal products are chosen once.
class L0Analyser {
public:
    L0Analyser(const Hardware& hardware, std::vector<Diagnostic>& notes) : hardware_(hardware), notes_(notes) {}

    /// Nothing when the product needs no tiling or cannot have any (a note says why, with the hint's number upstream).
    /// Refuses operands that were put into L0 by hand and do not fit it (L0_OPERAND_CAPACITY), and an NZ store that no
    /// tile can serve (NZ_STORE_NO_TILE).
    Result<std::optional<L0Product>> analyse(const ir::Ref<ir::AssignNode>& assign, const L0Wish& wish = {});

    void note(Span span, std::string code, std::string message, std::string hint);

private:
    Status check_manual(const ir::VarNode& operand, ir::TileSpace space, std::string_view what,
                        const ir::CallNode& call) const;
    /// False when the bias rules the product out.
    bool constrain_bias(const L0Product& product, const ir::CallNode& call, L0Problem& problem);
    Result<L0Tile> choose(const L0Problem& problem);

    const Hardware& hardware_;
    std::vector<Diagnostic>& notes_;
    std::map<std::vector<std::int64_t>, Result<L0Tile>> chosen_;
};

/// Rows and columns of a boxed tile's granule; nothing where its view has no boxes.
struct BoxGranule {
    std::int64_t rows = 1, cols = 1;
};
std::optional<BoxGranule> box_granule(const ir::TileTypeNode& tile);

/// Constant extents of a tile of two axes in one of the spaces; nothing otherwise.
struct TileExtents {
    std::int64_t rows = 0, cols = 0;
};
std::optional<TileExtents> static_extents(const ir::TileTypeNode* tile, std::initializer_list<ir::TileSpace> spaces);

/// The type of a variable when it is a tile; null otherwise.
const ir::TileTypeNode* tile_of(const ir::Expr& value);

} // namespace ls::nz
