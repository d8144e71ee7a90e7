// tirx/script_text: what the printer of script text writes, {"op": .., "input": {..}, "expect": {..}}.
#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "app/conformance/run_tirx_cuda_names.h"
#include "app/conformance/run_tirx_layout_json.h"
#include "app/conformance/run_tirx_script_lower.h"
#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/ops.h"
#include "core/dialect/tirx/tirx.h"
#include "core/ir/walk.h"
#include "core/notation/tirx_text.h"

namespace ls::conformance {

namespace {

using namespace ir;

/// Each line without its indentation, which the cases write as two columns and the printer as four.
std::string without_indent(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        out.append(line).append("\n");
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    while (out.ends_with("\n\n")) out.pop_back();
    return out;
}

/// Statements separated by ';' as a function.
std::string program_of(std::string_view statements, std::string_view name) {
    std::string text = fmt::format("@T.prim_func\ndef {}():\n", name);
    while (!statements.empty()) {
        const std::size_t end = std::min(statements.find(';'), statements.size());
        std::string_view one = statements.substr(0, end);
        one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
        text += fmt::format("    {}\n", one);
        statements.remove_prefix(std::min(end + 1, statements.size()));
    }
    return text;
}

Outcome same_text(const std::string& expected, const std::string& actual) {
    return expected == actual ? passed() : failed(fmt::format("expected \"{}\", got \"{}\"", expected, actual));
}

Outcome run_tile_call(const Json& input, const Json& expect) {
    const Result<Module> module = tirx::read(program_of(input.at("source").get<std::string>(), "test"));
    if (!module) return failed(fmt::format("refused: {}", module.error().message));
    return same_text(without_indent(expect.at("script").get<std::string>()),
                     without_indent(tirx::print_text(**module)));
}

Outcome run_layout(const Json& input, const Json& expect) {
    const Result<Layout> layout = layout_from_json(input.at("layout"));
    if (!layout) return failed(fmt::format("refused: {}", layout.error().message));
    return same_text(expect.at("script").get<std::string>(), notation::print_tirx_repr(*layout));
}

/// The name in front of a call, shown by a call of that scope.
Outcome run_scope_prefix(const Json& input, const Json& expect) {
    const std::string scope = input.at("scope").get<std::string>();
    const auto known = tirx::exec_scope_from_name(scope);
    if (!known) return failed(fmt::format("\"{}\" is no scope", scope));
    const Expr call = tirx::make_tile_call({"copy", {}, *known, {}, {}, {}});
    std::string text = tirx::print(*call);
    text.insert(text.size() - 1, "...");
    return same_text(expect.at("callee").get<std::string>(), text);
}

Outcome run_view_dtype(const Json& input, const Json& expect) {
    const Json& layout = input.at("layout");
    std::string shape;
    for (const Json& d : input.at("shape")) shape += fmt::format("{}, ", d.get<std::int64_t>());
    const std::string text =
        program_of(fmt::format("A = T.alloc_buffer(({}), \"{}\", elem_offset={}, layout={}); B = A.view(\"{}\")", shape,
                               input.at("dtype").get<std::string>(), input.value("elem_offset", 0),
                               layout.is_null() ? "None" : fmt::format("T.TileLayout({})", layout.get<std::string>()),
                               input.at("to").get<std::string>()),
                   "main");
    const Result<Module> module = tirx::read(text);
    if (expect.contains("error")) return refused(module, "a view");
    if (!module) return failed(fmt::format("refused: {}", module.error().message));
    const BufferTypeNode* view = nullptr;
    for_each_stmt(**module, [&](const StmtNode& s) {
        if (const auto* a = as<AssignNode>(&s)) view = tirx::buffer_type(a->targets[0]);
    });
    const auto dims = view != nullptr ? constant_dims(view->shape) : std::nullopt;
    if (!dims) return failed("the view has no constant shape");
    if (const Outcome o = same_json(expect.at("shape"), *dims); o.kind != Outcome::Kind::Passed) return o;
    const std::int64_t offset = view->elem_offset == nullptr ? 0 : constant(view->elem_offset).value_or(-1);
    if (const Outcome o = same_json(expect.at("elem_offset"), offset); o.kind != Outcome::Kind::Passed) return o;
    const auto seen = tirx::layout_of(*view);
    return seen ? same_layout(expect.at("layout"), *seen) : failed("the view has no layout");
}

} // namespace

bool looks_like_tirx_script_text(const Json& first_case) {
    if (!first_case.contains("op") || !first_case["op"].is_string()) return false;
    const std::string op = first_case["op"].get<std::string>();
    return op == "print_tile_call" || op == "print_layout" || op == "print_scope_prefix" || op == "view_dtype" ||
           op == "flat_extent" || op == "cuda_helper_name" || op == "lower_cuda_index" ||
           op == "lower_swizzled_store" || op == "lower_error";
}

Outcome run_tirx_script_text(const Json& test_case, const Json&) {
    const std::string op = test_case.at("op").get<std::string>();
    const Json &input = test_case.at("input"), &expect = test_case.at("expect");
    if (op == "print_tile_call") return run_tile_call(input, expect);
    if (op == "print_layout") return run_layout(input, expect);
    if (op == "print_scope_prefix") return run_scope_prefix(input, expect);
    if (op == "view_dtype") return run_view_dtype(input, expect);
    if (op == "cuda_helper_name") return run_cuda_helper_name(input, expect);
    if (const auto lowered = run_tirx_lowering(op, input, expect)) return *lowered;
    return skipped(fmt::format("nothing here says what \"{}\" is", op));
}

} // namespace ls::conformance
