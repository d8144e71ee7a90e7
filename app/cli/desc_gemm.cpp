// layoutscope desc gemm: one gemm_async call as the descriptor workbench shows it, as tables, JSON or pictures.
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/ub_picture.h"
#include "core/figure/bank_phases.h"
#include "core/figure/descriptor_bits.h"
#include "core/figure/gmem_operands.h"
#include "core/figure/smem_tile.h"
#include "core/figure/tmem_map.h"
#include "views/paint/paint.h"

namespace ls::cli {

namespace {

using nlohmann::json;
using tirx::GemmBench;

struct GemmOptions {
    std::string file, part = "smem-a";
    int step = 0;
    bool as_json = false;
    ub::PictureOptions picture;
};

json bench_json(const GemmBench& bench) {
    json out{{"instruction", bench.plan ? bench.plan->instruction() : ""}, {"datapath", std::string(1, bench.datapath)}};
    if (bench.refusal) {
        out["refused"] = bench.refusal->code;
        out["why"] = bench.refusal->message;
        return out;
    }
    const auto& plan = *bench.plan;
    out["tile"] = {plan.tile.m, plan.tile.n, plan.mma_k};
    out["idesc"] = fmt::format("{:#010x}", plan.idesc);
    for (const auto& [name, side] : {std::pair{"a", &bench.a}, std::pair{"b", &bench.b}})
        out[name] = {{"ldo_16b", side->matched->ldo}, {"sdo_16b", side->matched->sdo}, {"swizzle", tensor_core::name(side->matched->swizzle)},
                     {"major", side->matched->mn_major ? "MN" : "K"}, {"word", fmt::format("{:#018x}", side->word)}};
    json steps = json::array();
    for (const auto& s : bench.steps)
        steps.push_back({{"mi", s.mi}, {"ni", s.ni}, {"ki", s.ki}, {"a_offset_16b", s.a_offset_16b}, {"b_offset_16b", s.b_offset_16b}, {"a", fmt::format("{:#018x}", s.a_word)},
                         {"b", fmt::format("{:#018x}", s.b_word)}, {"d_lane", s.d_lane}, {"d_column", s.d_column}, {"enable_input_d", s.accumulate}});
    out["instructions"] = std::move(steps);
    if (bench.readback) out["readback"] = bench.readback->instruction();
    return out;
}

void print_bench(const GemmBench& bench) {
    if (bench.plan) {
        fmt::print("call      {}\nidesc     {:#010x}\nresult    datapath {}\n", bench.summary(), bench.plan->idesc, bench.datapath);
        if (bench.readback) fmt::print("readback  {}\n", bench.readback->instruction());
        fmt::print("\n{:<4}{:<4}{:<4}{:>8}{:>8}  {:<20}{:<20}{:<16}{}\n", "mi", "ni", "ki", "A +16B", "B +16B", "A descriptor", "B descriptor", "D (lane, col)", "enable_input_d");
        for (const auto& s : bench.steps)
            fmt::print("{:<4}{:<4}{:<4}{:>8}{:>8}  {:#018x}  {:#018x}  {:<16}{}\n", s.mi, s.ni, s.ki, s.a_offset_16b, s.b_offset_16b, s.a_word, s.b_word,
                       fmt::format("+({}, {})", s.d_lane, s.d_column), s.accumulate ? 1 : 0);
    }
    for (const bool b : {false, true}) {
        fmt::print("\nwhy {}\n", b ? 'B' : 'A');
        for (const auto& row : bench.trace(b)) fmt::print("  {:<24}{}\n", row.what, row.value);
    }
}

Result<scene::Picture> draw_part(const GemmBench& bench, const GemmOptions& options) {
    const auto measure = paint::text_measure();
    const double width = options.picture.width;
    const std::int64_t mma_k = bench.plan ? bench.plan->mma_k : 16;
    const tirx::GemmStep* step = options.step >= 0 && options.step < static_cast<int>(bench.steps.size()) ? &bench.steps[static_cast<std::size_t>(options.step)] : nullptr;
    if (bench.plan && !step)
        return error("DESC_ARGUMENT", fmt::format("there is no instruction {}; the call has {}", options.step, bench.steps.size()), "they count from 0");
    const bool b = options.part.ends_with("-b");
    const tirx::GemmSide& side = b ? bench.b : bench.a;
    if (options.part.starts_with("smem")) {
        if (!side.tile) return side.refusal.value_or(error("PLAN_NO_LAYOUT", "the operand has no layout"));
        figure::SmemTileOptions o;
        o.width = width;
        o.height = 110 + 26.0 * static_cast<double>(std::min<std::int64_t>(side.tile->lines(), 64));
        o.row_letter = b ? 'n' : 'm';
        o.mma_k = mma_k;
        if (step) {
            const std::int64_t rows = b ? bench.plan->tile.n / bench.plan->cta_group : bench.plan->tile.m;
            o.window_mn = (b ? step->ni : step->mi) * rows;
            o.window_mn_count = rows;
            o.window_k = step->ki * mma_k;
            o.window_k_count = mma_k;
        }
        return figure::draw_smem_tile(side, o, *measure).picture;
    }
    if (options.part == "tmem") {
        LS_TRY(const auto rects, tirx::tmem_rects(bench.c));
        figure::TmemMapOptions o;
        o.width = width;
        o.height = width * 0.7;
        if (step) {
            o.mi = step->mi;
            o.ni = step->ni;
        }
        return figure::draw_tmem_map(bench, rects, o, *measure).picture;
    }
    if (options.part == "registers") {
        if (!bench.registers) return error("LDST_DATAPATH", bench.readback_refusal.empty() ? "the call is refused, so nothing is read back" : bench.readback_refusal);
        LS_TRY(const auto owners, tirx::RegisterOwners::make(*bench.registers));
        return figure::draw_register_map(owners, {width, width * 0.7, {}, bench.readback->instruction()}, *measure).picture;
    }
    if (options.part == "gmem") {
        figure::GmemOptions o;
        o.width = width;
        o.height = width * 0.9;
        o.mma_k = mma_k;
        o.k_step = step ? step->ki : -1;
        return figure::draw_gmem_operands(bench, o, *measure).picture;
    }
    if (options.part == "instruction") {
        if (!bench.plan) return *bench.refusal;
        const auto fields = tensor_core::instruction_fields(bench.plan->idesc, bench.plan->kind, bench.plan->weight_stationary);
        return figure::draw_descriptor_bits(fields, bench.plan->idesc, {width, 32, figure::DescriptorUnit::Units16, 16}, *measure);
    }
    if (options.part.starts_with("banks")) {
        if (!side.tile || !side.plain) return side.refusal.value_or(error("PLAN_NO_LAYOUT", "the operand has no layout"));
        const std::int64_t k = step ? step->ki * mma_k : 0;
        LS_TRY(const auto plain, tirx::bank_access(*side.plain, tirx::AccessKind::LdmatrixPhase, 0, k));
        LS_TRY(const auto swizzled, tirx::bank_access(*side.tile, tirx::AccessKind::LdmatrixPhase, 0, k));
        figure::BankPhasesOptions o{width, "no swizzle", side.matched ? std::string(tensor_core::name(side.matched->swizzle)) + " swizzle" : "as it lies", b ? 'n' : 'm'};
        return figure::draw_bank_phases(&plain, &swizzled, o, *measure);
    }
    if (!side.matched) return side.refusal.value_or(error("PLAN_NO_LAYOUT", "the operand has no layout"));
    const std::uint64_t word = step ? (b ? step->b_word : step->a_word) : side.word;
    const auto fields = tensor_core::matrix_fields(word, tensor_core::Generation::Blackwell, {side.matched->mn_major, {}, {}});
    return figure::draw_descriptor_bits(fields, word, {width, 64, figure::DescriptorUnit::Units16, bits(side.operand.dtype)}, *measure);
}

int gemm(const GemmOptions& options) {
    std::string text = tirx::write_gemm_subject(tirx::worked_example());
    Input input{text, "the worked example"};
    if (!options.file.empty()) {
        auto read = read_input(options.file, true);
        if (!read.ok()) return complain(read.error(), {options.file, ""}, kUsage);
        input = std::move(read).value();
    }
    const auto subject = tirx::read_gemm_subject(input.text);
    if (!subject.ok()) return complain(subject.error(), input, kUsage);
    const GemmBench bench = tirx::examine(*subject);
    if (options.picture.wanted()) {
        auto picture = draw_part(bench, options);
        if (!picture.ok()) return complain(picture.error(), {}, kFinding);
        picture->title = fmt::format("gemm_async, {}", options.part);
        if (const int code = ub::write_pictures(*picture, options.picture); code != kFine) return code;
    }
    if (options.as_json) fmt::print("{}\n", bench_json(bench).dump(2));
    else print_bench(bench);
    return bench.refusal ? complain(*bench.refusal, {}, kFinding) : kFine;
}

} // namespace

void add_desc_gemm(CLI::App& desc, int& exit_code) {
    auto options = std::make_shared<GemmOptions>();
    CLI::App* command = desc.add_subcommand("gemm", "One gemm_async: every instruction, its words and addresses");
    command->add_option("FILE", options->file, "The call as JSON (.gemm.json); default: the worked example");
    command->add_option("--part", options->part, "What the picture shows")
        ->check(CLI::IsMember({"gmem", "smem-a", "smem-b", "tmem", "registers", "matrix-a", "matrix-b", "instruction", "banks-a", "banks-b"}));
    command->add_option("--step", options->step, "Instruction whose window and word the picture shows");
    command->add_flag("--json", options->as_json, "Print JSON");
    options->picture.add_to(*command);
    command->footer("Examples:\n"
                    "  layoutscope desc gemm\n"
                    "  layoutscope desc gemm --part smem-a --step 1 --svg smem.svg");
    command->callback([options, &exit_code] { exit_code = gemm(*options); });
}

} // namespace ls::cli
