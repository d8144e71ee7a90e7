// layoutscope passes --against DIR: the passes here against the compiler's own, over directories of its dumps.
#pragma once

#include <string>

#include "core/passes/pass.h"

namespace ls::cli {

struct AgainstOptions {
    std::string directory;
    std::string pass;   ///< only this one, with the differing lines; all when empty
    bool chain = false; ///< run the whole pipeline from the first dump on instead of each pass by itself
    bool json = false;
};

/// kFinding when a pass differs or refuses.
int passes_against(const AgainstOptions& options, const PassContext& context);

} // namespace ls::cli
