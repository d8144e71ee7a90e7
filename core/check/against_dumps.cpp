#include "core/check/against_dumps.h"

namespace ls::check {

std::string_view name(Agreement agreement) {
    switch (agreement) {
    case Agreement::Equal: return "equal";
    case Agreement::Differs: return "differs";
    case Agreement::Refused: break;
    }
    return "refused";
}

std::vector<PassComparison> compare_passes(const Trace& dumps, const PassContext& context) {
    std::vector<PassComparison> all;
    for (std::size_t i = 1; i < dumps.snapshots.size(); ++i) {
        const Snapshot& real = dumps.snapshots[i];
        if (real.pass == nullptr || real.pass->run == nullptr) continue;
        PassComparison one;
        one.pass = real.pass;
        one.snapshot = i;
        one.changes = real.changed;
        PassResult result = real.pass->run(dumps.snapshots[i - 1].module, context);
        one.diagnostics = std::move(result.diagnostics);
        one.ours = std::move(result.module);
        if (one.ours == nullptr) {
            one.agreement = Agreement::Refused;
        } else if ((one.difference = ir::first_difference(one.ours, real.module))) {
            one.agreement = Agreement::Differs;
        }
        all.push_back(std::move(one));
    }
    return all;
}

} // namespace ls::check
