// How a warp moves a tensor between its registers and shared memory: which lanes touch which addresses, instruction by
// instruction, and what the banks make of it.
#pragma once

#include <optional>
#include <vector>

#include "core/layout/tensor_layout.h"
#include "core/machine/banks.h"

namespace ls {

struct WarpInstruction {
    std::int64_t first_register = 0;                         ///< element of a lane's registers that it starts with
    std::vector<std::optional<std::int64_t>> byte_addresses; ///< of the 32 lanes
    BankReport banks;
};

struct WarpAccess {
    std::int64_t vector_elements = 1; ///< neighbours that every lane moves at once, at most 16 bytes
    int access_bytes = 4;
    std::vector<WarpInstruction> instructions;

    std::int64_t wavefronts() const;
    std::int64_t ideal() const;
    int degree() const; ///< of the worst instruction
};

/// `registers` lays the tensor over threads (laneid and warpid, tid_in_wg, or tx) and m; `shared` lays the same shape
/// over m. Copies of an element in several lanes are accesses of all of them.
/// Refused: ACCESS_SHAPE (the shapes differ), ACCESS_AXES, ACCESS_BITS (elements of 8 to 128 bits), ACCESS_TOO_LARGE,
/// and as bank_conflicts.
Result<WarpAccess> warp_access(const TensorLayout& registers, const TensorLayout& shared, int element_bits,
                               std::int64_t warp = 0);

} // namespace ls
