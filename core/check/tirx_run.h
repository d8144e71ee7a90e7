// What one thread of a TIRx program does, statement by statement: which places it writes, with what, and which calls it
// makes with what arguments. Places are addresses: through the layout while a buffer has one, by index after that.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/check/tirx_value.h"
#include "core/ir/stmt.h"

namespace ls::check {

/// Numbers of one thread by axis ("threadIdx.x"); axes that are not named are 0, and all are kept below the extent.
using TirxThread = std::map<std::string, std::int64_t>;

/// What a statement works with. An element that is passed to a call may be read or written: its address counts then.
struct TirxOperand {
    TirxValue value;
    std::optional<TirxValue> address; ///< in bytes (bits, for types below a byte)
};

struct TirxEvent {
    std::string what;                  ///< "store", or the call's name
    std::vector<TirxOperand> operands; ///< store: address, value; call: its arguments
    const ir::Node* statement = nullptr;
    std::vector<std::pair<std::string, std::int64_t>> loops; ///< variables of the loops around it, outermost first
};

struct TirxRun {
    std::vector<TirxEvent> events;
    bool complete = true; ///< false when the limit of events was reached
    /// Accesses outside of what was allocated: statement, buffer, byte, bytes allocated.
    struct Outside {
        const ir::Node* statement = nullptr;
        std::string buffer;
        std::int64_t byte = 0, allocated = 0;
    };
    std::vector<Outside> outside;
};

inline constexpr std::size_t kMaxTirxEvents = 50'000;

/// Runs the functions that the host enters; kernels are entered where the host calls them. With `device` the kernels
/// are entered themselves. Loops of more than 64 iterations run their first and last ones; conditions that are not
/// known are taken both ways.
TirxRun tirx_run(const ir::ModuleNode& module, const TirxThread& thread, TirxTokens& tokens, bool device = false);

} // namespace ls::check
