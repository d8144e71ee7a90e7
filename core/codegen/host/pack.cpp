#include "core/codegen/host/pack.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/codegen/line_writer.h"
#include "core/layout/catalogue/nz.h"

namespace ls::codegen {

namespace {

/// An NZ argument, from its blocked shape [B, C/c0, R/16, 16, c0].
struct Packed {
    std::string name, element;
    std::int64_t rows = 0, cols = 0, c0 = 0, bytes = 0;
    std::int64_t batches = 0; ///< 0: known when the kernel is called
};

/// "w" of "w__ssa_v0", where no other argument is called so.
std::string callers_name(const TensorArgument& argument, const Kernel& kernel) {
    const auto plain = [](const std::string& name) { return name.substr(0, name.find("__", 1)); };
    const std::string name = plain(argument.name);
    const auto same = std::count_if(kernel.tensors.begin(), kernel.tensors.end(),
                                    [&](const TensorArgument& other) { return plain(other.name) == name; });
    return same == 1 ? name : argument.name;
}

std::vector<Packed> packed_arguments(const Kernel& kernel) {
    std::vector<Packed> all;
    for (const TensorArgument& t : kernel.tensors) {
        if (t.order != ir::TensorOrder::NZ || t.shape.size() != 5 || !t.shape[1].value || !t.shape[2].value) continue;
        Packed p;
        p.name = callers_name(t, kernel);
        p.element = info(t.dtype).pypto;
        p.c0 = *t.shape[4].value;
        p.rows = *t.shape[2].value * catalogue::kFractalRows;
        p.cols = *t.shape[1].value * p.c0;
        p.bytes = whole_bytes(t.dtype);
        p.batches = t.shape[0].value.value_or(0);
        all.push_back(std::move(p));
    }
    return all;
}

std::string logical_shape(const Packed& p) {
    return p.batches == 1 ? fmt::format("[{}, {}]", p.rows, p.cols) : fmt::format("[{}, {}, {}]", p.batches == 0 ? std::string("batches") : fmt::to_string(p.batches), p.rows, p.cols);
}

void print_argument(const Packed& p, const ir::Ref<ir::Node>& origin, LineWriter& out) {
    const auto line = [&](const std::string& text) { out.line(text, origin); };
    const std::string batches = p.batches == 0 ? "std::size_t batches" : fmt::format("std::size_t batches = {}", p.batches);
    line("");
    line(fmt::format("// {}: {} of {}, logically {}. Column blocks of {} elements (32 bytes) lie one after the other; in a block, row by row.", p.name, "NZ", p.element,
                     logical_shape(p), p.c0));
    line(fmt::format("constexpr std::size_t {0}_rows = {1}, {0}_cols = {2}, {0}_c0 = {3};", p.name, p.rows, p.cols, p.c0));
    line("");
    line("/// Where element (batch, row, col) lies, in elements.");
    line(fmt::format("constexpr std::size_t {}_place(std::size_t batch, std::size_t row, std::size_t col) {{", p.name));
    line(fmt::format("  return batch * {0}_rows * {0}_cols + col / {0}_c0 * ({0}_rows * {0}_c0) + row / 16 * (16 * {0}_c0) + row % 16 * {0}_c0 + col % {0}_c0;", p.name));
    line("}");
    for (const bool pack : {true, false}) {
        line("");
        line(pack ? "/// Row-major to NZ. Both hold batches * rows * cols elements and must not overlap." : "/// NZ to row-major.");
        line("template <class T>");
        line(fmt::format("void {}_{}(const T* from, T* to, {}) {{", pack ? "pack" : "unpack", p.name, batches));
        line(fmt::format("  static_assert(sizeof(T) == {}, \"{} has elements of {} byte(s)\");", p.bytes, p.name, p.bytes));
        line("  for (std::size_t batch = 0; batch < batches; ++batch)");
        line(fmt::format("    for (std::size_t row = 0; row < {}_rows; ++row)", p.name));
        line(fmt::format("      for (std::size_t col = 0; col < {0}_cols; col += {0}_c0) {{", p.name));
        line(fmt::format("        const std::size_t plain = (batch * {0}_rows + row) * {0}_cols + col, nz = {0}_place(batch, row, col);", p.name));
        line(fmt::format("        for (std::size_t i = 0; i < {}_c0; ++i) to[{} + i] = from[{} + i];", p.name, pack ? "nz" : "plain", pack ? "plain" : "nz"));
        line("      }");
        line("}");
    }
}

/// Positions written as numbers: a round trip alone would accept any permutation that undoes itself.
void print_checks(const Packed& p, const std::string& space, const ir::Ref<ir::Node>& origin, LineWriter& out) {
    const auto line = [&](const std::string& text) { out.line(text, origin); };
    const std::int64_t last_batch = p.batches == 0 ? 1 : std::min<std::int64_t>(p.batches - 1, 1);
    struct Pin {
        std::int64_t batch, row, col;
    };
    std::vector<Pin> pins{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 15, p.c0 - 1}, {0, p.rows - 1, p.cols - 1}, {last_batch, p.rows / 2, p.cols - 1}};
    if (p.cols > p.c0) pins.push_back({0, 0, p.c0});
    if (p.rows > 16) pins.push_back({0, 16, 0});
    if (last_batch > 0) pins.push_back({last_batch, 0, 0});
    line(fmt::format("static int check_{}() {{", p.name));
    line("  int bad = 0;");
    line("  const struct { std::size_t batch, row, col, place; } pins[] = {");
    for (const Pin& pin : pins) {
        const std::int64_t place = pin.batch * p.rows * p.cols + pin.col / p.c0 * p.rows * p.c0 + pin.row / 16 * 16 * p.c0 + pin.row % 16 * p.c0 + pin.col % p.c0;
        line(fmt::format("    {{{}, {}, {}, {}}},", pin.batch, pin.row, pin.col, place));
    }
    line("  };");
    line(fmt::format("  for (const auto& pin : pins) bad += {}::{}_place(pin.batch, pin.row, pin.col) != pin.place;", space, p.name));
    if (p.rows * p.cols <= (std::int64_t{1} << 24)) {
        line(fmt::format("  const std::size_t batches = {}, count = batches * {} * {};", last_batch + 1, p.rows, p.cols));
        line(fmt::format("  std::vector<std::uint{}_t> plain(count), nz(count), back(count);", p.bytes * 8));
        line("  for (std::size_t i = 0; i < count; ++i) plain[i] = static_cast<decltype(plain)::value_type>(i * 2654435761u >> 7);");
        line(fmt::format("  {}::pack_{}(plain.data(), nz.data(), batches);", space, p.name));
        line(fmt::format("  for (const auto& pin : pins) bad += nz[pin.place] != plain[(pin.batch * {} + pin.row) * {} + pin.col];", p.rows, p.cols));
        line(fmt::format("  {}::unpack_{}(nz.data(), back.data(), batches);", space, p.name));
        line("  bad += plain != back;");
    }
    line("  return bad;");
    line("}");
    line("");
}

} // namespace

