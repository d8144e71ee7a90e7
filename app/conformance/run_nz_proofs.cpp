// nz/offset_proofs, nz/misc: the proof system, alone and through a load; wrap-around, floor division, idempotence.
#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "app/conformance/run_nz_case.h"
#include "core/analysis/offset_proof.h"
#include "core/passes/nz/block_nz_tensor_views.h"
#include "core/passes/nz/blocked_shape.h"
#include "core/support/checked.h"

namespace ls::conformance {

using namespace ir;

namespace {

/// A divisor that no element type has: the coordinate alone.
Outcome through_the_coordinate(const Json& test_case, NzCase& program, const Expr& offset, const OffsetFacts& facts) {
    std::vector<nz::AskedProof> asked;
    const auto blocked =
        nz::block_trailing_offset(offset, test_case.at("divisor").get<std::int64_t>(), -1, facts, asked);
    const bool accept = test_case.at("accept").get<bool>();
    if (blocked.ok() != accept) return failed(accept ? "refused: " + blocked.error().message : "it was accepted");
    if (!accept)
        return blocked.error().code == test_case.at("reason") ? passed() : failed("got " + blocked.error().code);
    return same_exprs(program, "result", Json::array({0, test_case.at("result")}), {const_int(0), *blocked});
}

/// A load of one fractal line at the offset, on the axis whose divisor the case names.
Outcome through_a_load(const Json& test_case) {
    const auto divisor = test_case.at("divisor").get<std::int64_t>();
    // 16 is a row offset; a column offset divides by c0, which names the element type.
    const DType dtype = divisor == 8    ? DType::Fp32
                        : divisor == 4  ? DType::Int64
                        : divisor == 32 ? DType::Int8
                                        : DType::Fp16;
    const bool rows = divisor == 16;
    NzCase program(test_case.value("bindings", Json::object()));
    const std::int64_t wide = std::int64_t{1} << 15;
    const Var w = program.param("w", nz_tensor(const_ints({rows ? wide : 16, rows ? 16 : wide}), dtype));
    const Expr offset = program.expr(test_case.at("expr"));
    const std::int64_t columns = rows ? 16 : divisor;
    program.define(
        "t", tile_type(const_ints({16, columns}), dtype, TileSpace::Mat),
        call("tile.load",
             {w, tuple(rows ? std::vector<Expr>{offset, const_int(0)} : std::vector<Expr>{const_int(0), offset}),
              tuple(const_ints({16, columns}))},
             {{"target_memory", symbol("pl.Mem.Mat")}}));
    const PassResult result = nz::block_nz_tensor_views(program.module(), {});
    if (!test_case.at("accept").get<bool>()) return refused_with(test_case.at("reason"), result);
    if (!result.ok()) return failed("refused: " + result.error().code + " " + result.error().message);
    const auto& load = *as<CallNode>(find_assign(*result.module, "t")->value);
    const std::vector<Expr> offsets = operand(load, 1);
    // One at a time, behind a constant: only a batch coordinate may be compared by value.
    return same_exprs(program, "result", Json::array({0, test_case.at("result")}),
                      {const_int(0), offsets[rows ? 2 : 1]});
}

std::int64_t wrap(std::int64_t product, int width) {
    const std::uint64_t mask = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << static_cast<unsigned>(width)) - 1;
    const std::uint64_t low = static_cast<std::uint64_t>(product) & mask;
    const bool negative = width < 64 && ((low >> static_cast<unsigned>(width - 1)) & 1U) != 0;
    return static_cast<std::int64_t>(negative ? low | ~mask : low);
}

Outcome idempotence() {
    NzCase program(Json::object());
    program.param("w", nz_tensor(const_ints({256, 512}), DType::Int8));
    const Module marked = program.module(true);
    if (nz::block_nz_tensor_views(marked, {}).module != marked) return failed("a marked function was changed");
    const PassResult once = nz::block_nz_tensor_views(program.module(), {});
    if (!once.ok() || once.module->functions[0]->attr(nz::kBlockedAttr) == nullptr)
        return failed("the attribute is missing");
    if (once.module->functions[1]->attr(nz::kBlockedAttr) != nullptr) return failed("a function without NZ was marked");
    return nz::block_nz_tensor_views(once.module, {}).module == once.module
               ? passed()
               : failed("blocking twice changed the module");
}

Outcome floors(const Json& test_case) {
    for (const Json& c : test_case.at("cases")) {
        const auto a = c.at("a").get<std::int64_t>();
        if (c.contains("floordiv") && c["floordiv"] != floor_div(a, c.at("d").get<std::int64_t>()))
            return failed("floordiv of " + c.dump());
        if (c.contains("trunc") && c["trunc"] != a / c.at("d").get<std::int64_t>())
            return failed("trunc of " + c.dump());
        if (c.contains("floormod") && c["floormod"] != floor_mod(a, c.at("m").get<std::int64_t>()))
            return failed("floormod of " + c.dump());
        if (c.contains("rem_trunc") && c["rem_trunc"] != a % c.at("m").get<std::int64_t>())
            return failed("rem of " + c.dump());
    }
    return passed();
}

} // namespace

