#include "core/figure/properties.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/figure/formula.h"
#include "core/layout/catalogue/nz.h"
#include "core/layout/operations.h"
#include "core/passes/nz/ptoas_layout.h"

namespace ls::figure {

namespace {

using scene::PropertyRow;
using scene::Role;

std::string counted(std::int64_t n, std::string_view one, std::string_view many) { return fmt::format("{} {}", n, n == 1 ? one : many); }

/// The largest power of two of bytes that every innermost run starts at: what a wide access may rely on.
std::int64_t base_alignment_bytes(const ElementMap& map) {
    if (map.levels.empty()) return 0;
    const std::int64_t bits = map.levels.front().run * map.tensor.element_bits();
    return bits % 8 == 0 ? std::int64_t{1} << std::countr_zero(static_cast<std::uint64_t>(bits / 8)) : 0;
}

/// What each generation of the assembler says to this tensor as `layout<nz>` (spec/nz.md E.2).
void add_assembler_rows(const ElementMap& map, std::vector<PropertyRow>& rows) {
    const auto& roles = map.tensor.roles;
    const bool nz = map.tensor.space == MemorySpace::Gm && map.tensor.dtype &&
                    std::any_of(roles.begin(), roles.end(), [](const IterRole& r) { return r.name == "column block"; });
    if (!nz) return;
    const auto blocking = catalogue::nz_blocking(map.tensor.shape, *map.tensor.dtype);
    if (!blocking.ok()) return;
    const nz::PtoView view{blocking->shape, blocking->stride_elems, map.tensor.element_bits() / 8};
    const auto verdict = [&](PtoasVersion version, std::string_view taken, std::string_view refused) {
        const bool fine = !nz::explicit_nz_violation(view, version);
        return std::string(fine ? taken : refused);
    };
    rows.push_back({"PTOAS ≥ 0.61", verdict(nz::kExplicitLayouts, "accepts layout=nz", "refuses layout=nz"), Role::Fine});
    rows.push_back({"PTOAS ≤ 0.60", verdict({0, 60}, "accepts layout=nz, by accident", "infers nd: mismatch"), Role::Warning});
}

} // namespace

PropertyRow layout_verdict(const ElementMap& map) {
    if (!map.coverage) return {"verdict", "too large to count holes", Role::Warning};
    const engine::Coverage& c = *map.coverage;
    if (c.shared > 0) return {"verdict", counted(c.shared, "address is shared", "addresses are shared"), Role::Finding};
    if (c.holes > 0) return {"verdict", counted(c.holes, "hole", "holes"), Role::Warning};
    if (map.forward.copies() > 1) return {"verdict", fmt::format("dense, {} copies of each element", map.forward.copies()), Role::Fine};
    return {"verdict", "dense bijection", Role::Fine};
}

std::vector<PropertyRow> layout_properties(const ElementMap& map) {
    std::vector<PropertyRow> rows;
    const int bits = map.tensor.element_bits();
    const std::int64_t points = map.space.points;
    if (map.coverage) {
        const engine::Coverage& c = *map.coverage;
        rows.push_back(c.shared == 0 ? PropertyRow{"injective", "yes", Role::Fine}
                                     : PropertyRow{"injective", fmt::format("no, {}", counted(c.shared, "shared address", "shared addresses")), Role::Finding});
        const std::string range = map.space.wrapped ? fmt::format("covers [{}, {})", map.space.first_elem(), points + map.space.first_elem()) : "covers its space";
        rows.push_back(c.holes == 0 ? PropertyRow{range, "yes, no holes", Role::Fine}
                                    : PropertyRow{range, counted(c.holes, "hole", "holes"), Role::Warning});
    } else {
        rows.push_back({"injective", "not counted, too many elements", Role::Text2});
    }
    rows.push_back({"elements", fmt::format("{}", map.element_count()), Role::Text});
    if (map.forward.copies() > 1) rows.push_back({"copies", fmt::format("{} of each element", map.forward.copies()), Role::Text});
    if (map.space.wrapped) {
        rows.push_back({"span", fmt::format("{} el · {}", points, bytes_text(points, bits)), Role::Text});
    } else {
        for (const auto* side : {&map.space.down, &map.space.right}) {
            for (const SpaceAxis& a : *side) {
                rows.push_back({fmt::format("span of {}", a.axis.name()), fmt::format("{}", a.min + a.extent), Role::Text});
            }
        }
    }
    const Shape runs = map.forward.on(0).contiguous_runs();
    for (std::size_t d = map.tensor.shape.size(); d-- > 0;) {
        if (map.tensor.shape[d] == 1) continue;
        const std::string name = fmt::format("contiguous along {}", map.tensor.dim_name(d));
        // A run that goes on into the next thread or lane is contiguous in the picture only.
        const std::int64_t run = map.space.wrapped ? runs[d] : std::gcd(runs[d], map.space.row_length);
        if (run > 1) {
            rows.push_back({name, map.space.wrapped ? fmt::format("{} el · {}", run, bytes_text(run, bits)) : fmt::format("{} el", run), Role::Text});
            continue;
        }
        const auto innermost = std::find_if(map.iters.rbegin(), map.iters.rend(), [&](const GroupedIter& i) { return i.dim == d && i.extent > 1; });
        const bool strided = map.space.wrapped && innermost != map.iters.rend();
        rows.push_back({name, strided ? fmt::format("none (stride {})", bytes_text(innermost->stride, bits)) : "none", Role::Text2});
    }
    if (const std::int64_t alignment = map.space.wrapped ? base_alignment_bytes(map) : 0; alignment > 0) {
        rows.push_back({"innermost part aligned to", fmt::format("{} B", alignment), Role::Text});
    }
    if (const auto scope = get_scope(map.tensor.layout); scope.ok() && *scope) {
        rows.push_back({"scope", fmt::format("{} in {}", name((*scope)->inner), name((*scope)->outer)), Role::Text});
    }
    if (const ComposeLayout* compose = map.tensor.layout.compose()) {
        const std::int64_t period = std::int64_t{1} << (compose->per_element + compose->swizzle_len + compose->atom_len);
        rows.push_back({"swizzle repeats every", fmt::format("{} el · {}", period, bytes_text(period, bits)), Role::Text});
    }
    add_assembler_rows(map, rows);
    return rows;
}

} // namespace ls::figure
