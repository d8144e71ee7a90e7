// tirx/dispatch: order of variants, failure reports, active threads, scope ids.
#include <cctype>

#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "app/conformance/run_cute_json.h"
#include "core/passes/tirx/dispatch/dispatch.h"
#include "core/passes/tirx/dispatch/scope_ids.h"

namespace ls::conformance {

namespace {

using namespace tirx;

/// Registries as the cases' words describe them.
Registry registry_for(const std::string& words) {
    Registry registry;
    if (words.find("raising") != std::string::npos) {
        registry.add("compose_op", "trn", {"default", 0, {}, [](const DispatchCall&, const DispatchContext&) -> Attempt {
                         return Raised{"NotImplementedError", "compose_op is not implemented"};
                     }});
        return registry;
    }
    const Predicate scope{"exec_scope", [](const DispatchCall&, const DispatchContext& context) {
                              return PredicateAnswer{context.scope == ScopeKind::Cluster, fmt::format("unsupported exec_scope {}", ls::name(context.scope))};
                          }};
    registry.add("copy", "trn", {"default", 0, {scope}, [](const DispatchCall&, const DispatchContext&) -> Attempt { return Declined{"none"}; }});
    return registry;
}

Outcome run_error(const Json& input, const Json& expect) {
    const std::string words = input.value("case", "");
    DispatchCall call;
    call.op = words.find("raising") != std::string::npos ? "compose_op" : "copy";
    call.text = fmt::format("T.tile.{}(A[0:128], B[0:128])", call.op);
    if (input.contains("dispatch") && input["dispatch"].is_string()) call.dispatch = input["dispatch"].get<std::string>();
    DispatchContext context;
    context.target = "trn";
    context.scope = ScopeKind::Warp;
    const auto answer = dispatch(registry_for(words), call, context);
    if (answer) return failed("expected a refusal");
    for (const Json& part : expect.at("error_contains")) {
        if (answer.error().message.find(part.get<std::string>()) == std::string::npos) {
            return failed(fmt::format("'{}' is not in\n{}", part.get<std::string>(), answer.error().message));
        }
    }
    return passed();
}

Outcome run_order(const Json& input, const Json& expect) {
    Json order = Json::array();
    for (const Variant* variant : cuda_registry().variants(input.at("op").get<std::string>(), input.at("target").get<std::string>())) {
        order.push_back({variant->name, variant->priority});
    }
    Checks checks;
    checks.same("ordered_variants", expect, order);
    return checks.outcome();
}

/// Reads "(0 <= wg_id) & (wg_id < 1)", "v % n == r", "elect_sync()".
class ConditionReader {
public:
    explicit ConditionReader(std::string_view text) : text_(text) {}