bool looks_like_nz_offset_proofs(const Json& c) {
    return c.contains("expr") && c.contains("divisor") && c.contains("provable_multiple");
}

Outcome run_nz_offset_proofs(const Json& test_case, const Json&) {
    NzCase program(test_case.value("bindings", Json::object()));
    const Expr offset = program.expr(test_case.at("expr"));
    program.add(eval(offset));
    const Module module = program.module();
    const OffsetFacts facts(*module->functions[0]);
    const Proof multiple = prove_multiple(offset, test_case.at("divisor").get<std::int64_t>(), facts);
    const Proof sign = prove_non_negative(offset, facts);
    if (multiple.proven != test_case.at("provable_multiple").get<bool>())
        return failed(fmt::format("multiple: got {}", multiple.proven));
    if (sign.proven != test_case.at("provable_nonneg").get<bool>())
        return failed(fmt::format("non-negative: got {}", sign.proven));
    if (multiple.visits > kProofBudget || sign.visits > kProofBudget) return failed("the budget was exceeded");
    const auto divisor = test_case["divisor"].get<std::int64_t>();
    const bool usual = divisor == 4 || divisor == 8 || divisor == 16 || divisor == 32;
    return usual ? through_a_load(test_case) : through_the_coordinate(test_case, program, offset, facts);
}

bool looks_like_nz_misc(const Json& c) {
    const std::string kind = c.value("kind", "");
    return kind == "idempotence" || kind == "wrapped_product_stays_multiple" || kind == "floor_semantics";
}

Outcome run_nz_misc(const Json& test_case, const Json&) {
    const std::string kind = test_case.at("kind").get<std::string>();
    if (kind == "idempotence") return idempotence();
    if (kind == "floor_semantics") return floors(test_case);
    if (kind == "wrapped_product_stays_multiple") {
        const auto a = test_case.at("a").get<std::int64_t>(), b = test_case.at("b").get<std::int64_t>();
        const CheckedInt product = checked_mul(a, b);
        if (!product) return failed("the product does not fit in 64 bits");
        const std::int64_t wrapped = wrap(*product, test_case.at("width").get<int>());
        const bool multiple = floor_mod(wrapped, test_case.at("divisor").get<std::int64_t>()) == 0;
        if (test_case.at("wrapped") != wrapped)
            return failed(fmt::format("wrapped: expected {}, got {}", test_case["wrapped"].dump(), wrapped));
        if (test_case.at("is_multiple") != multiple) return failed(fmt::format("is_multiple: got {}", multiple));
        const Expr e = binary(BinaryOp::Mul, const_int(a), const_int(b));
        return !prove_multiple(e, test_case["divisor"].get<std::int64_t>(), {}).proven || multiple
                   ? passed()
                   : failed("a proof that wrapping breaks");
    }
    return skipped("no runner for kind " + kind);
}

} // namespace ls::conformance
