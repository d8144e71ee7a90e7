// Elementwise operations (spec/tirx.md 6): on registers, where the destination's layout says who owns what, and on
// shared memory, where the region is shared out over the threads of the scope.
#pragma once

#include "core/passes/tirx/plan/operand.h"

namespace ls::tirx {

/// A source: a region, or a number that the author wrote.
struct ElementwiseSource {
    std::size_t argument = 1; ///< of the call
    std::optional<Operand> region;
    DType dtype = DType::Fp32; ///< of the number
};

struct ElementwiseCall {
    std::string op; ///< "add"
    Operand dst;
    std::vector<ElementwiseSource>
        sources; ///< in the order of the operation: operands put in place by elementwise_sources
    int sm = 100;
};

struct ElementwisePlan {
    std::string op;
    std::vector<ElementwiseSource> sources;
    bool on_registers = true;
    int vector = 1;              ///< elements of one packed instruction: 2, or 1
    std::int64_t iterations = 1; ///< of a thread
    /// Registers: one thread's elements of the destination, then of each source that is a region; before any swizzle,
    /// threads left out.
    std::vector<TileLayout> views;
    std::int64_t per_thread = 1;
    /// Shared memory: elements of one step of a thread, threads, all elements.
    std::int64_t chunk = 1, threads = 1, total = 1;
};

/// Which arguments the operation takes, constants on the right and the larger region first. `rows` are the call's
/// arguments behind the destination. Refused: ELEMENTWISE_OPERANDS.
Result<std::vector<ElementwiseSource>> elementwise_sources(std::string_view op, std::vector<ElementwiseSource> rows);

/// Refused: ELEMENTWISE_LAYOUT (shapes or layouts that do not go together), PLAN_SYMBOLIC, LAYOUT_*.
Result<ElementwisePlan> plan_elementwise_registers(const ElementwiseCall& call);
Result<ElementwisePlan> plan_elementwise_shared(const ElementwiseCall& call, std::int64_t threads);

} // namespace ls::tirx
