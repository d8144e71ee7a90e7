#include "app/conformance/run_tirx_helper_call.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/layout/catalogue/mma_shared.h"
#include "core/layout/catalogue/registers.h"
#include "core/layout/catalogue/scale_factors.h"
#include "core/layout/catalogue/tmem.h"
#include "core/layout/catalogue/trainium.h"
#include "core/layout/operations.h"

namespace ls::conformance {

namespace {

namespace cat = catalogue;
using Extents = std::vector<std::int64_t>;

bool given(const Json& a, const char* name) { return a.contains(name) && !a[name].is_null(); }

Result<DType> dtype(const Json& a) {
    const std::string name = a.at("dtype").get<std::string>();
    if (const auto found = dtype_from_name(name)) return *found;
    return error("TXT_DTYPE", fmt::format("there is no element type '{}'", name));
}

/// float32 when the case does not care.
DType dtype_or_float(const Json& a) {
    return given(a, "dtype") ? dtype_from_name(a["dtype"].get<std::string>()).value_or(DType::Fp32) : DType::Fp32;
}

Result<cat::SwizzleMode> mode(const Json& a) {
    const Json& value = a.contains("swizzle_mode") ? a["swizzle_mode"] : a.at("mode");
    std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (text.rfind("auto", 0) == 0) text = "128B"; // the pool's own choice
    if (const auto found = cat::swizzle_mode_from_name(text)) return *found;
    return error("TXT_ARGUMENT", fmt::format("{} is not a swizzle mode", text));
}

Result<HelperAnswer> only(Result<Layout> layout) {
    LS_TRY(Layout value, std::move(layout));
    return HelperAnswer{std::move(value), 0, 0};
}
Result<HelperAnswer> only(Result<TensorLayout> tensor) {
    LS_TRY(TensorLayout value, std::move(tensor));
    return HelperAnswer{std::move(value.layout), 0, 0};
}
Result<HelperAnswer> canonical(Result<TensorLayout> tensor) {
    LS_TRY(const TensorLayout value, std::move(tensor));
    return only(canonicalize(value.layout));
}

Result<HelperAnswer> mma_shared(const Json& a) {
    LS_TRY(const DType type, dtype(a));
    LS_TRY(const cat::SwizzleMode swizzle, mode(a));
    return only(cat::mma_shared_reference(type, swizzle, a.at("shape").get<Extents>()));
}

Result<HelperAnswer> mn_major(const Json& a) {
    LS_TRY(const DType type, dtype(a));
    LS_TRY(const cat::SwizzleMode swizzle, mode(a));
    return canonical(cat::mma_shared_mn_major(type, swizzle, a.at("shape").get<Extents>()));
}

Result<HelperAnswer> mma_atom(const Json& a) {
    LS_TRY(const DType type, dtype(a));
    LS_TRY(const cat::SwizzleMode swizzle, mode(a));
    return only(cat::mma_atom_layout(type, swizzle));
}

Result<HelperAnswer> tmem_datapath(const Json& a) {
    const std::string name = a.at("datapath").get<std::string>();
    const auto path = name.size() == 1 ? cat::datapath_from_letter(name[0]) : std::nullopt;
    if (!path) return error("TXT_ARGUMENT", fmt::format("there is no datapath '{}'", name));
    return only(cat::tmem_datapath(*path, a.at("rows").get<std::int64_t>(), a.at("cols").get<std::int64_t>(), {},
                                   a.value("sub_slab", 0)));
}

Result<HelperAnswer> tmem_operand(const Json& a) {
    const std::string operand = a.contains("operand") ? a["operand"].get<std::string>() : a.at("op").get<std::string>();
    if (operand != "A" && operand != "D")
        return error("TXT_ARGUMENT", fmt::format("there is no operand '{}'", operand));
    std::optional<std::array<std::int64_t, 3>> group;
    if (given(a, "group")) {
        const auto g = a["group"].get<Extents>();
        if (g.size() != 3) return error("TMEM_GROUP", fmt::format("group must be (s, 2, n), got {} numbers", g.size()));
        group = {g[0], g[1], g[2]};
    }
    const std::int64_t cta_group =
        a.contains("cta_group") ? a["cta_group"].get<std::int64_t>() : a.value("cg", std::int64_t{1});
    return canonical(cat::tmem_mma_operand(
        operand == "A" ? cat::MmaOperand::A : cat::MmaOperand::D, a.at("shape").get<Extents>(),
        {a.at("M").get<std::int64_t>(), cta_group, a.value("ws", false), a.value("sparse", false)}, dtype_or_float(a),
        group));
}

Result<HelperAnswer> tcgen05_atom(const Json& a) {
    const auto shape = cat::tcgen05_shape_from_name(a.at("instr_shape").get<std::string>());
    if (!shape) return error("TXT_ARGUMENT", fmt::format("there is no tcgen05 shape {}", a["instr_shape"].dump()));
    LS_TRY(const DType type, dtype(a));
    const auto tensor = a.at("tensor_shape").get<Extents>();
    LS_TRY(cat::Tcgen05Atom atom, cat::tcgen05_atom(*shape, tensor.at(0), tensor.at(1), type));
    return HelperAnswer{std::move(atom.layout.layout), atom.repeat, atom.registers};
}

Result<HelperAnswer> wg_local(const Json& a) {
    return only(cat::wg_local(a.at("cols").get<std::int64_t>(), a.value("rows", std::int64_t{128})));
}

template <auto build>
Result<HelperAnswer> scales(const Json& a) {
    cat::ScaleFactors sf{a.at("rows").get<std::int64_t>(), a.at("SF_K").get<std::int64_t>(),
                         a.value("sf_per_mma", std::int64_t{1}), a.value("sf_reuse", std::int64_t{1}), std::nullopt};
    if (given(a, "pipe_depth")) sf.pipe_depth = a["pipe_depth"].get<std::int64_t>();
    return only(build(sf, {}));
}

template <bool psum>
Result<HelperAnswer> trainium(const Json& a) {
    return only(cat::trainium(a.at("annotation").get<std::string>(), a.at("shape").get<Extents>(),
                              psum || a.value("is_psum", false)));
}

struct Helper {
    std::string_view name;
    std::vector<std::string_view> arguments;
    Result<HelperAnswer> (*call)(const Json&);
};
const std::vector<Helper>& helpers() {
    static const std::vector<Helper> table{
        {"mma_shared_layout", {"dtype", "mode", "swizzle_mode", "shape"}, mma_shared},
        {"alloc_tcgen05_mma_AB", {"dtype", "mode", "swizzle_mode", "shape"}, mma_shared},
        {"mma_atom_layout", {"dtype", "mode", "swizzle_mode"}, mma_atom},
        {"mma_atom", {"dtype", "mode", "swizzle_mode"}, mma_atom},
        {"mn_major_shared_layout", {"dtype", "mode", "swizzle_mode", "shape"}, mn_major},
        {"tmem_datapath_layout", {"datapath", "rows", "cols", "sub_slab"}, tmem_datapath},
        {"tmem_mma_operand_layout",
         {"operand", "op", "shape", "dtype", "M", "cta_group", "cg", "ws", "sparse", "group"},
         tmem_operand},
        {"tcgen05_atom_layout", {"instr_shape", "tensor_shape", "dtype"}, tcgen05_atom},
        {"wg_local_layout", {"cols", "rows"}, wg_local},
        {"sf_tmem_layout", {"rows", "SF_K", "sf_per_mma", "sf_reuse", "pipe_depth"}, scales<cat::sf_tmem>},
        {"sf_smem_layout", {"rows", "SF_K", "sf_per_mma", "sf_reuse", "pipe_depth"}, scales<cat::sf_smem>},
        {"TileLayout.trainium", {"annotation", "shape", "is_psum"}, trainium<false>},
        {"TileLayout.trainium(is_psum)", {"annotation", "shape", "is_psum"}, trainium<true>},
    };
    return table;
}

} // namespace

Result<HelperAnswer> call_helper(std::string_view name, const Json& arguments) {
    for (const Helper& helper : helpers()) {
        if (helper.name != name) continue;
        for (const auto& [argument, value] : arguments.items()) {
            if (std::find(helper.arguments.begin(), helper.arguments.end(), argument) == helper.arguments.end()) {
                return error("TXT_ARGUMENT", fmt::format("{} has no argument '{}'", name, argument));
            }
        }
        return helper.call(arguments);
    }
    return error("TXT_NAME", fmt::format("there is no helper '{}'", name));
}

Result<std::vector<std::int64_t>> call_mma_atom_shape(const Json& arguments) {
    LS_TRY(const DType type, dtype(arguments));
    LS_TRY(const cat::SwizzleMode swizzle, mode(arguments));
    LS_TRY(const std::int64_t width, cat::mma_atom_columns(type, swizzle));
    std::vector<std::int64_t> shape(given(arguments, "shape") ? arguments["shape"].size() : 2, 1);
    shape[shape.size() - 2] = 8;
    shape[shape.size() - 1] = width;
    return shape;
}

} // namespace ls::conformance
