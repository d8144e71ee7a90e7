// Host code beside a kernel: puts row-major tensors into NZ order and back (spec/nz.md G), with a small test of itself.
#pragma once

#include <vector>

#include "core/codegen/kernel/kernel.h"

namespace ls::codegen {

/// <kernel>_pack.h and <kernel>_pack_test.cpp in plain C++17; nothing for a kernel without NZ arguments.
std::vector<SourceFile> host_packers(const Kernel& kernel);

} // namespace ls::codegen
