// Lowers one function; the parts stand in lower_*.cpp. Nothing outside of this folder includes it.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/codegen/kernel/kernel.h"
#include "core/codegen/kernel/names.h"
#include "core/codegen/kernel/scalars.h"
#include "core/codegen/kernel/tile_buffers.h"
#include "core/codegen/kernel/tile_ops.h"

namespace ls::codegen {

class Lowering {
public:
    Lowering(const ir::Function& function, const ExportOptions& options)
        : function_(function), options_(options), buffers_(*function), scalars_(kernel_, names_, current_) {}

    Result<Kernel> run();

private:
    // lower.cpp: arguments and the whole
    Status arguments();
    Status tensor_argument(const ir::Param& param, const ir::TensorTypeNode& type);
    Result<Scalar> extent(const ir::Param& param, const ir::Expr& expr);
    Status strides(const ir::Param& param, const ir::TensorTypeNode& type, TensorArgument& argument);
    Result<Scalar> multiply(const Scalar& a, const Scalar& b, const ir::Node& place);
    KernelKind kind() const;

    // lower_tiles.cpp: tiles as the instructions see them
    /// The tile that an operand names.
    Result<TileId> tile(const ir::Expr& expr, Body& out);
    Result<TileId> make_tile(const ir::VarNode& var, Body& out, bool allocate = true);
    Result<Tile> describe(const ir::VarNode& var, Body& out);
    Status declare(const ir::VarNode& target, Body& out);
    Result<TileId> operand(const ir::CallNode& call, std::size_t index, Body& out);
    Status check_addresses() const;

    // lower_statements.cpp: control flow
    Status body(const ir::Seq& seq, Body& out);
    void close_scope();
    Status statement(const ir::StmtNode& stmt, Body& out);
    Status for_loop(const ir::ForNode& loop, Body& out);
    Status branch(const ir::IfNode& branch, Body& out);
    Status assignment(const ir::AssignNode& assign, Body& out);
    Status bind_result(const ir::VarNode& var, const ir::Expr& value);
    Result<Scalar> yielded(const ir::YieldNode* yield, std::size_t index, const ir::VarNode& result, Body& out);

    // lower_memory.cpp: global memory
    Result<std::size_t> tensor(const ir::CallNode& call, const ir::Expr& expr);
    Result<Window> window(const ir::CallNode& call, const ir::Expr& tensor, const ir::Expr& offsets, std::vector<ir::Expr> sizes, Body& out);
    Status load(const ir::CallNode& call, const ir::VarNode* target, Body& out);
    Status store(const ir::CallNode& call, const ir::VarNode* target, Body& out);
    Result<Scalar> element_index(const ir::CallNode& call, std::size_t tensor, Body& out);
    Status read_element(const ir::CallNode& call, const ir::VarNode& target, Body& out);
    Status write_element(const ir::CallNode& call, const ir::VarNode* target, Body& out);

    // lower_ops.cpp: operations on tiles
    Status run_call(const ir::CallNode& call, const ir::VarNode* target, Body& out);
    Status matmul(const ir::CallNode& call, const ir::VarNode& target, Body& out);
    Status on_cube(const ir::CallNode& call, TileId left, TileId right, TileId into) const;
    Status extract(const ir::CallNode& call, const ir::VarNode& target, Body& out);
    Status slice(const ir::CallNode& call, const ir::VarNode& target, Body& out);
    Status assemble(const ir::CallNode& call, const ir::VarNode& target, Body& out);
    Status check_window(const ir::CallNode& call, const Tile& of, const Scalar& row, const Scalar& col) const;
    Status table_op(const ir::CallNode& call, const ir::VarNode& target, Body& out);
    Result<OpMode> mode(const ir::CallNode& call, const TileOpInfo& info) const;

    // lower_pipes.cpp: between cube and vector cores
    static bool is_pipe_call(const ir::CallNode& call);
    Status pipe_call(const ir::CallNode& call, const ir::VarNode* target, Body& out);

    static ir::Expr argument(const ir::CallNode& call, std::size_t position, std::string_view key);
    static std::vector<ir::Expr> elements_of(const ir::Expr& expr);

    const ir::Function& function_;
    const ExportOptions& options_;
    TileBuffers buffers_;
    Kernel kernel_;
    Names names_;
    ir::Ref<ir::Node> current_;
    ScalarLowering scalars_;
    bool splits_pipe_ = false;     ///< vector cores take parts of what the cube core hands over
    std::size_t first_scalar_ = 0; ///< number of tensor arguments
    std::unordered_map<const ir::VarNode*, std::size_t> tensors_;
    std::unordered_map<const ir::VarNode*, TileId> tiles_;
    std::unordered_map<std::size_t, std::vector<TileId>> tiles_of_buffer_;
    std::vector<bool> in_scope_;               ///< of each tile: its allocation can be seen from here
    std::vector<std::vector<TileId>> scopes_;  ///< tiles allocated in each open body, outermost first
};

} // namespace ls::codegen
