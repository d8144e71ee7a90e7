// Tile primitives, scopes and PTX calls: what the IR's Calls of this dialect mean (spec/tirx.md 5.1, 10).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/stmt.h"

namespace ls::tirx {

/// Who executes a tile primitive together, narrowest first.
enum class ExecScope : std::uint8_t { Thread, Warp, Warpgroup, Cta, Cluster };

std::string_view name(ExecScope scope);   ///< "warpgroup"
std::string_view prefix(ExecScope scope); ///< as a call is prefixed: "tile" (thread), "warp", "wg", "cta", "cluster"
/// By any of its names: "wg", "warpgroup", "thread", ...
std::optional<ExecScope> exec_scope_from_name(std::string_view text);

/// What an argument of a tile primitive may be, and what stands there when it is not written.
enum class ArgDefault : std::uint8_t { Required, None, False, MinusOne, Zero, One };
struct TileParameter {
    std::string_view name;
    ArgDefault otherwise = ArgDefault::Required;
};
struct TileOp {
    std::string_view name; ///< "gemm_async"
    std::span<const TileParameter> parameters;
};
/// One of the 31 tile primitives, or null.
const TileOp* find_tile_op(std::string_view name);
std::span<const TileOp> tile_ops();

inline constexpr std::string_view kTilePrefix = "tirx.tile.";

/// A tile primitive call, taken apart. Points into the statement.
struct TileCall {
    const ir::CallNode* call = nullptr;
    std::string_view op; ///< "copy_async"
    ExecScope scope = ExecScope::Thread;
    std::optional<std::string_view> dispatch; ///< the variant that is asked for
    const ir::DictNode* workspace = nullptr;  ///< name to buffer; null when empty

    std::span<const ir::Expr> args() const { return call->args; }
    /// The further keyword argument, or null.
    const ir::ExprNode* config(std::string_view key) const { return call->kwarg(key); }
};
std::optional<TileCall> as_tile_call(const ir::CallNode& call);
/// Of Eval{Call} and With{Call} statements.
std::optional<TileCall> as_tile_call(const ir::StmtNode& stmt);

struct TileCallParts {
    std::string op;
    std::vector<ir::Expr> args;
    ExecScope scope = ExecScope::Thread;
    std::optional<std::string> dispatch;
    std::vector<ir::KeyValue> workspace;
    std::vector<ir::KeyValue> config;
};
/// The Call that stands for it: config sorted, trailing None dropped.
ir::Expr make_tile_call(TileCallParts parts, Span span = {});

/// T.ptx calls of both forms: the instruction's text and its operands.
struct PtxInstruction {
    std::string text; ///< "tcgen05.mma.cta_group::1.kind::f16"
    std::span<const ir::Expr> operands;
    std::optional<std::int64_t> predicate; ///< which operand is the predicate, where the call says so ("p8")
};
std::optional<PtxInstruction> ptx_instruction(const ir::CallNode& call);

} // namespace ls::tirx
