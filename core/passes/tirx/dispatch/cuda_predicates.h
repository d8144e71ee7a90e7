// Private to the CUDA variants: the conditions that they ask for, by the names that reports show.
#pragma once

#include "core/passes/tirx/dispatch/dispatch.h"

namespace ls::tirx {

Predicate thread_or_warp();  ///< "single_thread_or_warp"
Predicate single_thread();   ///< "single_thread"
Predicate thread_scope();    ///< "exec_scope", one thread
Predicate scopes(std::vector<ScopeKind> allowed); ///< "exec_scope"

Predicate valid_copy(); ///< both layouts, one dtype, equal non-unit extents
Predicate is_ldgsts();
Predicate shared_to_shared();
Predicate smem_tmem_copy();
Predicate tma_copy();
Predicate tmem_local_pair();
Predicate forced_vector(std::string variant, std::int64_t bytes);
Predicate ldstmatrix_copy();
Predicate vec_auto_copy();

Predicate full_active_lanes();
Predicate no_replica();
std::vector<Predicate> packed_reduction();
Predicate operands_in(std::string name, std::string scope);
Predicate reduction_valid(std::string name);
Predicate elementwise(std::string name, std::string scope);

} // namespace ls::tirx
