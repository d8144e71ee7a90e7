// What a pass is: a named step from one module to the next, with what it found on the way.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/offset_proof.h"
#include "core/ir/stmt.h"
#include "core/machine/hardware.h"

namespace ls {

/// Version of the assembler that will read what is exported.
struct PtoasVersion {
    int major = 0;
    int minor = 61;
    auto operator<=>(const PtoasVersion&) const = default;
};

/// What a compilation is for. Passes read it and never change it.
struct PassContext {
    const Hardware* hardware = &default_hardware(); ///< never null
    PtoasVersion ptoas;
    bool verify = true; ///< run verifiers that are passes of their own
};

/// A proof that a pass asked for, kept to be shown. Holds the function that the proof's tree points into.
struct ProofRecord {
    ir::Function function;
    ir::Ref<ir::CallNode> call; ///< whose coordinate it is
    std::string coordinate;     ///< "offset on shape[-2]"
    Proof proof;
};

struct PassResult {
    ir::Module module;                   ///< null when refused; the module that was given when nothing changed
    std::vector<Diagnostic> diagnostics; ///< errors first to last; warnings and notes among them
    std::vector<ProofRecord> proofs;

    bool ok() const { return module != nullptr; }
    /// The first error; only when !ok().
    const Diagnostic& error() const;

    static PassResult unchanged(ir::Module module) { return {std::move(module), {}, {}}; }
    static PassResult refused(Diagnostic why) { return {nullptr, {std::move(why)}, {}}; }
};

enum class PassStatus : std::uint8_t {
    Implemented,   ///< does here what it does upstream
    LeavesLayouts, ///< moves no element and changes no layout: the module goes through unchanged
    NotModelled,   ///< changes tiles or addresses upstream and is not done here: the module goes through unchanged
};

/// One row of a pipeline. `number` is the pass's place in the upstream order; passes that upstream runs without a
/// number have 0.
struct Pass {
    std::string_view name;
    int number = 0;
    PassStatus status = PassStatus::LeavesLayouts;
    std::string_view about; ///< one line
    PassResult (*run)(const ir::Module& module,
                      const PassContext& context) = nullptr; ///< null when the module goes through unchanged
};

} // namespace ls
