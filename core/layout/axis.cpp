// The axis registry (spec/tirx.md 1.1): the known axes as a table, and the names that registered themselves.
#include "core/layout/axis.h"

#include <array>
#include <deque>
#include <limits>
#include <mutex>
#include <string>
#include <unordered_map>

namespace ls {

namespace {

struct KnownAxis {
    std::string_view name;
    std::optional<ScopeKind> scope;
    std::optional<ScopeKind> subscope;
};

/// In the order of registration: position = id. `bx` lies in scope "thread", as the reference registers it.
constexpr std::array kKnown{
    KnownAxis{"m", {}, {}},
    KnownAxis{"bx", ScopeKind::Thread, ScopeKind::Cta},
    KnownAxis{"by", ScopeKind::Thread, ScopeKind::Cta},
    KnownAxis{"bz", ScopeKind::Thread, ScopeKind::Cta},
    KnownAxis{"cbx", ScopeKind::Cluster, ScopeKind::Cta},
    KnownAxis{"cby", ScopeKind::Cluster, ScopeKind::Cta},
    KnownAxis{"cbz", ScopeKind::Cluster, ScopeKind::Cta},
    KnownAxis{"tx", ScopeKind::Cta, ScopeKind::Thread},
    KnownAxis{"warpid", ScopeKind::Cta, ScopeKind::Warp},
    KnownAxis{"laneid", ScopeKind::Warp, ScopeKind::Thread},
    KnownAxis{"wgid", ScopeKind::Cta, ScopeKind::Warpgroup},
    KnownAxis{"tid_in_wg", ScopeKind::Warpgroup, ScopeKind::Thread},
    KnownAxis{"wid_in_wg", ScopeKind::Warpgroup, ScopeKind::Warp},
    KnownAxis{"P", {}, {}},
    KnownAxis{"F", {}, {}},
    KnownAxis{"Bank", {}, {}},
    KnownAxis{"TCol", {}, {}},
    KnownAxis{"TLane", {}, {}},
};

/// Names of axes without attributes; ids follow the known ones. Names stay where they are (deque), so views hold.
class OtherAxes {
public:
    std::uint16_t id(std::string_view name) {
        const std::scoped_lock lock(mutex_);
        if (const auto found = ids_.find(name); found != ids_.end()) return found->second;
        if (names_.size() >= kLast - kKnown.size()) return kLast;
        const auto id = static_cast<std::uint16_t>(kKnown.size() + names_.size());
        ids_.emplace(names_.emplace_back(name), id);
        return id;
    }
    std::string_view name(std::uint16_t id) {
        const std::scoped_lock lock(mutex_);
        return id == kLast ? std::string_view("(other)") : std::string_view(names_[id - kKnown.size()]);
    }

private:
    /// Shared by every name after the table is full, so that no text can make the process grow without bound.
    static constexpr std::uint16_t kLast = std::numeric_limits<std::uint16_t>::max();
    std::mutex mutex_;
    std::deque<std::string> names_;
    std::unordered_map<std::string_view, std::uint16_t> ids_;
};

OtherAxes& others() {
    static OtherAxes table;
    return table;
}

} // namespace

struct KnownAxes {
    static constexpr Axis at(std::uint16_t id) { return Axis(id); }
};

namespace axes {
constinit const Axis m = KnownAxes::at(0), bx = KnownAxes::at(1), by = KnownAxes::at(2), bz = KnownAxes::at(3),
                     cbx = KnownAxes::at(4), cby = KnownAxes::at(5), cbz = KnownAxes::at(6), tx = KnownAxes::at(7),
                     warpid = KnownAxes::at(8), laneid = KnownAxes::at(9), wgid = KnownAxes::at(10),
                     tid_in_wg = KnownAxes::at(11), wid_in_wg = KnownAxes::at(12), P = KnownAxes::at(13),
                     F = KnownAxes::at(14), Bank = KnownAxes::at(15), TCol = KnownAxes::at(16),
                     TLane = KnownAxes::at(17);
}

std::string_view name(ScopeKind scope) {
    switch (scope) {
    case ScopeKind::Cluster: return "cluster";
    case ScopeKind::Cta: return "cta";
    case ScopeKind::Warpgroup: return "warpgroup";
    case ScopeKind::Warp: return "warp";
    case ScopeKind::Thread: return "thread";
    }
    return "?";
}

Axis Axis::named(std::string_view name) {
    for (std::size_t i = 0; i < kKnown.size(); ++i) {
        if (kKnown[i].name == name) return Axis(static_cast<std::uint16_t>(i));
    }
    return Axis(others().id(name));
}

std::string_view Axis::name() const { return has_attributes() ? kKnown[id_].name : others().name(id_); }
bool Axis::has_attributes() const { return id_ < kKnown.size(); }
bool Axis::is_thread() const { return has_attributes() && kKnown[id_].scope.has_value(); }
std::optional<ScopeKind> Axis::scope() const { return has_attributes() ? kKnown[id_].scope : std::nullopt; }
std::optional<ScopeKind> Axis::subscope() const { return has_attributes() ? kKnown[id_].subscope : std::nullopt; }

} // namespace ls
