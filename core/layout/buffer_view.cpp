#include "core/layout/buffer_view.h"

#include <fmt/format.h>

#include "core/layout/operations.h"
#include "core/layout/refusal.h"

namespace ls {

Layout BufferView::effective_layout() const { return layout ? *layout : Layout(row_major(shape)); }

namespace {

Result<Dim> storage_span(const BufferView& buffer) {
    const Dim reach = span(storage(buffer.effective_layout()));
    if (reach.is_overflow()) return error("LAYOUT_OVERFLOW", "the storage span leaves the range of 64-bit integers");
    if (reach.is_constant() && reach.value() < 1) {
        return error("LAYOUT_LOCAL", fmt::format("the physical storage span is {}", reach.value()),
                     "strides and offsets below 0 leave no storage to show");
    }
    return reach;
}

bool is_inferred(const Dim& extent) { return extent.is(-1); }

} // namespace

Result<BufferView> local_view(const BufferView& buffer) {
    LS_TRY(Dim reach, storage_span(buffer));
    BufferView result;
    result.layout = Layout(row_major(std::span<const Dim>(&reach, 1)));
    result.elem_offset = buffer.elem_offset;
    result.shape.push_back(std::move(reach));
    return result;
}

Result<BufferView> local_view(const BufferView& buffer, std::span<const Dim> dims) {
    LS_TRY(const Dim reach, storage_span(buffer));
    LS_CHECK(refuse_shape(dims));
    if (!proves_equal(product(dims), reach)) {
        return error("LAYOUT_LOCAL",
                     fmt::format("shape {} holds {} elements, but the physical storage span is {} per thread",
                                 to_string(dims), to_string(product(dims)), to_string(reach)));
    }
    BufferView result;
    result.shape.assign(dims.begin(), dims.end());
    result.layout = Layout(row_major(dims));
    result.elem_offset = buffer.elem_offset;
    return result;
}

Result<BufferView> view_as(const BufferView& buffer, std::span<const Dim> shape) {
    BufferView result = buffer;
    result.shape.assign(shape.begin(), shape.end());
    std::size_t inferred = 0;
    Dim known = 1;
    for (const Dim& extent : shape) {
        if (is_inferred(extent))
            ++inferred;
        else
            known *= extent;
    }
    const Dim total = product(buffer.shape);
    if (inferred > 1)
        return error("LAYOUT_VIEW", fmt::format("shape {} leaves {} dimensions open", to_string(shape), inferred),
                     "leave one");
    if (inferred == 1) {
        for (Dim& extent : result.shape) {
            if (is_inferred(extent)) extent = floor_div(total, known);
        }
    }
    LS_CHECK(refuse_shape(result.shape));
    const Dim count = product(result.shape);
    if (count.is_constant() && total.is_constant() && count.value() != total.value()) {
        return error("LAYOUT_VIEW", fmt::format("shape {} holds {} elements and the buffer {}", to_string(result.shape),
                                                count.value(), total.value()));
    }
    return result;
}

Result<BufferView> reinterpret_view(const BufferView& buffer, std::int64_t from_bits, std::int64_t to_bits) {
    const bool divides = from_bits > 0 && to_bits > 0 && (from_bits % to_bits == 0 || to_bits % from_bits == 0);
    if (!divides || buffer.shape.empty()) {
        return error("LAYOUT_REINTERPRET",
                     fmt::format("elements of {} bits in shape {} cannot be read as {} bits", from_bits,
                                 to_string(buffer.shape), to_bits),
                     "one width must divide the other, along the last dimension");
    }
    BufferView result = buffer;
    const bool wider = to_bits > from_bits;
    const std::int64_t factor = wider ? to_bits / from_bits : from_bits / to_bits;
    LS_TRY(result.layout, wider ? pack(buffer.effective_layout(), factor) : unpack(buffer.effective_layout(), factor));
    const auto scaled = [&](const Dim& count) { return wider ? floor_div(count, factor) : count * Dim(factor); };
    result.shape.back() = scaled(buffer.shape.back());
    result.elem_offset = scaled(buffer.elem_offset);
    return result;
}

Result<BufferView> permute_view(const BufferView& buffer, std::span<const std::size_t> dims) {
    const Layout layout = buffer.effective_layout();
    LS_TRY(const Grouped grouped, group(layout.tile(), buffer.shape));
    BufferView result = buffer;
    LS_TRY(result.layout, permute_by_groups(layout.with_tile(grouped.layout), grouped.separators, dims));
    for (std::size_t i = 0; i < dims.size(); ++i) result.shape[i] = buffer.shape[dims[i]];
    return result;
}

} // namespace ls
