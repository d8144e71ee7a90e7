#include "core/scene/theme.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/scene/color_lut.h"
#include "core/scene/oklab.h"
#include "core/scene/tokens.h"

namespace ls::scene {
namespace {

using Json = nlohmann::json;

const Json& tokens() {
    static const Json json = Json::parse(tokens_json());
    return json;
}

Rgba hex(const std::string& text) {
    const auto v = static_cast<std::uint32_t>(std::stoul(text.substr(1), nullptr, 16));
    return {static_cast<std::uint8_t>(v >> 16U), static_cast<std::uint8_t>(v >> 8U), static_cast<std::uint8_t>(v), 255};
}

std::vector<Rgba> hexes(const Json& list) {
    std::vector<Rgba> out;
    for (const Json& item : list) out.push_back(hex(item.get<std::string>()));
    return out;
}

/// Categories in their fixed order; a JSON object does not keep it.
std::vector<Rgba> categories(const Json& theme) {
    std::vector<Rgba> out;
    for (const char* name : {"sky", "lime", "mint", "blush", "violet", "gold", "copper", "slate", "ice", "orchid"}) {
        out.push_back(hex(theme.at("categorical").at(name).get<std::string>()));
    }
    return out;
}

double least_distance(const std::vector<Rgba>& colours, std::size_t count, Vision vision) {
    double least = 1e9;
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < i; ++j) least = std::min(least, distance100(colours[i], colours[j], vision));
    }
    return least;
}

double least_step(const std::vector<Rgba>& colours, bool cyclic, Vision vision) {
    double least = 1e9;
    const std::size_t n = colours.size();
    for (std::size_t i = 0; i + (cyclic ? 0 : 1) < n; ++i) {
        least = std::min(least, distance100(colours[i], colours[(i + 1) % n], vision));
    }
    return least;
}

/// Printed with one decimal in the design.
void expect_tenth(double value, double printed, const std::string& what) { EXPECT_NEAR(value, printed, 0.051) << what; }

class ThemeChecked : public testing::TestWithParam<const char*> {
protected:
    const Json& theme() const { return tokens().at("theme").at(GetParam()); }
    const Json& checked() const { return theme().at("checked"); }
    Rgba token(const std::string& name) const { return hex(theme().at("color").at(name).get<std::string>()); }
};

TEST_P(ThemeChecked, TextContrastsAreAsPrinted) {
    for (const auto& [pair, value] : checked().at("text").items()) {
        const auto slash = pair.find('/');
        expect_tenth(contrast(token(pair.substr(0, slash)), token(pair.substr(slash + 1))), value.get<double>(), pair);
        EXPECT_GE(value.get<double>(), 4.5) << pair;
    }
}

TEST_P(ThemeChecked, InkContrastsAreAsPrinted) {
    for (const auto& [name, value] : checked().at("labelInkOnCategorical").items()) {
        expect_tenth(contrast(token("ink"), hex(theme().at("categorical").at(name).get<std::string>())),
                     value.get<double>(), name);
    }
    const Theme& built = Theme::builtin(std::string(GetParam()) == "dark" ? Theme::Kind::Dark : Theme::Kind::Light);
    expect_tenth(contrast(built.color(Role::OnHover), built.color(Role::Hover)),
                 checked().at("inkOnHover").get<double>(), "hover");
    for (const auto& [pair, value] : checked().at("nonText").items()) {
        if (pair == "hoverink/worstCategorical") {
            double worst = 1e9;
            for (Rgba c : categories(theme())) worst = std::min(worst, contrast(token("hoverink"), c));
            expect_tenth(worst, value.get<double>(), pair);
            continue;
        }
        const auto slash = pair.find('/');
        expect_tenth(contrast(token(pair.substr(0, slash)), token(pair.substr(slash + 1))), value.get<double>(), pair);
        EXPECT_GE(value.get<double>(), 3.0) << pair;
    }
}

