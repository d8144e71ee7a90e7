#include "core/passes/tirx/workbench/gemm_bench.h"

#include <fmt/format.h>

#include "core/layout/catalogue/tmem.h"
#include "core/notation/notation.h"
#include "core/notation/tirx_text.h"

namespace ls::tirx {

namespace {

constexpr std::size_t kMostSteps = 65536;

DType storage(DType dtype) { return dtype == DType::Tf32 ? DType::Fp32 : dtype; }

Result<Layout> layout_of(const GemmShared& shared, DType dtype, const Shape& shape) {
    if (shared.layout) {
        LS_TRY(const TensorLayout read, read_layout(*shared.layout));
        return read.layout;
    }
    LS_TRY(const TensorLayout made, catalogue::mma_shared(dtype, shared.swizzle, shape));
    return made.layout;
}

/// A or B with everything that can be said of it alone.
GemmSide side(const char* name, const GemmShared& shared, std::int64_t mn, std::int64_t k, DType dtype) {
    GemmSide made;
    made.transposed = shared.transposed;
    made.base_bytes = shared.address_bytes;
    Shape shape = shared.transposed ? Shape{k, mn} : Shape{mn, k};
    std::vector<Region> region{{Dim(0), Dim(shape[0])}, {Dim(0), Dim(shape[1])}};
    if (shared.stages > 1) {
        shape.insert(shape.begin(), shared.stages);
        region.insert(region.begin(), {Dim(shared.stage), Dim(1)});
    }
    auto layout = layout_of(shared, dtype, shape);
    if (!layout.ok()) {
        made.refusal = layout.error();
        return made;
    }
    made.operand = whole(name, "shared.dyn", dtype, to_dims(shape), std::move(layout).value());
    made.operand.region = std::move(region);
    auto tile = SmemTile::make(made.operand, made.transposed, made.base_bytes);
    if (tile.ok()) made.tile = std::move(tile).value();
    else made.refusal = tile.error();
    if (auto plain = SmemTile::make(made.operand, made.transposed, made.base_bytes, false); plain.ok()) made.plain = std::move(plain).value();
    auto matched = match_smem_operand(made.operand, made.transposed);
    if (!matched.ok()) {
        made.refusal = matched.error();
        return made;
    }
    made.matched = *matched;
    const auto word = encode(matched->descriptor(made.base_bytes), tensor_core::Generation::Blackwell);
    if (word.ok()) made.word = *word;
    else made.refusal = word.error();
    return made;
}

/// How a kernel declares C: what the MMA of that M writes.
Operand accumulator(const GemmSubject& s, char& datapath) {
    const catalogue::MmaShape mma{s.m * s.cta_group, s.cta_group, s.weight_stationary, false};
    const std::int64_t columns = std::max(s.c_columns, s.c_first_column + s.n);
    const auto letter = catalogue::mma_datapath(mma);
    datapath = letter.ok() ? catalogue::letter(*letter) : 'D';
    std::optional<Layout> layout;
    // The folds of B and E halve the columns of exactly one result.
    const bool folded = datapath == 'B' || datapath == 'E';
    const std::array<std::int64_t, 2> shape{s.m, folded ? s.n : columns};
    if (letter.ok()) {
        if (auto made = catalogue::tmem_mma_operand(catalogue::MmaOperand::D, shape, mma); made.ok()) layout = made->layout;
    }
    if (!layout) {
        TileLayout tile;
        tile.shard = {{Dim(shape[0]), Dim(1), axes::TLane}, {Dim(shape[1]), Dim(1), axes::TCol}};
        layout = Layout(tile);
    }
    if (folded && s.c_first_column != 0) {
        TileLayout moved = layout->tile();
        moved.offset[axes::TCol] = moved.offset.get(axes::TCol) + s.c_first_column;
        layout = Layout(moved);
    }
    Operand c = whole("C", "tmem", DType::Fp32, to_dims(shape), std::move(layout));
    c.region[1] = {Dim(folded ? 0 : s.c_first_column), Dim(s.n)};
    return c;
}

Status list_steps(const GemmAsyncPlan& plan, GemmBench& bench) {
    const auto count = static_cast<std::size_t>(plan.m_tiles * plan.n_tiles * plan.k_iters);
    if (count > kMostSteps) return error("BENCH_SIZE", fmt::format("the call takes {} instructions; at most {} are listed", count, kMostSteps), "take a smaller tile");
    for (std::int64_t mi = 0; mi < plan.m_tiles; ++mi) {
        for (std::int64_t ni = 0; ni < plan.n_tiles; ++ni) {
            for (std::int64_t ki = 0; ki < plan.k_iters; ++ki) {
                GemmStep step{mi, ni, ki, 0, 0, 0, 0, 0, 0, ki != 0 || bench.subject.accum};
                LS_TRY(const Dim a, plan.a_offset_16b(Dim(mi), Dim(ki)));
                LS_TRY(const Dim b, plan.b_offset_16b(Dim(ni), Dim(ki)));
                step.a_offset_16b = a.constant().value_or(0);
                step.b_offset_16b = b.constant().value_or(0);
                step.a_word = tensor_core::add_16b_units(bench.a.word, step.a_offset_16b);
                step.b_word = tensor_core::add_16b_units(bench.b.word, step.b_offset_16b);
                const TmemPlace d = plan.d_place(Dim(mi), Dim(ni));
                step.d_lane = d.lane.constant().value_or(0);
                step.d_column = d.column.constant().value_or(0);
                bench.steps.push_back(step);
            }
        }
    }
    return ok_status();
}

void report_side(GemmSide& side, std::int64_t tile_mn) {
    if (!side.matched) return;
    DescriptorQuery query{side.operand, side.transposed, side.base_bytes, tensor_core::Generation::Blackwell, tile_mn};
    if (auto report = report_descriptor(query); report.ok()) side.report = std::move(report).value();
}

/// The fragment whose load takes the accumulator, widest instruction first.
void read_back(GemmBench& bench) {
    using catalogue::Tcgen05Shape;
    std::string first;
    for (const Tcgen05Shape shape : {Tcgen05Shape::B32x32, Tcgen05Shape::B16x256, Tcgen05Shape::B16x128, Tcgen05Shape::B16x64}) {
        const auto atom = catalogue::tcgen05_atom(shape, bench.subject.m, bench.subject.n, DType::Fp32);
        if (!atom.ok()) {
            if (first.empty()) first = atom.error().message;
            continue;
        }
        const Operand local = whole("D_reg", "local", DType::Fp32, to_dims(Shape{bench.subject.m, bench.subject.n}), atom->layout.layout);
        auto plan = plan_tcgen05_ldst({bench.c, local, true});
        if (!plan.ok()) {
            if (first.empty()) first = plan.error().message;
            continue;
        }
        bench.readback = std::move(plan).value();
        bench.registers = atom->layout;
        bench.registers->shape = {bench.subject.m, bench.subject.n};
        return;
    }
    bench.readback_refusal = std::move(first);
}

std::string layout_text(const GemmSide& side) {
    if (!side.operand.layout) return "none";
    const auto canonical = canonicalize(*side.operand.layout);
    return notation::print_tirx(canonical.ok() ? *canonical : *side.operand.layout);
}

} // namespace

GemmBench examine(const GemmSubject& subject) {
    GemmBench bench;
    bench.subject = subject;
    const DType dtype = storage(subject.dtype);
    bench.a = side("A", subject.a, subject.m, subject.k, dtype);
    bench.b = side("B", subject.b, std::max<std::int64_t>(1, subject.n / subject.cta_group), subject.k, dtype);
    bench.c = accumulator(subject, bench.datapath);
    if (!bench.a.operand.layout || !bench.b.operand.layout) {
        bench.refusal = bench.a.operand.layout ? bench.b.refusal : bench.a.refusal;
        return bench;
    }
    GemmAsync call;
    call.a = bench.a.operand;
    call.b = bench.b.operand;
    call.c = bench.c;
    call.trans_a = bench.a.transposed;
    call.trans_b = bench.b.transposed;
    call.config.emplace("cta_group", subject.cta_group);
    if (subject.weight_stationary) call.config.emplace("weight_stationary", true);
    if (subject.dtype == DType::Tf32) call.config.emplace("is_AB_tf32", true);
    if (subject.c_first_column + subject.n > subject.c_columns) {
        bench.refusal = error("BENCH_COLUMNS", fmt::format("C takes columns {} to {}, but the buffer has {}", subject.c_first_column,
                                                           subject.c_first_column + subject.n - 1, subject.c_columns),
                              fmt::format("start at column {} or before, or allocate more", std::max<std::int64_t>(0, subject.c_columns - subject.n)));
        return bench;
    }
    auto plan = plan_gemm_async(call);
    if (!plan.ok()) {
        bench.refusal = plan.error();
        return bench;
    }
    for (const GemmSide* one : {&bench.a, &bench.b}) {
        if (one->refusal) {
            bench.refusal = one->refusal;
            return bench;
        }
    }
    if (const Status listed = list_steps(*plan, bench); !listed.ok()) {
        bench.refusal = listed.error();
        return bench;
    }
    bench.plan = std::move(plan).value();
    report_side(bench.a, bench.plan->tile.m);
    report_side(bench.b, bench.plan->tile.n / bench.plan->cta_group);
    read_back(bench);
    return bench;
}

std::string GemmBench::summary() const {
    if (!plan) return {};
    return fmt::format("{}, {} × {}×{}×{}", plan->instruction(), steps.size(), plan->tile.m * plan->cta_group, plan->tile.n, plan->mma_k);
}

std::vector<TraceRow> GemmBench::trace(bool of_b) const {
    std::vector<TraceRow> rows;
    const GemmSide& one = of_b ? b : a;
    rows.push_back({"layout", layout_text(one)});
    if (one.operand.layout) {
        if (const auto slice = slice_of(one.operand); slice.ok()) rows.push_back({"slice of the region", notation::print_tirx(*slice)});
    }
    if (!one.matched) return rows;
    const SmemOperand& found = *one.matched;
    const std::int64_t width = tensor_core::atom_row_bytes(found.swizzle);
    const std::int64_t elems = width * 8 / bits(one.operand.dtype);
    const auto type = info(one.operand.dtype).brief;
    const bool swizzled = found.swizzle != tensor_core::SmemSwizzle::None;
    rows.push_back({"atom", found.mn_major ? fmt::format("[{}, 8] {} · {}", elems, type, swizzled ? fmt::format("swizzle {}", tensor_core::name(found.swizzle)) : "no swizzle")
                                           : fmt::format("[8, {}] {} · {}", elems, type, swizzled ? fmt::format("swizzle {}", tensor_core::name(found.swizzle)) : "no swizzle")});
    const char* mn = of_b ? "N" : "M";
    if (found.mn_major) {
        rows.push_back({fmt::format("leading, {} direction", mn), fmt::format("ldo = {} · 16 B = {} B", found.ldo, found.ldo * 16)});
        rows.push_back({"stride, K direction", fmt::format("sdo = {} · 16 B = {} B", found.sdo, found.sdo * 16)});
    } else {
        rows.push_back({"leading, K direction", found.ldo == 0 ? std::string("extent 1, so ldo = 0") : fmt::format("ldo = {} · 16 B = {} B", found.ldo, found.ldo * 16)});
        rows.push_back({fmt::format("stride, {} direction", mn), fmt::format("sdo = {} · 16 B = {} B", found.sdo, found.sdo * 16)});
    }
    rows.push_back({"major", fmt::format("{}, as stored (trans{} = {})", found.mn_major ? mn : "K", of_b ? "B" : "A", one.transposed ? "true" : "false")});
    if (swizzled) {
        const std::int64_t period = width * 8;
        rows.push_back({"base alignment", one.base_bytes % period == 0 ? fmt::format("{} B, so the XOR commutes", period)
                                                                      : fmt::format("{:#x} is off the period of {} B", one.base_bytes, period)});
    }
    if (one.report && one.report->elements > 0)
        rows.push_back({"walk", one.report->matching == one.report->elements ? fmt::format("all {} elements found", one.report->elements)
                                                                              : fmt::format("{} of {} elements found", one.report->matching, one.report->elements)});
    return rows;
}

} // namespace ls::tirx
