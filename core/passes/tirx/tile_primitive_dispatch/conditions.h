// Private to this folder: what a condition says about the threads that fulfil it (spec/tirx.md 5.4).
#pragma once

#include <unordered_map>
#include <vector>

#include "core/ir/expr.h"
#include "core/passes/tirx/dispatch/active_set.h"
#include "core/passes/tirx/tile_primitive_dispatch/launch.h"

namespace ls::tirx::lower {

/// The scope ids that are visible, each with what it counts.
class ScopeVariables {
public:
    explicit ScopeVariables(bool clustered = false) : clustered_(clustered) {}
    void define(const ScopeIds& ids);
    /// The conjuncts that narrow; others are left out. Alternatives and negations never narrow.
    std::vector<ThreadFilter> filters(const ir::Expr& condition) const;

private:
    struct Variable {
        ScopeVariable kind;
        std::string axis;
    };
    void conjunct(const ir::Expr& condition, std::vector<ThreadFilter>& out) const;
    void comparison(const ir::BinaryNode& b, std::vector<ThreadFilter>& out) const;
    std::optional<ModuloFilter> remainder(const ir::Expr& lhs, const ir::Expr& rhs) const;
    const Variable* find(const ir::Expr& expr) const;

    std::unordered_map<const ir::VarNode*, Variable> known_;
    bool clustered_ = false;
    bool has_lane_ = false; ///< elect_sync selects a lane, which must have a name
};

/// `condition` with tirx.filter(var, c) replaced by c; the same object where there is none.
ir::Expr without_filters(const ir::Expr& condition);

} // namespace ls::tirx::lower
