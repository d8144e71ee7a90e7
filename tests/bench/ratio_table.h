// At the end of a run: how fast the engine fills next to the loop written for the one layout.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

namespace ls::bench {

/// Prints every run as usual and remembers the rates of "fill/<layout>/<n>" and "hand/<layout>/<n>".
class RatioReporter : public benchmark::ConsoleReporter {
public:
    void ReportRuns(const std::vector<Run>& runs) override;
    /// Medians over the repetitions of each, in million elements a second, and their ratio.
    void print_table();

private:
    struct Rates {
        std::vector<double> fill, hand; ///< elements a second
    };
    std::map<std::pair<std::string, long>, Rates> rates_;
};

} // namespace ls::bench
