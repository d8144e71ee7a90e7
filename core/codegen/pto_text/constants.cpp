#include "core/codegen/pto_text/constants.h"

#include <bit>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>

namespace ls::codegen {

namespace {

/// MLIR writes infinities and not-a-number as bits.
std::string spelling(double value, DType dtype) {
    if (std::isfinite(value)) return fmt::format("{:.17e}", value);
    const std::uint32_t single = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    switch (dtype) {
    case DType::Fp16: return fmt::format("0x{:04X}", std::isnan(value) ? 0x7E00U : value < 0 ? 0xFC00U : 0x7C00U);
    case DType::Bf16: return fmt::format("0x{:04X}", single >> 16);
    default: return fmt::format("0x{:08X}", single);
    }
}

} // namespace

std::string text_type(DType type) {
    switch (type) {
    case DType::UInt8: return "i8";
    case DType::UInt16: return "i16";
    case DType::UInt32: return "i32";
    case DType::UInt64: return "i64";
    default: return std::string(info(type).pto);
    }
}

Constants::Constants(const Kernel& kernel) : kernel_(kernel) {
    for (const Tile& t : kernel.tiles) {
        if (t.address_bytes && !t.window) need(constant_scalar(*t.address_bytes, DType::Int64));
    }
    for (const TensorArgument& t : kernel.tensors) {
        if (!t.used) continue;
        need(t.shape);
        need(t.strides);
    }
    collect(kernel.body);
}

void Constants::need(const Scalar& scalar) {
    const std::string type = text_type(scalar.dtype);
    if (scalar.value && scalar.dtype != DType::Bool) {
        integers_[type][*scalar.value] = *scalar.value < 0 ? fmt::format("%cn{}_{}", fmt::to_string(*scalar.value).substr(1), type) : fmt::format("%c{}_{}", *scalar.value, type);
    } else if (scalar.value) {
        integers_["i1"][*scalar.value] = *scalar.value != 0 ? "%true" : "%false";
    } else if (scalar.real) {
        const std::pair key(type, spelling(*scalar.real, scalar.dtype));
        const auto [it, fresh] = reals_.emplace(key, real_order_.empty() ? "%cst" : fmt::format("%cst_{}", real_order_.size()));
        if (fresh) real_order_.push_back(key);
    }
}

void Constants::need(const std::vector<Scalar>& scalars) {
    for (const Scalar& s : scalars) need(s);
}

void Constants::collect(const Body& body) {
    const auto valid = [&](TileId id) {
        need(kernel_.tiles[id].valid_rows);
        need(kernel_.tiles[id].valid_cols);
    };
    for (const Instruction& one : body) {
        std::visit(
            [&](const auto& what) {
                using T = std::decay_t<decltype(what)>;
                if constexpr (std::is_same_v<T, Alloc>) {
                    valid(what.tile);
                } else if constexpr (std::is_same_v<T, Pop>) {
                    valid(what.tile);
                } else if constexpr (std::is_same_v<T, Compute>) {
                    need(what.operands);
                } else if constexpr (std::is_same_v<T, Convert>) {
                    need(what.from);
                } else if constexpr (std::is_same_v<T, LoadScalar>) {
                    need(what.index);
                } else if constexpr (std::is_same_v<T, StoreScalar>) {
                    need(what.index);
                    need(what.value);
                } else if constexpr (std::is_same_v<T, Load> || std::is_same_v<T, Store>) {
                    need(what.window.offsets);
                    need(what.window.sizes);
                    if constexpr (std::is_same_v<T, Store>) {
                        if (what.pre_quant) need(*what.pre_quant);
                    }
                } else if constexpr (std::is_same_v<T, Extract> || std::is_same_v<T, Insert>) {
                    need(what.row);
                    need(what.col);
                } else if constexpr (std::is_same_v<T, Subview>) {
                    need(what.row);
                    need(what.col);
                    if (what.states_valid) valid(what.view);
                } else if constexpr (std::is_same_v<T, TileOp>) {
                    for (const Operand& operand : what.in) {
                        if (!operand.tile) need(operand.scalar);
                    }
                } else if constexpr (std::is_same_v<T, OpenPipe>) {
                    need(what.to_vector);
                    need(what.to_cube);
                } else if constexpr (std::is_same_v<T, Loop>) {
                    need({what.start, what.stop, what.step});
                    for (const Carried& c : what.carried) need({c.init, c.next});
                    collect(*what.body);
                } else if constexpr (std::is_same_v<T, Branch>) {
                    need(what.condition);
                    for (const Chosen& c : what.results) need({c.on_true, c.on_false});
                    collect(*what.then_body);
                    collect(*what.else_body);
                }
            },
            one.what);
    }
}

std::string Constants::name(const Scalar& constant) const {
    const std::string type = text_type(constant.dtype);
    if (constant.real) return reals_.at({type, spelling(*constant.real, constant.dtype)});
    return integers_.at(type).at(*constant.value);
}

std::string Constants::address(std::int64_t bytes) const { return name(constant_scalar(bytes, DType::Int64)); }

std::vector<std::string> Constants::definitions() const {
    std::vector<std::string> lines;
    const auto define = [&](const std::string& type) {
        const auto found = integers_.find(type);
        if (found == integers_.end()) return;
        for (const auto& [value, name] : found->second) {
            lines.push_back(type == "i1" ? fmt::format("{} = arith.constant {}", name, value != 0) : fmt::format("{} = arith.constant {} : {}", name, value, type));
        }
    };
    for (const std::string type : {"i64", "index", "i1", "i8", "i16", "i32"}) define(type);
    for (const auto& key : real_order_) lines.push_back(fmt::format("{} = arith.constant {} : {}", reals_.at(key), key.second, key.first));
    return lines;
}

} // namespace ls::codegen
