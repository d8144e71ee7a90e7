// Which variant lowers a tile primitive (spec/tirx.md 5.2). Variants are registered by operation and target; the one of
// the highest priority whose predicates hold and whose plan succeeds is taken. When none does, the report has a row
// for each with its reason.
#pragma once

#include <functional>

#include "core/passes/tirx/dispatch/active_set.h"
#include "core/passes/tirx/dispatch/tile_plan.h"
#include "core/passes/tirx/plan/operand.h"

namespace ls::tirx {

/// An argument of a call; nothing stands for None.
using Argument = std::variant<std::monostate, Operand, bool, std::int64_t, double, Opaque>;

/// A tile primitive call as the dispatcher sees it.
struct DispatchCall {
    std::string op; ///< without the prefix: "copy_async"
    std::vector<Argument> args;
    Config config;
    std::optional<std::string> dispatch; ///< the variant that the author names
    std::string text;                    ///< as printed, for the report
    std::vector<std::string> gather4;    ///< lists of the config that are no single values
    std::vector<Operand> selectors;
    std::vector<std::int64_t> axes; ///< of a reduction

    /// Argument `index` as a region; null when it is none.
    const Operand* operand(std::size_t index) const;
};

/// Where the call stands.
struct DispatchContext {
    std::string target = "cuda";
    int sm = 100;
    ScopeKind scope = ScopeKind::Thread;
    ScopeSplit split;
    std::int64_t threads = 128; ///< of a CTA
    bool flat_threads = true;   ///< threadIdx.x alone
    std::int64_t thread_count() const; ///< threads of one instance of the scope that are active
};

struct PredicateAnswer {
    bool holds = true;
    std::string reason; ///< why not; may be empty
};
struct Predicate {
    std::string name;
    std::function<PredicateAnswer(const DispatchCall&, const DispatchContext&)> test;
};

/// An implementation answers a plan, declines with a reason, or fails with an error of some type.
struct Declined {
    std::string reason;
};
struct Raised {
    std::string type; ///< "ValueError"
    std::string message;
};
using Attempt = std::variant<TilePlan, Declined, Raised>;

struct Variant {
    std::string name;
    int priority = 0;
    std::vector<Predicate> predicates;
    std::function<Attempt(const DispatchCall&, const DispatchContext&)> implementation;
};

class Registry {
public:
    void add(std::string op, std::string target, Variant variant);
    /// In the order in which they are tried: by falling priority, then by name.
    std::vector<const Variant*> variants(std::string_view op, std::string_view target) const;
    std::vector<std::string> operations(std::string_view target) const;

private:
    std::map<std::pair<std::string, std::string>, std::vector<Variant>> table_;
};

/// Everything that CUDA has (spec/tirx.md 6).
const Registry& cuda_registry();

struct Dispatched {
    std::string variant;
    TilePlan plan;
};
/// Refused: TIRX_DISPATCH, whose message is the whole report.
Result<Dispatched> dispatch(const Registry& registry, const DispatchCall& call, const DispatchContext& context);

} // namespace ls::tirx
