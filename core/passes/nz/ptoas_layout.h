// What each version of the PTOAS assembler makes of a tensor view: which layout it infers, and whether it takes an
// explicit layout=nz. spec/nz.md E.2.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/passes/pass.h"

namespace ls::nz {

/// First version that believes an explicit layout and checks it; older ones infer it and compare.
inline constexpr PtoasVersion kExplicitLayouts{0, 61};

/// A view of at most five axes; a negative extent or stride is dynamic and held against nothing. Strides in elements.
struct PtoView {
    std::span<const std::int64_t> shape, strides;
    int elem_bytes = 1; ///< of the stored element; a packed pair of 4-bit values is one byte
};

/// "nz", or "nd" for everything else. Up to 0.60 the rule is off by one axis: a blocked NZ view is taken for nd, and
/// 16-bit views of 256 rows for nz by accident. From 0.61 only a packed root view without batch is taken for nz.
std::string_view inferred_layout(const PtoView& view, PtoasVersion version);

/// What is wrong with the view as layout=nz, as the assembler would find it first: "rank", "shape[3]", "stride[1]
/// align", "stride[1] overlap", and up to 0.60 "inferred". Nothing when it is taken.
std::optional<std::string> explicit_nz_violation(const PtoView& view, PtoasVersion version);

/// What that assembler would refuse of the NZ parameters of a program whose strides are filled in: one warning
/// (NZ_PTOAS_LAYOUT) a parameter. Our own text is the same for every version.
std::vector<Diagnostic> ptoas_findings(const ir::ModuleNode& module, PtoasVersion version);

} // namespace ls::nz
