#include <algorithm>
#include <array>

#include "core/codegen/cuda/print.h"
#include "core/codegen/export.h"
#include "core/codegen/pto_isa/print.h"
#include "core/codegen/pto_text/print.h"

namespace ls::codegen {

std::span<const Target> targets() {
    static constexpr std::array table{
        Target{"pto", "PTO text", "mlir", "what the PTOAS assembler reads", export_pto_text},
        Target{"pto-isa", "pto-isa C++", "cpp", "a kernel over pto-isa's headers, with flags and barriers", export_pto_isa},
        Target{"cuda", "CUDA C++", "cuda", "a kernel with inline PTX, its launcher and a check program, from a TIRx program", export_cuda, true},
    };
    return table;
}

const Target* find_target(std::string_view id) {
    const auto all = targets();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Target& t) { return t.id == id; });
    return found == all.end() ? nullptr : &*found;
}

} // namespace ls::codegen
