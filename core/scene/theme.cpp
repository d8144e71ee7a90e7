#include "core/scene/theme.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/scene/oklab.h"
#include "core/scene/tokens.h"

namespace ls::scene {

namespace {

using Json = nlohmann::json;

struct RoleToken {
    Role role;
    const char* token;
};

// Roles named otherwise than their token say what they stand for. Plates are the ink itself, written on with the panel.
constexpr RoleToken kRoleTokens[] = {
    {Role::Window, "window"},     {Role::Panel, "panel"},         {Role::Raised, "raised"},
    {Role::Sunken, "sunken"},     {Role::Canvas, "canvas"},       {Role::Line, "line"},
    {Role::Line2, "line2"},       {Role::Field, "field"},         {Role::Text, "text"},
    {Role::Text2, "text2"},       {Role::Text3, "text3"},         {Role::Ink, "ink"},
    {Role::Accent, "accent"},     {Role::AccentTint, "accentbg"}, {Role::OnAccent, "onaccent"},
    {Role::Hover, "hover"},       {Role::HoverEdge, "hoverink"},  {Role::Selected, "accent"},
    {Role::Pinned, "pin"},        {Role::Finding, "find"},        {Role::FindingTint, "findbg"},
    {Role::Warning, "warn"},      {Role::WarningTint, "warnbg"},  {Role::Fine, "ok"},
    {Role::FineTint, "okbg"},     {Role::Unused, "line2"},        {Role::DiffAdd, "add"},
    {Role::DiffAddWord, "addw"},  {Role::DiffDel, "del"},         {Role::DiffDelWord, "delw"},
    {Role::Plate, "ink"},         {Role::OnPlate, "panel"},       {Role::SyntaxKeyword, "kw"},
    {Role::SyntaxType, "kw"},     {Role::SyntaxNumber, "num"},    {Role::SyntaxString, "str"},
    {Role::SyntaxComment, "com"}, {Role::SyntaxCall, "fn"},       {Role::Grid, "grid"},
    {Role::Shadow, "shadow"},
};

constexpr const char* kCategoryNames[Theme::kCategories] = {"sky",  "lime",   "mint",  "blush", "violet",
                                                            "gold", "copper", "slate", "ice",   "orchid"};

Diagnostic bad(const std::string& where, const std::string& what) {
    return error("THEME_TOKENS", fmt::format("token {} {}", where, what),
                 "restore it from resources/themes/tokens.json");
}

/// "#RRGGBB" or "rgba(r,g,b,a)" with a in 0..1.
std::optional<Rgba> parse_color(const std::string& text) {
    if (text.size() == 7 && text[0] == '#') {
        std::uint32_t v = 0;
        const auto [end, ec] = std::from_chars(text.data() + 1, text.data() + 7, v, 16);
        if (ec != std::errc{} || end != text.data() + 7) return {};
        return Rgba{static_cast<std::uint8_t>(v >> 16U), static_cast<std::uint8_t>(v >> 8U),
                    static_cast<std::uint8_t>(v), 255};
    }
    if (text.starts_with("rgba(") && text.back() == ')') {
        double part[4] = {0, 0, 0, 0};
        const char* at = text.c_str() + 5;
        for (int i = 0; i < 4; ++i) {
            char* end = nullptr;
            part[i] = std::strtod(at, &end);
            if (end == at || *end != (i < 3 ? ',' : ')')) return {};
            at = end + 1;
        }
        const auto byte = [](double v) {
            return static_cast<std::uint8_t>(std::lround(std::min(std::max(v, 0.0), 255.0)));
        };
        return Rgba{byte(part[0]), byte(part[1]), byte(part[2]), byte(part[3] * 255)};
    }
    return {};
}

Result<Rgba> color_at(const Json& object, const std::string& where, const char* name) {
    const std::string path = where + "." + name;
    if (!object.is_object() || !object.contains(name)) return bad(path, "is missing");
    if (!object.at(name).is_string()) return bad(path, "is not a string");
    const auto& text = object.at(name).get_ref<const std::string&>();
    if (auto c = parse_color(text)) return *c;
    return bad(path, fmt::format("is '{}', which is neither #RRGGBB nor rgba(r,g,b,a)", text));
}

Result<std::vector<Rgba>> color_list(const Json& theme, const std::string& where, const char* name, std::size_t count) {
    const std::string path = where + "." + name;
    if (!theme.contains(name) || !theme.at(name).is_array()) return bad(path, "is no list");
    std::vector<Rgba> out;
    for (const Json& item : theme.at(name)) {
        const auto c = item.is_string() ? parse_color(item.get<std::string>()) : std::nullopt;
        if (!c) return bad(path, fmt::format("has a bad colour at position {}", out.size()));
        out.push_back(*c);
    }
    if (out.size() != count) return bad(path, fmt::format("has {} colours, needs {}", out.size(), count));
    return out;
}

Rgba along(const std::vector<Rgba>& stops, double t) {
    const double at = t * static_cast<double>(stops.size() - 1);
    const auto i = std::min(static_cast<std::size_t>(at), stops.size() - 2);
    return mix_oklab(stops[i + 1], stops[i], at - static_cast<double>(i));
}

} // namespace

Result<Theme> Theme::from_tokens(std::string_view json, Kind kind) {
    const Json root = Json::parse(json, nullptr, false);
    if (root.is_discarded())
        return error("THEME_TOKENS", "the tokens file is no JSON", "restore resources/themes/tokens.json");
    const char* name = kind == Kind::Dark ? "dark" : "light";
    const std::string where = fmt::format("theme.{}", name);
    if (!root.is_object() || !root.contains("theme") || !root["theme"].is_object() || !root["theme"].contains(name) ||
        !root["theme"][name].is_object()) {
        return bad(where, "is missing");
    }
    const Json& source = root["theme"][name];
    const Json empty = Json::object();
    const auto child = [&](const char* key) -> const Json& { return source.contains(key) ? source.at(key) : empty; };

    Theme theme;
    theme.kind_ = kind;
    theme.table_.assign(kSlots, Rgba{0, 0, 0, 0});
    LS_TRY(const Rgba canvas, color_at(child("color"), where + ".color", "canvas"));

    double dim_share = 0.48;
    if (source.contains("dimMix")) {
        if (!source["dimMix"].is_number()) return bad(where + ".dimMix", "is no number");
        dim_share = source["dimMix"].get<double>();
    }
    std::array<double, 4> shade{};
    if (!source.contains("fractalMix") || !source["fractalMix"].is_array() ||
        source["fractalMix"].size() != shade.size()) {
        return bad(where + ".fractalMix", "is no list of 4 shares");
    }
    for (std::size_t i = 0; i < shade.size(); ++i) {
        if (!source["fractalMix"][i].is_number()) return bad(where + ".fractalMix", "is no list of 4 shares");
        shade[i] = source["fractalMix"][i].get<double>();
    }

    const auto set = [&](std::uint32_t slot, Rgba c) {
        theme.table_[slot] = c;
        Rgba dimmed = mix_oklab(c, canvas, dim_share);
        dimmed.a = c.a;
        theme.table_[slot + 1] = dimmed;
    };
    for (const RoleToken& entry : kRoleTokens) {
        LS_TRY(const Rgba c, color_at(child("color"), where + ".color", entry.token));
        set(2 * static_cast<std::uint32_t>(entry.role), c);
    }
    // Text on hover and on a pin: whichever of ink and panel contrasts more (hover is yellow in both themes).
    const auto ink = theme.color(Role::Ink), panel = theme.color(Role::Panel);
    const auto better = [&](Rgba fill) { return contrast(ink, fill) >= contrast(panel, fill) ? ink : panel; };
    const Rgba on_pin = better(theme.color(Role::Pinned));
    Rgba on_hover = better(theme.color(Role::Hover));
    if (kind == Kind::Dark && root["theme"].contains("light") && root["theme"]["light"].contains("color")) {
        LS_TRY(on_hover, color_at(root["theme"]["light"]["color"], "theme.light.color", "ink"));
    }
    set(2 * static_cast<std::uint32_t>(Role::OnHover), on_hover);
    set(2 * static_cast<std::uint32_t>(Role::OnPin), on_pin);

    const auto fill_categories = [&](const char* key, std::uint32_t at) -> Status {
        for (std::uint32_t i = 0; i < kCategories; ++i) {
            LS_TRY(const Rgba c, color_at(child(key), where + "." + key, kCategoryNames[i]));
            set(at + i * 10, c);
            for (std::uint32_t s = 0; s < 4; ++s) set(at + i * 10 + (s + 1) * 2, mix_oklab(c, canvas, shade[s]));
        }
        return ok_status();
    };
    LS_CHECK(fill_categories("categorical", kCategoryAt));
    LS_CHECK(fill_categories("categoricalStrong", kStrongAt));

    LS_TRY(const std::vector<Rgba> ramp, color_list(source, where, "sequential", 9));
    for (std::uint32_t i = 0; i < kRampSteps; ++i) set(kRampAt + 2 * i, along(ramp, i / double(kRampSteps - 1)));
    LS_TRY(const std::vector<Rgba> cyclic, color_list(source, where, "cyclic", kCyclicSteps));
    for (std::uint32_t i = 0; i < kCyclicSteps; ++i) set(kCyclicAt + 2 * i, cyclic[i]);

    for (std::uint32_t i = 0; i < 2 * kRampSteps; ++i)
        theme.table_[kRampInkAt + i] = best_ink(theme.table_[kRampAt + i]);
    for (std::uint32_t i = 0; i < 2 * kCyclicSteps; ++i)
        theme.table_[kCyclicInkAt + i] = best_ink(theme.table_[kCyclicAt + i]);
    return theme;
}

const Theme& Theme::builtin(Kind kind) {
    const auto build = [](Kind k) {
        Result<Theme> theme = from_tokens(tokens_json(), k);
        // The tokens are part of the program and a test reads them; a program without colours cannot go on.
        if (!theme.ok()) std::abort();
        return std::move(theme).value();
    };
    static const Theme light = build(Kind::Light);
    static const Theme dark = build(Kind::Dark);
    return kind == Kind::Dark ? dark : light;
}

} // namespace ls::scene
