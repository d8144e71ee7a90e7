#include "core/ub/cgdr/tiling_record.h"

#include <bit>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::ub::cgdr {

namespace {

constexpr auto U = FieldType::UInt32;
using R = TilingRecord;

//  off  0         4          8            12  16   20  24  28  32         36         40 44       48        52 56     60
constexpr std::array<TilingField, 16> kFields{{
    {"vectorCoreNum", U, 0, FieldUse::NoReader, &R::vector_core_num},
    {"ubCalSize", U, 4, FieldUse::NoReader, &R::ub_cal_size},
    {"ubRestBytes", U, 8, FieldUse::Read, &R::ub_rest_bytes},
    {"t", U, 12, FieldUse::CopiedNeverUsed, &R::t},
    {"hqk", U, 16, FieldUse::Read, &R::hqk},
    {"dk", U, 20, FieldUse::Read, &R::dk},
    {"hv", U, 24, FieldUse::Read, &R::hv},
    {"dv", U, 28, FieldUse::Read, &R::dv},
    {"chunkSize", U, 32, FieldUse::Read, &R::chunk_size},
    {"numChunks", U, 36, FieldUse::CopiedNeverUsed, &R::num_chunks},
    {"b", U, 40, FieldUse::Read, &R::b},
    {"padSize", U, 44, FieldUse::NoReader, &R::pad_size},
    {"hasGamma", U, 48, FieldUse::Read, &R::has_gamma},
    {"scaleValue", FieldType::Float, 52, FieldUse::Read, nullptr},
    {"vStep", U, 56, FieldUse::Read, &R::v_step},
    {"debug", U, 60, FieldUse::NoReader, &R::debug},
}};

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

} // namespace

std::span<const TilingField> tiling_fields() { return kFields; }

std::array<std::uint8_t, 64> encode(const TilingRecord& record) {
    std::array<std::uint8_t, 64> bytes{};
    for (const TilingField& field : kFields) {
        const std::uint32_t word =
            field.integer != nullptr ? record.*field.integer : std::bit_cast<std::uint32_t>(record.scale_value);
        for (std::size_t i = 0; i < 4; ++i) {
            bytes[static_cast<std::size_t>(field.offset_bytes) + i] = static_cast<std::uint8_t>(word >> (8 * i));
        }
    }
    return bytes;
}

Result<TilingRecord> decode(std::span<const std::uint8_t> bytes) {
    if (bytes.size() != static_cast<std::size_t>(kTilingRecordBytes)) {
        return error("UB_RECORD_SIZE", fmt::format("a tiling record has 64 bytes, these are {}", bytes.size()),
                     bytes.size() == 72 ? "a 17th field was added on one side only" : "");
    }
    TilingRecord record;
    for (const TilingField& field : kFields) {
        std::uint32_t word = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            word |= std::uint32_t{bytes[static_cast<std::size_t>(field.offset_bytes) + i]} << (8 * i);
        }
        if (field.integer != nullptr) {
            record.*field.integer = word;
        } else {
            record.scale_value = std::bit_cast<float>(word);
        }
    }
    return record;
}

std::string to_hex(std::span<const std::uint8_t> bytes) {
    std::string text;
    text.reserve(2 * bytes.size());
    for (const std::uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
    return text;
}

Result<std::vector<std::uint8_t>> from_hex(std::string_view text) {
    std::vector<std::uint8_t> bytes;
    int high = -1;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r') continue;
        const int digit = hex_digit(text[i]);
        if (digit < 0) {
            return error_at({i, i + 1}, "UB_HEX", fmt::format("'{}' is no hex digit", text[i]), "use 0-9 and a-f");
        }
        if (high < 0) {
            high = digit;
        } else {
            bytes.push_back(static_cast<std::uint8_t>(high * 16 + digit));
            high = -1;
        }
    }
    if (high >= 0) return error("UB_HEX", "the number of hex digits is odd", "two digits make one byte");
    return bytes;
}

std::int64_t record_bytes(std::int64_t fields) { return align_up(4 * fields, kTilingRecordAlign); }

} // namespace ls::ub::cgdr
