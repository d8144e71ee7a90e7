// A model with numbers put in (spec ub 8): where each queue, buffer and view lies, and what is wrong with it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/support/result.h"
#include "core/ub/finding.h"
#include "core/ub/model/model.h"

namespace ls::ub {

/// Bytes are relative to the view's buffer.
struct PlacedView {
    std::string name;
    DType dtype = DType::Fp32;
    std::int64_t elems = 0;
    std::int64_t bytes = 0;
    std::int64_t off = 0;
    std::int64_t end = 0;
    std::int64_t advance = 0; ///< bytes by which it moves the cursor; 0 with an explicit offset
    bool at_cursor = true;
    std::string alias_group;
    std::optional<std::vector<LiveRange>> live;
};

struct PlacedAlloc {
    std::string name;
    AllocKind kind = AllocKind::TBuf;
    Position position = Position::VecCalc;
    std::int64_t ub_base = 0;
    std::int64_t num = 1;
    std::int64_t requested_len = 0; ///< bytes of a block as written
    std::int64_t len = 0;           ///< rounded up to 32
    std::int64_t total = 0;         ///< num * len
    std::vector<PlacedView> views;
    std::int64_t used = 0;  ///< furthest view end
    std::int64_t slack = 0; ///< len - used; negative when views do not fit
    std::int64_t cursor_final = 0;
    std::int64_t gaps = 0; ///< bytes below `used` that no view covers
};

struct Partition {
    std::vector<PlacedAlloc> allocs;
    std::int64_t ub_bytes = 0;
    std::int64_t ub_used = 0;
    std::int64_t ub_free = 0;      ///< negative when the unified buffer overflows
    std::int64_t buffer_count = 0; ///< blocks over all InitBuffer calls
    std::int64_t device_used = 0;  ///< view bytes over all tbufs
    std::optional<std::int64_t> host_tmp;
    std::vector<std::pair<std::string, std::int64_t>> derived;
    std::vector<Finding> findings;

    const PlacedAlloc* find(std::string_view alloc) const;
};

struct BoundModel; // placing.h

/// The few numbers that a sweep needs.
struct Footprint {
    std::int64_t ub_used = 0;
    std::int64_t device_used = 0;
    std::optional<std::int64_t> host_tmp;
    bool views_fit = true; ///< every view ends within its buffer
    bool ub_fits = true;

    bool fits() const { return views_fit && ub_fits; }
};

/// A model whose expressions are parsed and whose names are bound; evaluating it for other parameters is cheap.
class CompiledModel {
public:
    /// EXPR_* and MODEL_NAME_UNKNOWN, at the place in the model's text.
    static Result<CompiledModel> compile(Model model);

    const Model& model() const;
    /// The parameters' own values, in the order of model().params.
    std::vector<std::int64_t> parameter_values() const;
    std::optional<std::size_t> parameter_index(std::string_view name) const;

    /// `values` in the order of model().params. EXPR_* where a value overflows or divides by zero, MODEL_VALUE for a
    /// negative size. What merely does not fit is a finding.
    Result<Partition> evaluate(std::span<const std::int64_t> values) const;
    Result<Partition> evaluate() const { return evaluate(parameter_values()); }
    /// The same without names and findings.
    Result<Footprint> measure(std::span<const std::int64_t> values) const;

    /// measure() for many values: `visit(row, footprint)` for each row of `values`, nullptr where an expression failed.
    void measure_all(std::size_t rows, const std::function<std::span<const std::int64_t>(std::size_t)>& values,
                     const std::function<void(std::size_t, const Footprint*)>& visit) const;

private:
    std::shared_ptr<const BoundModel> bound_; ///< immutable, so copies share it
};

} // namespace ls::ub
