// Whether two expressions are the same computation on the same variables (not on variables of the same name), and a
// number for each computation, so that many can be compared.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/ir/expr.h"

namespace ls::tirx {

/// Two reads of one place count as the same here; whether the place was written between them is the caller's matter.
bool same_value(const ir::Expr& a, const ir::Expr& b);

/// Gives equal computations equal numbers. Linear in what it was shown, each node once.
class ValueNumbers {
public:
    std::int64_t of(const ir::Expr& expr);

private:
    struct KeyHash {
        std::size_t operator()(const std::vector<std::int64_t>& key) const;
    };
    std::int64_t number(std::vector<std::int64_t> key);
    std::int64_t text(const std::string& value);

    std::unordered_map<const ir::Node*, std::int64_t> known_;
    std::vector<ir::Expr> kept_; ///< so that no address in known_ is used again
    std::unordered_map<std::vector<std::int64_t>, std::int64_t, KeyHash> numbers_;
    std::unordered_map<std::string, std::int64_t> texts_;
};

} // namespace ls::tirx
