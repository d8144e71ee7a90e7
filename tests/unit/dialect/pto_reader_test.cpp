#include "core/dialect/pto/pto.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/dialect/pto/lexer.h"
#include "core/dialect/pto/types.h"
#include "core/dialect/surface.h"
#include "core/ir/equality.h"
#include "core/ir/walk.h"

namespace ls::pto {
namespace {

using namespace ir;

constexpr std::string_view kTile = "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64, "
                                   "blayout=row_major, slayout=none_box, fractal=512, pad=0>";

/// A function of this body, whose lines stand at the margin.
std::string kernel(const std::string& body, const std::string& params = "%p: !pto.ptr<f32>, %n: index, %t: " + std::string(kTile)) {
    std::string out = "module {\n  func.func @f(" + params + ") {\n";
    std::size_t at = 0;
    while (at < body.size()) {
        const std::size_t end = std::min(body.find('\n', at), body.size());
        if (end > at) out += "    " + body.substr(at, end - at);
        out += "\n";
        at = end + 1;
    }
    return out + "    return\n  }\n}\n";
}

Module must_read(const std::string& text) {
    ReadResult r = read_all(text);
    for (const Diagnostic& d : r.diagnostics) EXPECT_NE(d.severity, Severity::Error) << render(d, text, "test");
    return r.module;
}

/// The text as it is printed again; the text itself when it is printed as it was.
std::string again(const std::string& text) {
    const Module m = must_read(text);
    return m == nullptr ? "refused" : print_text(*m);
}

void expect_unchanged(const std::string& body) {
    const std::string text = kernel(body);
    EXPECT_EQ(again(text), text);
}

Diagnostic first_error(const std::string& text) {
    const auto r = read(text);
    return r.ok() ? Diagnostic{"ok", Severity::Note, {}, "", "", {}} : r.error();
}

const StmtNode& statement(const Module& m, std::size_t index) { return *m->functions[0]->body->stmts.at(index); }
const Var& target(const Module& m, std::size_t index) { return as<AssignNode>(&statement(m, index))->targets[0]; }

// ------------------------------------------------------------------------------------------ what is read

TEST(PtoReader, ScalarsAreExpressions) {
    const Module m = must_read(kernel("%c4 = arith.constant 4 : index\n"
                                      "%h = arith.constant 5.000000e-01 : f32\n"
                                      "%a = arith.muli %n, %c4 : index\n"
                                      "%b = arith.maxsi %a, %c4 : index\n"
                                      "%c = arith.cmpi sle, %a, %b : index\n"
                                      "%d = arith.select %c, %a, %b : index\n"
                                      "%e = arith.floordivsi %d, %c4 : index\n"
                                      "%q = arith.divsi %d, %c4 : index\n"
                                      "%i = arith.index_cast %n : index to i32\n"));
    ASSERT_NE(m, nullptr);
    const auto value = [&](std::size_t i) { return as<AssignNode>(&statement(m, i))->value; };
    EXPECT_EQ(constant(value(0)), 4);
    EXPECT_EQ(as<ConstFloatNode>(value(1))->value, 0.5);
    EXPECT_EQ(as<BinaryNode>(value(2))->op, BinaryOp::Mul);
    EXPECT_EQ(as<BinaryNode>(value(3))->op, BinaryOp::Max);
    EXPECT_EQ(as<BinaryNode>(value(4))->op, BinaryOp::Le);
    EXPECT_EQ(as<ScalarTypeNode>(target(m, 4)->type)->dtype, DType::Bool);
    ASSERT_NE(as<SelectNode>(value(5)), nullptr);
    EXPECT_EQ(as<BinaryNode>(value(6))->op, BinaryOp::FloorDiv);
    EXPECT_TRUE(as<CallNode>(value(7))->is_op("arith.divsi")) << "cut towards zero is no operator of the IR";
    EXPECT_EQ(as<CastNode>(value(8))->dtype, DType::Int32);
}

TEST(PtoReader, ViewsKnowTheirExtents) {
    const Module m = must_read(
        kernel("%c1 = arith.constant 1 : index\n"
               "%c16 = arith.constant 16 : index\n"
               "%c64 = arith.constant 64 : index\n"
               "%v = pto.make_tensor_view %p, shape = [%n, %c64], strides = [%c64, %c1] {layout = #pto.layout<dn>} : !pto.tensor_view<?x?xf32>\n"
               "%w = pto.partition_view %v, offsets = [%n, %c1], sizes = [%c16, %n] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x?xf32>\n"
               "pto.tload ins(%w : !pto.partition_tensor_view<16x?xf32>) outs(%t : " + std::string(kTile) + ")\n"));
    ASSERT_NE(m, nullptr);
    const auto* view = as<TensorTypeNode>(target(m, 3)->type);
    ASSERT_NE(view, nullptr);
    EXPECT_EQ(as<VarNode>(view->shape[0])->name, "n");
    EXPECT_EQ(constant(view->shape[1]), 64);
    EXPECT_EQ(constant(view->view->stride[0]), 64);
    EXPECT_EQ(view->view->order, TensorOrder::DN);
    EXPECT_EQ(view->dtype, DType::Fp32);
    const auto* window = as<TensorTypeNode>(target(m, 4)->type);
    ASSERT_NE(window, nullptr);
    EXPECT_EQ(constant(window->shape[0]), 16);
    EXPECT_EQ(as<VarNode>(window->shape[1])->name, "n");
    const auto transfer = transfer_of(*as<CallNode>(as<EvalNode>(&statement(m, 5))->value));
    ASSERT_TRUE(transfer.has_value());
    EXPECT_TRUE(transfer->load);
    EXPECT_EQ(transfer->partition, target(m, 4));
    EXPECT_EQ(transfer->tile->name, "t");
    const Definitions definitions = definitions_of(*m->functions[0]);
    EXPECT_EQ(constant(resolved(target(m, 1), definitions)), 16);
    EXPECT_EQ(resolved(m->functions[0]->params[1].var, definitions), m->functions[0]->params[1].var);
}

TEST(PtoReader, TilesKnowTheirAddressAndValidPart) {
    const Module m = must_read(kernel(
        "%c8 = arith.constant 8 : index\n"
        "%a = arith.constant 4096 : i64\n"
        "%x = pto.alloc_tile addr = %a valid_row = %c8 valid_col = %n : !pto.tile_buf<loc=mat, dtype=bf16, rows=16, cols=64, v_row=?, v_col=?, blayout=col_major, slayout=row_major, fractal=512, pad=2>\n"));
    ASSERT_NE(m, nullptr);
    const auto* tile = as<TileTypeNode>(target(m, 2)->type);
    ASSERT_NE(tile, nullptr);
    EXPECT_EQ(tile->space, TileSpace::Mat);
    EXPECT_EQ(tile->dtype, DType::Bf16);
    EXPECT_EQ(constant_dims(tile->shape), (std::vector<std::int64_t>{16, 64}));
    EXPECT_EQ(constant(tile->memref->byte_offset), 4096);
    EXPECT_EQ(as<VarNode>(tile->view->valid_shape[1])->name, "n");
    EXPECT_EQ(tile->view->blayout, TileOrder::ColMajor);
    EXPECT_EQ(tile->view->pad, PadValue::Max);
}

TEST(PtoReader, OldAndCompactTilesAreTheSameTiles) {
    const auto tile = [](std::string_view text) { return type_text(*read_type(text, {})); };
    EXPECT_EQ(tile("!pto.tile_buf<vec, 16x64xf32>"), kTile);
    EXPECT_EQ(tile("!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, blayout=row_major, v_row=16, v_col=64, slayout=none_box, fractal=512, pad=0>"), kTile);
    EXPECT_EQ(tile("!pto.tile_buf<loc=vec,\n    dtype=f32, rows=16, cols=64, v_row=16,v_col=64>"), kTile);
    EXPECT_EQ(tile("!pto.tile_buf<left, 16x32xf16, valid=?x32, slayout=row_major, compact=1>"),
              "!pto.tile_buf<loc=left, dtype=f16, rows=16, cols=32, v_row=?, v_col=32, blayout=row_major, slayout=row_major, fractal=512, pad=0, compact=1>");
    // What is no tile that is known stays what it is.
    for (const std::string_view other : {"!pto.tile_buf<loc=moon, dtype=f32, rows=1, cols=1>", "!pto.tile_buf<vec, 16xf32>",
                                         "!pto.tile_view<16x16xf32>", "memref<4x?xf32>", "!pto.ptr<f99>", "!pto.ptr<f16>", "f8E4M3FN"}) {
        EXPECT_EQ(tile(other), other);
    }
}

TEST(PtoReader, FunctionsAndModules) {
    const std::string text = "module @top attributes {pto.target_arch = \"a2a3\", \"odd name\" = 3 : i32} {\n"
                             "  func.func private @helper(i32, !pto.ptr<f32>) -> (i32, index)\n"
                             "\n"
                             "  // the kernel\n"
                             "  func.func @main(%p: !pto.ptr<f32> {pto.noalias, k = 2}, %q: memref<4xf32>) -> i1 attributes {pto.entry} {\n"
                             "    %t = arith.constant true\n"
                             "    return %t : i1\n"
                             "  }\n"
                             "  // CHECK: end\n"
                             "}\n";
    const Module m = must_read(text);
    ASSERT_NE(m, nullptr);
    EXPECT_EQ(m->dialect, Dialect::PtoText);
    EXPECT_EQ(m->name, "top");
    EXPECT_EQ(as<StringNode>(attribute(m->attrs, "pto.target_arch"))->value, "a2a3");
    EXPECT_EQ(constant(attribute(m->attrs, "odd name")), 3);
    ASSERT_EQ(m->functions.size(), 2u);
    EXPECT_EQ(m->functions[0]->body, nullptr);
    EXPECT_EQ(m->functions[0]->returns.size(), 2u);
    EXPECT_EQ(m->functions[1]->function, FunctionKind::Kernel);
    EXPECT_EQ(as<PtrTypeNode>(m->functions[1]->params[0].var->type)->pointee, DType::Fp32);
    EXPECT_EQ(print_text(*m), text);
}

// ------------------------------------------------------------------------------------------ what is printed again

TEST(PtoPrinter, ControlFlowPrintsAsItWas) {
    expect_unchanged("%c0 = arith.constant 0 : index\n"
                     "%s = scf.for %i = %c0 to %n step %n iter_args(%a = %c0) -> (index) {\n"
                     "  %b = arith.addi %a, %i : index\n"
                     "  scf.yield %b : index\n"
                     "}\n"
                     "scf.for %j = %c0 to %n step %n {\n"
                     "}\n"
                     "%c = arith.cmpi eq, %s, %c0 : index\n"
                     "%r:2 = scf.if %c -> (index, i1) {\n"
                     "  scf.yield %s, %c : index, i1\n"
                     "} else {\n"
                     "  scf.yield %n, %c : index, i1\n"
                     "}\n"
                     "%x, %y = scf.if %r#1 -> (index, index) {\n"
                     "  scf.yield %r#0, %s : index, index\n"
                     "} else {\n"
                     "  scf.yield %s, %r#0 : index, index\n"
                     "} loc(\"k.py\":3:4)\n"
                     "scf.if %c {\n"
                     "}\n");
}

TEST(PtoPrinter, OperationsThatNobodyKnowsPrintAsTheyWere) {
    expect_unchanged("%a = some.thing %n, [%n, 3] with(%t : " + std::string(kTile) + ") {key = #x.y<z>, on, s = \"a$b\"} : index -> !some.type<a, b>\n"
                     "some.other @f(%a) costs \"$5\" : !some.type<a, b> // why not\n"
                     "%q:3 = \"any.op\"(%n, %a) <{sizes = array<i32: 1, 2>}> {k = 3 : i32} : (index, !some.type<a, b>) -> (i1, i1, i1)\n"
                     "pto.set_flag[<PIPE_MTE2>, <PIPE_M>, <EVENT_ID0>]\n"
                     "pto.barrier <PIPE_ALL>\n"
                     "pto.tnew ins(%t, %n{mode = #pto<round_mode ROUND>} : " + std::string(kTile) + ", index) outs(%t, %t : " + std::string(kTile) + ", " +
                     std::string(kTile) + ") loc(\"k.py\":1:2)\n"
                     "%d = arith.constant dense<[0, 1]> : vector<2xi16>\n"
                     "%h = arith.constant 0x7F800000 : f32\n");
}

TEST(PtoPrinter, RegionsOfAnyOperationPrintAsTheyWere) {
    expect_unchanged("%c0 = arith.constant 0 : index\n"
                     "%final:2 = scf.while (%i = %c0, %m = %n) : (index, index) -> (index, index) {\n"
                     "  %lt = arith.cmpi slt, %i, %m : index\n"
                     "  scf.condition(%lt) %i, %m : index, index\n"
                     "} do {\n"
                     "^bb0(%j: index, %k: index):\n"
                     "  %l = arith.addi %j, %k : index\n"
                     "  scf.yield %l, %k : index, index\n"
                     "}\n"
                     "pto.section.cube {\n"
                     "  pto.barrier <PIPE_ALL>\n"
                     "}\n"
                     "%z = \"any.region\"(%final#1) ({\n"
                     "  \"any.end\"() : () -> ()\n"
                     "}) : (index) -> i1\n");
}

TEST(PtoPrinter, SpacesOfTheFormAreKeptAndLinesJoined) {
    const std::string text = kernel("pto.tmov ins(%t\n    : " + std::string(kTile) + ")\n         outs(%t : " + std::string(kTile) + ")\n"
                                    "%v = pto.make_tensor_view %p, shape = [%n], strides = [%n] {layout = #pto.layout<nd>}: !pto.tensor_view<?xf32>\n");
    EXPECT_EQ(again(text), kernel("pto.tmov ins(%t : " + std::string(kTile) + ") outs(%t : " + std::string(kTile) + ")\n"
                                  "%v = pto.make_tensor_view %p, shape = [%n], strides = [%n] {layout = #pto.layout<nd>}: !pto.tensor_view<?xf32>\n"));
}

TEST(PtoPrinter, TheUsualFormIsNotCarried) {
    const Module m = must_read(kernel("pto.tadd ins(%t, %t : " + std::string(kTile) + ", " + std::string(kTile) + ") outs(%t : " + std::string(kTile) + ")\n"));
    ASSERT_NE(m, nullptr);
    EXPECT_TRUE(as<CallNode>(as<EvalNode>(&statement(m, 0))->value)->attrs.empty());
}

TEST(PtoPrinter, SeveralModulesAndNoModule) {
    for (const std::string text : {"module {\n}\nmodule attributes {a = 1} {\n  func.func @f() {\n    return\n  }\n}\n",
                                   "func.func @f() {\n  return\n}\n",
                                   "// head\n#map = affine_map<(d0) -> (d0)>\nmodule @a {\n  module @b {\n    func.func @f() {\n      return\n    }\n  }\n"
                                   "  func.func @g() {\n    return\n  }\n  module @c {\n  }\n}\n// tail\n"}) {
        EXPECT_EQ(again(text), text);
    }
}

TEST(PtoPrinter, BodiesThatStandAtTheFunctionsMargin) {
    const std::string text = "module attributes {pto.target_arch = \"a5\"} {\n  func.func @f() {\n  %c = arith.constant 1 : index\n  return\n  }\n}\n";
    EXPECT_EQ(again(text), text);
}

TEST(PtoPrinter, EveryLineKnowsItsStatement) {
    const Module m = must_read(kernel("%c = arith.constant 1 : index\nscf.for %i = %c to %n step %c {\n  pto.barrier <PIPE_ALL>\n}\n"));
    ASSERT_NE(m, nullptr);
    const Printed printed = print(*m);
    ASSERT_EQ(printed.lines.size(), 9u);
    EXPECT_EQ(printed.lines[0], nullptr);
    EXPECT_EQ(printed.lines[1], m->functions[0].get());
    EXPECT_EQ(printed.lines[2], &statement(m, 0));
    EXPECT_EQ(printed.lines[3], &statement(m, 1));
    EXPECT_EQ(printed.lines[5], &statement(m, 1));
}

// ------------------------------------------------------------------------------------------ what is refused

TEST(PtoReader, RefusesWithCodePlaceAndHint) {
    struct Case {
        std::string body, code, at;
    };
    const std::vector<Case> cases{
        {"pto.tload ins(%w : index) outs(%t : index)\n", "PTO_UNDEFINED", "%w"},
        {"%n = arith.constant 1 : index\n", "PTO_REDEFINED", "%n"},
        {"scf.for %i = %n to %n {\n}\n", "PTO_SYNTAX", "{"},
        {"%a = scf.if %n -> (index, index) {\n}\n", "PTO_RESULTS", "%a = scf.if %n -> (index, index) {\n    }"},
        {"%a = scf.for %i = %n to %n step %n {\n}\n", "PTO_RESULTS", "%a = scf.for %i = %n to %n step %n {\n    }"},
        {"hello %n\n", "PTO_SYNTAX", "hello"},
        {"scf.if %n {\n  %x = arith.constant 1 : index\n}\n%y = arith.addi %x, %n : index\n", "PTO_UNDEFINED", "%x"},
        {"%v = pto.alloc_tile : !pto.tile_buf<loc=vec\n", "PTO_BRACKET", "<"},
    };
    for (const Case& c : cases) {
        const std::string text = kernel(c.body);
        const Diagnostic d = first_error(text);
        EXPECT_EQ(d.code, c.code) << c.body;
        EXPECT_EQ(text.substr(d.span.begin, d.span.end - d.span.begin), c.at) << c.body;
        EXPECT_FALSE(d.message.empty());
    }
    EXPECT_EQ(first_error("").code, "PTO_EMPTY");
    EXPECT_EQ(first_error("module {").code, "PTO_BRACKET");
    EXPECT_EQ(first_error("module {\n}\n}").code, "PTO_SYNTAX");
}

TEST(PtoReader, GoesOnAfterAnError) {
    const ReadResult r = read_all(kernel("%a = arith.addi %x, %n : index\n%b = arith.muli %y, %n : index\npto.barrier <PIPE_ALL>\n"));
    EXPECT_FALSE(r.ok());
    ASSERT_EQ(r.diagnostics.size(), 2u);
    EXPECT_NE(r.diagnostics[0].message.find("%x"), std::string::npos);
    EXPECT_NE(r.diagnostics[1].message.find("%y"), std::string::npos);
}

TEST(PtoReader, WarnsOfRanksThatDisagree) {
    const ReadResult r = read_all(kernel("%v = pto.make_tensor_view %p, shape = [%n, %n], strides = [%n, %n] : !pto.tensor_view<1024xf32>\n"));
    ASSERT_TRUE(r.ok());
    ASSERT_EQ(r.diagnostics.size(), 1u);
    EXPECT_EQ(r.diagnostics[0].code, "PTO_RANK");
    EXPECT_EQ(r.diagnostics[0].severity, Severity::Warning);
}

TEST(PtoReader, NestingIsLimitedAndLongTextsAreNot) {
    const auto nested = [](int levels) {
        std::string body;
        for (int i = 0; i < levels; ++i) body += "scf.if %n {\n";
        for (int i = 0; i < levels; ++i) body += "}\n";
        return kernel(body);
    };
    EXPECT_EQ(first_error(nested(150)).code, "ok");
    EXPECT_EQ(first_error(nested(5000)).code, "IR_TOO_DEEP");
    std::string body;
    for (int i = 0; i < 20000; ++i) body += fmt::format("%x{} = arith.addi %n, %n : index\n", i);
    const Module m = must_read(kernel(body));
    ASSERT_NE(m, nullptr);
    EXPECT_EQ(m->functions[0]->body->stmts.size(), 20001u);
}

// ------------------------------------------------------------------------------------------ the front door

TEST(Surface, IsFoundByWordsThenByName) {
    EXPECT_EQ(dialect::detect("module {\n  func.func @f() { return }\n}")->id, "pto");
    EXPECT_EQ(dialect::detect("import pypto.language as pl")->id, "pypto");
    EXPECT_EQ(dialect::detect("", "kernel.pto")->id, "pto");
    EXPECT_EQ(dialect::detect("func.func", "kernel.py")->id, "pto") << "what is written counts, not how the file is called";
    EXPECT_EQ(dialect::detect("nz(64, 64, f16)", "a.txt"), nullptr);
    EXPECT_EQ(dialect::detect("pl.Tensor[[64, 64], pl.FP16, pl.NZ]"), nullptr) << "a layout is no program";
}

TEST(Surface, ReadsAndPrintsInTheSameSurface) {
    const std::string text = kernel("pto.barrier <PIPE_ALL>\n");
    const auto m = dialect::read(text);
    ASSERT_TRUE(m.ok());
    EXPECT_EQ((*m)->dialect, Dialect::PtoText);
    EXPECT_EQ(dialect::print(**m).text, text);
    EXPECT_EQ(dialect::read("module {").error().code, "PTO_BRACKET");
    EXPECT_EQ(dialect::surface_of(Dialect::PtoText).language, "pto");
}

// ------------------------------------------------------------------------------------------ other people's programs

/// Token by token, comments aside: types in the usual spelling, since tiles may be written in several.
std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> out;
    const auto tokens = tokenize(text);
    if (!tokens.ok()) return out;
    for (const Token& t : tokens->tokens) {
        const std::string_view word = text.substr(t.begin, t.end - t.begin);
        out.push_back(t.kind == TokenKind::Type ? type_text(*read_type(word, {})) : one_line(word));
    }
    return out;
}

/// LAYOUTSCOPE_PTO_SAMPLES: folders, separated by ':', with .pto files in them and below.
TEST(PtoSamples, ReadAndPrintBack) {
    const char* folders = std::getenv("LAYOUTSCOPE_PTO_SAMPLES");
    if (folders == nullptr) GTEST_SKIP() << "LAYOUTSCOPE_PTO_SAMPLES names no folder";
    std::string_view rest = folders;
    std::size_t files = 0, same = 0;
    while (!rest.empty()) {
        const std::string_view folder = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            if (entry.path().extension() != ".pto") continue;
            std::ifstream file(entry.path(), std::ios::binary);
            const std::string text{std::istreambuf_iterator<char>(file), {}};
            const ReadResult r = read_all(text);
            ++files;
            if (!r.ok()) {
                ADD_FAILURE() << render(r.diagnostics.front(), text, entry.path().string());
                continue;
            }
            const std::string printed = print_text(*r.module);
            same += printed == text ? 1 : 0;
            EXPECT_EQ(words(printed), words(text)) << entry.path();
            const ReadResult twice = read_all(printed);
            ASSERT_TRUE(twice.ok()) << entry.path() << render(twice.diagnostics.front(), printed, "printed");
            const auto difference = first_difference(r.module, twice.module, {true, true, true});
            EXPECT_FALSE(difference.has_value()) << entry.path() << ": " << difference->path << ": " << difference->why;
        }
    }
    EXPECT_GT(files, 0u);
    RecordProperty("files", static_cast<int>(files));
    fmt::print("{} programs read, {} printed byte for byte\n", files, same);
}

} // namespace
} // namespace ls::pto
