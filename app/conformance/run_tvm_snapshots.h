// Folders of one program's snapshots, as the reference printed it after its passes: 00_input.txt, 03_LowerTIRx.txt, ...
#pragma once

#include <filesystem>

#include "app/conformance/runner.h"

namespace ls::conformance {

bool is_snapshot_folder(const std::filesystem::path& folder);

/// One case for each snapshot and the next: our passes between them, run on the former, must give the latter, equal in
/// structure; one from the first to the last; and one in which the reference's snapshots are run, where nothing may
/// move. Refused programs (00_input.txt alone) have no case. `why` of a passed case says where only the text differs.
FileReport run_snapshot_folder(const std::filesystem::path& folder);

} // namespace ls::conformance
