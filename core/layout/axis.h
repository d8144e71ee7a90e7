// Named axes: where a coordinate of physical space lies (an address, a thread, a TMEM lane, ...).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace ls {

/// Execution scopes, widest first; a "higher" scope is a wider one.
enum class ScopeKind : std::uint8_t { Cluster = 2, Cta = 3, Warpgroup = 4, Warp = 5, Thread = 6 };
std::string_view name(ScopeKind scope);

struct KnownAxes;

/// An interned axis name. Two axes are equal iff their names are. Cheap to copy and to compare.
/// Unknown names register themselves on first use, without attributes (neither thread nor scope); they count as memory.
class Axis {
public:
    constexpr Axis() = default; ///< the linear-memory axis `m`
    static Axis named(std::string_view name);

    std::string_view name() const;
    /// True for the axes of spec/tirx.md 1.1; false for names that registered themselves.
    bool has_attributes() const;
    /// Thread axes enumerate who holds an element; all others say where in a memory it lies.
    bool is_thread() const;
    bool is_memory() const { return !is_thread(); }
    /// For thread axes: "subscope elements are enumerated inside scope". Empty for memory and unknown axes.
    std::optional<ScopeKind> scope() const;
    std::optional<ScopeKind> subscope() const;

    constexpr std::uint16_t id() const { return id_; }
    bool operator==(const Axis&) const = default;
    /// Orders by registration, known axes first; stable within a process, used for canonical sorting only.
    auto operator<=>(const Axis&) const = default;

private:
    friend struct KnownAxes;
    constexpr explicit Axis(std::uint16_t id) : id_(id) {}
    std::uint16_t id_ = 0;
};

namespace axes {
extern const Axis m, bx, by, bz, cbx, cby, cbz, tx, warpid, laneid, wgid, tid_in_wg, wid_in_wg, P, F, Bank, TCol, TLane;
}

} // namespace ls

template <>
struct std::hash<ls::Axis> {
    std::size_t operator()(ls::Axis axis) const noexcept { return axis.id(); }
};
