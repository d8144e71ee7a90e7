#include "core/notation/annotation.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/notation/cursor.h"
#include "core/support/checked.h"

namespace ls::notation {

namespace {

struct SpaceName {
    std::string_view name;
    MemorySpace space;
};
constexpr std::array kSpaces{
    SpaceName{"gm", MemorySpace::Gm},     SpaceName{"l1", MemorySpace::L1},
    SpaceName{"l0a", MemorySpace::L0A},   SpaceName{"l0b", MemorySpace::L0B},
    SpaceName{"l0c", MemorySpace::L0C},   SpaceName{"ub", MemorySpace::Ub},
    SpaceName{"bias", MemorySpace::Bias}, SpaceName{"smem", MemorySpace::Smem},
    SpaceName{"tmem", MemorySpace::Tmem}, SpaceName{"registers", MemorySpace::Registers},
};

constexpr const char* kHint =
    "behind '|' stand an element type, a shape, a memory and values of names: | f16 [8, 64] in smem, M=4";

std::string space_names() {
    std::string out;
    for (const SpaceName& s : kSpaces) out += fmt::format("{}{}", out.empty() ? "" : ", ", s.name);
    return out;
}

Status read_space(Cursor& at, Annotation& out) {
    out.space_span = at.here();
    const std::string_view word = at.word();
    if (word.empty()) return at.expected("the name of a memory", space_names());
    for (const SpaceName& s : kSpaces) {
        if (s.name == word) {
            out.space = s.space;
            return ok_status();
        }
    }
    return error_at(out.space_span, "TXT_SPACE", fmt::format("there is no memory '{}'", word),
                    "known: " + space_names());
}

/// [8, 64], (8, 64) or [rows=8, cols=64]
Status read_shape(Cursor& at, Annotation& out) {
    const std::size_t begin = at.position();
    const bool square = at.accept("[");
    if (!square) at.accept("(");
    const std::string_view close = square ? "]" : ")";
    Shape shape;
    std::vector<std::string> names;
    bool named = false;
    while (!at.accept(close)) {
        if (!shape.empty()) {
            LS_CHECK(at.require(",", fmt::format("',' or '{}'", close)));
            if (at.accept(close)) break;
        }
        const std::string_view word = at.word();
        if (!word.empty()) {
            LS_CHECK(at.require("=", "'=' and an extent"));
            named = true;
        }
        const Span place = at.here();
        LS_TRY(const auto extent, at.signed_number());
        if (!extent) return at.expected("an extent", kHint);
        if (*extent < 1)
            return error_at(place, "LAYOUT_EXTENT", fmt::format("an extent is {}, but must be at least 1", *extent));
        shape.push_back(*extent);
        names.emplace_back(word);
    }
    out.shape_span = at.since(begin);
    if (shape.empty()) return error_at(out.shape_span, "TXT_EXPECTED", "the shape has no extents", kHint);
    out.shape = std::move(shape);
    if (named) out.dim_names = std::move(names);
    return ok_status();
}

/// @0=laneid
Status read_axis(Cursor& at, Annotation& out) {
    const Span place = at.here();
    LS_TRY(const auto index, at.number());
    if (!index) return at.expected("the number of a basis stride", "for example @0=laneid");
    if (*index >= 64) return error_at(place, "TXT_EXPECTED", fmt::format("basis stride {} is beyond 63", *index));
    LS_CHECK(at.require("=", "'=' and the name of an axis"));
    const std::string_view word = at.word();
    if (word.empty()) return at.expected("the name of an axis", "for example @0=laneid");
    while (out.axes.size() <= static_cast<std::size_t>(*index))
        out.axes.push_back(Axis::named(fmt::format("c{}", out.axes.size())));
    out.axes[static_cast<std::size_t>(*index)] = Axis::named(word);
    return ok_status();
}

} // namespace

Result<DType> find_dtype(std::string_view name, Span span) {
    if (const auto found = dtype_from_name(name)) return *found;
    std::string known;
    for (const DTypeInfo& t : all_dtypes()) known += fmt::format("{}{}", known.empty() ? "" : ", ", t.brief);
    const std::string_view close = nearest(name, all_dtypes(), [](const DTypeInfo& t) { return t.brief; });
    return error_at(span, "TXT_DTYPE", fmt::format("there is no element type '{}'", name),
                    (close.empty() ? std::string() : fmt::format("did you mean {}? ", close)) + "known: " + known);
}

Result<Annotation> read_annotation(std::string_view text, std::size_t base) {
    Cursor at(text, base);
    Annotation out;
    while (!at.at_end()) {
        if (at.accept(",")) continue;
        if (at.accept("@")) {
            LS_CHECK(read_axis(at, out));
            continue;
        }
        if (at.accept("in")) {
            LS_CHECK(read_space(at, out));
            continue;
        }
        if (at.peek() == '[' || at.peek() == '(') {
            LS_CHECK(read_shape(at, out));
            continue;
        }
        const Span place = at.here();
        const std::string_view word = at.word();
        if (word.empty()) return at.expected("an element type, a shape or NAME=value", kHint);
        if (at.accept("=")) {
            LS_TRY(const auto value, at.signed_number());
            if (!value) return at.expected(fmt::format("the value of {}", word), kHint);
            out.values.insert_or_assign(std::string(word), *value);
            continue;
        }
        LS_TRY(out.dtype, find_dtype(word, place));
        out.dtype_span = place;
    }
    return out;
}

std::string print_annotation(const TensorLayout& layout, const TensorLayout& assumed) {
    std::string out;
    if (layout.dtype && layout.dtype != assumed.dtype) out += fmt::format(" {}", info(*layout.dtype).brief);
    const bool named = !layout.dim_names.empty() && layout.dim_names != assumed.dim_names;
    if (layout.shape != assumed.shape || named) {
        std::string extents;
        for (std::size_t d = 0; d < layout.shape.size(); ++d) {
            extents += extents.empty() ? "" : ", ";
            if (named) extents += layout.dim_name(d) + "=";
            extents += std::to_string(layout.shape[d]);
        }
        out += fmt::format(" [{}]", extents);
    }
    if (layout.space != assumed.space) {
        const auto known =
            std::find_if(kSpaces.begin(), kSpaces.end(), [&](const SpaceName& s) { return s.space == layout.space; });
        if (known != kSpaces.end()) out += fmt::format(" in {}", known->name);
    }
    return out.empty() ? out : " |" + out;
}

Result<TensorLayout> annotate(TensorLayout layout, const Annotation& annotation) {
    if (annotation.dtype) {
        if (layout.dtype && layout.dtype != annotation.dtype) {
            return error_at(annotation.dtype_span, "TXT_CONFLICT",
                            fmt::format("the layout itself says {}, the annotation says {}", info(*layout.dtype).brief,
                                        info(*annotation.dtype).brief),
                            "drop one of them");
        }
        layout.dtype = annotation.dtype;
    }
    if (annotation.shape) {
        const CheckedInt have = checked_product(layout.shape);
        const CheckedInt want = checked_product(*annotation.shape);
        if (have != want) {
            return error_at(annotation.shape_span, "TXT_SHAPE_SIZE",
                            fmt::format("the shape [{}] holds {} elements, the layout {}",
                                        fmt::join(*annotation.shape, ", "),
                                        want ? std::to_string(*want) : std::string("too many"),
                                        have ? std::to_string(*have) : std::string("too many")),
                            fmt::format("the layout's own extents are [{}]", fmt::join(layout.shape, ", ")));
        }
        if (layout.shape !=
            *annotation.shape) { // what was known about the old dimensions says nothing about the new ones
            layout.dim_names.clear();
            layout.roles.clear();
        }
        layout.shape = *annotation.shape;
        if (!annotation.dim_names.empty()) layout.dim_names = annotation.dim_names;
    }
    if (annotation.space) layout.space = *annotation.space;
    return layout;
}

} // namespace ls::notation
