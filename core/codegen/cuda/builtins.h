// Device functions that are no single PTX instruction: what T.cuda.* and the compiler's own calls stand for (spec/tirx.md
// 11), and the headers that they need.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/codegen/cuda/c_type.h"

namespace ls::codegen::cuda {

/// Definitions that stand above the kernel, each once, in the order in which they were first needed.
class Helpers {
public:
    void add(const std::string& name, const std::string& source) {
        if (names_.insert(name).second) sources_.push_back(source);
    }
    const std::vector<std::string>& sources() const { return sources_; }

private:
    std::set<std::string> names_;
    std::vector<std::string> sources_;
};

struct Builtin {
    std::string_view op;         ///< "cuda.get_tmem_addr"
    std::string_view helper;     ///< "tvm_builtin_cuda_get_tmem_addr"; CUDA's own function where body is empty
    std::string_view parameters; ///< "uint32_t addr, int row_offset"
    std::string_view returns;    ///< TIRx name of the result; empty: void
    std::string_view body;       ///< lines of its definition
    int arguments = 0;
};
const Builtin* find_builtin(std::string_view op);
/// Its definition; empty for CUDA's own functions.
std::string builtin_source(const Builtin& builtin);

/// CUDA's name of a function of floating-point numbers: "exp" of float is "expf"; empty when there is none.
std::string math_function(std::string_view op, DType dtype);

} // namespace ls::codegen::cuda
