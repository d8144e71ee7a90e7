// The body of one kernel from tensor operations to tile operations.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/ir/mutator.h"
#include "core/passes/fresh_names.h"
#include "core/passes/tile/tensor_ops.h"
#include "core/passes/tile/tile_writer.h"

namespace ls::tile {

/// Marks loads that stand where no load was written, so that later passes may move them.
inline constexpr std::string_view kMatBridgeAttr = "__compiler_tensor_to_tile_mat_bridge";

/// Before anything is rewritten: which values a matrix product wants in Mat, so that a slice is loaded there at once,
/// and which tensors other operations want as tiles.
class Demands {
public:
    explicit Demands(const ir::FunctionNode& function);
    bool wants_mat(const ir::VarNode* value) const { return mat_.count(value) != 0; }
    bool wants_tile(const ir::VarNode* tensor) const { return tile_.count(tensor) != 0; }

private:
    std::unordered_map<const ir::VarNode*, bool> mat_, tile_;
};

class TensorToTile final : public ir::Mutator, private TileWriter {
public:
    TensorToTile(const Demands& demands, FreshNames& names) : TileWriter(names), demands_(demands) {}

    /// The load of a whole tensor into Vec at the kernel's entry; later uses are of the tile.
    ir::Stmt entry_load(const ir::Var& tensor);
    /// What became of a value.
    ir::Expr now(const ir::Expr& value) { return mutate(value); }
    std::vector<Diagnostic> take_warnings() { return std::move(warnings_); }

protected:
    ir::Stmt on_stmt(const ir::Stmt& stmt) override;
    /// Types are those of values: they change with the operation that makes them, not by themselves.
    ir::Type on_type(const ir::Type& type) override { return type; }

private:
    using Converted = Made;

    ir::Stmt on_assign(const ir::Ref<ir::AssignNode>& assign);
    ir::Stmt on_eval(const ir::Ref<ir::EvalNode>& eval);
    ir::Stmt on_for(const ir::Ref<ir::ForNode>& loop);
    ir::Stmt on_while(const ir::Ref<ir::WhileNode>& loop);
    ir::Stmt on_if(const ir::Ref<ir::IfNode>& branch);
    void retype(std::vector<ir::IterArg>& args);
    void retype(std::vector<ir::Var>& results, const std::vector<ir::Expr>& values);
    ir::Expr spell_out(const ir::Expr& value);

    /// Nothing when the call stays as it is.
    std::optional<Converted> convert(const ir::Call& call, const ir::VarNode* target);
    Converted arithmetic(const TensorOp& op, std::vector<ir::Expr> args, const ir::CallNode& call);
    Converted product(const TensorOp& op, std::vector<ir::Expr> args, const ir::CallNode& call);
    std::optional<Converted> slice(std::vector<ir::Expr> args, const ir::CallNode& call, const ir::VarNode* target);
    std::optional<Converted> assemble(std::vector<ir::Expr> args, const ir::CallNode& call);
    std::optional<Converted> put(const TensorOp& op, std::vector<ir::Expr> args, const ir::CallNode& call);

    ir::Expr as_tile(const ir::Expr& value, ir::TileSpace space = ir::TileSpace::Vec);
    ir::Expr load(const ir::Expr& tensor, ir::TileSpace space, const std::string& name);

    const Demands& demands_;
    std::vector<Diagnostic> warnings_;
};

} // namespace ls::tile
