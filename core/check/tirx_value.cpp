#include "core/check/tirx_value.h"

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::check {

std::vector<std::int64_t> tirx_key(const TirxValue& value) {
    std::vector<std::int64_t> key{value.constant};
    for (const auto& [token, coefficient] : value.terms) {
        key.push_back(token);
        key.push_back(coefficient);
    }
    return key;
}

TirxValue tirx_number(std::int64_t value) {
    TirxValue v;
    v.constant = value;
    return v;
}

TirxValue tirx_unknown() {
    TirxValue v;
    v.unknown = true;
    return v;
}

TirxValue tirx_add(const TirxValue& a, const TirxValue& b, std::int64_t times) {
    if (a.unknown || b.unknown) return tirx_unknown();
    TirxValue sum = a;
    const auto put = [&](std::int64_t& into, std::int64_t amount) {
        const auto product = checked_mul(amount, times);
        const auto total = product ? checked_add(into, *product) : CheckedInt{};
        if (total) into = *total;
        return total.has_value();
    };
    if (!put(sum.constant, b.constant)) return tirx_unknown();
    for (const auto& [token, coefficient] : b.terms) {
        if (!put(sum.terms[token], coefficient)) return tirx_unknown();
        if (sum.terms[token] == 0) sum.terms.erase(token);
    }
    return sum;
}

TirxValue tirx_scale(const TirxValue& a, std::int64_t factor) { return tirx_add(tirx_number(0), a, factor); }

TirxValue TirxTokens::of(const std::string& name) {
    const auto [at, fresh] = known_.emplace(name, static_cast<int>(names_.size()));
    if (fresh) names_.push_back(name);
    TirxValue v;
    v.terms.emplace(at->second, 1);
    return v;
}

TirxValue TirxTokens::held_at(const TirxValue& address) {
    std::vector<std::int64_t> key = tirx_key(address);
    if (const auto known = held_.find(key); known != held_.end()) return known->second;
    return held_.emplace(std::move(key), of(fmt::format("[{}]", text(address)))).first->second;
}

std::string TirxTokens::text(const TirxValue& value) const {
    if (value.unknown) return "?";
    std::string out;
    for (const auto& [token, coefficient] : value.terms) {
        if (!out.empty()) out += " + ";
        // A long name is told by its number: equal names have equal numbers, and names made of names stay short.
        constexpr std::size_t kLong = 160;
        const std::string one = name(token).size() > kLong ? fmt::format("#{}", token) : name(token);
        out += coefficient == 1 ? one : fmt::format("{}*{}", coefficient, one);
    }
    if (out.empty()) return fmt::format("{}", value.constant);
    return value.constant == 0 ? out : fmt::format("{} + {}", out, value.constant);
}

} // namespace ls::check
