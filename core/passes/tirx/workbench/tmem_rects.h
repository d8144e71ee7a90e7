// Where a result lies in tensor memory and who holds it after the readback: rectangles for pictures, and both maps for
// single elements.
#pragma once

#include <vector>

#include "core/layout/tensor_layout.h"
#include "core/passes/tirx/plan/operand.h"

namespace ls::tirx {

/// Elements [m, m + lanes) × [n, n + columns) of the region: row i on lane + i, column j in column + j.
struct TmemRect {
    std::int64_t lane = 0, lanes = 0;
    std::int64_t column = 0, columns = 0;
    std::int64_t m = 0, n = 0;
};
/// The region of a 32-bit buffer. Refused: PLAN_NO_LAYOUT, PLAN_SYMBOLIC, BENCH_SIZE, ENGINE_*.
Result<std::vector<TmemRect>> tmem_rects(const Operand& c);

struct MatrixElement {
    std::int64_t row = -1, column = -1;
    bool valid() const { return row >= 0; }
    bool operator==(const MatrixElement&) const = default;
};
struct TmemCell {
    std::int64_t lane = -1, column = -1;
    bool valid() const { return lane >= 0; }
};
TmemCell tmem_cell(std::span<const TmemRect> rects, MatrixElement element);
MatrixElement element_at(std::span<const TmemRect> rects, TmemCell cell);

/// A register of a thread of the warpgroup.
struct RegisterPlace {
    std::int64_t thread = -1, slot = -1;
    bool valid() const { return thread >= 0; }
    bool operator==(const RegisterPlace&) const = default;
};
/// Who holds which element of a fragment [rows, columns], both ways.
class RegisterOwners {
public:
    static Result<RegisterOwners> make(const TensorLayout& fragment);
    RegisterPlace owner(MatrixElement element) const;
    MatrixElement element(RegisterPlace place) const;
    /// All that a thread holds, by slot.
    std::vector<MatrixElement> held_by(std::int64_t thread) const;
    std::int64_t threads() const { return threads_; }
    std::int64_t per_thread() const { return per_thread_; }

private:
    std::int64_t rows_ = 0, columns_ = 0, threads_ = 0, per_thread_ = 0;
    std::vector<RegisterPlace> owners_;      ///< by element
    std::vector<std::int64_t> elements_;     ///< by thread · per_thread + slot; −1 where empty
};

} // namespace ls::tirx
