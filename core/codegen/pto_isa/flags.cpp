#include "core/codegen/pto_isa/flags.h"

#include <algorithm>

#include <fmt/format.h>

namespace ls::codegen {

std::vector<std::string> Flags::wait(Pipe from, Pipe to) {
    std::vector<std::string> lines;
    if (from == to) {
        lines.push_back(fmt::format("pipe_barrier({});", name(from)));
        return lines;
    }
    if (pairs_[{from, to}].raised == kFlags) raise(to, from, lines);
    raise(from, to, lines);
    return lines;
}

void Flags::raise(Pipe from, Pipe to, std::vector<std::string>& lines) {
    Pair& pair = pairs_[{from, to}];
    lines.push_back(fmt::format("set_flag({}, {}, EVENT_ID{});", name(from), name(to), pair.next));
    lines.push_back(fmt::format("wait_flag({}, {}, EVENT_ID{});", name(from), name(to), pair.next));
    pair.next = (pair.next + 1) % kFlags;
    if (pair.raised < kFlags) ++pair.raised;
    pairs_[{to, from}].raised = 0;
}

void Flags::leave() {
    for (const auto& [queues, before] : around_.back()) pairs_[queues].raised = std::max(pairs_[queues].raised, before.raised);
    around_.pop_back();
}

} // namespace ls::codegen
