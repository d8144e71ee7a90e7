// tvm/programs/index: programs that the reference was given, in folders beside the file, each with what its dispatch
// made of it: descriptors, instructions with their operands, loops, tensor maps; or which variants refused it.
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "core/dialect/tirx/tirx.h"
#include "core/layout/catalogue/mma_shared.h"
#include "core/layout/catalogue/registers.h"
#include "core/passes/pipeline.h"
#include "core/passes/tirx/tirx_pipeline.h"

namespace ls::conformance {

namespace {

/// The passes up to TilePrimitiveDispatch.
Trace dispatched(const ir::Module& module) {
    std::vector<Pass> passes;
    for (const Pass& p : tirx::tirx_pipeline()) {
        if (p.number <= 2) passes.push_back(p);
    }
    return run_pipeline(module, passes, {});
}

std::vector<std::string> trimmed_lines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        lines.emplace_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/// Splits at commas outside brackets and quotes.
std::vector<std::string> arguments(std::string_view text) {
    std::vector<std::string> out(1);
    int depth = 0;
    bool quoted = false;
    for (const char c : text) {
        if (c == '"') quoted = !quoted;
        if (!quoted) depth += (c == '(' || c == '[') - (c == ')' || c == ']');
        if (c == ',' && depth == 0 && !quoted) {
            out.emplace_back();
        } else if (c != ' ' || !out.back().empty()) {
            out.back() += c;
        }
    }
    return out;
}

struct Summary {
    Json descriptors = Json::array(), calls = Json::array(), loops = Json::array(), maps = Json::array(),
         idesc = Json::array();
};

/// T.cuda.tcgen05.encode_matrix_descriptor(T.address_of(descA), <where>, ldo, sdo, swizzle)
void take_descriptor(std::string_view line, Json& into) {
    constexpr std::string_view kCall = "T.cuda.tcgen05.encode_matrix_descriptor(", kAddress = "T.address_of(";
    if (!line.starts_with(kCall)) return;
    line.remove_prefix(kCall.size());
    line.remove_suffix(1);
    const std::vector<std::string> args = arguments(line);
    if (args.size() != 5 || !args[0].starts_with(kAddress)) return;
    into.push_back({{"desc", args[0].substr(kAddress.size(), args[0].size() - kAddress.size() - 1)},
                    {"smem", args[1]},
                    {"ldo", std::stoll(args[2])},
                    {"sdo", std::stoll(args[3])},
                    {"swizzle", std::stoll(args[4])}});
}

/// The instruction descriptor is the fourth operand of tcgen05.mma.
void take_idesc(const std::string& line, Json& into) {
    constexpr std::string_view kCall = "T.ptx.tcgen05(", kNumber = "T.uint32(";
    if (!line.starts_with(kCall) || line.find("\"mma\"") == std::string::npos) return;
    const std::vector<std::string> args = arguments(std::string_view(line).substr(kCall.size()));
    if (args.size() > 3 && args[3].starts_with(kNumber)) into.push_back(std::stoll(args[3].substr(kNumber.size())));
}

Summary summary_of(const std::string& text) {
    Summary s;
    constexpr std::string_view kEncode = "T.call_packed(\"runtime.cuTensorMapEncodeTiled\", ";
    for (const std::string& line : trimmed_lines(text)) {
        take_descriptor(line, s.descriptors);
        take_idesc(line, s.idesc);
        if (line.starts_with("T.ptx.") || line.starts_with("T.call_packed(")) s.calls.push_back(line);
        if (line.starts_with("for ")) s.loops.push_back(line);
        if (line.starts_with(kEncode)) {
            const std::size_t name_end = line.find(", ", kEncode.size());
            s.maps.push_back(line.substr(name_end + 2, line.size() - name_end - 3));
        }
    }
    return s;
}

std::optional<Outcome> differs(std::string_view what, const Json& expected, const Json& ours) {
    if (expected == ours) return {};
    for (std::size_t i = 0; i < std::max(expected.size(), ours.size()); ++i) {
        const std::string a = i < expected.size() ? expected[i].dump() : "nothing",
                          b = i < ours.size() ? ours[i].dump() : "nothing";
        if (a != b) return failed(fmt::format("{}[{}]: expected {}, got {}", what, i, a, b));
    }
    return failed(fmt::format("{}: expected {}, got {}", what, expected.dump(), ours.dump()));
}

Outcome compare(const Json& expected, const std::string& text) {
    const Summary ours = summary_of(text);
    const std::pair<const char*, const Json*> fields[] = {{"smem_desc", &ours.descriptors},
                                                          {"calls", &ours.calls},
                                                          {"loops", &ours.loops},
                                                          {"tensor_map", &ours.maps},
                                                          {"idesc", &ours.idesc}};
    for (const auto& [key, value] : fields) {
        if (!expected.contains(key)) continue;
        if (auto outcome = differs(key, expected[key], *value)) return *outcome;
    }
    return passed();
}

/// The rows of a dispatcher's report, "variant (prio=10)": each starts a cell of the left column.
Json rows_of(const std::string& report) {
    Json rows = Json::array();
    for (const std::string& line : trimmed_lines(report)) {
        const std::size_t prio = line.find(" (prio=");
        if (!line.starts_with("| ") || prio == std::string::npos || prio > line.find(" | ")) continue;
        rows.push_back({{"variant", line.substr(2, prio - 2)}, {"prio", std::stoll(line.substr(prio + 7))}});
    }
    return rows;
}

/// Which variants refused it; their reasons are worded otherwise here.
Outcome compare_refusal(const Json& test_case, const Diagnostic& why) {
    Json expected = Json::array();
    for (const Json& reason : test_case.at("summary").value("reasons", Json::array())) {
        if (!reason.at("variant").is_null()) {
            expected.push_back({{"variant", reason["variant"]}, {"prio", reason["prio"]}});
        } else if (const std::string text = reason.at("reason"); text.find("no variant named") != std::string::npos) {
            if (why.message.find(text) == std::string::npos)
                return failed(fmt::format("expected \"{}\", got \"{}\"", text, why.message));
        }
    }
    // The report itself names every variant; the summary's list leaves out names such as "tmem<->local".
    if (Json reported = rows_of(test_case.value("error", "")); reported.size() > expected.size())
        expected = std::move(reported);
    if (!expected.empty()) {
        if (auto outcome = differs("variants", expected, rows_of(why.message))) return *outcome;
    }
    Outcome outcome = passed();
    outcome.why = why.message;
    return outcome;
}

/// Programs that could not be built, because a helper refused the layout that the configuration asks for.
Outcome unbuildable(const Json& config) {
    const auto dtype = dtype_from_name(config.value("dtype", config.contains("instr") ? "float32" : "float16"));
    if (!dtype) return failed("unknown dtype");
    if (config.contains("instr")) {
        const auto shape = catalogue::tcgen05_shape_from_name(config["instr"].get<std::string>());
        if (!shape) return failed("unknown instruction");
        const auto atom = catalogue::tcgen05_atom(*shape, config.value("rows", 128), config.value("cols", 64), *dtype);
        return atom ? failed("the fragment's layout was accepted") : passed();
    }
    const auto mode = static_cast<catalogue::SwizzleMode>(config.value("amode", 3));
    const std::int64_t shape[] = {config.value("M", 128), config.value("K", 64)};
    return catalogue::mma_shared(*dtype, mode, shape) ? failed("the shared layout was accepted") : passed();
}

} // namespace

Outcome run_tvm_program(const Json& test_case, const std::filesystem::path& folder) {
    const bool accepted = test_case.at("ok");
    std::ifstream in(folder / test_case.at("id").get<std::string>() / "00_input.txt", std::ios::binary);
    if (!in) {
        const bool before = !accepted && test_case.value("failed_stage", "") == "build";
        return before ? unbuildable(test_case.at("config")) : skipped("the program's folder is not there");
    }
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const Result<ir::Module> module = tirx::read(text);
    if (!module) return failed(fmt::format("the program does not read: {}", module.error().message));
    const Trace trace = dispatched(*module);
    if (!accepted) {
        if (trace.ok()) return failed("accepted, and the reference refuses it");
        const std::string stage = test_case.value("failed_stage", "");
        if (trace.refused_by->name != stage)
            return failed(fmt::format("refused by {}, expected {}", trace.refused_by->name, stage));
        return compare_refusal(test_case, trace.refusals.front());
    }
    if (!trace.ok()) return failed(fmt::format("refused: {}", trace.refusals.front().message));
    return compare(test_case.at("summary"), tirx::print_text(*trace.last().module));
}

bool looks_like_tvm_program(const Json& first_case) {
    return first_case.contains("id") && first_case.contains("config") && first_case.contains("ok") &&
           first_case.contains("summary");
}

} // namespace ls::conformance
