#include "app/models/sequence_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>

#include <fmt/format.h>

namespace ls::models {

namespace {

constexpr std::size_t kMost = 1'000'000;

bool parts(char c) { return c == ' ' || c == ',' || c == ';' || c == '\n' || c == '\r' || c == '\t' || c == '[' || c == ']'; }

} // namespace

Result<std::vector<std::int32_t>> read_lengths(std::string_view text) {
    std::vector<std::int32_t> lengths;
    for (std::size_t at = 0; at < text.size();) {
        if (parts(text[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && !parts(text[end])) ++end;
        const Span span{at, end};
        const char *first = text.data() + at, *const last = text.data() + end;
        std::int64_t value = 0, count = 1;
        auto [stop, failed] = std::from_chars(first, last, value);
        bool good = failed == std::errc();
        if (good && stop != last && (*stop == 'x' || *stop == '*')) {
            const auto [after, wrong] = std::from_chars(stop + 1, last, count);
            good = wrong == std::errc() && after == last && count >= 0;
            stop = after;
        }
        if (!good || stop != last)
            return error_at(span, "UB_LENGTHS", fmt::format("'{}' is no length", text.substr(at, end - at)), "write whole numbers; 512x8 stands for eight sequences of 512");
        if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max())
            return error_at(span, "UB_LENGTHS", fmt::format("the length {} does not fit 32 bits", value), "the kernel reads lengths as int32");
        if (static_cast<std::uint64_t>(count) > kMost - lengths.size())
            return error_at(span, "UB_LENGTHS", fmt::format("more than {} sequences", kMost), "write fewer");
        lengths.insert(lengths.end(), static_cast<std::size_t>(count), static_cast<std::int32_t>(value));
        at = end;
    }
    return lengths;
}

std::string write_lengths(const std::vector<std::int32_t>& lengths) {
    std::string text;
    for (std::size_t i = 0; i < lengths.size();) {
        std::size_t end = i;
        while (end < lengths.size() && lengths[end] == lengths[i]) ++end;
        const bool run = end - i >= 4;
        text += fmt::format("{}{}", text.empty() ? "" : ", ", lengths[i]);
        if (run) text += fmt::format("x{}", end - i);
        i = run ? end : i + 1;
    }
    return text;
}

std::vector<std::int32_t> generate_lengths(std::string_view kind, std::size_t count, std::int32_t longest) {
    std::mt19937 random(20240711);
    longest = std::max(1, longest);
    const auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0; };
    std::vector<std::int32_t> lengths(std::min(count, kMost), longest);
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (kind == "uniform") lengths[i] = 1 + static_cast<std::int32_t>(uniform() * longest);
        // Requests in service: many short ones, few long ones.
        if (kind == "long-tail") lengths[i] = 1 + static_cast<std::int32_t>(std::pow(uniform(), 4) * (longest - 1));
        if (kind == "one-long") lengths[i] = i == 0 ? longest : std::max(1, longest / 64);
    }
    return lengths;
}

} // namespace ls::models
