// Values of a TIRx program for one thread, as far as they are known: sums of numbers and of things that only a launch
// gives (an address, what memory holds, the answer of an instruction). Two spellings of one value are equal, so that
// snapshots can be compared.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ls::check {

/// Σ coefficient · token + constant. `unknown` where it could not be said in this form; unknown values are not
/// compared.
struct TirxValue {
    std::map<int, std::int64_t> terms; ///< no zero coefficients
    std::int64_t constant = 0;
    bool unknown = false;

    bool operator==(const TirxValue&) const = default;
    std::optional<std::int64_t> number() const {
        return terms.empty() && !unknown ? std::optional(constant) : std::nullopt;
    }
};

/// Orders values: tokens, coefficients, constant.
std::vector<std::int64_t> tirx_key(const TirxValue& value);

TirxValue tirx_number(std::int64_t value);
TirxValue tirx_unknown();
TirxValue tirx_add(const TirxValue& a, const TirxValue& b, std::int64_t times = 1);
TirxValue tirx_scale(const TirxValue& a, std::int64_t factor);

/// Names of the things that values are made of; shared by the runs that are compared.
class TirxTokens {
public:
    TirxValue of(const std::string& name);
    /// What memory holds at an address, where nothing more is known of it: "[&A + 128]".
    TirxValue held_at(const TirxValue& address);
    const std::string& name(int token) const { return names_[static_cast<std::size_t>(token)]; }
    std::string text(const TirxValue& value) const; ///< "&A + 128"

private:
    std::unordered_map<std::string, int> known_;
    std::map<std::vector<std::int64_t>, TirxValue> held_;
    std::vector<std::string> names_;
};

} // namespace ls::check
