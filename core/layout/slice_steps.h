// Private to core/layout: one dimension of a slice.
#pragma once

#include <span>
#include <vector>

#include "core/layout/layout.h"

namespace ls {

/// Digits of `begin` over the iters, last = least significant; a single iter takes it whole.
std::vector<Dim> begin_digits(const Dim& begin, std::span<const Iter> iters);

/// Iters of `extent` elements from `begin` on (given by its digits); empty when they do not form iters.
std::vector<Iter> slice_digits(std::span<const Iter> iters, std::span<const Dim> begin, const Dim& extent);

} // namespace ls
