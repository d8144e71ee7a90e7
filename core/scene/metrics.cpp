#include "core/scene/metrics.h"

#include <cstdlib>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/scene/tokens.h"

namespace ls::scene {

namespace {

using Json = nlohmann::json;

/// Reads numbers at JSON pointers and remembers the first that is missing, so that callers need not check each.
class Reader {
public:
    explicit Reader(const Json& root) : root_(root) {}

    double number(const std::string& pointer) {
        const Json* value = find(pointer);
        if (value == nullptr || !value->is_number()) return fail(pointer), 0.0;
        return value->get<double>();
    }

    std::vector<LineStep> steps(const std::string& pointer) {
        std::vector<LineStep> out;
        const Json* list = find(pointer);
        if (list == nullptr || !list->is_array() || list->empty()) return fail(pointer), out;
        for (std::size_t i = 0; i < list->size(); ++i) {
            const std::string at = fmt::format("{}/{}", pointer, i);
            LineStep step{number(at + "/fromPx"), number(at + "/w"), 1};
            if ((*list)[i].contains("alpha")) step.alpha = number(at + "/alpha");
            out.push_back(step);
        }
        return out;
    }

    const std::string& missing() const { return missing_; }

private:
    const Json* find(const std::string& pointer) const {
        const Json::json_pointer p(pointer);
        return root_.contains(p) ? &root_.at(p) : nullptr;
    }
    void fail(const std::string& pointer) {
        if (missing_.empty()) missing_ = pointer;
    }

    const Json& root_;
    std::string missing_;
};

} // namespace

Result<Metrics> Metrics::from_tokens(std::string_view json) {
    const Json root = Json::parse(json, nullptr, false);
    if (root.is_discarded())
        return error("THEME_TOKENS", "the tokens file is no JSON", "restore resources/themes/tokens.json");
    Reader read(root);
    Metrics m;
    m.zoom_min = read.number("/zoom/min");
    m.zoom_max = read.number("/zoom/max");
    m.texture_below = read.number("/zoom/textureBelow");
    m.block_labels = read.number("/zoom/blockLabels");
    m.corner_labels = read.number("/zoom/cornerLabels");
    m.one_label = read.number("/zoom/oneLabel");
    m.three_labels = read.number("/zoom/threeLabels");
    m.label_pad = read.number("/zoom/labelPad");

    const double run_width = read.number("/line/c0Line/w");
    m.run = {{m.block_labels, run_width, read.number("/line/c0Line/alpha/6")},
             {m.corner_labels, run_width, read.number("/line/c0Line/alpha/12")},
             {m.one_label, 2 * run_width, read.number("/line/c0Line/alpha/12")}};
    m.element = {{read.number("/line/elementGrid/fromPx"), read.number("/line/elementGrid/w"),
                  read.number("/line/elementGrid/alpha")}};
    m.tile = read.steps("/line/fractal");
    m.block = read.steps("/line/columnBlock");

    m.hover = read.number("/line/hover");
    m.hover_halo = read.number("/line/hoverHalo");
    m.pin = read.number("/line/pin");
    m.finding = read.number("/line/finding");
    m.selected = read.number("/line/selected");
    m.window = read.number("/line/window");
    m.link = read.number("/line/link");
    m.guide = read.number("/line/guide/w");
    m.guide_dash = {read.number("/line/guide/dash/0"), read.number("/line/guide/dash/1")};
    m.unvisited_dash = {read.number("/line/unvisited/dash/0"), read.number("/line/unvisited/dash/1")};

    m.canvas_pad = read.number("/space/canvasPad");
    m.micro = read.number("/type/micro/0");
    m.small = read.number("/type/small/0");
    m.body = read.number("/type/body/0");
    m.title = read.number("/type/title/0");
    if (!read.missing().empty()) {
        return error("THEME_TOKENS", fmt::format("token {} is missing or no number", read.missing()),
                     "restore it from resources/themes/tokens.json");
    }
    return m;
}

const Metrics& Metrics::builtin() {
    static const Metrics metrics = [] {
        Result<Metrics> read = from_tokens(tokens_json());
        // The tokens are part of the program and a test reads them.
        if (!read.ok()) std::abort();
        return std::move(read).value();
    }();
    return metrics;
}

} // namespace ls::scene
