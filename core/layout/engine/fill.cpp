// Bulk evaluation: whole shapes, windows and ranges as row-major runs; pictures as outer sums.
#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "core/layout/engine/block_plan.h"
#include "core/layout/engine/compiled_layout.h"
#include "core/layout/engine/kernels.h"
#include "core/support/checked.h"

namespace ls::engine {

namespace {

/// Offsets between two looks at the watch: well under a millisecond.
constexpr std::int64_t kElementsPerTick = std::int64_t{1} << 20;

/// Loops work modulo 2^32 or 2^64 on the unsigned type of the same size.
template <class T>
using Word = std::make_unsigned_t<T>;

template <class T>
Word<T>* words(T* values) {
    return reinterpret_cast<Word<T>*>(values);
}

Result<std::int64_t> window_count(const Window& window, const Shape& shape) {
    if (window.begin.size() != shape.size() || window.extent.size() != shape.size()) {
        return error("ENGINE_WINDOW",
                     fmt::format("a window of {} begins and {} extents over the {} dimensions of {}",
                                 window.begin.size(), window.extent.size(), shape.size(), to_text(shape)),
                     "give one begin and one extent for each dimension");
    }
    std::int64_t count = 1;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const std::int64_t begin = window.begin[d];
        const std::int64_t extent = window.extent[d];
        if (begin < 0 || extent < 0 || begin > shape[d] || extent > shape[d] - begin) {
            return error("ENGINE_WINDOW",
                         fmt::format("the window begins at {} and has {} elements along dimension {}, which has {}",
                                     begin, extent, d, shape[d]),
                         "keep the window inside the shape");
        }
        count *= extent;
    }
    return count;
}

/// Row starts of a window, in row-major order. A row is one contiguous range of element indices: the innermost
/// dimensions that the window covers completely belong to it.
class Rows {
public:
    Rows(const Window& window, const Shape& shape) {
        std::int64_t pitch = 1;
        std::size_t d = shape.size();
        while (d > 0 && window.extent[d - 1] == shape[d - 1]) pitch *= shape[--d];
        length_ = pitch;
        if (d > 0) {
            length_ *= window.extent[d - 1];
            first_ = window.begin[d - 1] * pitch;
            pitch *= shape[--d];
        }
        for (; d > 0; pitch *= shape[--d]) {
            first_ += window.begin[d - 1] * pitch;
            if (window.extent[d - 1] > 1) outer_[outer_count_++] = {window.extent[d - 1], pitch, 0};
        }
        start_ = first_;
    }

    std::int64_t length() const { return length_; }
    std::int64_t start() const { return start_; }
    bool advance() {
        for (std::size_t k = 0; k < outer_count_; ++k) {
            Outer& outer = outer_[k];
            start_ += outer.pitch;
            if (++outer.at < outer.extent) return true;
            start_ -= outer.extent * outer.pitch;
            outer.at = 0;
        }
        return false;
    }

private:
    struct Outer {
        std::int64_t extent, pitch, at;
    };
    std::int64_t length_ = 1;
    std::int64_t first_ = 0;
    std::int64_t start_ = 0;
    std::array<Outer, 64> outer_; ///< innermost first
    std::size_t outer_count_ = 0;
};

/// Writes the elements from where the cursor stands, looking at the watch now and then.
template <class T>
Status run_watched(BlockCursor<Word<T>>& cursor, std::span<T> out, std::int64_t done, std::int64_t total,
                   const Watch* watch) {
    const auto count = static_cast<std::int64_t>(out.size());
    for (std::int64_t at = 0; at < count;) {
        const std::int64_t length = std::min(kElementsPerTick, count - at);
        cursor.run(words(out.data() + at), length);
        at += length;
        if (watch != nullptr) LS_CHECK(Watch::tick(watch, done + at, total));
    }
    return ok_status();
}

} // namespace

