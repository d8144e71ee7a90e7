// Which names of PTO text stand for which: by the bytes that they read, not by their own writes.
#include <algorithm>
#include <numeric>

#include "core/analysis/tile_steps.h"

namespace ls {

using namespace ir;

namespace {

/// A body: of the function, a branch or a loop.
struct Scope {
    std::size_t parent = 0; ///< the function's is its own
    std::size_t step = 0;   ///< identity of the statement that it is a body of
    std::size_t end = 0;    ///< accesses [.., end) are inside
    bool loop = false;
};

struct Access {
    TileIndex value = 0;
    bool writes = false; ///< wholly
    std::size_t scope = 0;
};

class Resolver {
public:
    explicit Resolver(TileSteps& steps) : steps_(steps), written_(steps.values.size(), false), stands_(steps.values.size()) {
        std::iota(stands_.begin(), stands_.end(), TileIndex{0});
        scopes_.push_back({});
        collect(steps.steps, 0);
        scopes_[0].end = accesses_.size();
    }

    void run() {
        for (std::size_t i = 0; i < accesses_.size(); ++i) {
            const Access& a = accesses_[i];
            if (!a.writes && !written_[a.value] && steps_.values[a.value].bytes.begin) find_writers(i);
        }
        for (TileIndex i = 0; i < stands_.size(); ++i) {
            const auto source = steps_.find(steps_.values[i].same);
            if (source && !written_[i]) unite(i, *source);
        }
        for (TileIndex i = 0; i < stands_.size(); ++i) steps_.values[i].stands_for = root(i);
        std::vector<bool> written(stands_.size(), false);
        for (TileIndex i = 0; i < stands_.size(); ++i) written[root(i)] = written[root(i)] || written_[i];
        rename(steps_.steps, written);
    }

private:
    void collect(const std::vector<TileStep>& steps, std::size_t scope) {
        for (const TileStep& s : steps) {
            for (const TileIndex i : s.reads) accesses_.push_back({i, false, scope});
            for (const TileIndex i : s.changes) accesses_.push_back({i, false, scope});
            for (const TileIndex i : s.writes) {
                accesses_.push_back({i, true, scope});
                // What adds into its destination needs what was there.
                if (std::find(s.reads.begin(), s.reads.end(), i) == s.reads.end()) written_[i] = true;
            }
            const std::size_t step = ++last_step_;
            for (const auto& body : s.bodies) {
                const std::size_t inner = scopes_.size();
                scopes_.push_back({scope, step, 0, s.is_loop()});
                collect(body, inner);
                scopes_[inner].end = accesses_.size();
            }
        }
    }

    bool encloses(std::size_t outer, std::size_t inner) const {
        for (; inner > outer; inner = scopes_[inner].parent) {
        }
        return inner == outer;
    }

    /// In the other branch of one If: only one of the two runs.
    bool exclusive(std::size_t a, std::size_t b) const {
        for (std::size_t x = a; x != 0; x = scopes_[x].parent) {
            for (std::size_t y = b; y != 0; y = scopes_[y].parent) {
                if (x != y && scopes_[x].step == scopes_[y].step) return true;
            }
        }
        return false;
    }

    bool overlap(TileIndex a, TileIndex b) const {
        const TileBytes &x = steps_.values[a].bytes, &y = steps_.values[b].bytes;
        const auto space = [&](TileIndex i) { return as<TileTypeNode>(steps_.values[i].var->type)->space; };
        return x.begin && y.begin && space(a) == space(b) && *x.begin < *y.begin + y.bytes && *y.begin < *x.begin + x.bytes;
    }

    /// Relates the reader to the writers in [from, to), last first, until one that surely runs. True when one did.
    bool writers(std::size_t reader, std::size_t from, std::size_t to, bool same_round = true) {
        const Access& r = accesses_[reader];
        for (std::size_t i = to; i-- > from;) {
            const Access& w = accesses_[i];
            if (!w.writes || !overlap(r.value, w.value) || (same_round && exclusive(w.scope, r.scope))) continue;
            unite(r.value, w.value);
            if (encloses(w.scope, r.scope)) return true;
        }
        return false;
    }

    void find_writers(std::size_t reader) {
        std::size_t to = reader;
        for (std::size_t scope = accesses_[reader].scope; scope != 0; scope = scopes_[scope].parent) {
            if (!scopes_[scope].loop) continue;
            const std::size_t begin = first_in(scope);
            if (writers(reader, begin, to)) return;
            writers(reader, begin, scopes_[scope].end, false); // in the round before, whichever branch it took
            to = begin;
        }
        writers(reader, 0, to);
    }

    std::size_t first_in(std::size_t scope) const {
        std::size_t i = scopes_[scope].end;
        while (i > 0 && encloses(scope, accesses_[i - 1].scope)) --i;
        return i;
    }

    TileIndex root(TileIndex i) {
        while (stands_[i] != i) i = stands_[i] = stands_[stands_[i]];
        return i;
    }
    void unite(TileIndex a, TileIndex b) {
        const TileIndex i = root(a), j = root(b);
        stands_[std::max(i, j)] = std::min(i, j);
    }

    /// What nobody writes is scratch: it lives while the one statement runs.
    void rename(std::vector<TileStep>& steps, const std::vector<bool>& written) {
        for (TileStep& s : steps) {
            for (auto* list : {&s.reads, &s.writes, &s.changes, &s.results}) {
                for (TileIndex& i : *list) i = steps_.values[i].stands_for;
            }
            for (auto* list : {&s.reads, &s.changes}) {
                const auto kept = std::stable_partition(list->begin(), list->end(), [&](TileIndex i) { return written[i]; });
                s.scratch.insert(s.scratch.end(), kept, list->end());
                list->erase(kept, list->end());
            }
            for (auto& body : s.bodies) rename(body, written);
        }
    }

    TileSteps& steps_;
    std::vector<Scope> scopes_;
    std::vector<Access> accesses_;
    std::vector<bool> written_;
    std::vector<TileIndex> stands_;
    std::size_t last_step_ = 0;
};

} // namespace

void resolve_addresses(TileSteps& steps) {
    const bool by_address = std::any_of(steps.values.begin(), steps.values.end(), [](const TileValue& v) {
        return v.bytes.begin && v.bytes.base != nullptr && as<VarNode>(v.bytes.base) == nullptr;
    });
    if (by_address) Resolver(steps).run();
}

} // namespace ls
