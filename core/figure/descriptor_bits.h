// A descriptor word as a strip of bits: highest bit left, fields tinted and named, what the hardware does not read here
// hatched.
#pragma once

#include <span>

#include "core/machine/tensor_core/descriptor_field.h"
#include "core/scene/picture.h"

namespace ls::figure {

/// In what the offsets of a matrix descriptor are told.
enum class DescriptorUnit : std::uint8_t { Units16, Bytes, Elements };

struct DescriptorBitsOptions {
    double width = 900;
    int bits = 64; ///< of the word
    DescriptorUnit unit = DescriptorUnit::Units16;
    int element_bits = 16; ///< for DescriptorUnit::Elements
};

/// Hit ids are bit numbers; their sentences tell the field.
scene::Picture draw_descriptor_bits(std::span<const tensor_core::DescriptorField> fields, std::uint64_t word,
                                    const DescriptorBitsOptions& options, const scene::TextMeasure& measure);

/// "sdo 64", "sdo 1024 B", "sdo 512 elements": the field's name and value as the strip carries them.
std::string field_label(const tensor_core::DescriptorField& field, const DescriptorBitsOptions& options);

} // namespace ls::figure
