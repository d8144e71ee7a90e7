#include "core/layout/catalogue/tmem.h"

#include <array>

#include <fmt/format.h>

#include "core/layout/catalogue/assemble.h"
#include "core/support/checked.h"

namespace ls::catalogue {

namespace {

constexpr std::int64_t kHalfLanes = 64; // lanes of a TMEM half
constexpr std::int64_t kSlabLanes = 32; // lanes that one warp reaches
constexpr std::int64_t kSubSlab = 16;   // lanes that an M = 64 accumulator fills of each slab

enum class Form : std::uint8_t { Straight, Interleaved, Halves, Quarters };

struct DatapathInfo {
    char letter;
    std::int64_t rows;
    Form form;
};
constexpr std::array<DatapathInfo, 7> kDatapaths{{
    {'A', 128, Form::Straight},
    {'B', 64, Form::Halves},
    {'C', 64, Form::Interleaved},
    {'D', 128, Form::Straight},
    {'E', 64, Form::Halves},
    {'F', 64, Form::Interleaved},
    {'G', 32, Form::Quarters},
}};
const DatapathInfo& info(Datapath d) { return kDatapaths[static_cast<std::size_t>(d)]; }

Status check_sub_slab(const DatapathInfo& path, std::int64_t sub_slab) {
    if (sub_slab == 0 || (sub_slab == 1 && path.form == Form::Interleaved)) return ok_status();
    if (sub_slab != 1) return error("TMEM_SUB_SLAB", fmt::format("sub_slab must be 0 or 1, not {}", sub_slab));
    const std::string why =
        path.form == Form::Straight ? "already spans both sub-slabs" : "fills whole slabs with folded columns";
    return error("TMEM_SUB_SLAB", fmt::format("datapath {} {}; sub_slab must be 0", path.letter, why),
                 "only F and C have a sub-slab");
}

Status check_folds(const DatapathInfo& path, std::int64_t cols) {
    const std::int64_t folds = path.form == Form::Halves ? 2 : path.form == Form::Quarters ? 4 : 1;
    if (cols % folds == 0) return ok_status();
    return error("TMEM_COLS",
                 fmt::format("datapath {} expects {}, got {}", path.letter,
                             folds == 2 ? "even cols" : "cols that are a multiple of 4", cols),
                 fmt::format("pad the columns to {}", cols > INT64_MAX - folds ? folds : align_up(cols, folds)));
}

Frame frame(Shape shape, std::vector<std::string> names, std::optional<DType> dtype, std::string name) {
    return {std::move(shape), std::move(names), dtype, MemorySpace::Tmem, std::move(name), {}, {}};
}

std::string with_dtype(std::optional<DType> dtype) { return dtype ? fmt::format(", {}", ls::info(*dtype).brief) : ""; }

/// Checks that are the same for every operand: per-CTA rows, and extents that exist.
Status check_operand_rows(const DatapathInfo& path, std::span<const std::int64_t> shape, std::int64_t rows,
                          const MmaShape& mma) {
    if (rows == path.rows) return ok_status();
    return error("TMEM_ROWS",
                 fmt::format("M={} with cta_group={} has {} rows in each CTA, the shape {} has {}", mma.m,
                             mma.cta_group, path.rows, shape_text(shape), rows),
                 "give the shape that one CTA holds");
}

Diagnostic unsupported_shape(char operand, const DatapathInfo& path, std::span<const std::int64_t> shape,
                             std::string_view forms) {
    return error(
        "TMEM_OPERAND_SHAPE",
        fmt::format("operand {} of datapath {} cannot have the shape {}", operand, path.letter, shape_text(shape)),
        fmt::format("possible: {}", forms));
}

using Group = std::array<std::int64_t, 3>;

/// [64, s, 2, n], the columns written as s groups of two halves of n.
std::vector<Part> grouped_parts(std::int64_t s, std::int64_t n, bool separate_dims) {
    const auto dim = [&](std::size_t d) { return separate_dims ? d : std::size_t{1}; };
    return {{0, kHalfLanes, 1, axes::TLane, "row"},
            {dim(1), s, n, axes::TCol, "column group"},
            {dim(2), 2, kHalfLanes, axes::TLane, "lane half"},
            {dim(3), n, 1, axes::TCol, "column"}};
}

Result<std::vector<Part>> d_parts(const DatapathInfo& path, std::span<const std::int64_t> shape, const MmaShape& mma,
                                  const std::optional<Group>& group) {
    const bool halves = path.form == Form::Halves;
    if (group) {
        const auto [s, two, n] = *group;
        if (!halves)
            return error("TMEM_GROUP", fmt::format("group is for datapaths B and E, this is {}", path.letter),
                         "drop it");
        if (two != 2 || s < 1 || n < 1) {
            return error("TMEM_GROUP", fmt::format("group must be (s, 2, n), got ({}, {}, {})", s, two, n),
                         "the middle extent is the lane half");
        }
        if (shape.size() != 2) return unsupported_shape('D', path, shape, "[64, N] when a group is given");
        LS_CHECK(check_operand_rows(path, shape, shape[0], mma));
        if (checked_product(*group) != shape[1]) {
            return error("TMEM_GROUP", fmt::format("the group ({}, 2, {}) does not hold N={} columns", s, n, shape[1]),
                         "s · 2 · n = N");
        }
        return grouped_parts(s, n, false);
    }
    if (halves && shape.size() == 3 && shape[0] == 2 && shape[1] == kHalfLanes) {
        return std::vector<Part>{{0, 2, kHalfLanes, axes::TLane, "lane half"},
                                 {1, kHalfLanes, 1, axes::TLane, "row"},
                                 {2, shape[2], 1, axes::TCol, "column"}};
    }
    if (halves && shape.size() == 3 && shape[0] == kHalfLanes && shape[1] == 2) {
        return std::vector<Part>{{0, kHalfLanes, 1, axes::TLane, "row"},
                                 {1, 2, kHalfLanes, axes::TLane, "lane half"},
                                 {2, shape[2], 1, axes::TCol, "column"}};
    }
    if (halves && shape.size() == 4 && shape[0] == kHalfLanes && shape[2] == 2)
        return grouped_parts(shape[1], shape[3], true);
    return unsupported_shape('D', path, shape,
                             halves ? "[64, N], [2, 64, N/2], [64, 2, N/2], [64, s, 2, n]"
                                    : fmt::format("[{}, N]", path.rows));
}

/// Row = lane for A of datapaths A, D and F; B keeps a second copy in the other lane half; E reads both halves of a
/// batch.
Result<TensorLayout> a_operand(const DatapathInfo& path, std::span<const std::int64_t> shape, const MmaShape& mma,
                               std::optional<DType> dtype, const std::string& name) {
    const bool halves = path.form == Form::Halves;
    if (halves && shape.size() == 3 && shape[0] == 2 && shape[1] == kHalfLanes) {
        return assemble({{0, 2, kHalfLanes, axes::TLane, "lane half"},
                         {1, kHalfLanes, 1, axes::TLane, "row"},
                         {2, shape[2], 1, axes::TCol, "column"}},
                        frame(Shape(shape.begin(), shape.end()), {"half", "r", "k"}, dtype, name));
    }
    if (shape.size() != 2 || path.letter == 'E') {
        return unsupported_shape('A', path, shape,
                                 path.letter == 'E'
                                     ? "[2, 64, K]; of a flat [64, K] the second half would be read from nowhere"
                                 : path.letter == 'B' ? "[64, K] or [2, 64, K]"
                                                      : "[rows, K]: an identity needs 2-D");
    }
    LS_CHECK(check_operand_rows(path, shape, shape[0], mma));
    Frame out = frame(Shape(shape.begin(), shape.end()), {"r", "k"}, dtype, name);
    if (halves) out.replica.push_back({2, kHalfLanes, axes::TLane});
    return assemble({{0, shape[0], 1, axes::TLane, "row"}, {1, shape[1], 1, axes::TCol, "column"}}, std::move(out));
}

} // namespace

char letter(Datapath datapath) { return info(datapath).letter; }
std::int64_t datapath_rows(Datapath datapath) { return info(datapath).rows; }

std::optional<Datapath> datapath_from_letter(char letter) {
    for (std::size_t d = 0; d < kDatapaths.size(); ++d) {
        if (kDatapaths[d].letter == letter) return static_cast<Datapath>(d);
    }
    return {};
}

Result<TensorLayout> tmem_datapath(Datapath datapath, std::int64_t rows, std::int64_t cols, std::optional<DType> dtype,
                                   std::int64_t sub_slab) {
    const DatapathInfo& path = info(datapath);
    if (rows != path.rows) {
        return error("TMEM_ROWS", fmt::format("datapath {} expects rows={}, got {}", path.letter, path.rows, rows),
                     "128 rows: A, D; 64 rows: B, C, E, F; 32 rows: G");
    }
    if (cols < 1) return error("LAYOUT_EXTENT", fmt::format("{} columns, but there must be at least 1", cols));
    LS_CHECK(check_sub_slab(path, sub_slab));
    LS_CHECK(check_folds(path, cols));
    const Shape shape{rows, cols};
    LS_CHECK(element_count(shape));
    Frame out = frame(shape, {"r", "c"}, dtype,
                      fmt::format("tmem_datapath({}, {}, {}{}{})", path.letter, rows, cols, with_dtype(dtype),
                                  sub_slab == 1 ? ", sub_slab=1" : ""));
    switch (path.form) {
    case Form::Straight:
        return assemble({{0, rows, 1, axes::TLane, "row"}, {1, cols, 1, axes::TCol, "column"}}, std::move(out));
    case Form::Interleaved:
        if (sub_slab == 1) out.offset = {{axes::TLane, kSubSlab}};
        return assemble({{0, rows / kSubSlab, kSlabLanes, axes::TLane, "slab"},
                         {0, kSubSlab, 1, axes::TLane, "row in slab"},
                         {1, cols, 1, axes::TCol, "column"}},
                        std::move(out));
    case Form::Halves:
        return assemble({{0, rows, 1, axes::TLane, "row"},
                         {1, 2, kHalfLanes, axes::TLane, "lane half"},
                         {1, cols / 2, 1, axes::TCol, "column"}},
                        std::move(out));
    case Form::Quarters: break;
    }
    return assemble({{0, rows, 1, axes::TLane, "row"},
                     {1, 4, kSlabLanes, axes::TLane, "lane quarter"},
                     {1, cols / 4, 1, axes::TCol, "column"}},
                    std::move(out));
}

Result<Datapath> mma_datapath(const MmaShape& mma) {
    if (mma.sparse) {
        return error("TMEM_SPARSE",
                     fmt::format("sparse A (datapath C) is not supported (M={}, cta_group={})", mma.m, mma.cta_group),
                     "use a dense MMA");
    }
    if (mma.ws && !(mma.cta_group == 1 && mma.m == 64)) {
        return error(
            "TMEM_WS",
            fmt::format("ws needs cta_group=1 and M=64 (datapath E), got M={}, cta_group={}", mma.m, mma.cta_group),
            "drop ws");
    }
    if (mma.cta_group == 1 && mma.m == 128) return Datapath::D;
    if (mma.cta_group == 1 && mma.m == 64) return mma.ws ? Datapath::E : Datapath::F;
    if (mma.cta_group == 2 && mma.m == 256) return Datapath::A;
    if (mma.cta_group == 2 && mma.m == 128) return Datapath::B;
    return error("TMEM_M", fmt::format("no datapath for M={} with cta_group={}", mma.m, mma.cta_group),
                 "cta_group=1 has M 64 and 128, cta_group=2 has M 128 and 256");
}

Result<TensorLayout> tmem_mma_operand(MmaOperand operand, std::span<const std::int64_t> shape, const MmaShape& mma,
                                      std::optional<DType> dtype, std::optional<Group> group) {
    LS_TRY(const Datapath datapath, mma_datapath(mma));
    const DatapathInfo& path = info(datapath);
    for (const std::int64_t extent : shape) {
        if (extent < 1)
            return error("LAYOUT_EXTENT",
                         fmt::format("an extent of {} is {}, but must be at least 1", shape_text(shape), extent));
    }
    LS_CHECK(element_count(shape));
    const char which = operand == MmaOperand::A ? 'A' : 'D';
    const std::string name = fmt::format("tmem_operand({}, {}, M={}, cta_group={}{})", which, shape_text(shape), mma.m,
                                         mma.cta_group, mma.ws ? ", ws=True" : "");
    if (operand == MmaOperand::A) {
        if (group) return error("TMEM_GROUP", "group is for operand D", "drop it");
        return a_operand(path, shape, mma, dtype, name);
    }
    if (shape.size() == 2 && !group) {
        LS_CHECK(check_operand_rows(path, shape, shape[0], mma));
        LS_TRY(TensorLayout flat, tmem_datapath(datapath, shape[0], shape[1], dtype));
        flat.name = name;
        return flat;
    }
    LS_TRY(std::vector<Part> parts, d_parts(path, shape, mma, group));
    std::vector<std::string> names =
        shape.size() == 2 ? std::vector<std::string>{"r", "c"} : std::vector<std::string>{};
    return assemble(std::move(parts), frame(Shape(shape.begin(), shape.end()), std::move(names), dtype, name));
}

} // namespace ls::catalogue