Status CompiledLayout::check_output(std::int64_t count, std::size_t size, bool narrow,
                                    const FillOptions& options) const {
    if (static_cast<std::uint64_t>(count) != size) {
        return error("ENGINE_OUT_SIZE", fmt::format("{} offsets asked for, room for {} given", count, size),
                     "make the output as long as the number of elements");
    }
    if (narrow && !fits_int32()) {
        return error(
            "ENGINE_INT32",
            fmt::format("offsets on axis {} lie in [{}, {}], beyond 32 bits", axis_.name(), bounds_.low, bounds_.high),
            "fill an array of int64");
    }
    if (options.displacement < replica_.low || options.displacement > replica_.high) {
        return error("ENGINE_DISPLACEMENT",
                     fmt::format("no copy is displaced by {}: displacements on axis {} lie in [{}, {}]",
                                 options.displacement, axis_.name(), replica_.low, replica_.high),
                     "take displacements from CompiledMap::displacements");
    }
    return ok_status();
}

template <class T>
Status CompiledLayout::fill_run(std::int64_t first, std::span<T> out, const FillOptions& options) const {
    const auto count =
        static_cast<std::int64_t>(std::min<std::uint64_t>(out.size(), static_cast<std::uint64_t>(elements_) + 1));
    if (first < 0 || first > elements_ || count > elements_ - first) {
        return error("ENGINE_WINDOW",
                     fmt::format("{} elements from index {} of a shape of {}", out.size(), first, elements_),
                     "keep the range inside the shape");
    }
    LS_CHECK(check_output(count, out.size(), sizeof(T) == 4, options));
    BlockCursor<Word<T>> cursor(*plan_, origin_ + options.displacement, swizzle_);
    cursor.seek(first);
    return run_watched(cursor, out, 0, count, options.watch);
}

template <class T>
Status CompiledLayout::fill_rows(const Window& window, std::span<T> out, const FillOptions& options) const {
    LS_TRY(const std::int64_t count, window_count(window, shape_));
    LS_CHECK(check_output(count, out.size(), sizeof(T) == 4, options));
    if (count == 0) return ok_status();

    BlockCursor<Word<T>> cursor(*plan_, origin_ + options.displacement, swizzle_);
    Rows rows(window, shape_);
    const auto length = static_cast<std::size_t>(rows.length());
    if (rows.length() >= kElementsPerTick) {
        std::int64_t done = 0;
        do {
            cursor.seek(rows.start());
            LS_CHECK(
                run_watched(cursor, out.subspan(static_cast<std::size_t>(done), length), done, count, options.watch));
            done += rows.length();
        } while (rows.advance());
        return ok_status();
    }
    std::int64_t untold = 0;
    std::int64_t done = 0;
    do {
        cursor.seek(rows.start());
        cursor.run(words(out.data() + done), rows.length());
        done += rows.length();
        untold += rows.length();
        if (untold >= kElementsPerTick) {
            untold = 0;
            LS_CHECK(Watch::tick(options.watch, done, count));
        }
    } while (rows.advance());
    return Watch::tick(options.watch, done, count);
}

