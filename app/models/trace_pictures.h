// Pictures of a traced program that need no access: its on-chip memories, and how the tiles of its products are chosen.
// Knows no Qt.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/scene/picture.h"
#include "core/support/dtype.h"

namespace ls {
struct Trace;
}

namespace ls::models {

/// A product whose operands lie in L1, as the pass that tiles it finds it.
struct TraceProduct {
    std::string text; ///< "acc = xt · wt, [64, 512] · [512, 256] INT8"
    std::int64_t m = 0, n = 0, k = 0;
    DType operand = DType::Bf16, accumulator = DType::Fp32;
};

class TracePictures {
public:
    TracePictures() = default;
    explicit TracePictures(std::shared_ptr<const Trace> trace);

    /// The first snapshot in which tiles have addresses; −1 when there is none.
    int first_with_addresses() const { return first_with_addresses_; }
    bool has_addresses(int snapshot) const {
        return first_with_addresses_ >= 0 && snapshot >= first_with_addresses_;
    }
    /// The on-chip memories of a snapshot, `width` points wide. Empty where tiles have no addresses.
    scene::Picture memory(int snapshot, const std::string& chip, double width) const;

    const std::vector<TraceProduct>& products() const { return products_; }
    /// The search for a product's tile. Empty when none can be found; `why` then says the reason.
    scene::Picture search(int product, const std::string& chip, double width, std::string& why) const;

private:
    std::shared_ptr<const Trace> trace_;
    int first_with_addresses_ = -1;
    std::vector<TraceProduct> products_;
};

} // namespace ls::models
