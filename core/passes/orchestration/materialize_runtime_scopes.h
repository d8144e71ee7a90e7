// Pass 51, MaterializeRuntimeScopes: writes out the scopes in which the runtime watches what tasks read and write.
#pragma once

#include "core/passes/pass.h"

namespace ls::orchestration {

/// A pl.scope() around the body of every orchestration function, of every loop and of every branch in it, but for those
/// inside a manual scope; the function is marked auto_scope=False, so that doing it again changes nothing. Functions that
/// already say auto_scope=False place their scopes themselves.
PassResult materialize_runtime_scopes(const ir::Module& module, const PassContext& context);

} // namespace ls::orchestration
