#include "core/machine/hardware.h"

#include <algorithm>
#include <cassert>
#include <cctype>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/support/checked.h"
#include "embedded/hardware_a2a3.h"
#include "embedded/hardware_a5.h"

namespace ls {

namespace {

using Json = nlohmann::json;

/// Reads fields of one JSON object and remembers the first that was not as expected.
class Fields {
public:
    Fields(const Json& object, std::string path) : object_(object), path_(std::move(path)) {}

    template <class T>
    T get(const char* key, bool (Json::*is)() const noexcept) {
        const auto found = object_.is_object() ? object_.find(key) : object_.end();
        if (found == object_.end() || !((*found).*is)()) {
            if (wrong_.empty()) wrong_ = path_ + key;
            return T{};
        }
        return found->get<T>();
    }
    std::int64_t integer(const char* key) { return get<std::int64_t>(key, &Json::is_number_integer); }
    double number(const char* key) { return get<double>(key, &Json::is_number); }
    bool flag(const char* key) { return get<bool>(key, &Json::is_boolean); }
    std::string text(const char* key) { return get<std::string>(key, &Json::is_string); }
    const Json& object(const char* key) {
        static const Json none = Json::object();
        const auto found = object_.is_object() ? object_.find(key) : object_.end();
        if (found == object_.end() || !found->is_object()) {
            if (wrong_.empty()) wrong_ = path_ + key;
            return none;
        }
        return *found;
    }
    bool has(const char* key) const { return object_.is_object() && object_.contains(key); }
    void expect(bool good, const std::string& key) {
        if (!good && wrong_.empty()) wrong_ = path_ + key;
    }
    void take(const Fields& inner) {
        if (wrong_.empty()) wrong_ = inner.wrong_;
    }
    const std::string& wrong() const { return wrong_; }

private:
    const Json& object_;
    std::string path_;
    std::string wrong_;
};

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

} // namespace

std::optional<std::int64_t> Hardware::capacity_bytes(ir::TileSpace space) const {
    const auto found = memories.find(space);
    return found == memories.end() ? std::nullopt : std::optional(found->second.bytes);
}

Result<Hardware> parse_hardware(std::string_view text) {
    const Json file = Json::parse(text, nullptr, false);
    if (file.is_discarded()) return error("HW_JSON", "the chip's description is not valid JSON");
    Fields top(file, "");
    Hardware hw;
    hw.id = top.text("id");
    hw.pto_arch = top.text("ptoArch");
    if (top.has("names") && file["names"].is_array()) {
        for (const Json& name : file["names"]) {
            top.expect(name.is_string(), "names");
            if (name.is_string()) hw.names.push_back(name.get<std::string>());
        }
    }
    for (const auto& [key, value] : top.object("memories").items()) {
        const auto space = ir::tile_space_from_name(key);
        top.expect(space.has_value(), "memories." + key);
        Fields memory(value, "memories." + key + ".");
        MemoryLimits limits;
        limits.bytes = memory.integer("bytes");
        limits.align_bytes = memory.integer("alignBytes");
        limits.physical_bytes = memory.has("physicalBytes") ? memory.integer("physicalBytes") : limits.bytes;
        memory.expect(limits.bytes > 0 && limits.physical_bytes >= limits.bytes, "bytes");
        memory.expect(is_power_of_two(limits.align_bytes), "alignBytes");
        top.take(memory);
        if (space) hw.memories[*space] = limits;
    }
    hw.cube_unit = top.integer("cubeUnit");
    hw.acc_row_align = top.integer("accRowAlign");
    hw.acc_row_align_int32 = top.integer("accRowAlignInt32");
    top.expect(hw.cube_unit > 0, "cubeUnit");
    top.expect(hw.acc_row_align > 0, "accRowAlign");
    top.expect(hw.acc_row_align_int32 > 0, "accRowAlignInt32");
    hw.gm_granule_bytes = top.integer("gmGranuleBytes");
    hw.l2_line_bytes = top.integer("l2LineBytes");
    const auto order = ir::tile_order_from_name(top.text("leftBlayout"));
    top.expect(order.has_value(), "leftBlayout");
    hw.left_blayout = order.value_or(ir::TileOrder::ColMajor);

    Fields load(top.object("nzLoad"), "nzLoad.");
    hw.nz_load.gap_field_bits = static_cast<int>(load.integer("gapFieldBits"));
    load.expect(hw.nz_load.gap_field_bits >= 0 && hw.nz_load.gap_field_bits <= 62, "gapFieldBits");
    hw.nz_load.max_guarded_gap_blocks = load.integer("maxGuardedGapBlocks");
    hw.nz_load.max_bursts = load.integer("maxBursts");
    hw.nz_load.max_tile_rows = load.integer("maxTileRows");
    top.take(load);

    Fields store(top.object("nzStore"), "nzStore.");
    hw.nz_store.supported = store.flag("supported");
    hw.nz_store.max_rows = store.integer("maxRows");
    hw.nz_store.max_cols = store.integer("maxCols");
    hw.nz_store.ignores_column_block_stride = store.flag("ignoresColumnBlockStride");
    top.take(store);

    Fields moves(top.object("cubeMoves"), "cubeMoves.");
    hw.cube_moves.bf16_to_bias = moves.flag("bf16ToBias");
    hw.cube_moves.fp32_to_mat = moves.flag("fp32ToMat");
    top.take(moves);

    Fields cost(top.object("l0Tiling"), "l0Tiling.");
    hw.l0_cost.bytes_per_cycle_a = cost.number("bytesPerCycleA");
    hw.l0_cost.bytes_per_cycle_b = cost.number("bytesPerCycleB");
    hw.l0_cost.bytes_per_cycle_drain = cost.number("bytesPerCycleDrain");
    hw.l0_cost.drain_fixed_cycles = cost.number("drainFixedCycles");
    hw.l0_cost.drain_row_cycles = cost.number("drainRowCycles");
    hw.l0_cost.drain_odd_penalty = cost.number("drainOddPenalty");
    hw.l0_cost.mad_start_cycles = cost.number("madStartCycles");
    hw.l0_cost.fp32_cycles_per_step = cost.number("fp32CyclesPerStep");
    cost.expect(hw.l0_cost.bytes_per_cycle_a > 0, "bytesPerCycleA");
    cost.expect(hw.l0_cost.bytes_per_cycle_b > 0, "bytesPerCycleB");
    cost.expect(hw.l0_cost.bytes_per_cycle_drain > 0, "bytesPerCycleDrain");
    top.take(cost);

    if (!top.wrong().empty()) {
        return error("HW_JSON", fmt::format("the chip's description has no usable value for \"{}\"", top.wrong()),
                     "see resources/hardware/ascend_a2a3.json for all fields");
    }
    return hw;
}

std::span<const Hardware> all_hardware() {
    static const std::vector<Hardware> chips = [] {
        std::vector<Hardware> all;
        for (const std::string_view text : {embedded::hardware_a2a3, embedded::hardware_a5}) {
            auto chip = parse_hardware(text);
            assert(chip.ok());
            if (chip.ok()) all.push_back(std::move(chip).value());
        }
        return all;
    }();
    return chips;
}

const Hardware* find_hardware(std::string_view name) {
    const std::string wanted = lower(name);
    for (const Hardware& chip : all_hardware()) {
        if (lower(chip.id) == wanted) return &chip;
        for (const std::string& other : chip.names) {
            if (lower(other) == wanted) return &chip;
        }
    }
    return nullptr;
}

const Hardware& default_hardware() {
    const Hardware* chip = find_hardware("a2a3");
    assert(chip != nullptr);
    return *chip;
}

std::optional<std::int64_t> acc_physical_bytes(std::span<const std::int64_t> shape, DType dtype,
                                               const Hardware* hardware) {
    if (shape.size() < 2 || whole_bytes(dtype) == 0) return {};
    if (std::any_of(shape.begin(), shape.end(), [](std::int64_t e) { return e <= 0; })) return {};
    std::int64_t align = dtype == DType::Int32 ? 32 : 16;
    if (hardware != nullptr) align = dtype == DType::Int32 ? hardware->acc_row_align_int32 : hardware->acc_row_align;
    std::vector<std::int64_t> factors(shape.begin(), shape.end());
    std::int64_t& rows = factors[factors.size() - 2];
    if (!checked_add(rows, align)) return {};
    rows = align_up(rows, align);
    factors.push_back(whole_bytes(dtype));
    return checked_product(factors);
}

} // namespace ls
