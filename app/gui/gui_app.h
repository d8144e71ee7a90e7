// Starts the window: fonts and style, the QML engine with all modules, and the main window with what it was asked to
// show.
#pragma once

#include <memory>

#include <QtCore/QSize>
#include <QtCore/QString>
#include <QtCore/QStringList>

class QQmlApplicationEngine;
class QQuickWindow;

namespace ls::gui {

struct StartOptions {
    QStringList files;
    QString view;       ///< "start", "explore", "passes", "tmem", "ub"; empty: what fits the files
    QString panel;      ///< of the view: "proof", "memory"; empty: the view's own choice
    QString text;       ///< a layout to open
    QString example;    ///< id of an example to open
    QSize size;         ///< invalid: as remembered
    int dark = -1;      ///< 0, 1; −1: as remembered
    double scale = 0;   ///< 0: as remembered
    QString hover;      ///< element to point at: "37, 21"
    QStringList pins;   ///< elements to pin
    bool fresh = false; ///< neither restores nor autosaves (screenshots, tests)
};

/// Before the first window: style, text rendering, names for settings.
void set_up_application();

class GuiApp {
public:
    GuiApp();
    ~GuiApp();
    GuiApp(const GuiApp&) = delete;
    GuiApp& operator=(const GuiApp&) = delete;

    /// False when the window could not be made; the reason was printed.
    bool start(const StartOptions& options);
    QQuickWindow* window() const { return window_; }
    QQmlApplicationEngine& engine() { return *engine_; }
    /// Waits until nothing is being computed or drawn, then takes the picture.
    bool screenshot(const QString& file);

private:
    void open(const StartOptions& options);
    void showPanel();
    QString panel_;
    std::unique_ptr<QQmlApplicationEngine> engine_;
    QQuickWindow* window_ = nullptr;
};

} // namespace ls::gui
