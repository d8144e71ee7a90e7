#include "app/cli/ub_picture.h"

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "core/session/document.h"
#include "views/paint/paint.h"

namespace ls::cli::ub {

void PictureOptions::add_to(CLI::App& command) {
    const std::string group = "Picture";
    command.add_option("--svg", svg, "Write the picture to this SVG file")->group(group);
    command.add_option("--png", png, "Write the picture to this PNG file")->group(group);
    command.add_option("--theme", theme, "light or dark")->check(CLI::IsMember({"light", "dark"}))->group(group);
    command.add_option("--width", width, "Points")->check(CLI::Range(320.0, 8192.0))->group(group);
    command.add_option("--scale", scale, "PNG: pixels per point")->check(CLI::Range(0.25, 8.0))->group(group);
}

int write_pictures(const scene::Picture& picture, const PictureOptions& options) {
    const scene::Theme& theme =
        scene::Theme::builtin(options.theme == "dark" ? scene::Theme::Kind::Dark : scene::Theme::Kind::Light);
    paint::PaintOptions painting;
    painting.scale = options.scale;
    painting.title = picture.title;
    const auto store = [](const std::string& file, const Result<std::string>& bytes) {
        if (!bytes.ok()) return complain(bytes.error(), {}, kUsage);
        const Status written = session::write_file_atomically(file, *bytes);
        return written.ok() ? kFine : complain(written.error(), {}, kUsage);
    };
    int code = kFine;
    if (!options.svg.empty()) code = store(options.svg, paint::paint_svg(picture, theme, painting));
    if (!options.png.empty() && code == kFine) code = store(options.png, paint::paint_png(picture.list, theme, painting));
    return code;
}

} // namespace ls::cli::ub
