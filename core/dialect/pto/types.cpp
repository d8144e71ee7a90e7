#include "core/dialect/pto/types.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "core/ir/expr.h"

namespace ls::pto {

using namespace ir;

namespace {

constexpr std::string_view kTile = "!pto.tile_buf<";
constexpr std::string_view kPtr = "!pto.ptr<";

std::string_view trim(std::string_view text) {
    const auto blank = [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size() || value < 0) return {};
    return value;
}

std::optional<TileSpace> space_from(std::string_view location_name) {
    constexpr std::array<std::pair<std::string_view, TileSpace>, 8> kSpaces{{{"vec", TileSpace::Vec},
                                                                            {"mat", TileSpace::Mat},
                                                                            {"left", TileSpace::Left},
                                                                            {"right", TileSpace::Right},
                                                                            {"acc", TileSpace::Acc},
                                                                            {"bias", TileSpace::Bias},
                                                                            {"scaling", TileSpace::LeftScale},
                                                                            {"gm", TileSpace::DDR}}};
    const auto found =
        std::find_if(kSpaces.begin(), kSpaces.end(), [&](const auto& one) { return one.first == location_name; });
    return found == kSpaces.end() ? std::nullopt : std::optional(found->second);
}

/// `16x?` → [16, -1]; `valid=` and the rows and columns of the compact spelling.
std::optional<std::vector<std::int64_t>> dims_from(std::string_view text) {
    std::vector<std::int64_t> dims;
    while (true) {
        const std::size_t end = text.find('x');
        const std::string_view one = trim(text.substr(0, end));
        const auto value = one == "?" ? std::optional<std::int64_t>(-1) : whole_number(one);
        if (!value) return {};
        dims.push_back(*value);
        if (end == std::string_view::npos) return dims;
        text.remove_prefix(end + 1);
    }
}

Expr dim_expr(std::int64_t value) { return value < 0 ? symbol("?") : const_int(value); }

/// The fields of a tile type as they come, in whatever order.
class TileFields {
public:
    bool take(std::string_view field) {
        const std::size_t equals = field.find('=');
        if (equals == std::string_view::npos) return compact_field(trim(field));
        const std::string_view key = trim(field.substr(0, equals));
        const std::string_view value = trim(field.substr(equals + 1));
        const auto extent = value == "?" ? std::optional<std::int64_t>(-1) : whole_number(value);
        if (key == "loc") return (space_ = space_from(value)).has_value();
        if (key == "dtype") return (dtype_ = pto_dtype(value)).has_value();
        if (key == "rows") return (rows_ = whole_number(value)).has_value();
        if (key == "cols") return (cols_ = whole_number(value)).has_value();
        if (key == "v_row") return (valid_rows_ = extent).has_value();
        if (key == "v_col") return (valid_cols_ = extent).has_value();
        if (key == "valid") return take_valid(value);
        if (key == "blayout") return (view_.blayout = tile_order_from_name(value)).has_value();
        if (key == "slayout") return (view_.slayout = tile_order_from_name(value)).has_value();
        if (key == "fractal") return (view_.fractal_bytes = whole_number(value)).has_value();
        if (key == "pad") return take_number(value, 3, [this](std::int64_t v) { view_.pad = static_cast<PadValue>(v); });
        if (key == "compact") {
            return take_number(value, 2, [this](std::int64_t v) { view_.compact = static_cast<CompactMode>(v); });
        }
        return false;
    }

    /// Null when something is missing.
    Type finish(Span span) {
        if (!space_ || !dtype_ || !rows_ || !cols_) return {};
        view_.valid_shape = {dim_expr(valid_rows_.value_or(*rows_)), dim_expr(valid_cols_.value_or(*cols_))};
        if (!view_.blayout) view_.blayout = TileOrder::RowMajor;
        if (!view_.slayout) view_.slayout = TileOrder::NoneBox;
        if (!view_.fractal_bytes) view_.fractal_bytes = 512;
        if (!view_.pad) view_.pad = PadValue::Null;
        auto made = std::make_shared<TileTypeNode>();
        made->span = span;
        made->shape = {const_int(*rows_), const_int(*cols_)};
        made->dtype = *dtype_;
        made->space = space_;
        made->view = std::move(view_);
        return seal(std::move(made));
    }

private:
    /// `vec` or `16x128xf32` of the compact spelling.
    bool compact_field(std::string_view field) {
        if (!space_ && (space_ = space_from(field))) return true;
        const std::size_t last = field.rfind('x');
        if (last == std::string_view::npos || rows_) return false;
        const auto dims = dims_from(field.substr(0, last));
        dtype_ = pto_dtype(trim(field.substr(last + 1)));
        if (!dims || dims->size() != 2 || (*dims)[0] < 0 || (*dims)[1] < 0) return false;
        rows_ = (*dims)[0];
        cols_ = (*dims)[1];
        return dtype_.has_value();
    }
    bool take_valid(std::string_view value) {
        const auto dims = dims_from(value);
        if (!dims || dims->size() != 2) return false;
        valid_rows_ = (*dims)[0];
        valid_cols_ = (*dims)[1];
        return true;
    }
    template <class Set>
    static bool take_number(std::string_view value, std::int64_t most, Set set) {
        const auto number = whole_number(value);
        if (!number || *number > most) return false;
        set(*number);
        return true;
    }

