// Shared-memory banks: how often lanes of one access wait for each other (spec/notation.md d). A model, not a
// measurement; hardware may merge more than it does.
//
//     32 banks of 4 bytes:   bank = byte / 4 % 32,  word = byte / 4
//
//     A warp's access is served in phases of consecutive lanes: 32 lanes for up to 4 bytes each, 16 for 8, 8 for 16.
//     In a phase a bank answers one word at a time; lanes that name the same word share the answer.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/support/result.h"

namespace ls {

inline constexpr int kBanks = 32;
inline constexpr int kBankBytes = 4;
inline constexpr int kWarpLanes = 32;

struct BankPhase {
    int first_lane = 0;
    int last_lane = 0;
    int active = 0; ///< lanes that take part
    int degree = 0; ///< words that the busiest bank must answer: passes of this phase
    int banks_used = 0;
    int words = 0; ///< different words of all banks
    std::array<int, kBanks> words_of_bank{};
};

struct BankReport {
    std::vector<BankPhase> phases;
    int degree = 0;     ///< of the worst phase: an "n-way conflict"
    int wavefronts = 0; ///< passes of all phases
    int ideal = 0;      ///< phases with an active lane: what it would take without conflicts
    int excess() const { return wavefronts - ideal; }
};

/// One access of a warp. `byte_addresses[lane]` is where the lane's `access_bytes` bytes start; empty for a lane that
/// does not take part. Fewer than 32 entries leave the other lanes out.
/// Refused: BANK_WIDTH (1, 2, 4, 8 or 16 bytes), BANK_LANES (more than 32), BANK_ALIGNMENT, BANK_ADDRESS (negative).
Result<BankReport> bank_conflicts(std::span<const std::optional<std::int64_t>> byte_addresses, int access_bytes);

/// ldmatrix and stmatrix .x1, .x2, .x4: phase i reads the eight 16-byte rows that lanes 8i to 8i+7 point at; other
/// lanes' addresses are ignored. Refused as bank_conflicts, and BANK_MATRICES.
Result<BankReport> matrix_bank_conflicts(std::span<const std::optional<std::int64_t>> row_addresses, int matrices);

} // namespace ls
