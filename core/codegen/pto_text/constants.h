// The constants of a kernel's text: each is defined once, before anything uses it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/codegen/kernel/kernel.h"

namespace ls::codegen {

/// MLIR's arithmetic knows no signs: "i32" for INT32 and UINT32.
std::string text_type(DType type);

class Constants {
public:
    explicit Constants(const Kernel& kernel);

    /// "%c16_index", "%cn1_i32", "%cst_1", "%true". Of a constant that the kernel uses.
    std::string name(const Scalar& constant) const;
    std::string address(std::int64_t bytes) const;
    /// One line each: addresses and other integers, then floating-point numbers.
    std::vector<std::string> definitions() const;

private:
    void collect(const Body& body);
    void need(const Scalar& scalar);
    void need(const std::vector<Scalar>& scalars);

    const Kernel& kernel_;
    std::map<std::string, std::map<std::int64_t, std::string>> integers_; ///< by type
    std::map<std::pair<std::string, std::string>, std::string> reals_;    ///< (type, spelling) to name
    std::vector<std::pair<std::string, std::string>> real_order_;
};

} // namespace ls::codegen
