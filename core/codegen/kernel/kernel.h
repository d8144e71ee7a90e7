// A function of a program as a device kernel: what PTO text and pto-isa C++ both say, before either spells it.
//
// Values are in SSA form: a scalar is a constant, an argument or the result of one instruction; a tile is a buffer at an
// address; views and partitions describe windows of tensors in global memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/codegen/export.h"
#include "core/ir/stmt.h"
#include "core/support/result.h"

namespace ls::codegen {

/// A scalar of type index (or i1 for a condition).
struct Scalar {
    std::string name;                  ///< without '%'; empty for a constant
    std::optional<std::int64_t> value; ///< of a constant
    bool condition = false;            ///< i1, the result of a comparison
    bool operator==(const Scalar&) const = default;
};
inline Scalar constant_scalar(std::int64_t value) { return {"", value, false}; }

struct TensorArgument {
    std::string name;            ///< of the parameter
    std::size_t position = 0;    ///< %arg<position>
    DType dtype = DType::Fp32;
    ir::TensorOrder order = ir::TensorOrder::ND;
    std::vector<Scalar> shape;   ///< elements
    std::vector<Scalar> strides; ///< elements
    bool written = false;
    bool used = false;           ///< a view of it is needed
};

struct ScalarArgument {
    std::string name;
    DType dtype = DType::Index;
};

/// An on-chip buffer as one instruction sees it. Two tiles may share an address (a transposed view).
struct Tile {
    std::string name;
    ir::TileSpace space = ir::TileSpace::Vec;
    DType dtype = DType::Fp32;
    std::int64_t rows = 0, cols = 0;           ///< elements
    Scalar valid_rows, valid_cols;
    ir::TileOrder blayout = ir::TileOrder::RowMajor;
    ir::TileOrder slayout = ir::TileOrder::NoneBox;
    std::int64_t fractal_bytes = 512;
    ir::PadValue pad = ir::PadValue::Null;
    std::optional<ir::CompactMode> compact;
    std::optional<std::int64_t> address_bytes; ///< inside its memory space
    std::size_t buffer = 0;                    ///< tiles of one buffer share their bytes
};
using TileId = std::size_t;

/// A window of a tensor argument.
struct Window {
    std::size_t tensor = 0;            ///< index into Kernel::tensors
    std::vector<Scalar> offsets;       ///< elements (blocks on blocked axes), already clamped to ≥ 0
    std::vector<Scalar> sizes;
};

struct Instruction;
using Body = std::vector<Instruction>;

struct Alloc { TileId tile; };
struct Compute { std::string result; std::string op; std::vector<Scalar> operands; bool on_conditions = false; }; ///< op: "muli", "floordivsi", "cmpi eq", ...
struct BlockIndex { std::string result; std::string argument; };                      ///< index_cast of a hidden argument
struct Load { Window window; TileId tile; std::string name; };
struct Store { TileId tile; Window window; std::string name; std::vector<std::pair<std::string, std::string>> attributes; };
struct Move { TileId from, to; };
struct Extract { TileId from; Scalar row, col; TileId to; };
struct Matmul { std::optional<TileId> accumulate; TileId left, right, out; };
/// Any other tile instruction: op is PTO's name without the dot ("tadd"); scalar operands come last.
struct TileOp { std::string op; std::vector<TileId> in; std::vector<Scalar> scalars; TileId out; };
struct Loop { std::string variable; Scalar start, stop, step; std::shared_ptr<Body> body; };
struct Branch { Scalar condition; std::shared_ptr<Body> then_body, else_body; };

struct Instruction {
    std::variant<Alloc, Compute, BlockIndex, Load, Store, Move, Extract, Matmul, TileOp, Loop, Branch> what;
    ir::Ref<ir::Node> origin; ///< statement of the program
};

enum class KernelKind : std::uint8_t { Cube, Vector, Plain };

struct Kernel {
    std::string name;
    KernelKind kind = KernelKind::Plain;
    std::string chip;                       ///< "a2a3", "a5"
    std::vector<TensorArgument> tensors;
    std::vector<ScalarArgument> scalars;
    std::vector<std::string> dynamic_dims;  ///< one index argument each
    bool uses_block_index = false, uses_subblock_index = false;
    std::vector<Tile> tiles;
    Body body;
    ir::Ref<ir::Node> origin;               ///< the function
};

/// CG_OP for an operation that no device instruction stands for, CG_TYPE for a tile or tensor whose type is not known well
/// enough, CG_BLOCKED for an NZ tensor that BlockNzTensorViews has not blocked, CG_CAPACITY when the tiles do not fit.
Result<Kernel> lower_kernel(const ir::Function& function, const ExportOptions& options);

/// The functions that work on tiles, at least one; CG_NO_KERNEL when there is none (of that name).
Result<std::vector<ir::Function>> kernel_functions(const ir::ModuleNode& module, const std::string& only);

} // namespace ls::codegen
