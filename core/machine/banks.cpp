#include "core/machine/banks.h"

#include <algorithm>

#include <fmt/format.h>

namespace ls {

namespace {

constexpr int kMatrixRows = 8;
constexpr int kMatrixRowBytes = 16;

int lanes_of_phase(int access_bytes) { return access_bytes <= 4 ? kWarpLanes : kWarpLanes * kBankBytes / access_bytes; }

Status check_address(int lane, std::int64_t address, int access_bytes) {
    if (address < 0) return error("BANK_ADDRESS", fmt::format("lane {} is at byte {}", lane, address));
    if (address % access_bytes != 0) {
        return error(
            "BANK_ALIGNMENT",
            fmt::format("lane {} accesses {} bytes at byte {}, which is not aligned", lane, access_bytes, address),
            fmt::format("start at a multiple of {}", access_bytes));
    }
    return ok_status();
}

BankPhase serve(std::span<const std::optional<std::int64_t>> addresses, int first_lane, int access_bytes) {
    BankPhase phase;
    phase.first_lane = first_lane;
    phase.last_lane = first_lane + static_cast<int>(addresses.size()) - 1;
    std::vector<std::int64_t> words;
    for (const auto& address : addresses) {
        if (!address) continue;
        ++phase.active;
        for (std::int64_t word = *address / kBankBytes; word <= (*address + access_bytes - 1) / kBankBytes; ++word)
            words.push_back(word);
    }
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    phase.words = static_cast<int>(words.size());
    for (const std::int64_t word : words) ++phase.words_of_bank[static_cast<std::size_t>(word % kBanks)];
    phase.banks_used = static_cast<int>(
        std::count_if(phase.words_of_bank.begin(), phase.words_of_bank.end(), [](int n) { return n > 0; }));
    phase.degree = *std::max_element(phase.words_of_bank.begin(), phase.words_of_bank.end());
    return phase;
}

BankReport report(std::span<const std::optional<std::int64_t>> addresses, int phase_lanes, int access_bytes) {
    BankReport out;
    for (std::size_t first = 0; first < addresses.size(); first += static_cast<std::size_t>(phase_lanes)) {
        const std::size_t count = std::min(static_cast<std::size_t>(phase_lanes), addresses.size() - first);
        out.phases.push_back(serve(addresses.subspan(first, count), static_cast<int>(first), access_bytes));
        const BankPhase& phase = out.phases.back();
        out.degree = std::max(out.degree, phase.degree);
        out.wavefronts += phase.degree;
        out.ideal += phase.active > 0 ? 1 : 0;
    }
    return out;
}

} // namespace

Result<BankReport> bank_conflicts(std::span<const std::optional<std::int64_t>> byte_addresses, int access_bytes) {
    constexpr std::array widths{1, 2, 4, 8, 16};
    if (std::find(widths.begin(), widths.end(), access_bytes) == widths.end()) {
        return error("BANK_WIDTH", fmt::format("a lane accesses 1, 2, 4, 8 or 16 bytes at once, not {}", access_bytes));
    }
    if (byte_addresses.size() > kWarpLanes)
        return error("BANK_LANES", fmt::format("{} lanes, but a warp has 32", byte_addresses.size()));
    for (std::size_t lane = 0; lane < byte_addresses.size(); ++lane) {
        if (byte_addresses[lane]) LS_CHECK(check_address(static_cast<int>(lane), *byte_addresses[lane], access_bytes));
    }
    return report(byte_addresses, lanes_of_phase(access_bytes), access_bytes);
}

Result<BankReport> matrix_bank_conflicts(std::span<const std::optional<std::int64_t>> row_addresses, int matrices) {
    if (matrices != 1 && matrices != 2 && matrices != 4)
        return error("BANK_MATRICES", fmt::format("ldmatrix moves 1, 2 or 4 matrices, not {}", matrices));
    const auto rows = static_cast<std::size_t>(matrices * kMatrixRows);
    return bank_conflicts(row_addresses.first(std::min(rows, row_addresses.size())), kMatrixRowBytes);
}

} // namespace ls
