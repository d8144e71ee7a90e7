#include "core/passes/tirx/tile_primitive_dispatch/memory_access.h"

#include "core/passes/tirx/tile_primitive_dispatch/build_ir.h"

namespace ls::tirx::lower {

using namespace ir;

namespace {

constexpr const char* kPointerOffset =
    "\ntemplate <typename T>\n"
    "__forceinline__ __device__ T* tvm_builtin_pointer_offset(T* ptr, int offset) {\n"
    "    return ptr + offset;\n"
    "}\n";

/// "v4" and "u32" of "v4.u32"; no vector for one word.
std::pair<std::string, std::string> vector_and_type(const VectorForm& form) {
    const std::string text(form.suffix);
    const std::size_t dot = text.find('.');
    return dot == std::string::npos ? std::pair{std::string(), text}
                                    : std::pair{text.substr(0, dot), text.substr(dot + 1)};
}

Expr address(const std::string& space, Expr pointer) {
    return space == "shared" ? to_shared(std::move(pointer)) : pointer;
}

} // namespace

LoadHints load_hints(const Lowering& lowering) {
    LoadHints hints;
    const auto text = [&](std::string_view key) {
        const auto* s = as<StringNode>(lowering.setting(key));
        return s == nullptr ? std::string() : s->value;
    };
    hints.nc = text("cache") == "nc";
    hints.l1_evict = text("l1_evict");
    hints.l2_evict = text("l2_evict");
    hints.prefetch = text("prefetch_size");
    return hints;
}

std::string ptx_space(const Var& buffer) {
    const std::string& scope = buffer_type(buffer)->scope;
    return scope.starts_with("shared") ? "shared" : scope;
}

std::vector<Expr> words(const Var& view, const Expr& first, int count) {
    std::vector<Expr> out;
    for (int i = 0; i < count; ++i) out.push_back(load(view, {add(first, i32(i))}));
    return out;
}

// Modifiers by place; one of 256 bits has its own form, without .L2::cache_hint and with an L2 eviction.
//   ld      mmio sem scope space cop nc L1 cache prefetch type
//   ld.vec       sem scope space cop nc L1 cache prefetch vec type       256 bits: L2 for cache
//   st      mmio sem scope space cop    L1 cache          type
//   st.vec       sem scope space cop    L1 cache          vec type       256 bits: L2 for cache
Stmt vector_load(const std::string& space, const VectorForm& form, std::vector<Expr> registers, Expr pointer,
                 const LoadHints& hints) {
    const auto [vec, type] = vector_and_type(form);
    std::vector<std::string> words{
        "", "", space, "", hints.nc ? "nc" : "", hints.l1_evict, form.words == 8 ? hints.l2_evict : "", hints.prefetch};
    if (vec.empty()) {
        words.insert(words.begin(), "");
    } else {
        words.push_back(vec);
    }
    words.push_back(type);
    registers.push_back(address(space, std::move(pointer)));
    return ptx("ld", std::move(registers), words);
}

Stmt vector_store(const std::string& space, const VectorForm& form, Expr pointer, std::vector<Expr> registers) {
    const auto [vec, type] = vector_and_type(form);
    std::vector<std::string> words{"", "", space, "", "", ""};
    if (vec.empty()) {
        words.insert(words.begin(), "");
    } else {
        words.push_back(vec);
    }
    words.push_back(type);
    registers.insert(registers.begin(), address(space, std::move(pointer)));
    return ptx("st", std::move(registers), words);
}

Expr handle_type() { return member(call("handle", {}), "ty"); }

Var pointer_behind(std::vector<Stmt>& into, std::string name, Expr pointer, Expr elements) {
    auto type = std::make_shared<PtrTypeNode>();
    type->scope = "global";
    const Var made = var(std::move(name), seal(std::move(type)));
    into.push_back(assign(made, call("cuda.func_call",
                                     {string("tvm_builtin_pointer_offset"), std::move(pointer), std::move(elements)},
                                     {{"source_code", string(kPointerOffset)}, {"return_type", handle_type()}})));
    return made;
}

Expr thread_of_axis(std::vector<Stmt>& into, std::string name, std::string_view axis, const Kernel& kernel) {
    if (axis == "tx") {
        const LaunchParam* param = kernel.launch.find("threadIdx.x");
        return param == nullptr ? nullptr : Expr(param->var);
    }
    const char* id = axis == "laneid"      ? "lane_id"
                     : axis == "wid_in_wg" ? "warp_id_in_wg"
                     : axis == "tid_in_wg" ? "thread_id_in_wg"
                     : axis == "warpid"    ? "warp_id"
                     : axis == "wgid"      ? "warpgroup_id"
                                           : nullptr;
    if (id == nullptr) return nullptr;
    const Var made = loop_var(std::move(name));
    auto stmt = std::make_shared<AssignNode>();
    stmt->targets = {made};
    stmt->value = call(id, {});
    stmt->annotated = false;
    into.push_back(seal(std::move(stmt)));
    return made;
}

Expr thread_of_scope(std::vector<Stmt>& into, std::string name, ScopeKind scope, const Kernel& kernel) {
    switch (scope) {
    case ScopeKind::Thread: return i32(0);
    case ScopeKind::Warp: return thread_of_axis(into, std::move(name), "laneid", kernel);
    case ScopeKind::Warpgroup: return thread_of_axis(into, std::move(name), "tid_in_wg", kernel);
    case ScopeKind::Cta: return thread_of_axis(into, std::move(name), "tx", kernel);
    default: return nullptr;
    }
}

} // namespace ls::tirx::lower
