// How the catalogue puts a named layout together: iter by iter, each with the name of what it walks over.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/layout/tensor_layout.h"

namespace ls::catalogue {

/// One shard iter with its role, in shard order (dimension by dimension, outermost first).
struct Part {
    std::size_t dim;
    std::int64_t extent;
    std::int64_t stride;
    Axis axis;
    std::string role;
};

/// What a catalogue layout states besides its parts.
struct Frame {
    Shape shape;
    std::vector<std::string> dim_names;
    std::optional<DType> dtype;
    MemorySpace space = MemorySpace::Unknown;
    std::string name;
    std::vector<Iter> replica;
    AxisMap offset;
};

Result<TensorLayout> assemble(std::vector<Part> parts, Frame frame);

/// The product of extents, or LAYOUT_OVERFLOW that names the shape.
Result<std::int64_t> element_count(std::span<const std::int64_t> shape);

/// "[64, 128]"
std::string shape_text(std::span<const std::int64_t> shape);

} // namespace ls::catalogue