template <class T>
Status CompiledLayout::fill_section(const Section& section, std::span<T> out, const FillOptions& options) const {
    const std::size_t rank = shape_.size();
    if (section.row_dim >= rank || section.col_dim >= rank || section.row_dim == section.col_dim ||
        section.fixed.size() != rank) {
        return error(
            "ENGINE_SECTION",
            fmt::format("rows along dimension {}, columns along dimension {} and {} fixed coordinates of the shape {}",
                        section.row_dim, section.col_dim, section.fixed.size(), to_text(shape_)),
            "name two different dimensions and give one fixed coordinate for each dimension");
    }
    const auto outside = [&](std::size_t dim, std::int64_t index) {
        return error("ENGINE_SECTION",
                     fmt::format("index {} along dimension {}, which has {} elements", index, dim, shape_[dim]),
                     "keep the section inside the shape");
    };
    std::int64_t row_pitch = 1;
    std::int64_t col_pitch = 1;
    std::int64_t fixed = 0;
    std::int64_t pitch = 1;
    for (std::size_t d = rank; d-- > 0; pitch *= shape_[d]) {
        if (d == section.row_dim) {
            row_pitch = pitch;
        } else if (d == section.col_dim) {
            col_pitch = pitch;
        } else {
            if (section.fixed[d] < 0 || section.fixed[d] >= shape_[d]) return outside(d, section.fixed[d]);
            fixed += section.fixed[d] * pitch;
        }
    }
    for (const std::int64_t row : section.rows) {
        if (row < 0 || row >= shape_[section.row_dim]) return outside(section.row_dim, row);
    }
    for (const std::int64_t col : section.cols) {
        if (col < 0 || col >= shape_[section.col_dim]) return outside(section.col_dim, col);
    }
    const CheckedInt count =
        checked_mul(static_cast<std::int64_t>(section.rows.size()), static_cast<std::int64_t>(section.cols.size()));
    LS_CHECK(check_output(count.value_or(-1), out.size(), sizeof(T) == 4, options));

    const std::size_t width = section.cols.size();
    if (!separable_) {
        T* to = out.data();
        for (const std::int64_t row : section.rows) {
            for (const std::int64_t col : section.cols) {
                *to++ = static_cast<T>(
                    swizzle_(plain_offset(fixed + row * row_pitch + col * col_pitch) + options.displacement));
            }
        }
        return ok_status();
    }
    // offset = (fixed + row part) + column part. The column parts of one strip stay in the first-level cache.
    constexpr std::size_t kStrip = 1024;
    std::array<Word<T>, kStrip> part;
    for (std::size_t left = 0; left < width; left += kStrip) {
        const std::size_t strip = std::min(kStrip, width - left);
        for (std::size_t j = 0; j < strip; ++j) {
            part[j] =
                static_cast<Word<T>>(static_cast<std::uint64_t>(plain_offset(section.cols[left + j] * col_pitch)) -
                                     static_cast<std::uint64_t>(origin_));
        }
        T* to = out.data() + left;
        for (const std::int64_t row : section.rows) {
            const auto base = static_cast<Word<T>>(static_cast<std::uint64_t>(plain_offset(fixed + row * row_pitch)) +
                                                   static_cast<std::uint64_t>(options.displacement));
            if constexpr (sizeof(T) == 4) {
                kernels().emit32(words(to), part.data(), strip, base, swizzle_);
            } else {
                kernels().emit64(words(to), part.data(), strip, base, swizzle_);
            }
            to += width;
        }
    }
    return ok_status();
}

Status CompiledLayout::fill(std::span<std::int32_t> out, const FillOptions& options) const {
    LS_CHECK(check_output(elements_, out.size(), true, options));
    return fill_run(0, out, options);
}
Status CompiledLayout::fill(std::span<std::int64_t> out, const FillOptions& options) const {
    LS_CHECK(check_output(elements_, out.size(), false, options));
    return fill_run(0, out, options);
}
Status CompiledLayout::fill(const Window& window, std::span<std::int32_t> out, const FillOptions& options) const {
    return fill_rows(window, out, options);
}
Status CompiledLayout::fill(const Window& window, std::span<std::int64_t> out, const FillOptions& options) const {
    return fill_rows(window, out, options);
}
Status CompiledLayout::fill_range(std::int64_t first, std::span<std::int32_t> out, const FillOptions& options) const {
    return fill_run(first, out, options);
}
Status CompiledLayout::fill_range(std::int64_t first, std::span<std::int64_t> out, const FillOptions& options) const {
    return fill_run(first, out, options);
}
Status CompiledLayout::sample(const Section& section, std::span<std::int32_t> out, const FillOptions& options) const {
    return fill_section(section, out, options);
}
Status CompiledLayout::sample(const Section& section, std::span<std::int64_t> out, const FillOptions& options) const {
    return fill_section(section, out, options);
}

} // namespace ls::engine
