#include "core/check/tirx_moved.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/dialect/tirx/ops.h"
#include "core/dialect/tirx/tirx.h"
#include "core/ir/walk.h"

namespace ls::check {

namespace {

using namespace ir;

std::vector<TirxThread> sample_threads() {
    std::vector<TirxThread> out;
    for (const std::int64_t t : {0, 1, 31, 32, 33, 64, 96, 127, 128, 255}) out.push_back({{"threadIdx.x", t}});
    TirxThread last;
    for (const std::string_view axis : {"blockIdx", "threadIdx", "clusterIdx", "clusterCtaIdx"}) {
        for (const char dimension : {'x', 'y', 'z'}) last[fmt::format("{}.{}", axis, dimension)] = 1'000'000;
    }
    out.push_back(last);
    return out;
}

bool has_tile_calls(const ModuleNode& module) {
    bool found = false;
    for_each_stmt(module, [&](const StmtNode& s) { found = found || tirx::as_tile_call(s).has_value(); });
    return found;
}

std::size_t kernel_count(const ModuleNode& module) {
    return static_cast<std::size_t>(
        std::count_if(module.functions.begin(), module.functions.end(),
                      [](const Function& f) { return constant(f->attr("calling_conv")) == 2; }));
}
bool has_host(const ModuleNode& module) { return kernel_count(module) < module.functions.size(); }

std::string thread_text(const TirxThread& thread, const std::vector<std::pair<std::string, std::int64_t>>& loops) {
    std::vector<std::string> parts;
    for (const auto& [axis, number] : thread) {
        if (number != 0 && number < 1'000'000) parts.push_back(fmt::format("{} = {}", axis, number));
    }
    if (!thread.empty() && thread.begin()->second >= 1'000'000) parts.emplace_back("the last thread");
    if (parts.empty()) parts.emplace_back("thread 0");
    for (const auto& [name, number] : loops) parts.push_back(fmt::format("{} = {}", name, number));
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string line_of(const Node* statement) {
    const auto* s = as<StmtNode>(statement);
    if (s == nullptr) return "nothing";
    std::string text = tirx::print(*s);
    text = text.substr(0, text.find('\n'));
    return text.size() > 120 ? text.substr(0, 117) + "..." : text;
}

std::optional<TirxWitness> first_difference(const TirxRun& before, const TirxRun& after, const TirxTokens& tokens,
                                            TirxComparison& counts) {
    const std::size_t both = std::min(before.events.size(), after.events.size());
    for (std::size_t i = 0; i < both; ++i) {
        const TirxEvent &a = before.events[i], &b = after.events[i];
        TirxWitness w;
        w.loops = a.loops;
        w.statement_before = a.statement;
        w.statement_after = b.statement;
        if (a.what != b.what || a.operands.size() != b.operands.size()) {
            w.what = "what is done";
            w.before = a.what;
            w.after = b.what;
            return w;
        }
        for (std::size_t k = 0; k < a.operands.size(); ++k) {
            const TirxOperand &x = a.operands[k], &y = b.operands[k];
            const bool addresses = x.address && y.address;
            const TirxValue &was = addresses ? *x.address : x.value, &is = addresses ? *y.address : y.value;
            if (was.unknown || is.unknown) {
                ++counts.unknown;
                continue;
            }
            if (was == is) continue;
            w.what = a.what != "store" ? fmt::format("argument {} of {}", k, a.what)
                     : k == 0          ? "the address of a store"
                                       : "the value of a store";
            w.before = tokens.text(was);
            w.after = tokens.text(is);
            return w;
        }
    }
    counts.events += both;
    if (before.events.size() == after.events.size() || !before.complete || !after.complete) return {};
    const bool lost = before.events.size() > after.events.size();
    const TirxEvent& e = (lost ? before : after).events[both];
    TirxWitness w;
    w.what = lost ? "something is not done any more" : "something more is done";
    (lost ? w.before : w.after) = e.what;
    (lost ? w.statement_before : w.statement_after) = e.statement;
    w.loops = e.loops;
    return w;
}

} // namespace

namespace {

/// The runs of all sample threads, each with the names that its values are made of. What was run last is kept: of two
/// neighbouring pairs of snapshots the second begins where the first ended.
class Comparer {
public:
    TirxComparison compare(const ModuleNode& before, const ModuleNode& after) {
        TirxComparison out;
        if (has_tile_calls(before) || has_tile_calls(after)) return out;
        // Kernels are compared as such where both have them: what the host does to call them is another matter.
        const bool device = kernel_count(before) > 0 && kernel_count(after) > 0;
        if (!device && (!has_host(before) || !has_host(after))) return out;
        for (Sample& s : samples_) {
            TirxRun a = s.module == &before && s.device == device ? std::move(s.run)
                                                                  : tirx_run(before, s.thread, s.tokens, device);
            s.run = tirx_run(after, s.thread, s.tokens, device);
            s.module = &after;
            s.device = device;
            ++out.threads;
            out.witness = first_difference(a, s.run, s.tokens, out);
            if (!out.witness) continue;
            out.witness->thread = s.thread;
            break;
        }
        return out;
    }

private:
    struct Sample {
        TirxThread thread;
        TirxTokens tokens;
        const ModuleNode* module = nullptr;
        bool device = false;
        TirxRun run;
    };
    static std::vector<Sample> samples() {
        std::vector<Sample> out;
        std::vector<TirxThread> threads = sample_threads();
        for (TirxThread& t : threads) out.push_back({std::move(t), {}, nullptr, false, {}});
        return out;
    }
    std::vector<Sample> samples_ = samples();
};

} // namespace

TirxComparison tirx_compare(const ModuleNode& before, const ModuleNode& after) {
    return Comparer().compare(before, after);
}

std::optional<TirxVerdict> first_moved(const Trace& trace, TirxComparison* compared) {
    Comparer comparer;
    for (std::size_t i = 1; i < trace.snapshots.size(); ++i) {
        const Snapshot &before = trace.snapshots[i - 1], &after = trace.snapshots[i];
        if (!after.changed) continue;
        TirxComparison one = comparer.compare(*before.module, *after.module);
        if (compared != nullptr) {
            compared->threads = std::max(compared->threads, one.threads);
            compared->events += one.events;
            compared->unknown += one.unknown;
        }
        if (!one.witness) continue;
        const TirxWitness& w = *one.witness;
        const std::string where = thread_text(w.thread, w.loops);
        Diagnostic finding =
            error("TIRX_MOVED",
                  fmt::format("{} changes {}: for {} it was {} and is {}", after.name, w.what, where,
                              w.before.empty() ? "nothing" : w.before, w.after.empty() ? "nothing" : w.after),
                  fmt::format("before: {}\nafter: {}", line_of(w.statement_before), line_of(w.statement_after)));
        if (w.statement_after != nullptr) finding.span = w.statement_after->span;
        return TirxVerdict{i, std::move(one), std::move(finding)};
    }
    return {};
}

std::vector<Diagnostic> outside_accesses(const ModuleNode& module) {
    std::vector<Diagnostic> out;
    if (has_tile_calls(module)) return out;
    std::unordered_set<const Node*> said;
    for (const TirxThread& thread : sample_threads()) {
        TirxTokens tokens;
        for (const TirxRun::Outside& o : tirx_run(module, thread, tokens, !has_host(module)).outside) {
            if (!said.insert(o.statement).second) continue;
            out.push_back(
                warning_at(o.statement != nullptr ? o.statement->span : Span{}, "TIRX_OUTSIDE",
                           fmt::format("byte {} of \"{}\" is accessed, and {} bytes are allocated ({})", o.byte,
                                       o.buffer, o.allocated, thread_text(thread, {})),
                           "allocate the span of the layout and take a view of it: a layout with gaps needs more "
                           "than its elements"));
        }
    }
    return out;
}

} // namespace ls::check
