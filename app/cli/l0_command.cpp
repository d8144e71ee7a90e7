// layoutscope l0 --m M --n N --k K: the search for the tile that AutoTileMatmulL0 cuts a product into.
#include <limits>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/text_table.h"
#include "app/cli/ub_picture.h"
#include "core/figure/l0_candidates.h"
#include "views/paint/paint.h"

namespace ls::cli {

namespace {

struct Options {
    std::int64_t m = 0, n = 0, k = 0, rows = 20;
    std::string dtype = "bf16", acc, chip = "a2a3";
    bool nz_store = false, exact_k = false, two_accumulators = false, all = false, json = false, csv = false;
    ub::PictureOptions picture;
};

bool is_integer(DType t) { return t == DType::Int8 || t == DType::UInt8 || t == DType::Int16 || t == DType::UInt16; }

Result<DType> dtype_of(const std::string& word) {
    const auto found = dtype_from_name(word);
    if (found) return *found;
    return error("CLI_DTYPE", fmt::format("'{}' is no element type", word), "bf16, fp16, fp32, int8, fp8e4m3, ...");
}

Result<figure::L0Space> search(const Options& o) {
    const Hardware* hardware = find_hardware(o.chip);
    if (hardware == nullptr) return error("CLI_CHIP", fmt::format("there is no chip '{}'", o.chip), "a2a3 or a5");
    LS_TRY(const DType operand, dtype_of(o.dtype));
    DType acc = is_integer(operand) ? DType::Int32 : DType::Fp32;
    if (!o.acc.empty()) {
        LS_TRY(acc, dtype_of(o.acc));
    }
    nz::L0Problem p = nz::l0_problem(o.m, o.n, o.k, operand, operand, acc, *hardware);
    p.allow_k_boundary = !o.exact_k;
    p.allow_double_output = o.two_accumulators;
    if (o.nz_store) {
        if (!hardware->nz_store.supported) {
            return error("NZ_STORE_BACKEND",
                         fmt::format("{} has no store from an accumulator into an NZ tensor", hardware->id),
                         "leave --nz-store out, or use --chip a2a3");
        }
        p.fixed_m = o.m;
        p.max_n = hardware->nz_store.max_cols / hardware->cube_unit * hardware->cube_unit;
    }
    return figure::l0_space(p, operand, *hardware);
}

nlohmann::json candidate_json(const nz::L0Candidate& c, const figure::L0Space& space) {
    nlohmann::json row{{"m", c.m},
                       {"n", c.n},
                       {"k", c.k == 0 ? nlohmann::json() : nlohmann::json(c.k)},
                       {"fits", c.fit == nz::L0Fit::Fits},
                       {"verdict", l0_verdict(c, space)},
                       {"stays", name(c.regime)},
                       {"twoAccumulators", c.double_output},
                       {"l0cBytes", space.l0c_bytes(c)}};
    if (c.k != 0) {
        row["l0aBytes"] = space.l0a_bytes(c);
        row["l0bBytes"] = space.l0b_bytes(c);
    }
    if (c.fit == nz::L0Fit::Fits) {
        row["wallCycles"] = c.cost.wall_cycles;
        row["loadACycles"] = c.cost.load_a_cycles;
        row["loadBCycles"] = c.cost.load_b_cycles;
        row["productCycles"] = c.cost.mad_cycles;
        row["drainCycles"] = c.cost.drain_cycles;
        row["hiddenCycles"] = c.cost.hidden_cycles;
        row["kBlocks"] = c.cost.k_blocks;
    }
    return row;
}

int run(const Options& o) {
    const auto space = search(o);
    if (!space.ok()) {
        const bool usage = space.error().code.compare(0, 4, "CLI_") == 0;
        return complain(space.error(), {}, usage ? kUsage : kFinding);
    }
    const figure::L0CandidateTable table(*space, o.all);
    const std::int64_t limit = o.all ? std::numeric_limits<std::int64_t>::max() : o.rows;
    const nz::L0Candidate& best = space->chosen();
    const auto recorded = static_cast<std::int64_t>(space->choice.candidates.size());
    const std::int64_t looked_at = recorded + space->choice.left_out;
    const std::int64_t shown = std::min(limit, table.row_count());
    if (o.json) {
        nlohmann::json rows = nlohmann::json::array();
        for (std::int64_t r = 0; r < shown; ++r) rows.push_back(candidate_json(table.candidate(r), *space));
        const nlohmann::json answer{{"M", o.m},
                                    {"N", o.n},
                                    {"K", o.k},
                                    {"chip", space->hardware->id},
                                    {"chosen", candidate_json(best, *space)},
                                    {"rowsOuter", space->choice.a_outside},
                                    {"fitting", space->choice.fitting},
                                    {"ruledOut", looked_at - space->choice.fitting},
                                    {"notShown", looked_at - shown},
                                    {"candidates", std::move(rows)}};
        fmt::print("{}\n", answer.dump(2));
    } else if (o.csv) {
        fmt::print("{}", csv_table(table, limit));
    } else {
        fmt::print("C[{0}, {1}] = A[{0}, {2}] · B[{2}, {1}], {3} on {4}: m {5}, n {6}, k {7}, {8} cycles\n"
                   "{9} tiles fit, {10} were ruled out\n\n{11}",
                   o.m, o.n, o.k, info(space->operand).pypto, space->hardware->id, best.m, best.n, best.k,
                   best.cost.wall_cycles, space->choice.fitting, looked_at - space->choice.fitting,
                   text_table(table, limit));
        if (!o.all && looked_at > space->choice.fitting)
            fmt::print("  … {} tiles that do not fit: --all lists them\n", looked_at - space->choice.fitting);
        if (o.all && space->choice.left_out > 0)
            fmt::print("  … {} tiles were looked at and not kept\n", space->choice.left_out);
    }
    if (!o.picture.wanted()) return kFine;
    return ub::write_pictures(draw_l0_space(*space, o.picture.width, *paint::text_measure()), o.picture);
}

} // namespace

void add_l0(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("l0", "Show how the L0 tile of a product is chosen");
    const CLI::Range extent(std::int64_t{1}, std::int64_t{1} << 40);
    command->add_option("--m", options->m, "Rows of A and C")->required()->check(extent);
    command->add_option("--n", options->n, "Columns of B and C")->required()->check(extent);
    command->add_option("--k", options->k, "Columns of A, rows of B")->required()->check(extent);
    command->add_option("--dtype", options->dtype, "Element type of A and B. Default: bf16");
    command->add_option("--acc", options->acc, "Element type of C. Default: fp32, for integers int32");
    command->add_option("--chip", options->chip, "a2a3 or a5");
    command->add_flag("--nz-store", options->nz_store, "C is stored into an NZ tensor: m is M");
    command->add_flag("--exact-k", options->exact_k, "k must divide K");
    command->add_flag("--two-accumulators", options->two_accumulators, "Try tiles with two accumulators, too");
    command->add_option("--rows", options->rows, "Rows of the table. Default: 20")->check(CLI::Range(1, 1000000));
    command->add_flag("--all", options->all, "Every row, those that do not fit, too");
    auto* json = command->add_flag("--json", options->json, "Print JSON");
    command->add_flag("--csv", options->csv, "Print CSV")->excludes(json);
    options->picture.add_to(*command);
    command->footer("Examples:\n"
                    "  layoutscope l0 --m 512 --n 512 --k 1024\n"
                    "  layoutscope l0 --m 64 --n 8192 --k 256 --nz-store --all --csv\n"
                    "  layoutscope l0 --m 4096 --n 4096 --k 4096 --chip a5 --png search.png");
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace ls::cli