    std::optional<TileSpace> space_;
    std::optional<DType> dtype_;
    std::optional<std::int64_t> rows_, cols_, valid_rows_, valid_cols_;
    TileView view_;
};

Type tile_from(std::string_view fields, Span span) {
    TileFields tile;
    while (true) {
        const std::size_t end = fields.find(',');
        if (!tile.take(trim(fields.substr(0, end)))) return {};
        if (end == std::string_view::npos) break;
        fields.remove_prefix(end + 1);
    }
    return tile.finish(span);
}

Type named(std::string text, Span span) {
    auto made = std::make_shared<NamedTypeNode>();
    made->span = span;
    made->name = std::move(text);
    return seal(std::move(made));
}

std::string tile_text(const TileTypeNode& tile) {
    const TileView view = effective_view(tile);
    const auto extent = [](const std::vector<Expr>& dims, std::size_t from_end) {
        if (dims.size() < from_end) return std::string("1");
        const auto value = constant(dims[dims.size() - from_end]);
        return value ? fmt::format("{}", *value) : std::string("?");
    };
    std::string text = fmt::format(
        "{}loc={}, dtype={}, rows={}, cols={}, v_row={}, v_col={}, blayout={}, slayout={}, fractal={}, pad={}", kTile,
        location(tile.space.value_or(TileSpace::Vec)), info(tile.dtype).pto, extent(tile.shape, 2),
        extent(tile.shape, 1), extent(view.valid_shape, 2), extent(view.valid_shape, 1), name(*view.blayout),
        name(*view.slayout), *view.fractal_bytes, static_cast<int>(view.pad.value_or(PadValue::Null)));
    // The usual spelling leaves compact out unless it was said.
    if (tile.view && tile.view->compact) text += fmt::format(", compact={}", static_cast<int>(*tile.view->compact));
    return text + ">";
}

} // namespace

std::optional<DType> pto_dtype(std::string_view text) {
    if (text.empty()) return {};
    for (const DTypeInfo& one : all_dtypes()) {
        if (one.pto == text) return one.type;
    }
    return {};
}

std::string_view location(TileSpace space) {
    switch (space) {
    case TileSpace::DDR: return "gm";
    case TileSpace::Vec: return "vec";
    case TileSpace::Mat: return "mat";
    case TileSpace::Left: return "left";
    case TileSpace::Right: return "right";
    case TileSpace::Acc: return "acc";
    case TileSpace::Bias: return "bias";
    case TileSpace::LeftScale:
    case TileSpace::RightScale: return "scaling";
    case TileSpace::ScalarLocal: break;
    }
    return "scalar";
}

std::string layout_name(TensorOrder order) {
    std::string text(name(order));
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

std::string one_line(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    bool space = false;
    for (const char c : text) {
        if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
            space = true;
            continue;
        }
        const bool closes = c == '>' || c == ')' || c == ']' || c == ',';
        const bool opened = !out.empty() && (out.back() == '<' || out.back() == '(' || out.back() == '[');
        if (space && !out.empty() && !closes && !opened) out += ' ';
        space = false;
        out += c;
    }
    return out;
}

std::optional<ShapedText> shaped_text(std::string_view type, std::string_view kind) {
    if (!type.starts_with("!pto.") || !type.ends_with('>')) return {};
    type.remove_prefix(5);
    if (!type.starts_with(kind) || type.substr(kind.size(), 1) != "<") return {};
    std::string_view inside = type.substr(kind.size() + 1, type.size() - kind.size() - 2);
    ShapedText out;
    while (true) {
        const std::size_t end = inside.find('x');
        const std::string_view one = inside.substr(0, end);
        const auto value = one == "?" ? std::optional<std::int64_t>(-1) : whole_number(one);
        if (!value || end == std::string_view::npos) break;
        out.dims.push_back(*value);
        inside.remove_prefix(end + 1);
    }
    out.element = inside;
    return out.dims.empty() ? std::nullopt : std::optional(out);
}

Type read_type(std::string_view text, Span span) {
    if (text.starts_with(kTile)) {
        if (Type tile = tile_from(text.substr(kTile.size(), text.size() - kTile.size() - 1), span)) return tile;
    } else if (text.starts_with(kPtr)) {
        const auto pointee = pto_dtype(text.substr(kPtr.size(), text.size() - kPtr.size() - 1));
        if (pointee) {
            auto made = std::make_shared<PtrTypeNode>();
            made->span = span;
            made->pointee = pointee;
            return seal(std::move(made));
        }
    } else if (const auto dtype = pto_dtype(text)) {
        return scalar_type(*dtype);
    }
    return named(one_line(text), span);
}

std::string type_text(const TypeNode& type) {
    if (const auto* tile = as<TileTypeNode>(&type)) return tile_text(*tile);
    if (const auto* scalar = as<ScalarTypeNode>(&type)) return std::string(info(scalar->dtype).pto);
    if (const auto* pointer = as<PtrTypeNode>(&type)) {
        return fmt::format("{}{}>", kPtr, pointer->pointee ? info(*pointer->pointee).pto : std::string_view("i8"));
    }
    if (const auto* tensor = as<TensorTypeNode>(&type)) return view_text(*tensor);
    if (const auto* other = as<NamedTypeNode>(&type)) return other->name;
    return "none";
}

std::string view_text(const TensorTypeNode& type) {
    std::string text = "!pto.tensor_view<";
    for (std::size_t i = 0; i < type.shape.size(); ++i) text += "?x";
    return text + fmt::format("{}>", info(type.dtype).pto);
}

std::string partition_text(const TensorTypeNode& type) {
    std::string text = "!pto.partition_tensor_view<";
    for (const Expr& extent : type.shape) {
        const auto value = constant(extent);
        text += value ? fmt::format("{}x", *value) : "?x";
    }
    return text + fmt::format("{}>", info(type.dtype).pto);
}

} // namespace ls::pto
