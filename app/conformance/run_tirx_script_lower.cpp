#include "app/conformance/run_tirx_script_lower.h"

#include <regex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/tirx.h"
#include "core/ir/equality.h"
#include "core/ir/walk.h"
#include "core/passes/pipeline.h"
#include "core/passes/pipelines.h"

namespace ls::conformance {

namespace {

using namespace ir;

/// S[(4,8):(1@laneid,1)] + R[2:8] as T.TileLayout(T.S[...] + T.R[...]); ComposeLayout(3,3,3,S[512:1]) likewise.
std::string layout_text(std::string text) {
    text = std::regex_replace(text, std::regex(R"(@\s*(\w+))"), " @ Axis.$1");
    text = std::regex_replace(text, std::regex(R"(\b([SR])\[)"), "T.$1[");
    if (!text.starts_with("ComposeLayout(")) return fmt::format("T.TileLayout({})", text);
    return std::regex_replace(text, std::regex(R"(^ComposeLayout\((\d+),(\d+),(\d+),(.*)\)$)"),
                              "T.ComposeLayout($1, $2, $3, T.TileLayout($4))");
}

std::string tuple_text(const Json& list) {
    std::string out = "(";
    for (const Json& e : list) out += fmt::format("{}, ", e.get<std::int64_t>());
    return out + ")";
}

struct Lowered {
    Module before, after;
};
Result<Lowered> lower(const std::string& params, const std::vector<std::string>& lines, int first, int last) {
    std::string text = fmt::format("@T.prim_func\ndef main({}):\n", params);
    for (const std::string& line : lines) text += fmt::format("    {}\n", line);
    LS_TRY(Module module, tirx::read(text));
    std::vector<Pass> passes;
    for (const Pass& p : pipeline_of(Dialect::Tirx)) {
        if (p.number >= first && p.number <= last) passes.push_back(p);
    }
    Trace trace = run_pipeline(module, passes, {});
    if (!trace.ok()) return trace.refusals.front();
    return Lowered{module, trace.last().module};
}

/// The last definition of a buffer.
Var last_buffer(const Module& module) {
    Var found;
    for_each_stmt(*module, [&](const StmtNode& s) {
        const auto* a = as<AssignNode>(&s);
        if (a != nullptr && tirx::buffer_type(a->targets[0]) != nullptr) found = a->targets[0];
    });
    return found;
}

/// The one index of the first store.
Expr stored_index(const Module& module) {
    Expr found;
    for_each_stmt(*module, [&](const StmtNode& s) {
        const auto* store = as<StoreNode>(&s);
        const auto* target = store != nullptr ? as<SubscriptNode>(store->target) : nullptr;
        if (found == nullptr && target != nullptr && target->indices.size() == 1) found = target->indices[0];
    });
    return found;
}

Expr evaluated(const Module& module) {
    Expr found;
    for_each_stmt(*module, [&](const StmtNode& s) {
        if (const auto* e = as<EvalNode>(&s)) found = e->value;
    });
    return found;
}

Outcome same_index(const Result<Lowered>& lowered, const std::string& params, const std::vector<std::string>& wanted) {
    if (!lowered) return failed(fmt::format("refused: {}", lowered.error().message));
    const auto reference = lower(params, wanted, 1, 0);
    if (!reference) return failed(fmt::format("the expectation does not read: {}", reference.error().message));
    const Expr ours = stored_index(lowered->after), theirs = evaluated(reference->before);
    if (ours == nullptr || theirs == nullptr) return failed("there is no store with one index");
    const auto difference = first_difference(ours, theirs);
    if (!difference) return passed();
    return failed(fmt::format("expected {}, got {}", tirx::print(*theirs), tirx::print(*ours)));
}

Outcome flat_extent(const Json& input, const Json& expect) {
    const Json& layout = input.at("layout");
    std::string geometry = tuple_text(input.at("shape"));
    if (input.contains("strides")) geometry += fmt::format(", strides={}", tuple_text(input["strides"]));
    geometry += fmt::format(", layout={}", layout.is_null() ? "None" : layout_text(layout.get<std::string>()));
    const bool alloc = input.at("node") == "AllocBuffer";
    std::vector<std::string> lines;
    if (alloc) {
        lines = {fmt::format("A = T.alloc_buffer({}, scope=\"local\")", geometry)};
    } else {
        lines = {"A = T.alloc_buffer((65536,), scope=\"local\", layout=None)",
                 fmt::format("B = T.decl_buffer({}, data=A.data, scope=\"local\")", geometry)};
    }
    const auto lowered = lower("", lines, 3, 3);
    if (!lowered) return failed(fmt::format("refused: {}", lowered.error().message));
    const Var before = last_buffer(lowered->before), after = last_buffer(lowered->after);
    if (expect.value("same_buffer", false)) return before == after ? passed() : failed("the buffer was rebuilt");
    const auto& type = *tirx::buffer_type(after);
    const auto shape = constant_dims(type.shape);
    if (!shape) return failed("the flat buffer has no constant shape");
    if (Json(*shape) != expect.at("shape")) {
        return failed(fmt::format("expected {}, got [{}]", expect["shape"].dump(), fmt::join(*shape, ", ")));
    }
    return tirx::layout_of(type) ? failed("the flat buffer has a layout") : passed();
}

/// "B (4,8) float32", and how each variant of it indexes [i, j].
Outcome cuda_index(const Json& input, const Json& expect) {
    static const std::regex decl(R"((\w+) (\([^)]*\)) (\w+))");
    std::smatch m;
    const std::string text = input.at("decl").get<std::string>();
    if (!std::regex_match(text, m, decl)) return failed("the declaration is of another form");
    for (const auto& [variant, wanted] : expect.items()) {
        const std::string params = "i: T.int32, j: T.int32";
        std::string extra;
        if (variant.starts_with("S[") || variant.starts_with("ComposeLayout")) {
            extra = fmt::format(", layout={}", layout_text(variant));
        } else if (variant != "row-major") {
            extra = ", " + variant;
        }
        const std::string type = m[3] == "float32" ? "" : fmt::format(", \"{}\"", m[3].str());
        const auto lowered =
            lower(params,
                  {"R = T.alloc_buffer((65536,), layout=None)",
                   fmt::format("{0} = T.decl_buffer({1}{2}, data=R.data{3})", m[1].str(), m[2].str(), type, extra),
                   fmt::format("{}[i, j] = T.float32(0)", m[1].str())},
                  3, 7);
        const Outcome one = same_index(lowered, params, {fmt::format("T.evaluate({})", wanted.get<std::string>())});
        if (one.kind != Outcome::Kind::Passed) return failed(fmt::format("{}: {}", variant, one.why));
    }
    return passed();
}

/// "Let m = E; Let q = F; BODY" as statements of the script.
std::vector<std::string> let_lines(std::string text) {
    std::vector<std::string> lines, names, values;
    for (std::size_t end = text.find("; "); text.starts_with("Let ") && end != std::string::npos;
         end = text.find("; ")) {
        const std::size_t equals = text.find(" = ");
        names.push_back(text.substr(4, equals - 4));
        values.push_back(text.substr(equals + 3, end - equals - 3));
        text = text.substr(end + 2);
    }
    for (const std::string& name : names) lines.push_back(name + " = T.int32()");
    for (std::size_t i = names.size(); i-- > 0;)
        text = fmt::format("T.Let({}, where={{{}: {}}})", text, names[i], values[i]);
    lines.push_back(fmt::format("T.evaluate({})", text));
    return lines;
}

Outcome swizzled_store(const Json& input, const Json& expect) {
    static const std::regex buffer(R"((\w+) (\([^)]*\)) (\w+) layout (.*))");
    std::smatch m;
    const std::string text = input.at("buffer").get<std::string>();
    if (!std::regex_match(text, m, buffer)) return failed("the buffer is of another form");
    const auto dtype = dtype_from_name(m[3].str());
    if (!dtype) return failed(fmt::format("\"{}\" is no element type", m[3].str()));
    const std::string params = "tile: T.int32, threadIdx_x: T.int32, vec: T.int32";
    const auto lowered = lower(
        params,
        {fmt::format("{} = T.alloc_shared({}, \"{}\", layout={})", m[1].str(), m[2].str(), info(*dtype).tirx,
                     layout_text(m[4].str())),
         fmt::format("{}{} = T.{}(0)", m[1].str(),
                     std::regex_replace(input.at("index").get<std::string>(), std::regex(R"(\btid\b)"), "threadIdx_x"),
                     info(*dtype).tirx)},
        3, 3);
    const Outcome index = same_index(lowered, params, let_lines(expect.at("index_expr").get<std::string>()));
    if (index.kind != Outcome::Kind::Passed || !expect.contains("alloc")) return index;
    const std::string program = tirx::print_text(*lowered->after), wanted = expect["alloc"].get<std::string>();
    return program.find(wanted) != std::string::npos ? passed()
                                                     : failed(fmt::format("expected {} in {}", wanted, program));
}

Outcome lowering_error(const Json& expect) {
    const auto lowered =
        lower("",
              {"A = T.alloc_local((128, 4), layout=T.TileLayout(T.S[(128, 4):(1 @ Axis.tid_in_wg, 1)]))",
               "T.evaluate(A[0, 0])"},
              3, 3);
    if (lowered) return failed("the access was lowered");
    const bool thread_axis = expect.at("error_contains").get<std::string>().find("thread-axis") != std::string::npos;
    return thread_axis && lowered.error().code == "TIRX_THREAD_AXIS_ACCESS" ? passed()
                                                                            : failed(lowered.error().message);
}

} // namespace

std::optional<Outcome> run_tirx_lowering(const std::string& op, const Json& input, const Json& expect) {
    if (op == "flat_extent") return flat_extent(input, expect);
    if (op == "lower_cuda_index") return cuda_index(input, expect);
    if (op == "lower_swizzled_store") return swizzled_store(input, expect);
    if (op == "lower_error" && input.value("case", "").find("thread axis") != std::string::npos)
        return lowering_error(expect);
    return {};
}

} // namespace ls::conformance
