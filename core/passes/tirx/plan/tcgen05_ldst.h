// copy_async between TMEM and a warpgroup's registers: tcgen05.ld and tcgen05.st (spec/tirx.md 8.3).
#pragma once

#include "core/layout/catalogue/registers.h"
#include "core/passes/tirx/plan/gemm_async.h"
#include "core/passes/tirx/plan/operand.h"

namespace ls::tirx {

struct Tcgen05LdSt {
    Operand tmem;
    Operand local;
    bool load = true; ///< tcgen05.ld, TMEM to registers
};

struct Tcgen05LdStPlan {
    catalogue::Tcgen05Shape shape = catalogue::Tcgen05Shape::B32x32;
    std::int64_t repeat = 1; ///< .xN
    bool load = true;
    struct Issue {
        TmemPlace place;                  ///< relative to the allocated address
        Dim first_register;               ///< 32-bit registers of a thread
        std::int64_t registers = 1;
    };
    std::vector<Issue> issues;
    bool through_uint32 = false; ///< registers are named through a uint32 view (elements of 16 bits, or slabs)
    /// "tcgen05.ld.sync.aligned.32x32b.x4.b32"
    std::string instruction() const;
};

/// Refused: LDST_DATAPATH (the TMEM layout and the fragment do not go together), LDST_WINDOW (a region that no
/// instruction reads), LDST_WIDTH.
Result<Tcgen05LdStPlan> plan_tcgen05_ldst(const Tcgen05LdSt& call);

/// Whether a fragment of `rows` rows in the registers of `.16x*b` (or `.32x32b`) can be read from a buffer of that
/// datapath by the plain path.
bool datapath_takes_atom(char datapath, bool atom_16x, std::int64_t rows);

} // namespace ls::tirx
