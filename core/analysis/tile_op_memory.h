// What tile operations do with on-chip memory: which buffer a result lands in, which spaces the operands must be in,
// and which operands the result must not overwrite. Facts of the compiler's operation registry.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/ir/stmt.h"

namespace ls {

/// Where the space of a result comes from.
enum class OutputSpace : std::uint8_t {
    None,    ///< not said: no tile result, or the type says it
    Fixed,   ///< always `space`
    Keyword, ///< target_memory=, where it is written; `space` otherwise, if there is a default
    Inherit, ///< that of the first tile operand
};

struct TileOpMemory {
    std::string_view name;
    OutputSpace output = OutputSpace::None;
    std::optional<ir::TileSpace> space;  ///< of Fixed, or the default of Keyword
    std::optional<std::size_t> in_place; ///< the operand whose buffer the result is (accumulators, stores)
    bool reads_while_writing = false;    ///< the result must overlap no operand
    std::vector<std::size_t> keep_apart; ///< the result must not overlap these operands
    std::vector<std::vector<ir::TileSpace>> operands; ///< allowed spaces by operand; empty: any

    /// Only names other bytes of its operand: slice, reshape. A transpose permutes into a buffer of its own.
    bool is_view() const { return output == OutputSpace::Inherit && !reads_while_writing; }
    /// The operand that the result shares its bytes with.
    std::optional<std::size_t> shares_with() const {
        return in_place ? in_place : is_view() ? std::optional<std::size_t>(0) : std::nullopt;
    }
};

/// Null for operations that the registry does not know.
const TileOpMemory* tile_op_memory(std::string_view op);
/// Of a call of an operation; null for other expressions.
const TileOpMemory* tile_op_memory(const ir::ExprNode* value);

/// target_memory= of a call, when it is written.
std::optional<ir::TileSpace> target_memory(const ir::CallNode& call);
/// The space that the operation puts its result in, where its name and keywords decide it.
std::optional<ir::TileSpace> output_space(const TileOpMemory& op, const ir::CallNode& call);

} // namespace ls
