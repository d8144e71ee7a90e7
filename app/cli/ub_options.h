// What the subcommands of `layoutscope ub` have in common: the kernel's shape as options, or a model file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "core/ub/cgdr/scenario.h"
#include "core/ub/model/partition.h"

namespace ls::cli::ub {

/// The shape of chunk_gated_delta_rule and where it runs.
struct ShapeOptions {
    std::string variant = "v1108";
    std::string chip = "Ascend310P3";
    std::optional<std::int64_t> ub_bytes, aiv;
    std::int64_t batch = 1, rows = 128, hv = 16, dk = 128, dv = 128, chunk_size = 64;
    std::optional<std::int64_t> hqk, v_step, blocks;
    bool share = false, separate = false;

    void add_to(CLI::App& command);
};

struct Shape {
    ls::ub::Platform platform;
    ls::ub::cgdr::HostInput input;
};
/// Chip and input; UB_PLATFORM_UNKNOWN, UB_PARAM_RANGE.
Result<Shape> read_shape(const ShapeOptions& options);

/// The plan's launch with the options' own V step, blocks and branch put in. Where no V step fits, the search's failure
/// is the error (E_TILING_FAIL), unless the options give a V step.
Result<ls::ub::cgdr::Scenario> read_scenario(const ShapeOptions& options, const Shape& shape);

/// A model file (or the kernel of the options as a model), parameters changed by "name=value".
struct ModelOptions {
    std::string file;
    std::vector<std::string> set;

    bool given() const { return !file.empty(); }
    void add_to(CLI::App& command);
};

struct LoadedModel {
    Input source; ///< empty text for a model made from options
    ls::ub::CompiledModel model;
    ls::ub::Partition partition;
};
/// Reads, compiles and places; complains on standard error itself and leaves the exit code in `exit_code`.
std::optional<LoadedModel> load_model(const ModelOptions& options, const ShapeOptions& shape, int& exit_code);

/// Findings as a terminal shows them; on standard output, because they are the answer.
void print_findings(const std::vector<ls::ub::Finding>& findings, const Input& source);
/// 1 when there are errors (with `strict`: warnings too), else 0.
int verdict(const std::vector<ls::ub::Finding>& findings, bool strict = false);

/// "name=value" with a whole number; nullopt otherwise.
std::optional<std::pair<std::string, std::int64_t>> split_setting(const std::string& text);

} // namespace ls::cli::ub
