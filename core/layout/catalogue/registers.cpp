#include "core/layout/catalogue/registers.h"

#include <array>

#include <fmt/format.h>

#include "core/layout/catalogue/assemble.h"
#include "core/support/checked.h"

namespace ls::catalogue {

namespace {

constexpr std::int64_t kWarpgroupThreads = 128;

std::string with_dtype(std::optional<DType> dtype) { return dtype ? fmt::format(", {}", info(*dtype).brief) : ""; }

Frame frame(Shape shape, std::vector<std::string> names, std::optional<DType> dtype, std::string name) {
    return {std::move(shape), std::move(names), dtype, MemorySpace::Registers, std::move(name), {}, {}};
}

struct ShapeInfo {
    std::string_view name;
    std::int64_t column_factor; ///< 32-bit columns of one repetition
    std::int64_t max_repeat;
    std::int64_t registers; ///< of one repetition and 16 rows
};
constexpr std::array<ShapeInfo, 4> kShapes{{
    {"32x32b", 1, 128, 1},
    {"16x64b", 2, 128, 1},
    {"16x128b", 4, 64, 2},
    {"16x256b", 8, 32, 4},
}};
const ShapeInfo& info(Tcgen05Shape shape) { return kShapes[static_cast<std::size_t>(shape)]; }

std::string repeat_set(const ShapeInfo& shape) {
    std::string out;
    for (std::int64_t n = 1; n <= shape.max_repeat; n *= 2) out += fmt::format("{}{}", n == 1 ? "" : ", ", n);
    return out;
}

Status check_repeat(const ShapeInfo& shape, std::int64_t repeat, std::int64_t cols) {
    if (is_power_of_two(repeat) && repeat <= shape.max_repeat) return ok_status();
    return error("TCGEN05_REPEAT",
                 fmt::format("{} columns need .{}.x{}, which is not in PTX Table 49", cols, shape.name, repeat),
                 fmt::format("the repetitions of .{} are {}", shape.name, repeat_set(shape)));
}

/// Thread = row; with 64 rows the columns' second half is held by threads 64..127 (readback of datapath B).
Result<Tcgen05Atom> row_per_thread(std::int64_t rows, std::int64_t cols, DType dtype, std::int64_t packed, Frame out) {
    const ShapeInfo& shape = info(Tcgen05Shape::B32x32);
    Tcgen05Atom atom;
    if (rows == kWarpgroupThreads) {
        if (cols % packed != 0) {
            return error("TCGEN05_COLS", fmt::format("{} columns are not a multiple of {} ({} to a register)", cols,
                                                     packed, ls::info(dtype).brief));
        }
        atom.repeat = cols / packed;
        LS_CHECK(check_repeat(shape, atom.repeat, cols));
        LS_TRY(atom.layout,
               assemble({{0, rows, 1, axes::tid_in_wg, "thread"}, {1, cols, 1, axes::m, "register element"}},
                        std::move(out)));
    } else {
        if (packed != 1) {
            return error("TCGEN05_FP32",
                         fmt::format("32x32b with 64 rows is the readback of datapath B and fp32-only, got {}",
                                     ls::info(dtype).brief),
                         "use 128 rows, or a 32-bit type");
        }
        if (cols % 2 != 0)
            return error("TCGEN05_COLS", fmt::format("32x32b with 64 rows expects even columns, got {}", cols));
        atom.repeat = cols / 2;
        LS_CHECK(check_repeat(shape, atom.repeat, cols));
        LS_TRY(atom.layout, assemble({{0, rows, 1, axes::tid_in_wg, "thread"},
                                      {1, 2, 64, axes::tid_in_wg, "thread half"},
                                      {1, cols / 2, 1, axes::m, "register element"}},
                                     std::move(out)));
    }
    atom.registers = atom.repeat;
    return atom;
}

/// Row and column iters of the 16-row instructions for 32-bit registers; strides on m count registers.
struct AtomParts {
    std::vector<Part> rows, cols;
};
AtomParts atom_parts(Tcgen05Shape shape, std::int64_t n) {
    switch (shape) {
    case Tcgen05Shape::B16x64:
        return {{{0, 2, 1, axes::laneid, "row parity lane"}, {0, 8, 4, axes::laneid, "row lane"}},
                {{1, n, 1, axes::m, "repetition"}, {1, 2, 2, axes::laneid, "column lane"}}};
    case Tcgen05Shape::B16x128:
        return {{{0, 2, 1, axes::m, "row half"}, {0, 8, 4, axes::laneid, "row lane"}},
                {{1, n, 2, axes::m, "repetition"}, {1, 4, 1, axes::laneid, "column lane"}}};
    case Tcgen05Shape::B16x256:
    case Tcgen05Shape::B32x32: break;
    }
    return {
        {{0, 2, 2, axes::m, "row half"}, {0, 8, 4, axes::laneid, "row lane"}},
        {{1, n, 4, axes::m, "repetition"}, {1, 4, 1, axes::laneid, "column lane"}, {1, 2, 1, axes::m, "column pair"}}};
}

} // namespace

std::string_view name(Tcgen05Shape shape) { return info(shape).name; }

std::optional<Tcgen05Shape> tcgen05_shape_from_name(std::string_view text) {
    for (std::size_t s = 0; s < kShapes.size(); ++s) {
        if (kShapes[s].name == text) return static_cast<Tcgen05Shape>(s);
    }
    return {};
}

Result<TensorLayout> wg_local(std::int64_t cols, std::int64_t rows, std::optional<DType> dtype) {
    if (cols < 1 || rows < 1)
        return error("LAYOUT_EXTENT", fmt::format("{} x {}, but both must be at least 1", rows, cols));
    if (rows > kWarpgroupThreads) {
        return error("WG_LOCAL_ROWS", fmt::format("{} rows, but a warpgroup has 128 threads", rows),
                     "use at most 128 rows");
    }
    LS_CHECK(element_count(Shape{rows, cols}));
    return assemble(
        {{0, rows, 1, axes::tid_in_wg, "thread"}, {1, cols, 1, axes::m, "register element"}},
        frame({rows, cols}, {"r", "c"}, dtype,
              fmt::format("wg_local({}{}{})", cols, rows == kWarpgroupThreads ? "" : fmt::format(", rows={}", rows),
                          with_dtype(dtype))));
}

Result<Tcgen05Atom> tcgen05_atom(Tcgen05Shape which, std::int64_t rows, std::int64_t cols, DType dtype) {
    const ShapeInfo& shape = info(which);
    if (bits(dtype) != 16 && bits(dtype) != 32) {
        return error("TCGEN05_DTYPE", fmt::format("registers hold 16-bit and 32-bit elements, {} has {} bits",
                                                  ls::info(dtype).brief, bits(dtype)));
    }
    if (rows != 64 && rows != kWarpgroupThreads) {
        return error("TCGEN05_ROWS", fmt::format(".{} expects 64 or 128 rows, got {}", shape.name, rows));
    }
    if (cols < 1) return error("LAYOUT_EXTENT", fmt::format("{} columns, but there must be at least 1", cols));
    const std::int64_t packed = 32 / bits(dtype); // elements of one register
    Frame out = frame({rows, cols}, {"r", "c"}, dtype,
                      fmt::format("tcgen05_atom({}, ({}, {}), {})", shape.name, rows, cols, ls::info(dtype).brief));
    if (which == Tcgen05Shape::B32x32) return row_per_thread(rows, cols, dtype, packed, std::move(out));

    const std::int64_t step = shape.column_factor * packed;
    if (cols % step != 0) {
        return error("TCGEN05_COLS",
                     fmt::format("{} columns are not a multiple of {}, the columns of one .{} of {}", cols, step,
                                 shape.name, ls::info(dtype).brief),
                     fmt::format("valid are {} times {}", step, repeat_set(shape)));
    }
    Tcgen05Atom atom;
    atom.repeat = cols / step;
    LS_CHECK(check_repeat(shape, atom.repeat, cols));
    const std::int64_t half_registers = shape.registers * atom.repeat; // of 64 rows
    atom.registers = half_registers * (rows / 64);

    AtomParts parts = atom_parts(which, atom.repeat);
    std::vector<Part> all{{0, 4, 1, axes::wid_in_wg, "warp"}};
    if (rows == kWarpgroupThreads) all.push_back({0, 2, half_registers, axes::m, "16-row half"});
    all.insert(all.end(), parts.rows.begin(), parts.rows.end());
    all.insert(all.end(), parts.cols.begin(), parts.cols.end());
    for (Part& part : all) {
        if (part.axis == axes::m) part.stride *= packed;
    }
    if (packed == 2) all.push_back({1, 2, 1, axes::m, "register half"});
    LS_TRY(atom.layout, assemble(std::move(all), std::move(out)));
    return atom;
}

Result<TensorLayout> mma_frag(MmaFragment which, std::int64_t k, std::optional<DType> dtype) {
    if (which != MmaFragment::D && k != 8 && k != 16) {
        return error("MMA_FRAG_K", fmt::format("mma.m16n8 has k 8 or 16, got {}", k));
    }
    if (which == MmaFragment::B) {
        std::vector<Part> parts;
        if (k == 16) parts.push_back({0, 2, 2, axes::m, "k half"});
        parts.insert(
            parts.end(),
            {{0, 4, 1, axes::laneid, "k lane"}, {0, 2, 1, axes::m, "k pair"}, {1, 8, 4, axes::laneid, "column lane"}});
        return assemble(std::move(parts),
                        frame({k, 8}, {"k", "n"}, dtype, fmt::format("mma_frag(B, {}{})", k, with_dtype(dtype))));
    }
    const std::int64_t cols = which == MmaFragment::A ? k : 8;
    std::vector<Part> parts{{0, 2, 2, axes::m, "row half"}, {0, 8, 4, axes::laneid, "row lane"}};
    if (cols == 16) parts.push_back({1, 2, 4, axes::m, "k half"});
    parts.push_back({1, 4, 1, axes::laneid, "column lane"});
    parts.push_back({1, 2, 1, axes::m, "column pair"});
    const bool a = which == MmaFragment::A;
    return assemble(std::move(parts), frame({16, cols}, {"m", a ? "k" : "n"}, dtype,
                                            a ? fmt::format("mma_frag(A, {}{})", k, with_dtype(dtype))
                                              : fmt::format("mma_frag(D{})", with_dtype(dtype))));
}

Result<TensorLayout> ldmatrix_frag(std::int64_t matrices, std::optional<DType> dtype) {
    if (matrices != 1 && matrices != 2 && matrices != 4) {
        return error("LDMATRIX_NUM", fmt::format("ldmatrix loads 1, 2 or 4 matrices, not {}", matrices));
    }
    return assemble({{0, 8, 4, axes::laneid, "row lane"},
                     {1, 4, 1, axes::laneid, "column lane"},
                     {2, matrices, 2, axes::m, "matrix"},
                     {3, 2, 1, axes::m, "register half"}},
                    frame({8, 4, matrices, 2}, {"row", "lane", "matrix", "pair"}, dtype,
                          fmt::format("ldmatrix_frag({}{})", matrices, with_dtype(dtype))));
}

} // namespace ls::catalogue
