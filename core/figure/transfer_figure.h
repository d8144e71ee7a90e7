// What one copy between an NZ tensor and a tile writes into the fields of its instruction, against what the fields hold.
#pragma once

#include <optional>
#include <vector>

#include "core/check/access.h"
#include "core/figure/transfer_view.h"
#include "core/machine/hardware.h"
#include "core/passes/pass.h"

namespace ls::figure {

/// Fields of a load or store of a blocked NZ tensor on `hardware`, spec/nz.md C.4, C.7, C.9. Empty for other tensors and
/// where extents are not known.
std::vector<TransferField> transfer_fields(const check::Access& access, const ir::ModuleNode& module,
                                           const Hardware& hardware, const check::Bindings& bindings = {});

/// Of an offset whose sign was not proven: its window for the first block and the first turn of every loop. Empty when
/// it is not negative there, or cannot be computed.
std::optional<ClampedWindow> clamped_window(const ProofRecord& record, const ir::ModuleNode& module);

} // namespace ls::figure
