// Which tile variables are the same bytes: a loop's carried tile, what it starts from and what it becomes; an accumulator
// and the sums added to it; a view and what it views.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/codegen/kernel/kernel.h"

namespace ls::codegen {

class TileBuffers {
public:
    explicit TileBuffers(const ir::FunctionNode& function);

    /// Number of the variable's buffer.
    std::size_t buffer(const ir::VarNode& tile) const;
    /// The buffer is a slot that another core fills.
    bool from_pipe(const ir::VarNode& tile) const { return piped_.contains(buffer(tile)); }
    /// The program's memory passes have given addresses. After InitMemRef alone every reference says 0.
    bool placed() const { return placed_; }

private:
    void scan(const ir::Seq& body);
    void scan_call(const ir::AssignNode& assign);
    void touch(const ir::Node& node);
    void touch_uses(const ir::Expr& expr);
    void join(const ir::Expr& a, const ir::Expr& b);
    void join_yielded(const ir::Seq& body, const std::vector<ir::Var>& results);
    void join_references();
    const ir::VarNode* root(const ir::VarNode* var);

    std::unordered_map<const ir::VarNode*, const ir::VarNode*> parent_;
    std::vector<const ir::VarNode*> touches_; ///< in program order
    std::vector<const ir::VarNode*> popped_;
    std::unordered_map<const ir::VarNode*, std::size_t> number_;
    std::unordered_set<std::size_t> piped_;
    bool placed_ = false;
};

/// A carried tile and what it becomes share their bytes. That is only right while nothing reads the old value after the
/// new one has been written; CG_CARRIED names the statement that would.
Status check_carried_tiles(const ir::ForNode& loop);

} // namespace ls::codegen
