// Private to this folder: ld and st of whole vectors of registers, and addresses some elements behind a pointer.
#pragma once

#include <optional>
#include <string>

#include "core/passes/tirx/tile_primitive_dispatch/lowering.h"

namespace ls::tirx::lower {

/// What a call may say about caches: cache ("nc"), l1_evict, l2_evict, prefetch_size.
struct LoadHints {
    bool nc = false;
    std::string l1_evict, l2_evict, prefetch;
};
LoadHints load_hints(const Lowering& lowering);

/// "shared" or "global"
std::string ptx_space(const ir::Var& buffer);
/// Registers `first`, first + 1, ... of a view of words.
std::vector<ir::Expr> words(const ir::Var& view, const ir::Expr& first, int count);
/// ld.<space>... {registers}, [pointer]; the pointer is generic and converted for shared memory.
ir::Stmt vector_load(const std::string& space, const VectorForm& form, std::vector<ir::Expr> registers,
                     ir::Expr pointer, const LoadHints& hints = {});
ir::Stmt vector_store(const std::string& space, const VectorForm& form, ir::Expr pointer,
                      std::vector<ir::Expr> registers);

/// name: T.let[T.handle] = the pointer, `elements` of its type further on.
ir::Var pointer_behind(std::vector<ir::Stmt>& into, std::string name, ir::Expr pointer, ir::Expr elements);
/// T.handle().ty
ir::Expr handle_type();

/// Which thread of a scope this is: name = T.lane_id() and the like; thread 0 of a single thread. threadIdx.x for a
/// CTA. Null where no axis counts the scope's threads.
ir::Expr thread_of_scope(std::vector<ir::Stmt>& into, std::string name, ScopeKind scope, const Kernel& kernel);
/// The same by the name of a layout's thread axis.
ir::Expr thread_of_axis(std::vector<ir::Stmt>& into, std::string name, std::string_view axis, const Kernel& kernel);

} // namespace ls::tirx::lower