std::vector<SourceFile> host_packers(const Kernel& kernel) {
    const std::vector<Packed> arguments = packed_arguments(kernel);
    if (arguments.empty()) return {};
    const std::string space = kernel.name + "_pack";
    LineWriter header(space + ".h"), test(space + "_test.cpp");
    header.line(fmt::format("// Host side of {}: its NZ arguments from row-major order, and back. Plain C++17.", kernel.name), kernel.origin);
    header.line("#pragma once");
    header.line("#include <cstddef>");
    header.line("");
    header.line(fmt::format("namespace {} {{", space));
    for (const Packed& p : arguments) print_argument(p, kernel.origin, header);
    header.line("");
    header.line(fmt::format("}} // namespace {}", space));

    test.line(fmt::format("// Checks {}.h: absolute positions, and a round trip. Answers 0 when all is well.", space), kernel.origin);
    test.line("#include <cstdint>");
    test.line("#include <cstdio>");
    test.line("#include <vector>");
    test.line(fmt::format("#include \"{}.h\"", space));
    test.line("");
    std::string sum;
    for (const Packed& p : arguments) {
        print_checks(p, space, kernel.origin, test);
        sum += fmt::format("{}check_{}()", sum.empty() ? "" : " + ", p.name);
    }
    test.line("int main() {");
    test.line(fmt::format("  const int bad = {};", sum));
    test.line(fmt::format("  std::printf(\"{}: %d wrong\\n\", bad);", space));
    test.line("  return bad != 0;");
    test.line("}");
    return {header.take(), test.take()};
}

} // namespace ls::codegen
