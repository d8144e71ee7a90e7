#include "core/notation/named.h"

#include <array>

#include <fmt/format.h>

#include "core/layout/catalogue/mma_shared.h"
#include "core/layout/catalogue/nz.h"
#include "core/layout/catalogue/registers.h"
#include "core/layout/catalogue/scale_factors.h"
#include "core/layout/catalogue/tmem.h"
#include "core/layout/catalogue/trainium.h"
#include "core/support/checked.h"

namespace ls::notation {

namespace {

namespace cat = catalogue;
using Kind = ParameterKind;

// --- parameters, shared by layouts of one family

constexpr std::array kTensor{Parameter{"extents", Kind::Extents}, Parameter{"dtype", Kind::DType}};
constexpr std::array kTile{Parameter{"rows", Kind::Integer}, Parameter{"cols", Kind::Integer},
                           Parameter{"dtype", Kind::DType}, Parameter{"fractal", Kind::Integer, false}};
constexpr std::array kUnboxed{Parameter{"rows", Kind::Integer}, Parameter{"cols", Kind::Integer},
                              Parameter{"dtype", Kind::DType}};
constexpr std::array kMmaShared{Parameter{"dtype", Kind::DType}, Parameter{"swizzle", Kind::Word},
                                Parameter{"shape", Kind::Tuple}};
constexpr std::array kMmaAtom{Parameter{"dtype", Kind::DType}, Parameter{"swizzle", Kind::Word}};
constexpr std::array kTmem{Parameter{"datapath", Kind::Word}, Parameter{"cols", Kind::Integer},
                           Parameter{"dtype", Kind::DType, false}, Parameter{"sub_slab", Kind::Integer, false}};
constexpr std::array kTmemDatapath{Parameter{"datapath", Kind::Word}, Parameter{"rows", Kind::Integer},
                                   Parameter{"cols", Kind::Integer}, Parameter{"dtype", Kind::DType, false},
                                   Parameter{"sub_slab", Kind::Integer, false}};
constexpr std::array kTmemOperand{Parameter{"operand", Kind::Word},       Parameter{"shape", Kind::Tuple},
                                  Parameter{"M", Kind::Integer},          Parameter{"cta_group", Kind::Integer, false},
                                  Parameter{"ws", Kind::Flag, false},     Parameter{"sparse", Kind::Flag, false},
                                  Parameter{"group", Kind::Tuple, false}, Parameter{"dtype", Kind::DType, false}};
constexpr std::array kWgLocal{Parameter{"cols", Kind::Integer}, Parameter{"rows", Kind::Integer, false},
                              Parameter{"dtype", Kind::DType, false}};
constexpr std::array kTcgen05{Parameter{"shape", Kind::Word}, Parameter{"tensor_shape", Kind::Tuple},
                              Parameter{"dtype", Kind::DType}};
constexpr std::array kMmaFrag{Parameter{"operand", Kind::Word}, Parameter{"k", Kind::Integer, false},
                              Parameter{"dtype", Kind::DType, false}};
constexpr std::array kLdmatrix{Parameter{"num", Kind::Integer}, Parameter{"dtype", Kind::DType, false}};
constexpr std::array kScales{Parameter{"rows", Kind::Integer},
                             Parameter{"sf_k", Kind::Integer},
                             Parameter{"per_mma", Kind::Integer, false},
                             Parameter{"reuse", Kind::Integer, false},
                             Parameter{"pipe_depth", Kind::Integer, false},
                             Parameter{"dtype", Kind::DType, false}};
constexpr std::array kTrainium{Parameter{"annotation", Kind::Word}, Parameter{"shape", Kind::Tuple},
                               Parameter{"psum", Kind::Flag, false}};

// --- builders

/// A word argument that is one of a few; integers were allowed by the binder and are spelled out here.
std::string word_of(const Bound& a, std::size_t i) {
    return a.word(i).empty() ? std::to_string(a.integer(i)) : std::string(a.word(i));
}

Diagnostic bad_word(const Bound& a, std::size_t i, std::string_view what, std::string_view known) {
    return error_at(a.span(i), "TXT_ARGUMENT", fmt::format("there is no {} '{}'", what, word_of(a, i)),
                    fmt::format("known: {}", known));
}

template <cat::TileOrder order>
Result<TensorLayout> build_tile(const Bound& a) {
    const std::int64_t fractal = a.has(3) ? a.integer(3) : 512;
    if (fractal != 512 && fractal != 1024 && fractal != 32) {
        return error_at(a.span(3), "TXT_ARGUMENT", fmt::format("there is no fractal of {} bytes", fractal),
                        "known: 512, 1024, 32");
    }
    return cat::tile_layout(order, a.integer(0), a.integer(1), *a.dtype(2), static_cast<cat::Fractal>(fractal));
}

template <cat::TileOrder order>
Result<TensorLayout> build_unboxed(const Bound& a) {
    LS_TRY(TensorLayout tile, cat::tile_layout(order, a.integer(0), a.integer(1), *a.dtype(2)));
    LS_CHECK(cat::check_unboxed_line(order, a.integer(0), a.integer(1), *a.dtype(2)));
    return tile;
}

Result<cat::SwizzleMode> mode_of(const Bound& a, std::size_t i) {
    if (const auto mode = cat::swizzle_mode_from_name(word_of(a, i))) return *mode;
    return bad_word(a, i, "swizzle mode", "none, 32B, 64B, 128B");
}

Result<TensorLayout> build_mma_shared(const Bound& a) {
    LS_TRY(const cat::SwizzleMode mode, mode_of(a, 1));
    return cat::mma_shared(*a.dtype(0), mode, a.tuple(2));
}

Result<TensorLayout> build_mma_shared_mn(const Bound& a) {
    LS_TRY(const cat::SwizzleMode mode, mode_of(a, 1));
    return cat::mma_shared_mn_major(*a.dtype(0), mode, a.tuple(2));
}

Result<TensorLayout> build_mma_atom(const Bound& a) {
    LS_TRY(const cat::SwizzleMode mode, mode_of(a, 1));
    LS_TRY(const std::int64_t width, cat::mma_atom_columns(*a.dtype(0), mode));
    return cat::mma_shared(*a.dtype(0), mode, Shape{8, width});
}

Result<cat::Datapath> datapath_of(const Bound& a) {
    const std::string_view word = a.word(0);
    if (const auto datapath = word.size() == 1 ? cat::datapath_from_letter(word[0]) : std::nullopt) return *datapath;
    return bad_word(a, 0, "datapath", "A, B, C, D, E, F, G");
}

Result<TensorLayout> build_tmem(const Bound& a) {
    LS_TRY(const cat::Datapath datapath, datapath_of(a));
    return cat::tmem_datapath(datapath, cat::datapath_rows(datapath), a.integer(1), a.dtype(2), a.integer(3));
}

Result<TensorLayout> build_tmem_datapath(const Bound& a) {
    LS_TRY(const cat::Datapath datapath, datapath_of(a));
    return cat::tmem_datapath(datapath, a.integer(1), a.integer(2), a.dtype(3), a.integer(4));
}

Result<TensorLayout> build_tmem_operand(const Bound& a) {
    if (a.word(0) != "A" && a.word(0) != "D") return bad_word(a, 0, "TMEM operand", "A, D");
    std::optional<std::array<std::int64_t, 3>> group;
    if (a.has(6)) {
        const Shape& g = a.tuple(6);
        if (g.size() != 3)
            return error_at(a.span(6), "TMEM_GROUP", fmt::format("group must be (s, 2, n), got {} numbers", g.size()));
        group = {g[0], g[1], g[2]};
    }
    return cat::tmem_mma_operand(a.word(0) == "A" ? cat::MmaOperand::A : cat::MmaOperand::D, a.tuple(1),
                                 {a.integer(2), a.integer(3, 1), a.flag(4), a.flag(5)}, a.dtype(7), group);
}

Result<TensorLayout> build_tcgen05(const Bound& a) {
    const auto shape = cat::tcgen05_shape_from_name(word_of(a, 0));
    if (!shape) return bad_word(a, 0, "tcgen05 shape", "32x32b, 16x64b, 16x128b, 16x256b");
    const Shape& tensor = a.tuple(1);
    if (tensor.size() != 2) {
        return error_at(a.span(1), "TXT_ARGUMENT",
                        fmt::format("the tensor shape has {} extents, but needs (rows, cols)", tensor.size()));
    }
    LS_TRY(cat::Tcgen05Atom atom, cat::tcgen05_atom(*shape, tensor[0], tensor[1], *a.dtype(2)));
    return std::move(atom.layout);
}

Result<TensorLayout> build_mma_frag(const Bound& a) {
    const std::string_view word = a.word(0);
    if (word == "A") return cat::mma_frag(cat::MmaFragment::A, a.integer(1, 8), a.dtype(2));
    if (word == "B") return cat::mma_frag(cat::MmaFragment::B, a.integer(1, 8), a.dtype(2));
    if (word == "C" || word == "D") return cat::mma_frag(cat::MmaFragment::D, 8, a.dtype(2));
    return bad_word(a, 0, "fragment", "A, B, C, D");
}

cat::ScaleFactors scales(const Bound& a) {
    return {a.integer(0), a.integer(1), a.integer(2, 1), a.integer(3, 1),
            a.has(4) ? std::optional(a.integer(4)) : std::nullopt};
}

constexpr std::array kNamed{
    NamedLayout{"nz", "", "nz(extents..., dtype)",
                "NZ tensor of logical shape [..., R, C] in global memory, for Ascend's cube", "nz(256, 512, i8)",
                kTensor, [](const Bound& a) { return cat::nz_tensor(a.tuple(0), *a.dtype(1)); }},
    NamedLayout{"row_major", "nd", "row_major(extents..., dtype)", "Row-major tensor (ND) in global memory",
                "row_major(8, 16, f32)", kTensor,
                [](const Bound& a) { return cat::nd_tensor(a.tuple(0), *a.dtype(1)); }},
    NamedLayout{"col_major", "dn", "col_major(extents..., dtype)",
                "Tensor whose rows are contiguous (DN) in global memory", "col_major(8, 16, f32)", kTensor,
                [](const Bound& a) { return cat::dn_tensor(a.tuple(0), *a.dtype(1)); }},
    NamedLayout{"nz_tile", "", "nz_tile(rows, cols, dtype, fractal=512)",
                "Tile in L1, or with fractal=1024 the accumulator in L0C", "nz_tile(32, 64, f16)", kTile,
                build_tile<cat::TileOrder::Nz>},
    NamedLayout{"zn_tile", "", "zn_tile(rows, cols, dtype, fractal=512)", "B operand in L0B", "zn_tile(32, 64, f16)",
                kTile, build_tile<cat::TileOrder::Zn>},
    NamedLayout{"zz_tile", "", "zz_tile(rows, cols, dtype, fractal=512)",
                "A operand in L0A of A2/A3; with fractal=32 its MX scales", "zz_tile(32, 32, f16)", kTile,
                build_tile<cat::TileOrder::Zz>},
    NamedLayout{"nn_tile", "", "nn_tile(rows, cols, dtype, fractal=512)",
                "With fractal=32 the MX scales of the B operand", "nn_tile(4, 32, f8e8m0, fractal=32)", kTile,
                build_tile<cat::TileOrder::Nn>},
    NamedLayout{"nd_tile", "", "nd_tile(rows, cols, dtype)", "Row-major tile in UB; rows are whole 32-byte units",
                "nd_tile(16, 16, f16)", kUnboxed, build_unboxed<cat::TileOrder::Nd>},
    NamedLayout{"dn_tile", "", "dn_tile(rows, cols, dtype)", "Column-major tile in UB; columns are whole 32-byte units",
                "dn_tile(16, 4, f32)", kUnboxed, build_unboxed<cat::TileOrder::Dn>},
    NamedLayout{"mma_shared", "mma_shared_layout", "mma_shared(dtype, swizzle, (..., rows, cols))",
                "Swizzled K-major operand of a tensor-core MMA in shared memory", "mma_shared(f16, 128B, (128, 64))",
                kMmaShared, build_mma_shared},
    NamedLayout{"mma_shared_mn", "", "mma_shared_mn(dtype, swizzle, (..., mn, k))",
                "Swizzled MN-major operand of an MMA in shared memory", "mma_shared_mn(f16, 128B, (128, 128))",
                kMmaShared, build_mma_shared_mn},
    NamedLayout{"mma_atom", "", "mma_atom(dtype, swizzle)", "One swizzle atom: 8 rows of 32, 64 or 128 bytes",
                "mma_atom(f16, 128B)", kMmaAtom, build_mma_atom},
    NamedLayout{"tmem", "", "tmem(datapath, cols, dtype, sub_slab=0)",
                "Accumulator in tensor memory; the letter A to G says how rows use lanes", "tmem(D, 512)", kTmem,
                build_tmem},
    NamedLayout{"tmem_datapath", "tmem_datapath_layout", "tmem_datapath(datapath, rows, cols, dtype, sub_slab=0)",
                "The same with the rows spelled out", "tmem_datapath(D, 128, 512)", kTmemDatapath, build_tmem_datapath},
    NamedLayout{"tmem_operand", "tmem_mma_operand_layout",
                "tmem_operand(A|D, shape, M, cta_group=1, ws=False, sparse=False, group=(s, 2, n), dtype)",
                "TMEM operand of a tcgen05.mma, its datapath found from M and cta_group",
                "tmem_operand(D, (64, 256), M=128, cta_group=2)", kTmemOperand, build_tmem_operand},
    NamedLayout{"wg_local", "wg_local_layout", "wg_local(cols, rows=128, dtype)",
                "Warpgroup tile in registers: thread = row", "wg_local(16)", kWgLocal,
                [](const Bound& a) { return cat::wg_local(a.integer(0), a.integer(1, 128), a.dtype(2)); }},
    NamedLayout{"tcgen05_atom", "tcgen05_atom_layout", "tcgen05_atom(shape, (rows, cols), dtype)",
                "What a warpgroup's registers hold after tcgen05.ld", "tcgen05_atom(16x256b, (128, 64), f32)", kTcgen05,
                build_tcgen05},
    NamedLayout{"mma_frag", "", "mma_frag(A|B|C|D, k=8, dtype)", "Registers of a warp for mma.m16n8k8 and m16n8k16",
                "mma_frag(A, 16)", kMmaFrag, build_mma_frag},
    NamedLayout{"ldmatrix_frag", "", "ldmatrix_frag(num, dtype)", "Registers of a warp after ldmatrix.xN",
                "ldmatrix_frag(4)", kLdmatrix,
                [](const Bound& a) { return cat::ldmatrix_frag(a.integer(0), a.dtype(1)); }},
    NamedLayout{"sf_tmem", "sf_tmem_layout", "sf_tmem(rows, sf_k, per_mma=1, reuse=1, pipe_depth, dtype)",
                "Scale factors of a block-scaled MMA in tensor memory", "sf_tmem(128, 16, 4)", kScales,
                [](const Bound& a) { return cat::sf_tmem(scales(a), a.dtype(5)); }},
    NamedLayout{"sf_smem", "sf_smem_layout", "sf_smem(rows, sf_k, per_mma=1, reuse=1, pipe_depth, dtype)",
                "The same scale factors in shared memory, as tcgen05.cp reads them", "sf_smem(128, 16, 4)", kScales,
                [](const Bound& a) { return cat::sf_smem(scales(a), a.dtype(5)); }},
    NamedLayout{"trainium", "", "trainium(annotation, shape, psum=False)",
                "Partitions and free elements of a Trainium tensor", "trainium(PF, (256, 64))", kTrainium,
                [](const Bound& a) { return cat::trainium(a.word(0), a.tuple(1), a.flag(2)); }},
};

std::string known_names() {
    std::string out;
    for (const NamedLayout& n : kNamed) out += fmt::format("{}{}", out.empty() ? "" : ", ", n.name);
    return out;
}

} // namespace

std::span<const NamedLayout> named_layouts() { return kNamed; }

const NamedLayout* find_named_layout(std::string_view name) {
    for (const NamedLayout& n : kNamed) {
        if (n.name == name || (!n.alias.empty() && n.alias == name)) return &n;
    }
    return nullptr;
}

Result<TensorLayout> read_named(std::string_view text, std::size_t base) {
    LS_TRY(const Call call, read_call(text, base));
    const NamedLayout* named = find_named_layout(call.name);
    if (named == nullptr) {
        const std::string_view close = nearest(call.name, kNamed, [](const NamedLayout& n) { return n.name; });
        return error_at(call.name_span, "TXT_NAME", fmt::format("there is no layout '{}'", call.name),
                        (close.empty() ? std::string() : fmt::format("did you mean {}? ", close)) +
                            "known: " + known_names());
    }
    LS_TRY(const Bound arguments, bind(call, named->parameters, named->signature));
    Result<TensorLayout> layout = named->build(arguments);
    if (!layout && layout.error().span.empty()) layout.error().span = call.span;
    return layout;
}

} // namespace ls::notation
