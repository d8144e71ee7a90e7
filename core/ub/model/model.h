// The authoring model of a unified-buffer partition (spec ub 8, "ub-model/1"): platform, parameters, derived values,
// queues and scratch buffers with views, alias groups, live ranges, and the host's budget. Any operator can be written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/diagnostic.h"
#include "core/support/dtype.h"
#include "core/ub/live_range.h"

namespace ls::ub {

/// Where something stands in the model's text; empty for a model built by program.
struct Place {
    std::string pointer;                                 ///< JSON pointer
    Span span;                                           ///< bytes of the value
    bool operator==(const Place&) const { return true; } ///< two models that say the same are the same
};

/// An expression as written. `inner` is true when its text stands verbatim within quotes at place.span.begin + 1.
struct SizeText {
    std::string text;
    Place place;
    bool inner = false;

    SizeText() = default;
    SizeText(std::string written) : text(std::move(written)) {}
    SizeText(const char* written) : text(written) {}
    bool operator==(const SizeText& other) const { return text == other.text; }
};

enum class Position : std::uint8_t { VecIn, VecOut, VecCalc };
std::string_view name(Position position); ///< "VECIN", ...
std::optional<Position> position_from_name(std::string_view text);

/// An element type as models spell it: "fp32", "bf16", "int8".
std::string_view dtype_text(DType type);

enum class AllocKind : std::uint8_t { Queue, TBuf };

/// GetWithOffset<dtype>(elems, off).
struct View {
    std::string name;
    DType dtype = DType::Fp32;
    SizeText elems;
    std::optional<SizeText> off = {};     ///< bytes; none: at the cursor
    std::optional<SizeText> advance = {}; ///< bytes by which the cursor moves; none: the view's own bytes
    std::string alias_group;              ///< views that may share bytes name the same group
    std::optional<std::vector<LiveRange>> live = {};
    Place place;

    bool operator==(const View&) const = default;
};

/// One InitBuffer call.
struct Alloc {
    std::string name;
    AllocKind kind = AllocKind::TBuf;
    Position position = Position::VecCalc;
    std::int64_t depth = 1;  ///< queues: the template argument
    SizeText num = "1";      ///< queues: blocks
    SizeText len;            ///< bytes of a block; unused with `rest`
    bool rest = false;       ///< tbuf: all that the unified buffer has left
    std::vector<View> views; ///< tbuf
    std::optional<std::vector<LiveRange>> live = {};
    Place place;

    bool operator==(const Alloc&) const = default;
};

struct ModelPlatform {
    std::string name;
    std::int64_t ub_bytes = 0;
    std::int64_t reserved_tail_bytes = 0;
    std::int64_t queue_buffers_per_position = 8;

    bool operator==(const ModelPlatform&) const = default;
};

struct Parameter {
    std::string name;
    std::int64_t value = 0;
    Place place;

    bool operator==(const Parameter&) const = default;
};

struct DerivedValue {
    std::string name;
    SizeText value;
    Place place;

    bool operator==(const DerivedValue&) const = default;
};

struct Model {
    ModelPlatform platform;
    std::vector<Parameter> params;
    std::vector<DerivedValue> derived; ///< evaluated in order
    std::vector<std::string> phases;
    std::vector<Alloc> allocs;             ///< in the order of the InitBuffer calls
    std::optional<SizeText> host_tmp = {}; ///< scratch bytes that the host budgets

    bool operator==(const Model&) const = default;

    const Parameter* find_param(std::string_view name) const;
    const Alloc* find_alloc(std::string_view name) const;
};

} // namespace ls::ub
