// Which buffer each tensor of an orchestration function stands for, through calls, loops and branches. Private to this
// folder.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/ir/stmt.h"

namespace ls::orchestration {

/// A buffer is named by the variable that first held it: a parameter, a new tensor, a slice.
class BufferRoots {
public:
    BufferRoots(const ir::FunctionNode& function, const ir::ModuleNode& module);

    /// Null when the expression is no variable, or one whose buffer is not known.
    const ir::VarNode* root(const ir::Expr& value) const;
    /// Whether it may stand for several buffers, as the result of a branch or of a loop that may not run does.
    bool is_ambiguous(const ir::Expr& value) const;

private:
    using Candidates = std::vector<const ir::VarNode*>;
    struct Known {
        Candidates roots;
        bool ambiguous = false;
    };

    void body(const ir::SeqNode& seq);
    void statement(const ir::StmtNode& stmt);
    void assign(const ir::AssignNode& assign);
    void branch(const ir::IfNode& branch);
    void loop(const std::vector<ir::IterArg>& args, const std::vector<ir::Var>& results, const ir::SeqNode& seq, bool surely_runs);
    Known known(const ir::Expr& value) const;
    void record(const ir::VarNode* var, Known what);

    const ir::ModuleNode& module_;
    std::unordered_map<const ir::VarNode*, Known> known_;
    std::unordered_map<const ir::VarNode*, std::vector<Known>> tuples_; ///< by the variable that holds several results
};

} // namespace ls::orchestration
