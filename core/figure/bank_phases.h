// One access of a warp to shared memory, phase by phase: which bank answers whom, with and without the swizzle.
#pragma once

#include "core/passes/tirx/workbench/smem_chunks.h"
#include "core/scene/picture.h"

namespace ls::figure {

struct BankPhasesOptions {
    double width = 460;
    std::string plain_name = "no swizzle", swizzled_name = "128B swizzle";
    char row_letter = 'm';
};

/// Either access may be missing. Hit ids are phase · 32 + bank, those of the second access from 4096 on.
scene::Picture draw_bank_phases(const tirx::BankAccess* plain, const tirx::BankAccess* swizzled, const BankPhasesOptions& options,
                                const scene::TextMeasure& measure);

} // namespace ls::figure
