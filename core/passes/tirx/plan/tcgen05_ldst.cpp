#include "core/passes/tirx/plan/tcgen05_ldst.h"

#include <array>

#include <fmt/format.h>

#include "core/layout/catalogue/tmem.h"
#include "core/notation/tirx_text.h"

namespace ls::tirx {

namespace {

using catalogue::Datapath;
using catalogue::Tcgen05Shape;

constexpr std::int64_t kSlabLanes = 16;

/// Structurally equal once canonical as the pass sees them: thread axes fused for CUDA.
bool same(const Layout& a, const Layout& b) {
    const auto x = canonicalize(a, AxisTarget::Cuda);
    const auto y = canonicalize(b, AxisTarget::Cuda);
    return x.ok() && y.ok() && *x == *y;
}

struct Atom {
    Tcgen05Shape shape;
    catalogue::Tcgen05Atom parts;
    std::int64_t rows;
    std::int64_t columns;
};

/// The .16x*b atom whose registers `local` describes.
std::optional<Atom> match_atom(const Operand& local) {
    const auto shape = constants(local.shape, "shape");
    if (!shape || shape->size() != 2 || ((*shape)[0] != 64 && (*shape)[0] != 128)) return {};
    for (const Tcgen05Shape candidate : {Tcgen05Shape::B16x64, Tcgen05Shape::B16x128, Tcgen05Shape::B16x256}) {
        auto atom = catalogue::tcgen05_atom(candidate, (*shape)[0], (*shape)[1], local.dtype);
        if (atom && same(*local.layout, atom->layout.layout)) return Atom{candidate, *atom, (*shape)[0], (*shape)[1]};
    }
    return {};
}

/// A column window of a TMEM buffer, in elements.
struct Window {
    Dim width;
    Dim column;
    std::int64_t sub_slab = 0;
};

Result<Window> window_of(const Operand& tmem, bool atom_16x, std::int64_t rows) {
    const std::size_t rank = tmem.region.size();
    if (rank < 2) return error("LDST_WINDOW", "a TMEM operand needs at least rows and columns");
    for (std::size_t d = 0; d + 2 < rank; ++d) {
        if (!tmem.region[d].extent.is(1)) {
            return error("LDST_WINDOW", fmt::format("leading dimensions of the TMEM region must be points, but dimension {} has "
                                                    "{}",
                                                    d, to_string(tmem.region[d].extent)));
        }
    }
    if (!tmem.region[rank - 2].extent.is(rows)) {
        return error("LDST_WINDOW", fmt::format("the TMEM region must have {} rows as the fragment has, but it has {}", rows,
                                                to_string(tmem.region[rank - 2].extent)));
    }
    Window window{tmem.region[rank - 1].extent, Dim(0), 0};
    const char datapath = tmem.shape[rank - 2].is(128) ? 'D' : 'F';
    if (!datapath_takes_atom(datapath, atom_16x, rows)) {
        return error("LDST_DATAPATH",
                     fmt::format("a TMEM buffer with datapath {} cannot be read by {} with a fragment of {} rows", datapath,
                                 atom_16x ? ".16x*b" : ".32x32b", rows),
                     "datapath D takes .32x32b and .16x*b; F takes .16x*b with 64 rows");
    }
    LS_TRY(const Layout sliced, slice_of(tmem));
    LS_TRY(const Layout canonical, canonicalize(sliced));
    TileLayout base;
    if (datapath == 'D') {
        base.shard = {{Dim(rows), Dim(1), axes::TLane}, {window.width, Dim(1), axes::TCol}};
    } else {
        LS_TRY(const auto width, constants(std::span(&window.width, 1), "the width of the TMEM region"));
        LS_TRY(const TensorLayout scattered, catalogue::tmem_datapath(Datapath::F, 64, width[0]));
        base = scattered.layout.tile();
    }
    if (!equals_but_offset(canonical, base)) {
        return error("LDST_WINDOW", fmt::format("the TMEM region must be {} (at any offset), but it is {}",
                                                notation::print_tirx(Layout(base)), notation::print_tirx(canonical)));
    }
    const Dim lane = canonical.tile().offset.get(axes::TLane);
    if (!lane.is(0) && !(lane.is(kSlabLanes) && datapath == 'F')) {
        return error("LDST_WINDOW", fmt::format("the TMEM region starts at lane {}; an instruction can start at 0, or at 16 for "
                                                "datapath F",
                                                to_string(lane)));
    }
    window.column = canonical.tile().offset.get(axes::TCol);
    window.sub_slab = lane.is(kSlabLanes) ? 1 : 0;
    return window;
}

Status full_rows(const Operand& local, std::int64_t rows) {
    if (local.region.size() == 2 && local.region[0].begin.is(0) && local.region[0].extent.is(rows)) return ok_status();
    return error("LDST_WINDOW", fmt::format("the register region must take all {} rows", rows));
}

Result<Dim> in_cells(const Dim& elems, std::int64_t per_cell, std::string_view what) {
    if (!proves_divisible(elems, Dim(per_cell))) {
        return error("LDST_WINDOW", fmt::format("{} {} is not a whole number of 32-bit columns", what, to_string(elems)));
    }
    return floor_div(elems, Dim(per_cell));
}

/// Datapath B: a logical [64, N] that physically is [128, N/2].
Result<Tcgen05LdStPlan> plan_datapath_b(const Tcgen05LdSt& call) {
    if (bits(call.local.dtype) != 32) {
        return error("LDST_DATAPATH", fmt::format("datapath B readback expects an fp32 fragment, got {}",
                                                  info(call.local.dtype).tirx));
    }
    if (!call.local.shape[0].is(64)) {
        return error("LDST_DATAPATH", fmt::format("datapath B needs a fragment of 64 rows, got {}", to_string(call.local.shape[0])),
                     "allocate the fragment as .32x32b of (64, N)");
    }
    LS_TRY(const auto shape, constants(call.local.shape, "the fragment's extent"));
    const auto atom = catalogue::tcgen05_atom(Tcgen05Shape::B32x32, 64, shape[1], DType::Fp32);
    if (!atom || !same(*call.local.layout, atom->layout.layout)) {
        return error("LDST_DATAPATH",
                     fmt::format("datapath B (cta_group 2, M=64) requires the matching .32x32b fragment of (64, N); this "
                                 "fragment is {}, which reads other lanes and columns",
                                 notation::print_tirx(*call.local.layout)),
                     "allocate the fragment as .32x32b of (64, N)");
    }
    for (const Operand* operand : {&call.tmem, &call.local}) {
        const bool full = operand->region.size() == 2 && operand->region[0].begin.is(0) && operand->region[1].begin.is(0) &&
                          operand->region[0].extent.is(64) && operand->region[1].extent.is(shape[1]);
        if (!full) {
            return error("LDST_DATAPATH", fmt::format("datapath B copy must cover the full (64, N) {}",
                                                      operand == &call.tmem ? "TMEM buffer" : "register fragment"));
        }
    }
    Tcgen05LdStPlan plan;
    plan.load = call.load;
    plan.repeat = shape[1] / 2;
    plan.through_uint32 = true;
    plan.issues.push_back({{Dim(0), Dim(0)}, Dim(0), plan.repeat});
    return plan;
}

Result<Tcgen05LdStPlan> plan_16x(const Tcgen05LdSt& call, const Atom& atom) {
    const std::int64_t per_cell = 32 / bits(call.local.dtype);
    const std::int64_t slabs = atom.rows / 64;
    const std::int64_t slab_registers = atom.parts.registers / slabs;
    LS_TRY(const Window window, window_of(call.tmem, true, atom.rows));
    if (window.sub_slab + slabs > 2) {
        return error("LDST_WINDOW", fmt::format("a fragment of {} rows does not fit above lane 16", atom.rows));
    }
    LS_CHECK(full_rows(call.local, atom.rows));
    const Region& columns = call.local.region[1];
    if (!proves_equal(columns.extent, window.width)) {
        return error("LDST_WIDTH", fmt::format("the fragment has {} columns, the TMEM region {}", to_string(columns.extent),
                                               to_string(window.width)));
    }
    const std::int64_t width = columns.extent.constant().value_or(0);
    if (width <= 0 || atom.columns % width != 0) {
        return error("LDST_WIDTH", fmt::format("a slice of {} columns does not divide the fragment's {}", to_string(columns.extent),
                                               atom.columns));
    }
    LS_TRY(const Dim column, in_cells(window.column, per_cell, "the TMEM column offset"));
    if (!proves_divisible(columns.begin, Dim(per_cell))) {
        return error("LDST_WIDTH", fmt::format("the fragment's column {} is not a whole register", to_string(columns.begin)));
    }
    Tcgen05LdStPlan plan;
    plan.load = call.load;
    plan.shape = atom.shape;
    plan.repeat = atom.parts.repeat * width / atom.columns;
    plan.through_uint32 = true;
    const Dim base = floor_div(columns.begin * slab_registers, Dim(atom.columns));
    for (std::int64_t slab = 0; slab < slabs; ++slab) {
        plan.issues.push_back({{Dim((window.sub_slab + slab) * kSlabLanes), column}, base + slab * slab_registers,
                               slab_registers * width / atom.columns});
    }
    return plan;
}

Result<Tcgen05LdStPlan> plan_32x32(const Tcgen05LdSt& call) {
    const std::int64_t per_cell = 32 / bits(call.local.dtype);
    if (!call.local.shape[0].is(128)) {
        return error("LDST_WINDOW", fmt::format("a .32x32b fragment has 128 rows, this one {}", to_string(call.local.shape[0])));
    }
    const Region& columns = call.local.region[1];
    const std::int64_t width = columns.extent.constant().value_or(0);
    const std::int64_t repeat = width / per_cell;
    if (width % per_cell != 0 || repeat > 128 || !is_power_of_two(repeat)) {
        return error("LDST_WIDTH", fmt::format("Width {} of {} is not valid for tcgen05.ld/st with shape 32x32b",
                                               to_string(columns.extent), info(call.local.dtype).tirx),
                     "a thread moves 1, 2, 4, ... or 128 registers of 32 bits");
    }
    LS_TRY(const Window window, window_of(call.tmem, false, 128));
    LS_CHECK(full_rows(call.local, 128));
    LS_TRY(const Dim column, in_cells(window.column, per_cell, "the TMEM column offset"));
    if (!proves_equal(window.width, columns.extent)) {
        return error("LDST_WIDTH", fmt::format("the fragment has {} columns, the TMEM region {}", width, to_string(window.width)));
    }
    Tcgen05LdStPlan plan;
    plan.load = call.load;
    plan.repeat = repeat;
    plan.through_uint32 = per_cell != 1;
    plan.issues.push_back({{Dim(0), column}, floor_div(columns.begin, Dim(per_cell)), repeat});
    return plan;
}

} // namespace

bool datapath_takes_atom(char datapath, bool atom_16x, std::int64_t rows) {
    if (datapath == 'D') return atom_16x ? rows == 64 || rows == 128 : rows == 128;
    return datapath == 'F' && atom_16x && rows == 64;
}

std::string Tcgen05LdStPlan::instruction() const {
    return fmt::format("tcgen05.{}.sync.aligned.{}.x{}.b32", load ? "ld" : "st", catalogue::name(shape), repeat);
}

Result<Tcgen05LdStPlan> plan_tcgen05_ldst(const Tcgen05LdSt& call) {
    for (const Operand* operand : {&call.tmem, &call.local}) {
        if (!operand->layout) return error("PLAN_NO_LAYOUT", fmt::format("buffer {} has no layout", operand->name));
    }
    if (call.tmem.dtype != call.local.dtype || bits(call.local.dtype) < 8 || 32 % bits(call.local.dtype) != 0) {
        return error("LDST_WIDTH", fmt::format("tcgen05.ld/st move equal types of up to 32 bits, got {} and {}",
                                               info(call.tmem.dtype).tirx, info(call.local.dtype).tirx));
    }
    if (!call.tmem.allocated) {
        return error("LDST_WINDOW", fmt::format("TMEM buffer {} has no allocated address", call.tmem.name));
    }
    if (call.local.shape.size() != 2 || call.local.region.size() != 2 || call.tmem.shape.size() != call.tmem.region.size()) {
        return error("LDST_WINDOW", "a register fragment has rows and columns");
    }
    if (call.tmem.shape.size() == 2 && call.tmem.shape[0].is(64) && call.tmem.shape[1].is_constant()) {
        const auto b = catalogue::tmem_datapath(Datapath::B, 64, call.tmem.shape[1].value());
        if (b && same(*call.tmem.layout, b->layout)) return plan_datapath_b(call);
    }
    if (const auto atom = match_atom(call.local)) return plan_16x(call, *atom);
    return plan_32x32(call);
}

} // namespace ls::tirx
