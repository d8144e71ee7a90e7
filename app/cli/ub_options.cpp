#include "app/cli/ub_options.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/ub/cgdr/as_model.h"
#include "core/ub/model/model_json.h"

namespace ls::cli::ub {

using namespace ls::ub;

void ShapeOptions::add_to(CLI::App& command) {
    const std::string group = "Kernel (chunk_gated_delta_rule)";
    command.add_option("--variant", variant, "v1108 (vector cores only) or v1135 (Cube version)")
        ->check(CLI::IsMember({"v1108", "v1135"}))
        ->group(group);
    command.add_option("--chip", chip, "Chip; `layoutscope ub platforms` lists them")
        ->capture_default_str()
        ->group(group);
    command.add_option("--ub", ub_bytes, "Bytes of unified buffer, instead of the chip's")->group(group);
    command.add_option("--aiv", aiv, "Vector cores that the host sees, instead of the chip's")->group(group);
    command.add_option("--batch", batch, "Sequences")->capture_default_str()->group(group);
    command.add_option("--rows", rows, "Packed rows T")->capture_default_str()->group(group);
    command.add_option("--hqk", hqk, "Query and key heads; as many as value heads unless given")->group(group);
    command.add_option("--hv", hv, "Value heads")->capture_default_str()->group(group);
    command.add_option("--dk", dk, "Key head size")->capture_default_str()->group(group);
    command.add_option("--dv", dv, "Value head size")->capture_default_str()->group(group);
    command.add_option("--chunk", chunk_size, "Rows of a chunk")->capture_default_str()->group(group);
}

Result<Shape> read_shape(const ShapeOptions& o) {
    Shape shape;
    LS_TRY(shape.platform, find_platform(o.chip));
    cgdr::HostInput& in = shape.input;
    in.variant = o.variant == "v1135" ? cgdr::Variant::V1135 : cgdr::Variant::V1108;
    in.batch = o.batch;
    in.t = o.rows;
    in.hv = o.hv;
    in.hqk = o.hqk.value_or(o.hv);
    in.dk = o.dk;
    in.dv = o.dv;
    in.chunk_size = o.chunk_size;
    in.ub_bytes = o.ub_bytes.value_or(shape.platform.planning_bytes());
    in.aiv = o.aiv.value_or(shape.platform.planning_cores().value_or(0));
    LS_CHECK(validate(in));
    return shape;
}

Result<cgdr::Scenario> read_scenario(const ShapeOptions& o, const Shape& shape) {
    LS_TRY(cgdr::HostPlan plan, cgdr::plan_host(shape.input));
    if (!plan.search.ok && !o.v_step) return plan.search.failure->diagnostic();
    cgdr::Scenario s = scenario_of(plan, &shape.platform);
    if (o.v_step) {
        s.device.v_step = *o.v_step;
        s.rest_bytes.reset(); // the record's rest belongs to the V step that was searched
        s.device.block_num = std::max<std::int64_t>(1, plan.block_dim);
    }
    if (o.blocks) s.device.block_num = *o.blocks;
    if (o.share) s.device.force_overlap = true;
    if (o.separate) s.device.force_overlap = false;
    return s;
}

void ModelOptions::add_to(CLI::App& command) {
    command.add_option("MODEL", file,
                       "Model file (JSON), or - for standard input; without it the kernel of the options");
    command.add_option("--set", set, "Change a parameter of the model: name=value");
}

std::optional<std::pair<std::string, std::int64_t>> split_setting(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) return {};
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [at, failure] = std::from_chars(text.data() + equals + 1, end, value);
    if (failure != std::errc() || at != end) return {};
    return std::pair{text.substr(0, equals), value};
}

namespace {

Result<Model> kernel_model(const ShapeOptions& o) {
    LS_TRY(const Shape shape, read_shape(o));
    LS_TRY(const cgdr::Scenario scenario, read_scenario(o, shape));
    LS_TRY(const cgdr::DevicePartition device, cgdr::carve(scenario.device));
    const ModelPlatform platform{shape.platform.id, shape.input.ub_bytes, scenario.reserved_tail_bytes,
                                 shape.platform.queue_buffers_per_position};
    return as_model(device, platform, std::min<std::int64_t>(serial_tiles(scenario.device), 16));
}

Status apply_settings(Model& model, const std::vector<std::string>& settings) {
    for (const std::string& text : settings) {
        const auto setting = split_setting(text);
        if (!setting)
            return error("CLI_SETTING", fmt::format("'{}' is no setting", text),
                         "write --set name=value with a whole number");
        const auto at = std::find_if(model.params.begin(), model.params.end(),
                                     [&](const Parameter& p) { return p.name == setting->first; });
        if (at == model.params.end()) {
            std::string names;
            for (const Parameter& p : model.params) names += fmt::format("{}{}", names.empty() ? "" : ", ", p.name);
            return error("CLI_SETTING", fmt::format("the model has no parameter '{}'", setting->first),
                         fmt::format("it has: {}", names));
        }
        at->value = setting->second;
    }
    return ok_status();
}

} // namespace

std::optional<LoadedModel> load_model(const ModelOptions& options, const ShapeOptions& shape, int& exit_code) {
    LoadedModel loaded;
    Model model;
    const auto refuse = [&](const Diagnostic& why, int code) {
        exit_code = complain(why, loaded.source, code);
        return std::nullopt;
    };
    if (options.given()) {
        auto input = read_input(options.file, true);
        if (!input.ok()) {
            loaded.source.name = options.file;
            return refuse(input.error(), kUsage);
        }
        loaded.source = std::move(input).value();
        auto file = read_model(loaded.source.text);
        if (!file.ok()) return refuse(file.error(), kUsage);
        for (const Diagnostic& warning : file->warnings) complain(warning, loaded.source, kFine);
        model = std::move(file->model);
    } else {
        auto kernel = kernel_model(shape);
        if (!kernel.ok()) return refuse(kernel.error(), kFinding);
        model = std::move(kernel).value();
    }
    if (const Status set = apply_settings(model, options.set); !set.ok()) return refuse(set.error(), kUsage);
    auto compiled = CompiledModel::compile(std::move(model));
    if (!compiled.ok()) return refuse(compiled.error(), kUsage);
    loaded.model = std::move(compiled).value();
    auto partition = loaded.model.evaluate();
    if (!partition.ok()) return refuse(partition.error(), kFinding);
    loaded.partition = std::move(partition).value();
    return loaded;
}

void print_findings(const std::vector<Finding>& findings, const Input& source) {
    for (const Finding& finding : findings) fmt::print("{}", render(finding.diagnostic(), source.text, source.name));
}

int verdict(const std::vector<Finding>& findings, bool strict) {
    const bool bad = std::any_of(findings.begin(), findings.end(), [&](const Finding& f) {
        return f.severity() == Severity::Error || (strict && f.severity() == Severity::Warning);
    });
    return bad ? kFinding : kFine;
}

} // namespace ls::cli::ub
