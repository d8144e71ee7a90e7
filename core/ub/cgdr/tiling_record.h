// The 64-byte tiling record that the host writes and the device copies (spec ub 3.5): little endian, alignment 8.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/result.h"

namespace ls::ub::cgdr {

struct TilingRecord {
    std::uint32_t vector_core_num = 0;
    std::uint32_t ub_cal_size = 0;
    std::uint32_t ub_rest_bytes = 0;
    std::uint32_t t = 0;
    std::uint32_t hqk = 0;
    std::uint32_t dk = 0;
    std::uint32_t hv = 0;
    std::uint32_t dv = 0;
    std::uint32_t chunk_size = 0;
    std::uint32_t num_chunks = 0;
    std::uint32_t b = 0;
    std::uint32_t pad_size = 0;
    std::uint32_t has_gamma = 0;
    float scale_value = 0;
    std::uint32_t v_step = 0;
    std::uint32_t debug = 0;

    bool operator==(const TilingRecord&) const = default;
};

enum class FieldType : std::uint8_t { UInt32, Float };

/// Who reads a field on the device.
enum class FieldUse : std::uint8_t { Read, CopiedNeverUsed, NoReader };

struct TilingField {
    std::string_view name; ///< as in the kernel's struct
    FieldType type = FieldType::UInt32;
    std::int64_t offset_bytes = 0;
    FieldUse use = FieldUse::Read;
    std::uint32_t TilingRecord::*integer = nullptr; ///< null for the one float
};

inline constexpr std::int64_t kTilingRecordBytes = 64;
inline constexpr std::int64_t kTilingRecordAlign = 8;

/// In wire order.
std::span<const TilingField> tiling_fields();

std::array<std::uint8_t, 64> encode(const TilingRecord& record);
/// UB_RECORD_SIZE unless exactly 64 bytes are given.
Result<TilingRecord> decode(std::span<const std::uint8_t> bytes);

std::string to_hex(std::span<const std::uint8_t> bytes);
/// UB_HEX for an odd count or a character that is no hex digit; spaces are skipped.
Result<std::vector<std::uint8_t>> from_hex(std::string_view text);

/// sizeof of a record of `fields` 4-byte fields: rounded up to the alignment.
std::int64_t record_bytes(std::int64_t fields);

} // namespace ls::ub::cgdr
