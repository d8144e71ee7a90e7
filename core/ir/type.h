// Types of values: tensors in global memory, tiles on chip, TIRx buffers, scalars.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/node.h"
#include "core/layout/layout.h"
#include "core/layout/tensor_layout.h"
#include "core/support/dtype.h"

namespace ls::ir {

class ExprNode;
class TypeNode;
using Expr = Ref<ExprNode>;
using Type = Ref<TypeNode>;

class TypeNode : public Node {
public:
    static bool is(NodeKind k) { return k <= NodeKind::NamedType; }

protected:
    using Node::Node;
};

/// Element order of a tensor in global memory. MX_*: block-scale layouts.
enum class TensorOrder : std::uint8_t { ND, DN, NZ, MX_A_ZZ, MX_B_NN };
enum class PadValue : std::uint8_t { Null, Zero, Max, Min };
enum class CompactMode : std::uint8_t { Null, Normal, RowPlusOne };
/// Order of boxes (blayout) or of elements inside a box (slayout).
enum class TileOrder : std::uint8_t { RowMajor, ColMajor, NoneBox };
/// The on-chip buffers of the cube and vector cores, as pypto names them.
enum class TileSpace : std::uint8_t { DDR, Vec, Mat, Left, Right, Acc, Bias, LeftScale, RightScale, ScalarLocal };

std::string_view name(TensorOrder order); ///< "NZ"
std::string_view name(PadValue pad);      ///< "zero"
std::string_view name(CompactMode mode);  ///< "normal"
std::string_view name(TileOrder order);   ///< "row_major"
std::string_view name(TileSpace space);   ///< "Mat"
std::optional<TensorOrder> tensor_order_from_name(std::string_view text);
std::optional<PadValue> pad_value_from_name(std::string_view text);
std::optional<CompactMode> compact_mode_from_name(std::string_view text);
std::optional<TileOrder> tile_order_from_name(std::string_view text);
std::optional<TileSpace> tile_space_from_name(std::string_view text);
MemorySpace memory_space(TileSpace space);

/// Where a value was allocated: bytes [byte_offset, byte_offset + size_bytes) of `base`.
struct MemRef {
    Expr base;        ///< a Var (from tile.alloc) or a String
    Expr byte_offset; ///< null when not printed
    std::optional<std::int64_t> size_bytes;
    std::optional<std::int64_t> slots; ///< number of slots of a multi-buffered reference
    Expr slot;                         ///< which slot; null when none
};

struct TensorView {
    std::vector<Expr> valid_shape; ///< empty: the whole shape is valid
    std::vector<Expr> stride;      ///< in elements; empty: not materialized
    TensorOrder order = TensorOrder::ND;
    PadValue pad = PadValue::Null;
};

/// Fields that were not written are those of the implicit view; see effective_view().
struct TileView {
    std::vector<Expr> valid_shape;
    std::vector<Expr> stride;
    Expr start_offset;
    std::optional<TileOrder> blayout;
    std::optional<TileOrder> slayout;
    std::optional<std::int64_t> fractal_bytes;
    std::optional<PadValue> pad;
    std::optional<CompactMode> compact;
};

class ScalarTypeNode final : public TypeNode {
public:
    ScalarTypeNode() : TypeNode(NodeKind::ScalarType) {}
    static bool is(NodeKind k) { return k == NodeKind::ScalarType; }
    DType dtype = DType::Index;
};

class TensorTypeNode final : public TypeNode {
public:
    TensorTypeNode() : TypeNode(NodeKind::TensorType) {}
    static bool is(NodeKind k) { return k == NodeKind::TensorType; }
    std::vector<Expr> shape; ///< in elements
    DType dtype = DType::Fp32;
    std::optional<TensorView> view;
    std::optional<MemRef> memref;
    bool distributed = false;
    std::string window_buffer; ///< of a distributed tensor; empty when not printed
};

class TileTypeNode final : public TypeNode {
public:
    TileTypeNode() : TypeNode(NodeKind::TileType) {}
    static bool is(NodeKind k) { return k == NodeKind::TileType; }
    std::vector<Expr> shape; ///< in elements
    DType dtype = DType::Fp32;
    std::optional<TileSpace> space;
    std::optional<TileView> view;
    std::optional<MemRef> memref;
};

/// A TIRx buffer: a shaped view of memory with a layout.
class BufferTypeNode final : public TypeNode {
public:
    BufferTypeNode() : TypeNode(NodeKind::BufferType) {}
    static bool is(NodeKind k) { return k == NodeKind::BufferType; }
    enum class LayoutState : std::uint8_t { Default, Given, Absent }; ///< Absent prints layout=None
    std::vector<Expr> shape;                                          ///< in elements
    DType dtype = DType::Fp32;
    std::string dtype_text; ///< spelling of a type that DType has no entry for ("float32x4"); else empty
    std::string scope = "global";
    LayoutState layout_state = LayoutState::Default;
    Layout layout; ///< only when Given
    std::vector<Expr> strides;
    Expr elem_offset, data, allocated_addr; ///< null when not written
    std::optional<std::int64_t> align, offset_factor;
};

class TupleTypeNode final : public TypeNode {
public:
    TupleTypeNode() : TypeNode(NodeKind::TupleType) {}
    static bool is(NodeKind k) { return k == NodeKind::TupleType; }
    std::vector<Type> elements;
};

class ArrayTypeNode final : public TypeNode {
public:
    ArrayTypeNode() : TypeNode(NodeKind::ArrayType) {}
    static bool is(NodeKind k) { return k == NodeKind::ArrayType; }
    Expr length;
    DType dtype = DType::Index;
};

/// An address: untyped (pl.Ptr) or of an element type (!pto.ptr<f16>).
class PtrTypeNode final : public TypeNode {
public:
    PtrTypeNode() : TypeNode(NodeKind::PtrType) {}
    static bool is(NodeKind k) { return k == NodeKind::PtrType; }
    std::optional<DType> pointee;
    std::string scope; ///< TIRx storage scope; empty when none
};

/// A type that is passed through: its name, and its bracketed arguments as written.
class NamedTypeNode final : public TypeNode {
public:
    NamedTypeNode() : TypeNode(NodeKind::NamedType) {}
    static bool is(NodeKind k) { return k == NodeKind::NamedType; }
    std::string name; ///< "pld.CommCtxType", "pl.UnknownType", "!pto.tile_view<...>"
    std::vector<Expr> arguments;
};

/// What an omitted field of a tile's view means: by space and shape (spec/nz.md A.3). `shape` matters for [M>1, 1].
struct ImplicitTileView {
    TileOrder blayout = TileOrder::RowMajor;
    TileOrder slayout = TileOrder::NoneBox;
    std::int64_t fractal_bytes = 512;
};
ImplicitTileView implicit_view(const TileTypeNode& tile);
/// The view with nothing left out. valid_shape is the shape when not given.
TileView effective_view(const TileTypeNode& tile);

/// The constant dims, or nothing when one of them is not a constant.
std::optional<std::vector<std::int64_t>> constant_dims(const std::vector<Expr>& dims);

Type scalar_type(DType dtype);
Type tensor_type(std::vector<Expr> shape, DType dtype, std::optional<TensorView> view = {});
Type tile_type(std::vector<Expr> shape, DType dtype, std::optional<TileSpace> space = {},
               std::optional<TileView> view = {});
Type tuple_type(std::vector<Type> elements);
Type ptr_type();
Type unknown_type();

} // namespace ls::ir
