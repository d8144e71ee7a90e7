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

/// A scalar value: a constant, or one that an argument or an instruction names.
struct Scalar {
    std::string name;                  ///< without '%'; empty for a constant
    std::optional<std::int64_t> value; ///< of an integer constant
    std::optional<double> real;        ///< of a constant of floating type
    DType dtype = DType::Index;        ///< Bool: a condition
    bool non_negative = false;         ///< known to be at least 0
    bool is_constant() const { return value.has_value() || real.has_value(); }
    bool is_condition() const { return dtype == DType::Bool; }
    bool operator==(const Scalar&) const = default;
};
inline Scalar constant_scalar(std::int64_t value, DType dtype = DType::Index) { return {"", value, {}, dtype, value >= 0}; }

struct TensorArgument {
    std::string name;            ///< of the parameter
    std::string view;            ///< of its view in PTO text
    std::size_t position = 0;    ///< %arg<position>
    DType dtype = DType::Fp32;
    ir::TensorOrder order = ir::TensorOrder::ND;
    std::vector<Scalar> shape;   ///< elements
    std::vector<Scalar> strides; ///< elements
    bool written = false;
    bool used = false;           ///< a view of it is needed
};

/// An argument that is a number; in both texts arguments are numbered, tensors first.
struct ScalarArgument {
    std::string name;            ///< in the program
    std::string value;           ///< of the Scalar that stands for it: "arg3"
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
    bool window = false;                       ///< a part of another tile, at its address; see Subview
    bool from_pipe = false;                    ///< a slot that another core filled; has no address of its own
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
/// op: "muli", "floordivsi", "cmpi eq", "addf", ... `dtype` is that of the operands.
struct Compute { std::string result; std::string op; std::vector<Scalar> operands; DType dtype = DType::Index; };
/// op: "index_cast", "extsi", "trunci", "sitofp", ...
struct Convert { std::string result; std::string op; Scalar from; DType to = DType::Index; };
/// An element of a tensor in global memory, by its distance from the base in elements.
struct LoadScalar { std::string result; std::size_t tensor = 0; Scalar index; };
struct StoreScalar { Scalar value; std::size_t tensor = 0; Scalar index; };
struct Load { Window window; TileId tile; std::string name; };
struct Store {
    TileId tile;
    Window window;
    std::string name;
    std::string phase;               ///< "partial", "final"; empty: unspecified
    std::string atomic;              ///< "add"; empty: none
    bool relu = false;               ///< on the way out of L0C
    std::optional<Scalar> pre_quant; ///< 64-bit word of the fix pipe
};
struct Move { TileId from, to; };
struct Extract { TileId from; Scalar row, col; TileId to; };
struct Insert { TileId from; Scalar row, col; TileId to; };
/// `view` is the window of `of` that begins at (row, col); no byte moves.
struct Subview { TileId of; Scalar row, col; TileId view; bool states_valid = false; };
struct Matmul { std::optional<TileId> accumulate; TileId left, right, out; std::optional<TileId> bias; bool gemv = false; std::string phase; };
struct Operand { std::optional<TileId> tile; Scalar scalar; };
/// What an instruction is told besides its operands.
struct OpMode {
    enum class Kind : std::uint8_t { None, Round, Compare, HighPrecision, Binary, Descending } kind = Kind::None;
    std::string value; ///< "ROUND", "lt"; a precision attribute's name; "true" or "false"
};
/// Any other tile instruction: op is PTO's name without the prefix ("tadd"), operands in PTO's order.
struct TileOp { std::string op; std::vector<Operand> in; TileId out; OpMode mode; };
/// A scalar that a loop carries: `name` inside, `result` behind it.
struct Carried { std::string name; Scalar init, next; std::string result; };
struct Loop { std::string variable; Scalar start, stop, step; std::vector<Carried> carried; std::shared_ptr<Body> body; };
/// A scalar that both sides of a branch give.
struct Chosen { std::string result; DType dtype = DType::Index; Scalar on_true, on_false; };
struct Branch { Scalar condition; std::vector<Chosen> results; std::shared_ptr<Body> then_body, else_body; };

// Between the cube core and its vector cores, through slots in global memory.
struct SlotBuffer { std::string result; std::string name; std::optional<std::int64_t> size_bytes, base; std::string peer; }; ///< reserved here, or of the peer
struct OpenPipe { bool on_cube = false; std::int64_t direction = 1, slot_bytes = 0, slots = 0; Scalar to_vector, to_cube; std::optional<std::size_t> memory; bool no_split = false; };
struct Push { TileId tile; bool to_vector = true; std::int64_t split = 0; };
struct Pop { TileId tile; bool from_cube = true; std::int64_t split = 0; };
struct FreeSlot { bool from_cube = true; std::int64_t split = 0; };
/// Waits for all queues, or makes what was written to global memory seen.
struct Fence { bool memory = false; };

struct Instruction {
    std::variant<Alloc, Compute, Convert, LoadScalar, StoreScalar, Load, Store, Move, Extract, Insert, Subview, Matmul, TileOp, Loop, Branch, SlotBuffer, OpenPipe, Push, Pop, FreeSlot, Fence> what;
    ir::Ref<ir::Node> origin; ///< statement of the program
};

enum class KernelKind : std::uint8_t { Cube, Vector, Plain };

struct Kernel {
    std::string name;
    KernelKind kind = KernelKind::Plain;
    std::string chip;                       ///< "a2a3", "a5"
    std::vector<TensorArgument> tensors;
    std::vector<ScalarArgument> scalars;    ///< parameters, then extents that only have a name
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