TEST_P(ThemeChecked, BlackOrWhiteReadsOnEveryStopOfTheMaps) {
    const auto worst = [](const std::vector<Rgba>& colours) {
        double least = 1e9;
        for (Rgba c : colours) least = std::min(least, contrast(best_ink(c), c));
        return least;
    };
    const Json& expected = checked().at("bestOfBlackWhiteOn");
    expect_tenth(worst(hexes(theme().at("sequential"))), expected.at("sequentialMin").get<double>(), "sequential");
    expect_tenth(worst(hexes(theme().at("cyclic"))), expected.at("cyclicMin").get<double>(), "cyclic");
}

TEST_P(ThemeChecked, DistancesAreAsPrintedForEveryVision) {
    const std::map<std::string, Vision> visions{
        {"normal", Vision::Normal}, {"protan", Vision::Protan}, {"deutan", Vision::Deutan}, {"tritan", Vision::Tritan}};
    for (const auto& [name, value] : checked().at("deltaE_OK_x100").items()) {
        const Vision vision = visions.at(name);
        const std::vector<Rgba> all = categories(theme());
        expect_tenth(least_distance(all, 6, vision), value.at("first6").get<double>(), name + " first6");
        expect_tenth(least_distance(all, 10, vision), value.at("all10").get<double>(), name + " all10");
        expect_tenth(least_step(hexes(theme().at("cyclic")), true, vision), value.at("cyclicNeighbours").get<double>(),
                     name + " cyclic");
        expect_tenth(least_step(hexes(theme().at("sequential")), false, vision),
                     value.at("sequentialSteps").get<double>(), name + " sequential");
    }
}

INSTANTIATE_TEST_SUITE_P(Both, ThemeChecked, testing::Values("light", "dark"));

TEST(Theme, RolesAndFullCategoriesAreTheTokens) {
    const Theme& light = Theme::builtin(Theme::Kind::Light);
    EXPECT_EQ(light.color(Role::Panel), (Rgba{255, 255, 255, 255}));
    EXPECT_EQ(light.color(Role::Hover), (Rgba{0xFF, 0xC6, 0x40, 255}));
    EXPECT_EQ(light.color(ColorKey::category(1)), (Rgba{0xED, 0xFA, 0xA3, 255}));
    EXPECT_EQ(light.color(ColorKey::category(11)), light.color(ColorKey::category(1)));
    EXPECT_EQ(light.color(ColorKey::category_strong(0)), (Rgba{0x29, 0x5C, 0xA5, 255}));
    EXPECT_EQ(light.color(Role::None).a, 0);
    EXPECT_EQ(Theme::builtin(Theme::Kind::Dark).color(Role::Canvas), (Rgba{0x14, 0x17, 0x1B, 255}));
    EXPECT_EQ(light.color(Role::Shadow), (Rgba{20, 28, 40, 26}));
}

TEST(Theme, RanksMixTowardsTheCanvasAndRepeatEveryFour) {
    const Theme& light = Theme::builtin(Theme::Kind::Light);
    const Rgba sky = light.color(ColorKey::category(0)), canvas = light.color(Role::Canvas);
    const double shares[] = {0.88, 0.66, 0.46, 0.28};
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
        EXPECT_EQ(light.color(ColorKey::category(0, rank)), mix_oklab(sky, canvas, shares[rank]));
        EXPECT_EQ(light.color(ColorKey::category(0, rank + 4)), light.color(ColorKey::category(0, rank)));
        EXPECT_EQ(light.color(ColorKey::category(0, rank + 252)), light.color(ColorKey::category(0, rank)));
    }
    EXPECT_EQ(light.color(ColorKey::category(2).dimmed()), mix_oklab(light.color(ColorKey::category(2)), canvas, 0.48));
}

TEST(Theme, RampMeetsItsStopsAndCyclesRepeat) {
    for (const Theme::Kind kind : {Theme::Kind::Light, Theme::Kind::Dark}) {
        const Theme& theme = Theme::builtin(kind);
        const auto stops = hexes(tokens()["theme"][kind == Theme::Kind::Dark ? "dark" : "light"]["sequential"]);
        EXPECT_EQ(theme.color(ColorKey::sequential(0)), stops.front());
        EXPECT_EQ(theme.color(ColorKey::sequential(1)), stops.back());
        for (std::size_t i = 0; i < stops.size(); ++i) {
            EXPECT_LT(distance100(theme.color(ColorKey::sequential(static_cast<double>(i) / 8)), stops[i]), 0.6) << i;
        }
        EXPECT_EQ(theme.color(ColorKey::cyclic(9)), theme.color(ColorKey::cyclic(1)));
        for (int i = 0; i <= 100; ++i) {
            const ColorKey key = ColorKey::sequential(i / 100.0);
            EXPECT_EQ(theme.color(ColorKey::ink_on(key)), best_ink(theme.color(key)));
            EXPECT_EQ(theme.color(ColorKey::ink_on(key.dimmed())), best_ink(theme.color(key.dimmed())));
        }
    }
}

