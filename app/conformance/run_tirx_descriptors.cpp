// tirx/descriptors: matrix and instruction descriptors, MMA shapes, TMEM addresses.
#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "app/conformance/run_cute_json.h"
#include "app/conformance/run_tirx_tile.h"
#include "core/machine/tensor_core/instruction_descriptor.h"
#include "core/machine/tensor_core/matrix_descriptor.h"
#include "core/machine/tensor_core/tmem_address.h"

namespace ls::conformance {

namespace {

namespace tc = tensor_core;

std::uint64_t word_of(const std::string& text) { return std::stoull(text, nullptr, 16); }

Outcome run_matrix(const Json& input, const Json& expect) {
    tc::MatrixDescriptor descriptor;
    descriptor.leading_16b = input.at("ldo");
    descriptor.stride_16b = input.at("sdo");
    descriptor.swizzle = static_cast<tc::SmemSwizzle>(input.at("swizzle").get<int>());
    descriptor.start_address_bytes = input.value("shared_addr", std::int64_t{0});
    const auto word = encode(descriptor, tc::Generation::Blackwell);
    if (expect.contains("error")) return word ? failed("expected a refusal") : passed();
    if (!word) return failed("refused: " + word.error().message);
    Checks checks;
    checks.same("desc_hex", expect, hex(*word, 16));
    checks.same("hi32_hex", expect, hex(*word >> 32, 8));
    const auto back = tc::decode_matrix(*word, tc::Generation::Blackwell);
    if (!back || !(*back == descriptor)) checks.fail("decoding the word does not give the descriptor back");
    return checks.outcome();
}

std::optional<tc::MmaType> type_of(const Json& input, const char* key) {
    if (!input.contains(key) || !input[key].is_string()) return {};
    return tc::mma_type_from_name(input[key].get<std::string>());
}
/// Flags are written as true, false, 1 or 0.
bool flag(const Json& input, const char* key) {
    if (!input.contains(key)) return false;
    return input[key].is_boolean() ? input[key].get<bool>() : input[key].get<int>() != 0;
}

Result<std::uint32_t> instruction(const Json& input, std::optional<tc::MmaKind>& kind) {
    const auto scale = type_of(input, "sf");
    tc::InstructionDescriptor d;
    d.d = type_of(input, "d").value_or(tc::MmaType::F32);
    d.a = type_of(input, "a").value_or(tc::MmaType::F16);
    d.b = type_of(input, "b").value_or(tc::MmaType::F16);
    LS_TRY(d.kind, tc::mma_kind(d.d, d.a, d.b, scale, scale));
    kind = d.kind;
    d.scale = scale.value_or(tc::MmaType::E8M0);
    d.m = input.at("M");
    d.n = input.at("N");
    d.a_mn_major = flag(input, "trans_a");
    d.b_mn_major = flag(input, "trans_b");
    d.negate_a = flag(input, "na") || flag(input, "neg_a");
    d.negate_b = flag(input, "nb") || flag(input, "neg_b");
    d.saturate = flag(input, "sat") || flag(input, "sat_d");
    d.sparse = flag(input, "sparse") || flag(input, "is_sparse");
    return encode(d, input.value("cta_group", 1), input.at("K").get<std::int64_t>());
}

Outcome run_instruction(const Json& input, const Json& expect) {
    std::optional<tc::MmaKind> kind;
    const auto word = instruction(input, kind);
    if (expect.contains("error")) {
        return word ? failed("expected a refusal, got " + hex(*word, 8)) : refused_with(word.error(), expect["error"]);
    }
    if (!word) return failed("refused: " + word.error().message);
    Checks checks;
    checks.same("desc_hex", expect, hex(*word, 8));
    checks.same("desc", expect, *word);
    checks.same("kind", expect, std::string(name(*kind)));
    if (!tc::decode_instruction(*word, *kind)) checks.fail("the word does not decode");
    return checks.outcome();
}

Outcome run_shape(const Json& input, const Json& expect) {
    const auto kind = tc::mma_kind_from_name(input.at("kind").get<std::string>());
    if (!kind) return failed("unknown kind");
    const bool ok = tc::check_mma_shape({*kind, input.at("cta_group").get<int>(), input.at("M").get<std::int64_t>(),
                                     input.at("N").get<std::int64_t>(), input.at("K").get<std::int64_t>(),
                                     flag(input, "sparse") || flag(input, "is_sparse")})
                        .ok();
    Checks checks;
    checks.same("ok", expect, ok);
    return checks.outcome();
}

Outcome run_tmem(const Json& input, const Json& expect) {
    const std::uint32_t address = tc::tmem_address(input.at("base").get<std::uint32_t>(), input.at("row").get<std::int64_t>(),
                                                   input.at("col").get<std::int64_t>());
    Checks checks;
    checks.same("addr", expect, address);
    checks.same("addr_hex", expect, hex(address, 8));
    return checks.outcome();
}

} // namespace

Outcome run_tirx_descriptors(const Json& test_case, const Json&) {
    const std::string op = test_case.at("op");
    const Json& input = test_case.at("input");
    const Json& expect = test_case.at("expect");
    if (op == "smem_descriptor" || op == "smem_descriptor_base") return run_matrix(input, expect);
    if (op == "idesc_dense" || op == "idesc_block_scaled") return run_instruction(input, expect);
    if (op == "check_mma_shape") return run_shape(input, expect);
    if (op == "get_tmem_addr") return run_tmem(input, expect);
    if (op == "runtime_instr_desc") {
        const auto word = static_cast<std::uint32_t>(word_of(input.at("desc_hex").get<std::string>()));
        Checks checks;
        checks.same("desc_hex", expect, hex(tc::with_scale_id(word, input.at("sf_id").get<std::uint32_t>()), 8));
        return checks.outcome();
    }
    return skipped("unknown operation " + op);
}

bool looks_like_tirx_descriptors(const Json& first_case) {
    const std::string op = first_case.contains("op") && first_case["op"].is_string() ? first_case["op"].get<std::string>() : "";
    return op.starts_with("smem_descriptor") || op.starts_with("idesc_") || op == "check_mma_shape" || op == "get_tmem_addr" ||
           op == "runtime_instr_desc";
}

} // namespace ls::conformance
