// Numbers of the flags between hardware queues, and their text.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/codegen/pto_isa/pipes.h"

namespace ls::codegen {

/// A flag must not be raised again before it has been waited for, and a queue may run far ahead of the one that waits. So
/// each pair of queues takes its eight flags in turn, and after eight of them the first queue waits for the second. In a loop
/// a flag is safe by itself: what made it necessary makes the first queue wait in the next iteration.
class Flags {
public:
    /// Lines that make `to` wait for `from`; a barrier when they are the same.
    std::vector<std::string> wait(Pipe from, Pipe to);
    /// Around a body that may not run: what it waits for does not count behind it.
    void enter() { around_.push_back(pairs_); }
    void leave();

private:
    static constexpr int kFlags = 8;
    struct Pair {
        int next = 0;
        int raised = 0; ///< since the first queue last waited for the second
    };
    void raise(Pipe from, Pipe to, std::vector<std::string>& lines);

    std::map<std::pair<Pipe, Pipe>, Pair> pairs_;
    std::vector<std::map<std::pair<Pipe, Pipe>, Pair>> around_; ///< what stood before each body that is open
};

} // namespace ls::codegen
