#include "app/gui/gui_app.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QElapsedTimer>
#include <QtCore/QFileInfo>
#include <QtCore/QStandardPaths>
#include <QtCore/QThreadPool>
#include <QtCore/QUrl>
#include <QtGui/QGuiApplication>
#include <QtGui/QIcon>
#include <QtQml/QQmlApplicationEngine>
#include <QtQml/QQmlExtensionPlugin>
#include <QtQuick/QQuickItem>
#include <QtQuick/QQuickWindow>
#include <QtQuickControls2/QQuickStyle>

#include "app/models/documents_model.h"
#include "app/models/explorer.h"
#include "app/models/settings.h"
#include "app/models/trace_model.h"

Q_IMPORT_QML_PLUGIN(Layoutscope_UiPlugin)
Q_IMPORT_QML_PLUGIN(Layoutscope_ViewsPlugin)
Q_IMPORT_QML_PLUGIN(Layoutscope_ModelsPlugin)
Q_IMPORT_QML_PLUGIN(Layoutscope_AppPlugin)

namespace ls::gui {

namespace {

template <class T>
T* part(QQuickWindow* window, const char* name) {
    return qvariant_cast<T*>(window->property(name));
}

QString autosave_file() {
    return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + QStringLiteral("/autosave.json");
}

void settle(int milliseconds) {
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < milliseconds) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
}

} // namespace

void set_up_application() {
    QCoreApplication::setOrganizationName(QStringLiteral("layoutscope"));
    QCoreApplication::setApplicationName(QStringLiteral("layoutscope"));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Layoutscope"));
    QGuiApplication::setDesktopFileName(QStringLiteral("layoutscope"));
    QQuickStyle::setStyle(QStringLiteral("Fusion"));
    // Text as the desktop draws it: distance fields blur at the sizes used here.
    QQuickWindow::setTextRenderType(QQuickWindow::NativeTextRendering);
}

GuiApp::GuiApp() : engine_(std::make_unique<QQmlApplicationEngine>()) {
    engine_->addImportPath(QStringLiteral(":/qt/qml"));
}
GuiApp::~GuiApp() = default;

bool GuiApp::start(const StartOptions& options) {
    engine_->load(QUrl(QStringLiteral("qrc:/qt/qml/Layoutscope/App/Main.qml")));
    window_ =
        engine_->rootObjects().isEmpty() ? nullptr : qobject_cast<QQuickWindow*>(engine_->rootObjects().constFirst());
    if (!window_) return false;

    auto* settings = part<models::Settings>(window_, "settings");
    if (options.dark >= 0) settings->setDark(options.dark == 1);
    if (options.scale > 0) settings->setScale(options.scale);
    if (options.size.isValid()) {
        window_->resize(options.size);
    } else if (const QRect geometry = settings->geometry(); geometry.isValid()) {
        window_->setGeometry(geometry);
    }
    open(options);
    if (settings->maximized() && !options.size.isValid())
        window_->showMaximized();
    else
        window_->show();
    return true;
}

void GuiApp::open(const StartOptions& options) {
    auto* documents = part<models::DocumentsModel>(window_, "documents");
    auto* explorer = part<models::Explorer>(window_, "explorer");
    if (!options.fresh) {
        documents->setAutosaveFile(autosave_file());
        documents->restore();
    }
    for (const QString& file : options.files)
        documents->openFile(QUrl::fromLocalFile(QFileInfo(file).absoluteFilePath()));
    if (!options.text.isEmpty()) documents->openText(QStringLiteral("layout"), options.text, options.text);
    if (!options.example.isEmpty()) {
        auto* examples = qvariant_cast<QAbstractItemModel*>(window_->property("examples"));
        const auto found =
            examples ? examples->match(examples->index(0, 0), Qt::UserRole + 1, options.example, 1, Qt::MatchExactly)
                     : QModelIndexList();
        if (!found.isEmpty()) QMetaObject::invokeMethod(window_, "openExample", Q_ARG(int, found.first().row()));
    }
    if (!options.view.isEmpty()) QMetaObject::invokeMethod(window_, "goTo", Q_ARG(QString, options.view));
    panel_ = options.panel;
    showPanel();
    for (const QString& pin : options.pins) explorer->pinPlace(pin);
    if (!options.hover.isEmpty()) explorer->find(options.hover);
}

void GuiApp::showPanel() {
    if (!panel_.isEmpty()) QMetaObject::invokeMethod(window_, "showPanel", Q_ARG(QString, panel_));
}

bool GuiApp::screenshot(const QString& file) {
    part<models::TraceModel>(window_, "trace")->finish();
    showPanel(); // what was traced may have brought another to the front
    settle(700);
    QThreadPool::globalInstance()->waitForDone();
    settle(300);
    const QImage picture = window_->grabWindow();
    return !picture.isNull() && picture.save(file);
}

} // namespace ls::gui