    std::vector<ThreadFilter> read() {
        std::vector<ThreadFilter> out;
        while (next_token()) {
            if (token_ == "elect_sync") {
                out.emplace_back(ElectFilter{});
            } else if (is_name() || is_number()) {
                comparison(out);
            }
        }
        return out;
    }

private:
    bool next_token() {
        while (at_ < text_.size() && (std::isspace(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '(' || text_[at_] == ')' || text_[at_] == '&')) ++at_;
        const std::size_t begin = at_;
        if (at_ == text_.size()) return false;
        const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
        if (word(text_[at_])) {
            while (at_ < text_.size() && word(text_[at_])) ++at_;
        } else if (text_[at_] == '%') {
            ++at_;
        } else {
            while (at_ < text_.size() && std::string_view("<>=!").find(text_[at_]) != std::string_view::npos) ++at_;
            if (at_ == begin) ++at_;
        }
        token_ = text_.substr(begin, at_ - begin);
        return true;
    }
    bool is_name() const { return std::isalpha(static_cast<unsigned char>(token_[0])) != 0 && token_ != "and" && token_ != "then"; }
    bool is_number() const { return std::isdigit(static_cast<unsigned char>(token_[0])) != 0; }
    std::int64_t number() const { return std::stoll(std::string(token_)); }

    static RangeFilter variable(std::string_view name) {
        RangeFilter filter{ScopeVariable::Cta, 0, 1, std::string(name)};
        if (name == "lane_id") filter.variable = ScopeVariable::Lane;
        if (name == "warp_id") filter.variable = ScopeVariable::Warp;
        if (name == "wg_id" || name == "warpgroup_id") filter.variable = ScopeVariable::Warpgroup;
        if (name == "warp_id_in_wg" || name == "wid_in_wg") filter.variable = ScopeVariable::WarpInWarpgroup;
        if (name == "tid" || name == "thread_id") filter.variable = ScopeVariable::Thread;
        if (name == "tid_in_wg" || name == "thread_id_in_wg") filter.variable = ScopeVariable::ThreadInWarpgroup;
        return filter;
    }

    void comparison(std::vector<ThreadFilter>& out) {
        constexpr std::int64_t far = std::int64_t{1} << 40;
        const bool number_first = is_number();
        std::int64_t value = number_first ? number() : 0;
        std::string name = number_first ? "" : std::string(token_);
        next_token();
        if (token_ == "%") {
            next_token();
            ModuloFilter filter{name, number(), 0};
            next_token();
            next_token();
            filter.residue = number();
            out.emplace_back(filter);
            return;
        }
        std::string op(token_);
        next_token();
        if (number_first) {
            name = token_;
            op = op == "<" ? ">" : op == "<=" ? ">=" : op == ">" ? "<" : op == ">=" ? "<=" : op;
        } else {
            value = number();
        }
        RangeFilter filter = variable(name);
        filter.lo = op == "==" || op == ">=" ? value : op == ">" ? value + 1 : 0;
        filter.hi = op == "==" || op == "<=" ? value + 1 : op == "<" ? value : far;
        out.emplace_back(filter);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string_view token_;
};

/// Product of the extents in "warpgroup_id[2], warp_id_in_wg[4], lane_id[32]": the CTA's threads, and its CTAs.
struct Declarations {
    std::int64_t threads = 1;
    std::int64_t ctas = 1;
};
Declarations declarations(const std::string& text) {
    Declarations out;
    for (std::size_t at = text.find('['); at != std::string::npos; at = text.find('[', at + 1)) {
        const std::size_t begin = text.find_last_of(" ,", at) == std::string::npos ? 0 : text.find_last_of(" ,", at) + 1;
        const std::int64_t extent = std::stoll(text.substr(at + 1));
        (text.compare(begin, 3, "cta") == 0 ? out.ctas : out.threads) *= extent;
    }
    return out;
}

Json ranges(const std::map<std::string, AxisRange>& map) {
    Json out = Json::object();
    for (const auto& [axis, range] : map) out[axis] = {range.extent, range.offset};
    return out;
}

Outcome run_context(const Json& input, const Json& expect) {
    std::string decls = input.value("decls", "");
    if (decls.find('[') == std::string::npos) decls = "cta[1], warpgroup_id[2], warp_id_in_wg[4], lane_id[32]";
    const Declarations sizes = declarations(decls);
    ActiveSet set = ActiveSet::all(sizes.threads, {{"cta_id", sizes.ctas}});
    std::string condition = input.value("condition", "");
    for (;;) {
        const std::size_t then = condition.find(" then ");
        const std::vector<ThreadFilter> filters = ConditionReader(std::string_view(condition).substr(0, then)).read();
        set = set.narrowed(filters);
        if (then == std::string::npos) break;
        condition = condition.substr(then + 6);
    }
    const std::string scope = input.at("call_scope");
    ScopeKind kind = ScopeKind::Thread;
    for (const ScopeKind one : {ScopeKind::Cluster, ScopeKind::Cta, ScopeKind::Warpgroup, ScopeKind::Warp, ScopeKind::Thread}) {
        if (ls::name(one) == scope) kind = one;
    }
    const auto split = set.split(kind);
    Checks checks;
    checks.same("scope_kind", expect, std::string(ls::name(kind)));
    checks.same("inter_extent_offset", expect, split ? ranges(split->inter) : Json::object());
    checks.same("intra_extent_offset", expect, split ? ranges(split->intra) : Json::object());
    return checks.outcome();
}

/// "cta_id -> bx,by,bz" and the like: the id's name comes first.
Outcome run_scope_id(const Json& input, const Json& expect) {
    const std::string words = input.at("scope_id");
    const std::string id = words.substr(0, words.find_first_of(" -"));
    const auto value = scope_id_value(id);
    if (!value) return failed("unknown scope id " + id);
    Checks checks;
    checks.same("value", expect, std::string(*value));
    return checks.outcome();
}

} // namespace

Outcome run_tirx_dispatch(const Json& test_case, const Json&) {
    const std::string op = test_case.at("op");
    const Json& input = test_case.at("input");
    const Json& expect = test_case.at("expect");
    if (op == "run_dispatch_error") return run_error(input, expect);
    if (op == "variant_order") return run_order(input, expect);
    if (op == "exec_context") return run_context(input, expect);
    if (op == "scope_id_resolution") return run_scope_id(input, expect);
    return skipped("unknown operation " + op);
}

bool looks_like_tirx_dispatch(const Json& first_case) {
    const std::string op = first_case.contains("op") && first_case["op"].is_string() ? first_case["op"].get<std::string>() : "";
    return op == "run_dispatch_error" || op == "variant_order" || op == "exec_context" || op == "scope_id_resolution";
}

} // namespace ls::conformance
