// Which tile variables are the same bytes: a loop's carried tile, what it starts from and what it becomes; an accumulator
// and the sums added to it; a view and what it views.
#pragma once

#include <unordered_map>
#include <vector>

#include "core/codegen/kernel/kernel.h"

namespace ls::codegen {

class TileBuffers {
public:
    explicit TileBuffers(const ir::FunctionNode& function);

    /// Number of the variable's buffer.
    std::size_t buffer(const ir::VarNode& tile) const;
    /// The body in which the buffer must be allocated: the innermost one around all that touches it.
    const ir::SeqNode* home(std::size_t buffer) const { return homes_.at(buffer); }
    /// The statement of home() before which it must be there.
    const ir::StmtNode* first_use(std::size_t buffer) const { return first_.at(buffer); }

private:
    struct Place {
        const ir::SeqNode* body;
        const ir::StmtNode* stmt;
    };
    void scan(const ir::Seq& body);
    void touch(const ir::Node& node);
    void join(const ir::Expr& a, const ir::Expr& b);

    std::unordered_map<const ir::VarNode*, const ir::VarNode*> parent_;
    std::vector<Place> path_; ///< bodies around the statement being scanned, outermost first
    std::vector<std::pair<const ir::VarNode*, std::vector<Place>>> touches_;
    std::unordered_map<const ir::VarNode*, std::size_t> number_;
    std::vector<const ir::SeqNode*> homes_;
    std::vector<const ir::StmtNode*> first_;
};

/// A carried tile and what it becomes share their bytes. That is only right while nothing reads the old value after the
/// new one has been written; CG_CARRIED names the statement that would.
Status check_carried_tiles(const ir::ForNode& loop);

} // namespace ls::codegen
