// Private to this folder: a model with its expressions parsed and its names bound to slots, and the plain numbers that
// placing it gives. No strings are touched while numbers are computed, so sweeps are quick.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/support/result.h"
#include "core/ub/model/expression.h"
#include "core/ub/model/model.h"

namespace ls::ub {

/// An expression, and for each of its names the slot of the value table.
struct BoundSize {
    Expression expression;
    std::vector<std::uint32_t> slots;
    const SizeText* source = nullptr; ///< within the model beside it
};

struct BoundView {
    BoundSize elems;
    std::optional<BoundSize> off, advance;
};
struct BoundAlloc {
    std::optional<BoundSize> num, len;
    std::vector<BoundView> views;
};

// In the order of the model.
struct ViewNumbers {
    std::int64_t elems = 0, bytes = 0, off = 0, end = 0, advance = 0;
};
struct AllocNumbers {
    std::int64_t base = 0, num = 1, requested = 0, len = 0, used = 0, cursor = 0;
    std::size_t first_view = 0; ///< into Numbers::views
};
struct Numbers {
    std::vector<std::int64_t> values; ///< params, then derived
    std::vector<AllocNumbers> allocs;
    std::vector<ViewNumbers> views;
    std::int64_t ub_used = 0;
    std::optional<std::int64_t> host_tmp;
    std::vector<std::int64_t> arguments; ///< scratch of evaluation
};

struct BoundModel {
    Model model;
    std::vector<BoundSize> derived;
    std::vector<BoundAlloc> allocs;
    std::optional<BoundSize> host_tmp;

    Status bind_all();
    /// Fills `numbers`, whose memory is reused. Errors as CompiledModel::evaluate.
    Status place(std::span<const std::int64_t> params, Numbers& numbers) const;
};

} // namespace ls::ub
