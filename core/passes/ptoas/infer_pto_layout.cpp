#include "core/passes/ptoas/infer_pto_layout.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/dialect/pto/pto.h"
#include "core/ir/walk.h"
#include "core/passes/nz/ptoas_layout.h"

namespace ls::ptoas {

using namespace ir;

namespace {

constexpr std::size_t kNzRank = 5;
constexpr std::size_t kFirstWhole = 3; ///< the rows and the line of a fractal are never divided

std::vector<std::int64_t> dims(const std::vector<Expr>& exprs) {
    std::vector<std::int64_t> values;
    for (const Expr& e : exprs) values.push_back(constant(e).value_or(-1));
    return values;
}

bool all_known(const std::vector<std::int64_t>& values) {
    return std::all_of(values.begin(), values.end(), [](std::int64_t v) { return v >= 0; });
}

/// The layout that a view states: the word inside #pto.layout<...>; empty when it states none.
std::string_view stated_layout(const CallNode& view) {
    const auto* attribute = as<ir::SymbolNode>(pto::attribute(view.kwargs, "layout"));
    if (attribute == nullptr) return {};
    const std::string_view text = attribute->name;
    const std::size_t open = text.find('<');
    if (open == std::string_view::npos || text.back() != '>') return {};
    return text.substr(open + 1, text.size() - open - 2);
}

class Views {
public:
    Views(const pto::Definitions& definitions, PtoasVersion version, std::vector<Diagnostic>& found)
        : definitions_(definitions), version_(version), found_(found) {}

    void check(const AssignNode& assign) {
        const auto* call = as<CallNode>(assign.value);
        if (call == nullptr || assign.targets.size() != 1) return;
        if (call->is_op("pto.make_tensor_view")) view(*assign.targets[0], *call, assign.span);
        if (call->is_op("pto.partition_view") && version_ >= nz::kExplicitLayouts) window(*call, assign.span);
    }

private:
    void view(const VarNode& name, const CallNode& call, Span span) {
        const auto* tensor = as<TensorTypeNode>(name.type);
        const std::string_view stated = stated_layout(call);
        if (tensor == nullptr || !tensor->view || stated.empty()) return;
        const std::vector<std::int64_t> shape = dims(tensor->shape), strides = dims(tensor->view->stride);
        const nz::PtoView seen{shape, strides, bits(tensor->dtype) / 8};
        if (version_ < nz::kExplicitLayouts) {
            // Nothing is inferred from what is not known, and then nothing contradicts the stated layout.
            if ((stated != "nz" && stated != "nd") || !all_known(shape) || !all_known(strides)) return;
            const std::string_view inferred = nz::inferred_layout(seen, version_);
            if (inferred == stated) return;
            refuse(span, "PTOAS_LAYOUT_MISMATCH",
                   fmt::format("layout mismatch: user-specified layout={} but inferred={} (%{})", stated, inferred, name.name),
                   stated == "nz" ? "use PTOAS 0.61 or newer, which believes a stated layout"
                                  : "state layout = #pto.layout<nz>, or use PTOAS 0.61 or newer");
            return;
        }
        if (stated != "nz") return;
        if (shape.size() != kNzRank) {
            refuse(span, "PTOAS_NZ_RANK",
                   fmt::format("user-specified layout=nz requires a rank-5 view, got rank {} (%{})", shape.size(), name.name),
                   "write the blocked shape [batch, columns/C0, rows/16, 16, C0]");
            return;
        }
        if (const auto violation = nz::explicit_nz_violation(seen, version_)) {
            refuse(span, "PTOAS_NZ_STRIDE",
                   fmt::format("user-specified layout=nz is incompatible with shape/stride: {} (%{}: shape [{}], strides [{}])",
                               *violation, name.name, listed(shape), listed(strides)),
                   "an NZ view ends in [16, C0] with strides [16*C0, C0, 1]; outer strides are multiples of C0 that "
                   "leave room for what is inside");
        }
    }

    /// A window of an NZ view takes whole fractals.
    void window(const CallNode& call, Span span) {
        if (call.args.size() != 3) return;
        const auto* parent = as<VarNode>(call.args[0]);
        const auto* tensor = parent == nullptr ? nullptr : as<TensorTypeNode>(parent->type);
        const auto* offsets = as<TupleNode>(call.args[1]);
        const auto* sizes = as<TupleNode>(call.args[2]);
        if (tensor == nullptr || !tensor->view || tensor->view->order != TensorOrder::NZ) return;
        if (offsets == nullptr || sizes == nullptr || tensor->shape.size() != kNzRank) return;
        if (offsets->elements.size() != kNzRank || sizes->elements.size() != kNzRank) return;
        for (std::size_t d = kFirstWhole; d < kNzRank; ++d) {
            const auto offset = known(offsets->elements[d]), size = known(sizes->elements[d]);
            const auto extent = constant(tensor->shape[d]);
            if (offset == 0 && size && extent && *size == *extent) continue;
            const auto shown = [](const std::optional<std::int64_t>& v) { return v ? fmt::format("{}", *v) : "?"; };
            refuse(span, "PTOAS_NZ_WINDOW",
                   fmt::format("the window into %{} takes [{}, +{}) of axis {}, whose extent is {}", parent->name,
                               shown(offset), shown(size), d, shown(extent)),
                   "take axes 3 and 4 of an NZ view whole: offset 0 and the full size, as constants");
            return;
        }
    }

    std::optional<std::int64_t> known(const Expr& value) const {
        if (const auto number = constant(value)) return number;
        const auto* var = as<VarNode>(value);
        const auto found = var == nullptr ? definitions_.end() : definitions_.find(var);
        return found == definitions_.end() ? std::nullopt : constant(found->second);
    }

    static std::string listed(const std::vector<std::int64_t>& values) {
        std::string text;
        for (const std::int64_t v : values) text += (text.empty() ? "" : ", ") + (v < 0 ? "?" : fmt::format("{}", v));
        return text;
    }

    void refuse(Span span, std::string code, std::string said, std::string hint) {
        found_.push_back(error_at(span, std::move(code),
                                  fmt::format("PTOAS {}.{}: {}", version_.major, version_.minor, said), std::move(hint)));
    }

    const pto::Definitions& definitions_;
    PtoasVersion version_;
    std::vector<Diagnostic>& found_;
};

} // namespace

PassResult infer_pto_layout(const Module& module, const PassContext& context) {
    PassResult result = PassResult::unchanged(module);
    for (const Function& function : module->functions) {
        const pto::Definitions definitions = pto::definitions_of(*function);
        Views views(definitions, context.ptoas, result.diagnostics);
        for_each_stmt(*function, [&](const StmtNode& s) {
            if (const auto* assign = as<AssignNode>(&s)) views.check(*assign);
        });
    }
    if (!result.diagnostics.empty()) result.module = nullptr;
    return result;
}

} // namespace ls::ptoas
