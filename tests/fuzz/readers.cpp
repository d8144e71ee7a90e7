#include "tests/fuzz/readers.h"

#include <array>
#include <vector>

#include <fmt/format.h>

#include "core/dialect/pto/pto.h"
#include "core/dialect/pypto/pypto.h"
#include "core/figure/filter_expression.h"
#include "core/ir/equality.h"
#include "core/notation/notation.h"
#include "core/ub/model/model_json.h"
#include "core/ub/model/partition.h"

namespace ls::fuzz {

namespace {

/// A finding must have a code, say something, lie within the text, and be fit to be shown.
std::string check(const Diagnostic& finding, std::string_view text) {
    if (finding.code.empty() || finding.message.empty()) return fmt::format("a finding '{}' that says '{}'", finding.code, finding.message);
    if (finding.span.begin > finding.span.end || finding.span.end > text.size())
        return fmt::format("{} points at [{}, {}) of {} bytes", finding.code, finding.span.begin, finding.span.end, text.size());
    if (render(finding, text, "input").empty()) return finding.code + " renders as nothing";
    for (const Diagnostic& note : finding.notes) {
        if (std::string wrong = check(note, text); !wrong.empty()) return wrong;
    }
    return {};
}

std::string read_layout_text(std::string_view text) {
    const auto read = read_layout(text);
    if (!read.ok()) return check(read.error(), text);
    for (const NotationInfo& notation : notations()) {
        const auto other = print_as(*read, notation.notation);
        if (!other.ok() && other.error().message.empty()) return fmt::format("{} refuses without a reason", notation.name);
    }
    const std::string exact = print_exact(*read);
    const auto again = read_layout(exact);
    if (!again.ok()) return fmt::format("printed as '{}', which is refused: {}", exact, again.error().message);
    if (again->layout != read->layout || again->shape != read->shape || again->dtype != read->dtype || again->space != read->space)
        return fmt::format("printed as '{}', which reads as '{}'", exact, print_exact(*again));
    return {};
}

std::string read_program(std::string_view text) {
    const pypto::ReadResult read = pypto::read_all(text);
    for (const Diagnostic& finding : read.diagnostics) {
        if (std::string wrong = check(finding, text); !wrong.empty()) return wrong;
    }
    if (!read.ok()) return read.diagnostics.empty() ? "refused without a reason" : "";
    const std::string printed = pypto::print_text(*read.module);
    const pypto::ReadResult again = pypto::read_all(printed);
    if (!again.ok()) return fmt::format("printed as\n{}which is refused: {}", printed, again.diagnostics.front().message);
    if (const std::string twice = pypto::print_text(*again.module); twice != printed)
        return fmt::format("printed as\n{}which prints as\n{}", printed, twice);
    return {};
}

std::string read_pto_text(std::string_view text) {
    const pto::ReadResult read = pto::read_all(text);
    for (const Diagnostic& finding : read.diagnostics) {
        if (std::string wrong = check(finding, text); !wrong.empty()) return wrong;
    }
    if (!read.ok()) return read.diagnostics.empty() ? "refused without a reason" : "";
    const std::string printed = pto::print_text(*read.module);
    const pto::ReadResult again = pto::read_all(printed);
    if (!again.ok()) return fmt::format("printed as\n{}which is refused: {}", printed, again.diagnostics.front().message);
    if (const std::string twice = pto::print_text(*again.module); twice != printed)
        return fmt::format("printed as\n{}which prints as\n{}", printed, twice);
    return {};
}

std::string read_filter(std::string_view text) {
    static const std::vector<std::string> names{"r", "c", "offset", "byte", "block", "fractal", "in line"};
    const auto read = figure::FilterExpression::read(text, names);
    if (!read.ok()) return check(read.error(), text);
    constexpr std::int64_t kMin = INT64_MIN, kMax = INT64_MAX;
    const std::array<std::array<std::int64_t, 7>, 4> rows{{{0, 0, 0, 0, 0, 0, 0}, {37, 21, 1621, 3242, 1, 2, 5}, {kMin, kMax, -1, 1, kMin, kMax, 2}, {-1, -2, -3, -4, -5, -6, -7}}};
    for (const auto& row : rows) static_cast<void>(read->selects(row));
    return {};
}

std::string read_ub_model(std::string_view text) {
    const auto file = ub::read_model(text);
    if (!file.ok()) return check(file.error(), text);
    for (const Diagnostic& warning : file->warnings) {
        if (std::string wrong = check(warning, text); !wrong.empty()) return wrong;
    }
    const std::string written = ub::write_model(file->model);
    const auto again = ub::read_model(written);
    if (!again.ok()) return fmt::format("written as\n{}\nwhich is refused: {}", written, again.error().message);
    if (ub::write_model(again->model) != written) return "does not read back as it was written:\n" + written;
    const auto compiled = ub::CompiledModel::compile(file->model);
    if (!compiled.ok()) return check(compiled.error(), text);
    const auto partition = compiled->evaluate();
    return partition.ok() ? std::string() : check(partition.error(), text);
}

} // namespace

std::span<const Door> doors() {
    static constexpr std::array table{
        Door{"layout", read_layout_text},
        Door{"program", read_program},
        Door{"pto", read_pto_text},
        Door{"filter", read_filter},
        Door{"ub_model", read_ub_model},
    };
    return table;
}

} // namespace ls::fuzz
