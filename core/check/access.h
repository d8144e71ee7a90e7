// The places where a program moves elements between a tensor in global memory and a tile, and where each element of such
// a tile lives in memory: the function that no pass may change.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/stmt.h"
#include "core/layout/tensor_layout.h"
#include "core/support/result.h"

namespace ls::check {

enum class AccessKind : std::uint8_t { Load, Store };
std::string_view name(AccessKind kind); ///< "load"

/// Values for names that an offset depends on: loop variables, block indices, parameters.
using Bindings = std::map<const ir::VarNode*, std::int64_t>;

/// One tile.load or tile.store, as it stands in one snapshot.
struct Access {
    AccessKind kind = AccessKind::Load;
    std::string function;
    std::string tensor;               ///< name of the tensor's variable
    std::string tile;                 ///< name of the tile's variable
    ir::Ref<ir::StmtNode> statement;
    ir::Ref<ir::TensorTypeNode> tensor_type;
    ir::Ref<ir::TileTypeNode> tile_type;
    std::vector<ir::Expr> offsets;    ///< in elements (of blocked axes: blocks), one per tensor dimension
    std::vector<ir::Expr> sizes;      ///< the window: valid_shape if the load has one, else shapes; the partition of a store
    std::string text() const;         ///< "load xt ← x"
};

/// Every access of the module, in program order.
std::vector<Access> accesses(const ir::ModuleNode& module);

/// The layout of a tensor in global memory. ND, DN and NZ, blocked (rank 5 ending in [16, c0]) or still logical.
/// CHECK_DYNAMIC when an extent is no constant and has no binding, CHECK_ORDER for an order without a layout (MX).
Result<TensorLayout> tensor_layout(const ir::TensorTypeNode& type, const std::string& tensor_name, const Bindings& bindings = {});

/// An integer expression with the names bound; unbound loop variables and indices stand at their first value (a loop's
/// start, block 0). Empty when it cannot be computed (a parameter without a value, division by 0, overflow).
std::optional<std::int64_t> evaluate(const ir::Expr& expr, const Bindings& bindings, const ir::ModuleNode& module);

/// Where the elements of the tile lie in memory.
struct AddressMap {
    TensorLayout tensor;              ///< the whole tensor
    TensorLayout window;              ///< shape [rows, columns] of the window, on m, offset included
    std::vector<std::int64_t> begin;  ///< the window in the tensor's own coordinates of this snapshot
    std::vector<std::int64_t> extent;
    bool assumed = false;             ///< an offset depended on names that stand at their first value

    /// Byte address of element (row, col) of the window.
    std::int64_t byte_of(std::int64_t row, std::int64_t col) const;
    /// The same element in the tensor's coordinates of this snapshot.
    std::vector<std::int64_t> coordinate_of(std::int64_t row, std::int64_t col) const;
};

/// CHECK_* when there is none, with the reason: dynamic extents, windows that leave the tensor, a window of several batches.
Result<AddressMap> address_map(const Access& access, const ir::ModuleNode& module, const Bindings& bindings = {});

/// The first element whose address differs, or nothing when the maps agree.
struct Witness {
    std::int64_t row = 0, col = 0;
    std::int64_t byte_before = 0, byte_after = 0;
    std::int64_t differing = 0; ///< how many elements differ
};
Result<std::optional<Witness>> compare(const AddressMap& before, const AddressMap& after);

} // namespace ls::check
