// cute/banks: passes of shared-memory accesses, from addresses or from a pair of register and shared encodings.
#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "app/conformance/run_cute_json.h"
#include "core/machine/banks.h"
#include "core/machine/warp_access.h"
#include "core/notation/triton_convert.h"

namespace ls::conformance {

namespace {

using Addresses = std::vector<std::optional<std::int64_t>>;

Addresses addresses_of(const Json& list) {
    Addresses out;
    for (const Json& address : list)
        out.push_back(address.is_null() ? std::nullopt : std::optional(address.get<std::int64_t>()));
    return out;
}

Json to_json(const Addresses& addresses) {
    Json out = Json::array();
    for (const auto& address : addresses) out.push_back(address ? Json(*address) : Json());
    return out;
}

/// Phases in which nobody takes part say nothing and are left out on both sides.
Json active_phases(const Json& phases) {
    Json out = Json::array();
    for (const Json& phase : phases) {
        if (phase.at("active") != 0) out.push_back(phase);
    }
    return out;
}

void check_report(const BankReport& report, const Json& expect, Checks& checks) {
    checks.same("degree", expect, report.degree);
    checks.same("wavefronts", expect, report.wavefronts);
    checks.same("ideal", expect, report.ideal);
    checks.same("excess", expect, report.excess());
    if (!expect.contains("phases")) return;
    Json phases = Json::array();
    for (const BankPhase& p : report.phases) {
        phases.push_back({{"lanes", {p.first_lane, p.last_lane}},
                          {"active", p.active},
                          {"degree", p.degree},
                          {"banks_used", p.banks_used},
                          {"words", p.words}});
    }
    checks.equal("phases", active_phases(expect["phases"]), active_phases(phases));
}

Result<TensorLayout> tensor_of(const Json& attribute, const Json& shape) {
    LS_TRY(const triton::Attribute parsed, triton::read_attribute(attribute.get<std::string>()));
    return triton::to_tensor(parsed, shape.get<std::vector<std::int64_t>>());
}

void check_pair(const Json& input, const Json& expect, Checks& checks) {
    const auto registers = tensor_of(input.at("register_attr"), input.at("shape"));
    const auto shared = tensor_of(input.at("shared_attr"), input.at("shape"));
    if (!registers) return checks.fail(registers.error().message);
    if (!shared) return checks.fail(shared.error().message);
    const auto access = warp_access(*registers, *shared, input.at("element_bits").get<int>());
    if (!access) return checks.fail(access.error().message);
    if (access->instructions.empty()) return checks.fail("no instruction");
    const WarpInstruction& first = access->instructions.front();
    checks.same("vector_elements", expect, access->vector_elements);
    checks.equal("access_bytes", input.at("access_bytes"), access->access_bytes);
    checks.equal("byte_address", input.at("byte_address"), to_json(first.byte_addresses));
    if (first.banks.ideal > 0) checks.same("excess_per_phase", expect, first.banks.excess() / first.banks.ideal);
    check_report(first.banks, expect, checks);
}

} // namespace

Outcome run_cute_banks(const Json& test_case, const Json&) {
    const Json& input = test_case.at("input");
    const Json& expect = test_case.at("expect");
    Checks checks;
    const std::string instruction = input.value("instruction", "");
    const Addresses addresses = addresses_of(input.at("byte_address"));
    const bool matrix = instruction.find("matrix.x") != std::string::npos;
    const auto report = matrix ? matrix_bank_conflicts(addresses, instruction.back() - '0')
                               : bank_conflicts(addresses, input.at("access_bytes").get<int>());
    if (expect.contains("error")) return refused(report);
    if (!report) return failed(report.error().message);
    check_report(*report, expect, checks);
    if (input.contains("register_attr")) check_pair(input, expect, checks);
    return checks.outcome();
}

bool looks_like_cute_banks(const Json& first_case) {
    return first_case.contains("input") && first_case["input"].is_object() &&
           first_case["input"].contains("byte_address");
}

} // namespace ls::conformance
