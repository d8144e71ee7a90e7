// layoutscope-gui [FILE...]: the desktop program.
#include <cstdio>
#include <cstdlib>
#include <string>

#include <CLI/CLI.hpp>
#include <QtCore/QSettings>
#include <QtGui/QGuiApplication>

#include "app/gui/gui_app.h"

namespace {

/// Qt ends the program with a page of text when it finds no display; one sentence is better.
bool has_display() {
    const char* platform = std::getenv("QT_QPA_PLATFORM");
    return platform != nullptr || std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
}

QStringList to_list(const std::vector<std::string>& texts) {
    QStringList list;
    for (const std::string& text : texts) list << QString::fromStdString(text);
    return list;
}

} // namespace

int main(int argc, char** argv) {
    CLI::App cli{"Layoutscope: where every element of a tensor really lives", "layoutscope-gui"};
    std::vector<std::string> files, pins;
    std::string screenshot, view, panel, text, example, size, hover;
    bool dark = false, light = false;
    double scale = 0;
    cli.add_option("FILE", files, "Layouts, programs or projects to open");
    cli.add_option("--text", text, "Open this layout text");
    cli.add_option("--example", example, "Open a shipped example by its id");
    cli.add_option("--view", view, "Start in this view")->check(CLI::IsMember({"start", "explore", "passes", "tmem", "ub"}));
    cli.add_option("--panel", panel, "Show this panel of the view: element, proof, fields, product, memory, kernel, ...");
    cli.add_option("--size", size, "Window size, as 1600x1000");
    cli.add_flag("--dark", dark, "Dark theme")->excludes(cli.add_flag("--light", light, "Light theme"));
    cli.add_option("--scale", scale, "Size of text and controls, 1 to 2")->check(CLI::Range(1.0, 2.0));
    cli.add_option("--point-at", hover, "Select this element, offset or address");
    cli.add_option("--pin", pins, "Pin these elements");
    cli.add_option("--screenshot", screenshot, "Write a picture of the window to this PNG file and leave");
    cli.set_version_flag("--version", LS_VERSION);
    try {
        cli.parse(argc, argv);
    } catch (const CLI::Success& help) {
        return cli.exit(help);
    } catch (const CLI::ParseError& problem) {
        cli.exit(problem);
        return 2;
    }

    ls::gui::StartOptions options;
    if (!size.empty()) {
        int width = 0, height = 0;
        if (std::sscanf(size.c_str(), "%dx%d", &width, &height) != 2 || width < 320 || height < 240 || width > 16384 ||
            height > 16384) {
            std::fprintf(stderr, "error[GUI_SIZE] --size \"%s\" is no window size\n  help: write it as 1600x1000\n",
                         size.c_str());
            return 2;
        }
        options.size = QSize(width, height);
    }
    if (!has_display()) {
        if (screenshot.empty()) {
            std::fprintf(stderr, "error[GUI_NO_DISPLAY] there is no display to open a window on\n"
                                 "  help: set DISPLAY or WAYLAND_DISPLAY, or use the command line program: layoutscope "
                                 "show \"nz(64, 64, f16)\"\n");
            return 2;
        }
        setenv("QT_QPA_PLATFORM", "offscreen", 1); // pictures need no display
    }
    ls::gui::set_up_application();
    // Options were read above; Qt takes some of the same names for itself, so it sees the program's name alone.
    int qt_argc = 1;
    QGuiApplication app(qt_argc, argv);
    QGuiApplication::setApplicationVersion(QStringLiteral(LS_VERSION));

    options.files = to_list(files);
    options.view = QString::fromStdString(view);
    options.panel = QString::fromStdString(panel);
    options.text = QString::fromStdString(text);
    options.example = QString::fromStdString(example);
    options.hover = QString::fromStdString(hover);
    options.pins = to_list(pins);
    options.dark = dark ? 1 : light ? 0 : -1;
    options.scale = scale;
    options.fresh = !screenshot.empty();
    if (options.fresh) {
        // A picture must not change what the user's own window remembers.
        QCoreApplication::setApplicationName(QStringLiteral("layoutscope-screenshot"));
        QSettings().clear();
        if (options.dark < 0) options.dark = 0;
        if (options.scale <= 0) options.scale = 1;
        if (!options.size.isValid()) options.size = QSize(1600, 1000);
    }
    ls::gui::GuiApp gui;
    if (!gui.start(options)) {
        std::fprintf(stderr, "error[GUI_START] the window could not be made; the messages above say why\n");
        return 2;
    }
    if (!screenshot.empty()) {
        if (gui.screenshot(QString::fromStdString(screenshot))) return 0;
        std::fprintf(stderr, "error[GUI_SCREENSHOT] %s could not be written\n", screenshot.c_str());
        return 2;
    }
    return QGuiApplication::exec();
}
