// nz/store_final_checks, nz/l0_chooser: sizes of accumulators, limits of one store, and the choice of tiles.
#include <array>

#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "app/conformance/run_nz_case.h"
#include "app/conformance/run_tirx_layout_json.h"
#include "core/machine/nz_transfer.h"
#include "core/passes/nz/l0_chooser.h"

namespace ls::conformance {

namespace {

std::int64_t number(const Json& test_case, const char* key) { return test_case.at(key).get<std::int64_t>(); }

Outcome same(const char* what, const Json& expected, const Json& actual) {
    return expected == actual ? passed()
                              : failed(fmt::format("{}: expected {}, got {}", what, expected.dump(), actual.dump()));
}

Outcome acc_bytes(const Json& test_case) {
    const Hardware& hardware = hardware_of(test_case);
    const auto bytes = acc_physical_bytes(std::array{number(test_case, "rows"), number(test_case, "cols")},
                                          dtype_of(test_case.at("dtype")), &hardware);
    if (!bytes) return failed("the size cannot be counted");
    const char* key = test_case.contains("bytes") ? "bytes" : "acc_bytes";
    if (Outcome o = same(key, test_case.at(key), *bytes); o.kind != Outcome::Kind::Passed) return o;
    return test_case.contains("capacity")
               ? same("capacity", test_case["capacity"], hardware.capacity_bytes(ir::TileSpace::Acc).value_or(0))
               : passed();
}

Outcome store_step(const Json& test_case) {
    const NzStoreStep step = nz_store_step(number(test_case, "tile_rows"), number(test_case, "parent_rows"),
                                           hardware_of(test_case).nz_store);
    for (const auto& [key, value] :
         std::initializer_list<std::pair<const char*, Json>>{{"true_column_block_gap_elems", step.meant_elems},
                                                             {"a2a3_used_gap_elems", step.used_elems},
                                                             {"a2a3_dstStride_blocks", step.used_blocks},
                                                             {"correct", step.correct()}}) {
        if (!test_case.contains(key)) continue;
        if (Outcome o = same(key, test_case[key], value); o.kind != Outcome::Kind::Passed) return o;
    }
    return passed();
}

Outcome split(const Json& test_case) {
    LS_TRY_OUTCOME(const nz::NSplit s, nz::n_split(number(test_case, "M"), number(test_case, "n"),
                                                   number(test_case, "ni"), hardware_of(test_case)));
    for (const auto& [key, value] : std::initializer_list<std::pair<const char*, Json>>{
             {"offsets", s.offsets}, {"partition", s.partition}, {"acc_bytes", s.acc_bytes}, {"fits", s.fits}}) {
        if (!test_case.contains(key)) continue;
        if (Outcome o = same(key, test_case[key], value); o.kind != Outcome::Kind::Passed) return o;
    }
    return passed();
}

nz::L0Problem problem_of(const Json& config) {
    nz::L0Problem p;
    const auto read = [&](const char* key, auto& into) {
        if (config.contains(key) && config[key].is_number_integer())
            into = config[key].get<std::remove_reference_t<decltype(into)>>();
    };
    const auto read_optional = [&](const char* key, std::optional<std::int64_t>& into) {
        if (config.contains(key) && config[key].is_number_integer()) into = config[key].get<std::int64_t>();
    };
    read("M", p.M), read("N", p.N), read("K", p.K);
    read("ba", p.bytes_a), read("bb", p.bytes_b), read("bc", p.bytes_c);
    read("dbA", p.buffers_a), read("dbB", p.buffers_b), read("dbC", p.buffers_c);
    read("box_m", p.box_m), read("box_n", p.box_n);
    for (const char* key : {"am", "l0c_align", "l0c_align_m", "acc_row_align", "align_acc"}) read(key, p.acc_row_align);
    read_optional("l0a", p.l0a_bytes), read_optional("l0b", p.l0b_bytes), read_optional("l0c", p.l0c_bytes);
    read_optional("max_n", p.max_n), read_optional("fixed_m", p.fixed_m);
    p.allow_k_boundary = config.value("allow_k_boundary", false);
    return p;
}

} // namespace

bool looks_like_nz_store_final_checks(const Json& c) {
    const std::string kind = c.value("kind", "");
    return kind == "n_split_partition" || kind == "tstore_dst_stride" ||
           (c.contains("acc_bytes") && c.contains("accept"));
}

Outcome run_nz_store_final_checks(const Json& test_case, const Json&) {
    const std::string kind = test_case.value("kind", "");
    if (kind == "n_split_partition") return split(test_case);
    if (kind == "tstore_dst_stride") return store_step(test_case);
    if (!kind.empty()) return skipped("no runner for kind " + kind);
    if (Outcome o = acc_bytes(test_case); o.kind != Outcome::Kind::Passed) return o;
    const Status s = nz::check_store_tile(number(test_case, "rows"), number(test_case, "cols"),
                                          dtype_of(test_case.at("dtype")), hardware_of(test_case));
    if (s.ok() != test_case.at("accept").get<bool>())
        return failed(s.ok() ? "it was accepted" : "refused: " + s.error().message);
    return s.ok() ? passed() : same("reason", test_case.at("reason"), s.error().code);
}

bool looks_like_nz_l0_chooser(const Json& c) {
    return c.contains("mnk") || c.value("kind", "") == "acc_physical_bytes";
}

Outcome run_nz_l0_chooser(const Json& test_case, const Json&) {
    if (test_case.value("kind", "") == "acc_physical_bytes") return acc_bytes(test_case);
    const Json& config = test_case.at("config");
    const Hardware& hardware = config.contains("backend") ? hardware_of(config) : hardware_of(test_case);
    const auto choice = nz::choose_l0_tile(problem_of(config), hardware);
    if (test_case.at("mnk").is_null()) {
        if (choice.ok())
            return failed(fmt::format("expected no tile, got [{}, {}, {}]", choice->m, choice->n, choice->k));
        return test_case.contains("reason") && test_case["reason"].is_string()
                   ? same("reason", test_case["reason"], choice.error().code)
                   : passed();
    }
    if (!choice.ok()) return failed("refused: " + choice.error().message);
    const nz::L0Candidate& chosen = choice->candidates.at(choice->chosen);
    if (chosen.m != choice->m || chosen.n != choice->n || chosen.k != choice->k)
        return failed("the recorded candidate is another");
    return same("mnk", test_case["mnk"], Json{choice->m, choice->n, choice->k});
}

} // namespace ls::conformance
