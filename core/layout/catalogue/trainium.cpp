#include "core/layout/catalogue/trainium.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/layout/catalogue/assemble.h"
#include "core/support/checked.h"

namespace ls::catalogue {

namespace {

constexpr std::int64_t kPartitions = 128;
constexpr std::int64_t kBankElements = 512;

/// F strides of whole banks count banks; an F iter that crosses a bank is split at it.
Result<std::vector<Part>> to_psum(std::vector<Part> parts) {
    std::vector<Part> out;
    for (Part& part : parts) {
        if (part.axis != axes::F) {
            out.push_back(std::move(part));
        } else if (part.stride % kBankElements == 0) {
            out.push_back({part.dim, part.extent, part.stride / kBankElements, axes::Bank, "bank"});
        } else {
            const std::int64_t in_bank =
                part.stride > 0 && kBankElements % part.stride == 0 ? kBankElements / part.stride : 0;
            if (in_bank > 0 && part.extent < in_bank) {
                out.push_back(std::move(part));
            } else if (in_bank > 0 && part.extent % in_bank == 0) {
                out.push_back({part.dim, part.extent / in_bank, 1, axes::Bank, "bank"});
                out.push_back({part.dim, in_bank, part.stride, axes::F, part.role});
            } else {
                return error("TRN_BANK",
                             fmt::format("{} elements with stride {} do not end at a PSUM bank of {}", part.extent,
                                         part.stride, kBankElements),
                             "pad the free dimension to a power of two");
            }
        }
    }
    return out;
}

} // namespace

Result<TensorLayout> trainium(std::string_view annotation, std::span<const std::int64_t> shape, bool psum) {
    if (annotation.find_first_not_of("PF") != std::string_view::npos) {
        return error("TRN_ANNOTATION", fmt::format("'{}' may hold the letters P and F only", annotation));
    }
    if (annotation.size() != shape.size() || shape.empty()) {
        return error("TRN_ANNOTATION", fmt::format("'{}' has {} letters for the {} dimensions of {}", annotation,
                                                   annotation.size(), shape.size(), shape_text(shape)));
    }
    for (const std::int64_t extent : shape) {
        if (extent < 1)
            return error("LAYOUT_EXTENT",
                         fmt::format("an extent of {} is {}, but must be at least 1", shape_text(shape), extent));
    }
    LS_CHECK(element_count(shape));
    const bool one_partition_dim = std::count(annotation.begin(), annotation.end(), 'P') == 1;
    std::int64_t partition_stride = 1, free_stride = 1;
    std::vector<Part> parts; // innermost first
    std::size_t split = shape.size();
    for (std::size_t d = shape.size(); d-- > 0;) {
        if (annotation[d] == 'F') {
            parts.push_back({d, shape[d], free_stride, axes::F, "free"});
            free_stride *= shape[d];
        } else if (one_partition_dim && shape[d] > kPartitions) {
            if (shape[d] % kPartitions != 0) {
                return error("TRN_PARTITIONS",
                             fmt::format("{} partitions: a single P dimension must be at most 128 or a multiple of 128",
                                         shape[d]));
            }
            parts.push_back({d, kPartitions, 1, axes::P, "partition"});
            split = parts.size();
            parts.push_back({d, shape[d] / kPartitions, 0, axes::F, "partition block"});
        } else {
            parts.push_back({d, shape[d], partition_stride, axes::P, "partition"});
            partition_stride *= shape[d];
        }
    }
    if (split < parts.size()) parts[split].stride = free_stride; // beyond all free elements
    std::reverse(parts.begin(), parts.end());
    if (psum) {
        LS_TRY(parts, to_psum(std::move(parts)));
    }
    std::string extents;
    for (const std::int64_t extent : shape) extents += fmt::format("{}{}", extents.empty() ? "" : ", ", extent);
    return assemble(std::move(parts),
                    {Shape(shape.begin(), shape.end()),
                     {},
                     {},
                     MemorySpace::Unknown,
                     fmt::format("trainium({}, ({}){})", annotation, extents, psum ? ", psum=True" : ""),
                     {},
                     {}});
}

} // namespace ls::catalogue
