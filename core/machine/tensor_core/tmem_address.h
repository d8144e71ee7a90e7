// Addresses of tensor memory (spec/tirx.md 7.3): 128 lanes by 512 columns of 32 bits.
//
//     31          16 15           0
//     +-------------+-------------+
//     |    lane     |   column    |     each half counts on its own; nothing carries from one into the other
//     +-------------+-------------+
#pragma once

#include <cstdint>

namespace ls::tensor_core {

/// base moved by `lanes` and `columns` (32-bit columns); both halves wrap at 16 bits, as the device helper does.
constexpr std::uint32_t tmem_address(std::uint32_t base, std::int64_t lanes, std::int64_t columns) {
    const auto lane = (static_cast<std::uint64_t>(base >> 16) + static_cast<std::uint64_t>(lanes)) & 0xFFFFU;
    const auto column = (static_cast<std::uint64_t>(base & 0xFFFFU) + static_cast<std::uint64_t>(columns)) & 0xFFFFU;
    return static_cast<std::uint32_t>(lane << 16 | column);
}

constexpr std::uint32_t tmem_lane(std::uint32_t address) { return address >> 16; }
constexpr std::uint32_t tmem_column(std::uint32_t address) { return address & 0xFFFFU; }

} // namespace ls::tensor_core
