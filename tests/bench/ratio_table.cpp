#include "tests/bench/ratio_table.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace ls::bench {

namespace {

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

} // namespace

void RatioReporter::ReportRuns(const std::vector<Run>& runs) {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
        const std::string& name = run.run_name.function_name;
        const auto rate = run.counters.find("items_per_second");
        const std::size_t slash = name.rfind('/');
        const std::string kind = name.substr(0, 5);
        if (run.error_occurred || rate == run.counters.end() || (kind != "fill/" && kind != "hand/")) continue;
        Rates& rates = rates_[{name.substr(5, slash - 5), std::strtol(name.c_str() + slash + 1, nullptr, 10)}];
        std::vector<double>& list = kind == "fill/" ? rates.fill : rates.hand;
        if (run.run_type == Run::RT_Iteration) {
            list.push_back(rate->second);
        } else if (run.aggregate_name == "median") {
            list = {rate->second}; // single runs are not reported with --benchmark_report_aggregates_only
        }
    }
}

void RatioReporter::print_table() {
    if (rates_.empty()) return;
    GetOutputStream() << fmt::format("\n{:<12} {:>6} {:>14} {:>14} {:>7}\n", "layout", "n", "fill M/s", "hand M/s",
                                     "ratio");
    for (const auto& [what, rates] : rates_) {
        const double fill = median(rates.fill) / 1e6;
        const double hand = median(rates.hand) / 1e6;
        GetOutputStream() << fmt::format("{:<12} {:>6} {:>14.0f} {:>14.0f} {:>7.2f}\n", what.first, what.second, fill,
                                         hand, hand > 0 ? fill / hand : 0);
    }
}

} // namespace ls::bench
