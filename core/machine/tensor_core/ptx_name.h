// Names of the device helpers that stand for one PTX instruction each (spec/tirx.md 11).
#pragma once

#include <string>
#include <string_view>

namespace ls::tensor_core {

/// "tcgen05_mma_ws_ts" and "tcgen05.mma.ws.cta_group::1.kind::f16" give
/// "tvm_builtin_ptx_tcgen05_mma_ws_ts_mma_ws_cta_group__1_kind__f16": the entry, then the written modifiers.
inline std::string ptx_helper_name(std::string_view entry, std::string_view instruction) {
    std::string name = "tvm_builtin_ptx_" + std::string(entry) + "_";
    const std::size_t family = instruction.find('.');
    for (const char c : instruction.substr(family == std::string_view::npos ? 0 : family + 1)) {
        name += c == '.' || c == ':' ? '_' : c == '-' ? 'm' : c;
    }
    return name;
}

} // namespace ls::tensor_core
