// A named check that fired (spec ub 6.6 and 7): its stable code, the numbers it saw and how to mend it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/diagnostic.h"

namespace ls::ub {

/// One number of a finding under the name that JSON output uses ("by", "end").
struct Number {
    std::string_view name; ///< always a string literal
    std::int64_t value = 0;

    bool operator==(const Number&) const = default;
};

struct Finding {
    std::string_view code; ///< one of check_catalogue()
    std::string subject;   ///< buffer, view, "view|view", or "UB"
    std::vector<Number> numbers;
    std::string message;
    std::string hint;
    std::string pointer; ///< JSON pointer into the model text; empty where there is none
    Span span;           ///< place in the model text

    Severity severity() const;
    std::optional<std::int64_t> number(std::string_view name) const;
    Diagnostic diagnostic() const;
};

/// What a code means, independent of any case.
struct CheckInfo {
    std::string_view code;
    Severity severity;
    std::string_view condition; ///< when it fires
    std::string_view mend;      ///< what to do about it
};

/// Every code that this room can report, by code.
std::span<const CheckInfo> check_catalogue();
const CheckInfo* find_check(std::string_view code);

/// A finding whose hint is the catalogue's mend unless `hint` says something more precise.
Finding finding(std::string_view code, std::string subject, std::vector<Number> numbers, std::string message,
                std::string hint = {});

bool has_errors(std::span<const Finding> findings);
const Finding* find(std::span<const Finding> findings, std::string_view code);

} // namespace ls::ub
