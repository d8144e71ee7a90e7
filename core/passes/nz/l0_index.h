// What the rewriting of products must know of a function before it changes anything: how often each value is read, at
// which operands, and what stands beside it.
#pragma once

#include <unordered_map>

#include "core/ir/stmt.h"

namespace ls::nz {

class L0Index {
public:
    L0Index() = default;
    explicit L0Index(const ir::FunctionNode& function);

    /// Reads of a variable; where it is defined does not count.
    int uses(const ir::VarNode& var) const { return at(uses_, var); }
    /// Reads as the left or right operand of a product.
    int operand_uses(const ir::VarNode& var) const { return at(operand_uses_, var); }
    bool only_operand(const ir::VarNode& var) const { return uses(var) >= 1 && uses(var) == operand_uses(var); }

    /// The tile.store of `var`, and its tile.cast, in the same body as the statement `beside`; null when there is none.
    const ir::AssignNode* store_of(const ir::VarNode& var, const ir::StmtNode& beside) const;
    const ir::AssignNode* cast_of(const ir::VarNode& var, const ir::StmtNode& beside) const;
    /// The tile.load that defines `var`, when only loads stand between it and `before`; null otherwise.
    const ir::AssignNode* load_right_before(const ir::VarNode& var, const ir::StmtNode& before) const;
    /// Whether only loads stand between two statements of one body.
    bool only_loads_between(const ir::StmtNode& first, const ir::StmtNode& second) const;

private:
    using Counts = std::unordered_map<const ir::VarNode*, int>;
    struct Place {
        const ir::SeqNode* body = nullptr;
        std::size_t index = 0;
        std::size_t loads_from = 0; ///< the statements [loads_from, index) are all loads
    };
    static int at(const Counts& counts, const ir::VarNode& var) {
        const auto found = counts.find(&var);
        return found == counts.end() ? 0 : found->second;
    }
    void count(const ir::Node& node, bool operand);
    void read_body(const ir::SeqNode& body);
    const ir::AssignNode* beside(const std::unordered_map<const ir::VarNode*, const ir::AssignNode*>& of,
                                 const ir::VarNode& var, const ir::StmtNode& stmt) const;

    Counts uses_, operand_uses_;
    std::unordered_map<const ir::StmtNode*, Place> places_;
    std::unordered_map<const ir::VarNode*, const ir::AssignNode*> stores_, casts_, loads_;
};

} // namespace ls::nz
