#include "core/passes/nz/ptoas_layout.h"

#include <array>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::nz {

namespace {

constexpr std::size_t kRank = 5;
constexpr std::int64_t kRows = 16;
constexpr std::int64_t kFractalBytes = 512;
constexpr std::int64_t kLineBytes = 32;

using Axes = std::array<std::int64_t, kRank>;

bool known(std::int64_t value) { return value >= 0; }
/// Dynamic values are held against nothing.
bool is(std::int64_t value, std::int64_t wanted) { return !known(value) || value == wanted; }
/// a >= b · c, where all are known.
bool covers(std::int64_t a, std::int64_t b, std::int64_t c) {
    if (!known(a) || !known(b) || !known(c)) return true;
    const CheckedInt product = checked_mul(b, c);
    return product && a >= *product;
}

bool all_known(const PtoView& view) {
    for (const std::int64_t v : view.shape) {
        if (!known(v)) return false;
    }
    for (const std::int64_t v : view.strides) {
        if (!known(v)) return false;
    }
    return true;
}

struct FiveAxes {
    Axes shape{}, strides{};
};

/// Aligned to the right, with leading extents of 1. Nothing for views that are no views.
std::optional<FiveAxes> to_five_axes(const PtoView& view) {
    if (view.shape.size() != view.strides.size() || view.shape.size() > kRank || view.shape.empty()) return {};
    FiveAxes out;
    const std::size_t missing = kRank - view.shape.size();
    for (std::size_t i = kRank; i-- > 0;) {
        if (i >= missing) {
            out.shape[i] = view.shape[i - missing];
            out.strides[i] = view.strides[i - missing];
            continue;
        }
        out.shape[i] = 1;
        const CheckedInt step = checked_mul(out.shape[i + 1], out.strides[i + 1]);
        if (!step) return {};
        out.strides[i] = *step;
    }
    return out;
}

bool packed(const FiveAxes& v) {
    for (std::size_t i = 0; i + 1 < kRank; ++i) {
        const CheckedInt step = checked_mul(v.shape[i + 1], v.strides[i + 1]);
        if (!step || v.strides[i] != *step) return false;
    }
    return true;
}

} // namespace

std::string_view inferred_layout(const PtoView& view, PtoasVersion version) {
    const auto v = to_five_axes(view);
    if (!v || !all_known(view) || view.elem_bytes <= 0) return "nd";
    if (version < kExplicitLayouts) {
        // Asked of axes 2 and 3, where a blocked view has its rows and lines in 3 and 4.
        const CheckedInt bytes =
            checked_product(std::array<std::int64_t, 3>{v->shape[2], v->shape[3], view.elem_bytes});
        const bool nz =
            v->shape[2] == kRows && bytes == kFractalBytes && v->strides[4] == 1 && v->strides[3] == v->shape[4];
        return nz ? "nz" : "nd";
    }
    const bool root = v->shape[0] == 1 && (v->shape[1] > 1 || v->shape[2] > 1) && packed(*v);
    return root && !explicit_nz_violation(view, version) ? "nz" : "nd";
}

std::optional<std::string> explicit_nz_violation(const PtoView& view, PtoasVersion version) {
    if (version < kExplicitLayouts) {
        return inferred_layout(view, version) == "nz" ? std::nullopt : std::optional<std::string>("inferred");
    }
    if (view.shape.size() != kRank || view.strides.size() != kRank) return "rank";
    const std::int64_t c0 = view.elem_bytes > 0 ? kLineBytes / view.elem_bytes : 0;
    if (c0 == 0) return "element";
    const auto &shape = view.shape, &stride = view.strides;
    if (shape[0] == 0) return "shape[0]";
    if (!is(shape[3], kRows)) return "shape[3]";
    if (!is(shape[4], c0)) return "shape[4]";
    if (!is(stride[4], 1)) return "stride[4]";
    if (!is(stride[3], c0)) return "stride[3]";
    if (!is(stride[2], kRows * c0)) return "stride[2]";
    for (const std::size_t axis : {std::size_t{1}, std::size_t{0}}) {
        if (known(stride[axis]) && stride[axis] % c0 != 0) return fmt::format("stride[{}] align", axis);
        if (!covers(stride[axis], shape[axis + 1], stride[axis + 1])) return fmt::format("stride[{}] overlap", axis);
    }
    return {};
}

std::vector<Diagnostic> ptoas_findings(const ir::ModuleNode& module, PtoasVersion version) {
    /// Dims as the assembler sees them: what is no constant is dynamic.
    const auto dims = [](const std::vector<ir::Expr>& exprs) {
        std::vector<std::int64_t> values;
        for (const ir::Expr& e : exprs) values.push_back(ir::constant(e).value_or(-1));
        return values;
    };
    std::vector<Diagnostic> found;
    for (const ir::Function& function : module.functions) {
        for (const ir::Param& param : function->params) {
            const auto* tensor = ir::as<ir::TensorTypeNode>(param.var->type);
            if (tensor == nullptr || !tensor->view || tensor->view->order != ir::TensorOrder::NZ) continue;
            const std::vector<std::int64_t> shape = dims(tensor->shape), strides = dims(tensor->view->stride);
            const auto violation = explicit_nz_violation({shape, strides, bits(tensor->dtype) / 8}, version);
            if (!violation) continue;
            const bool inferred = version < kExplicitLayouts;
            found.push_back(warning_at(
                param.var->span, "NZ_PTOAS_LAYOUT",
                fmt::format("PTOAS {}.{} refuses {} as layout=nz: {}", version.major, version.minor, param.var->name,
                            inferred ? "it infers nd from the shape and strides" : *violation + " does not fit"),
                inferred ? "use PTOAS 0.61 or newer, which believes the stated layout" : "let MaterializeTensorStrides fill in the strides"));
        }
    }
    return found;
}

} // namespace ls::nz