TEST(Theme, EveryBitPatternResolves) {
    const Theme& theme = Theme::builtin(Theme::Kind::Light);
    const ColorLut lut(theme);
    for (std::uint32_t i = 0; i < 200000; ++i) {
        const ColorKey key{i * 2654435761U};
        ASSERT_LT(Theme::slot(key), theme.table().size());
        ASSERT_EQ(lut.color(key).a, 255);
    }
}

TEST(Theme, RefusesTokensNamingWhatIsWrong) {
    const auto without = [](const char* section, const char* name) {
        Json json = tokens();
        json["theme"]["light"][section].erase(name);
        return Theme::from_tokens(json.dump(), Theme::Kind::Light);
    };
    const auto missing = without("color", "ink");
    ASSERT_FALSE(missing.ok());
    EXPECT_EQ(missing.error().code, "THEME_TOKENS");
    EXPECT_EQ(missing.error().message, "token theme.light.color.ink is missing");
    EXPECT_FALSE(without("categorical", "mint").ok());

    Json json = tokens();
    json["theme"]["light"]["color"]["panel"] = "#12345";
    const auto wrong = Theme::from_tokens(json.dump(), Theme::Kind::Light);
    ASSERT_FALSE(wrong.ok());
    EXPECT_NE(wrong.error().message.find("'#12345'"), std::string::npos);
    EXPECT_TRUE(Theme::from_tokens(json.dump(), Theme::Kind::Dark).ok());
    json["theme"]["light"]["sequential"] = Json::array();
    EXPECT_FALSE(Theme::from_tokens(json.dump(), Theme::Kind::Light).ok());
    EXPECT_FALSE(Theme::from_tokens("{", Theme::Kind::Light).ok());
    EXPECT_FALSE(Theme::from_tokens("[]", Theme::Kind::Light).ok());
}

TEST(ColorLut, MeanOfOneColourIsThatColour) {
    const Theme& theme = Theme::builtin(Theme::Kind::Dark);
    const ColorLut lut(theme);
    for (std::uint32_t n = 1; n <= ColorLut::kMaxSamples; ++n) {
        for (std::uint32_t c = 0; c < Theme::kCategories; ++c) {
            const ColorKey key = ColorKey::category(c, n);
            std::uint64_t sum = 0;
            for (std::uint32_t i = 0; i < n; ++i) lut.accumulate({&key, 1}, &sum);
            Rgba out;
            lut.average({&sum, 1}, &out);
            EXPECT_EQ(out, lut.color(key)) << n << " of category " << c;
            EXPECT_EQ(ColorLut::count(sum), n);
        }
    }
}

TEST(ColorLut, MeansAreTakenInLinearLight) {
    const ColorLut lut(Theme::builtin(Theme::Kind::Light));
    const ColorKey keys[] = {ColorKey::role(Role::Panel), ColorKey::role(Role::Ink)};
    std::uint64_t sum = 0;
    for (const ColorKey& key : keys) lut.accumulate({&key, 1}, &sum);
    Rgba out;
    lut.average({&sum, 1}, &out);
    const LinearRgb white = to_linear(lut.color(keys[0])), ink = to_linear(lut.color(keys[1]));
    const Rgba expected = to_rgba({(white.r + ink.r) / 2, (white.g + ink.g) / 2, (white.b + ink.b) / 2});
    EXPECT_NEAR(out.r, expected.r, 1);
    EXPECT_NEAR(out.g, expected.g, 1);
    EXPECT_NEAR(out.b, expected.b, 1);
    EXPECT_GT(out.r, (255 + 0x17) / 2 + 20) << "not the mean of the codes";
}

} // namespace
} // namespace ls::scene
