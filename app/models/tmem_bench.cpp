#include "app/models/tmem_bench.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/figure/smem_tile.h"
#include "core/notation/tirx_text.h"

namespace ls::models {

TmemBench read_bench(std::string text) {
    TmemBench read;
    read.text = std::move(text);
    auto subject = tirx::read_gemm_subject(read.text);
    if (!subject.ok()) {
        read.refusal = subject.error();
        return read;
    }
    read.bench = tirx::examine(*subject);
    if (auto rects = tirx::tmem_rects(read.bench.c); rects.ok()) {
        // Rows beyond the lanes that there are cannot be drawn; the plan's refusal says so.
        for (const tirx::TmemRect& r : *rects)
            if (r.lane >= 0 && r.lane + r.lanes <= 128 && r.column >= 0 && r.column + r.columns <= 512) read.rects.push_back(r);
    }
    if (read.bench.registers) {
        if (auto owners = tirx::RegisterOwners::make(*read.bench.registers); owners.ok()) read.owners = std::move(owners).value();
    }
    return read;
}

std::string TmemBench::layout_of(bool b) const {
    const tirx::GemmSide& side = b ? bench.b : bench.a;
    if (!side.operand.layout) return {};
    // The canonical form says the same in fewer words.
    const auto canonical = canonicalize(*side.operand.layout);
    return notation::print_tirx(canonical.ok() ? *canonical : *side.operand.layout);
}

std::int64_t TmemBench::mma_k() const {
    if (bench.plan) return bench.plan->mma_k;
    return bench.a.operand.layout ? std::max<std::int64_t>(1, tirx::instruction_k(bench.a.operand.dtype)) : 16;
}

std::string TmemBench::smem_note(bool b) const {
    const tirx::GemmSide& side = b ? bench.b : bench.a;
    if (!side.tile) return {};
    const std::int64_t last = side.tile->first_byte + static_cast<std::int64_t>(side.tile->chunks.size()) * tirx::kChunkBytes - 1;
    std::string note;
    if (side.matched && side.matched->swizzle != tensor_core::SmemSwizzle::None) {
        const std::int64_t bytes = tensor_core::atom_row_bytes(side.matched->swizzle) * 8;
        const std::int64_t atoms = static_cast<std::int64_t>(side.tile->chunks.size()) * tirx::kChunkBytes / bytes;
        note = fmt::format("{} atoms of {} B, sdo = {} · 16 B = {} B", atoms, bytes, side.matched->sdo, side.matched->sdo * 16);
    } else {
        note = fmt::format("{} lines of 128 B", side.tile->lines());
    }
    return fmt::format("{}, from {:#06x} to {:#06x}", note, side.tile->first_byte, last);
}

std::shared_ptr<const RowsTable> tmem_steps_table(const TmemBench& bench, int unit) {
    const auto& plan = bench.bench.plan;
    const bool tiles = plan && plan->m_tiles * plan->n_tiles > 1;
    const char* offsets = unit == 0 ? "A, 16 B|8" : unit == 1 ? "A, bytes|8" : "A, elems|8";
    const char* offsets_b = unit == 0 ? "B, 16 B|8" : unit == 1 ? "B, bytes|8" : "B, elems|8";
    auto table = tiles ? std::make_shared<RowsTable>(std::initializer_list<std::string_view>{"mi|3", "ni|3", "ki|3", "<k|8", offsets, offsets_b, "<A descriptor|18", "<B descriptor|18", "<D address|14", "accumulate|10"})
                       : std::make_shared<RowsTable>(std::initializer_list<std::string_view>{"ki|3", "<k|8", offsets, offsets_b, "<A descriptor|18", "<B descriptor|18", "<D address|14", "enable_input_d|14"});
    if (!plan) return table;
    const int bits_of = bits(bench.bench.a.operand.dtype);
    const auto shown = [&](std::int64_t units) {
        const std::int64_t value = unit == 0 ? units : unit == 1 ? units * 16 : units * 128 / bits_of;
        return fmt::format("+{}", value);
    };
    std::int64_t row = 0;
    for (const tirx::GemmStep& s : bench.bench.steps) {
        const std::string d = s.d_lane == 0 ? fmt::format("base + {}", s.d_column) : fmt::format("base + ({}, {})", s.d_lane, s.d_column);
        std::vector<std::string> texts{fmt::format("{}", s.ki), fmt::format("{}–{}", s.ki * plan->mma_k, (s.ki + 1) * plan->mma_k - 1), shown(s.a_offset_16b), shown(s.b_offset_16b),
                                       fmt::format("{:#018x}", s.a_word), fmt::format("{:#018x}", s.b_word), d, s.accumulate ? "1" : "0"};
        if (tiles) texts.insert(texts.begin(), {fmt::format("{}", s.mi), fmt::format("{}", s.ni)});
        table->add(std::move(texts), scene::Cell{row++, 0});
    }
    return table;
}

std::string tmem_look_text(const TmemBench& bench, const TmemLook& look, bool swizzled) {
    if (look.of == TmemLook::Of::None) return {};
    if (look.of != TmemLook::Of::C) {
        const bool b = look.of == TmemLook::Of::B;
        const tirx::GemmSide& side = b ? bench.bench.b : bench.bench.a;
        const auto& tile = swizzled ? side.tile : side.plain;
        if (!tile || look.at.row >= tile->mn || look.at.column < 0 || look.at.column >= tile->k) return {};
        const std::int64_t byte = tile->byte_address(look.at.row, look.at.column), chunk = byte % tirx::kLineBytes / tirx::kChunkBytes;
        return fmt::format("{}[{}, {}] · chunk {} · bank {} · {:#06x} · K step {}", b ? "B" : "A", side.transposed ? look.at.column : look.at.row,
                           side.transposed ? look.at.row : look.at.column, chunk, byte / kBankBytes % kBanks, byte, look.at.column / bench.mma_k());
    }
    std::string text = fmt::format("C[{}, {}]", look.at.row, look.at.column);
    if (const auto cell = tirx::tmem_cell(bench.rects, look.at); cell.valid()) text += fmt::format(" · lane {}, column {}", cell.lane, cell.column);
    if (bench.owners) {
        if (const auto place = bench.owners->owner(look.at); place.valid()) text += fmt::format(" · warp {}, thread {}, register {}", place.thread / 32, place.thread, place.slot);
    }
    return text;
}

} // namespace ls::models
