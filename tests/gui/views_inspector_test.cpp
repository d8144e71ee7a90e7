#include <QtGui/QGuiApplication>
#include "tests/gui/views_stage.h"
#include "views/inspector/inspector_panel.h"

namespace {
const QByteArray kPanel = R"(
import QtQuick
import Layoutscope.Views
Window { width: 372; height: 830; visible: true; color: dark ? "#1C2026" : "#FFFFFF"
    property bool dark: false
    InspectorPanel { objectName: "panel"; anchors.fill: parent; dark: parent.Window.window.dark; filterHint: "block == 1 && fractal == 2"; elementsNote: "4096 of 4096 shown"; sortColumn: 2 }
})";
} // namespace

class ViewsInspectorTest : public QObject {
    Q_OBJECT
private slots:
    void looks() {
        stage::Window window(kPanel);
        auto* panel = window.find<ls::views::InspectorPanel>("panel");
        panel->setTable(ls::views::TableHandle(std::make_shared<stage::NzElements>(64, 64)));
        panel->setIters(ls::views::TableHandle(std::make_shared<stage::TextTable>(
            std::vector<ls::scene::TableColumn>{{"axis", false, 5, ""}, {"extent", true, 6, ""}, {"stride", true, 6, ""}, {"bytes", true, 6, ""}, {"meaning", false, 14, ""}},
            std::vector<std::vector<std::string>>{{"r", "4", "256", "512", "fractal row"}, {"r", "16", "16", "32", "line in fractal"}, {"c", "4", "1024", "2048", "column block"}, {"c", "16", "1", "2", "within C0 line"}})));
        using ls::scene::Role;
        panel->setProperties(ls::views::PropertiesHandle(std::vector<ls::scene::PropertyRow>{{"injective", "yes", Role::Fine}, {"covers [0, 4096)", "yes, no holes", Role::Fine}, {"span", "4096 el · 8192 B", Role::Text}, {"contiguous along c", "16 el · 32 B", Role::Text}, {"PTOAS ≤ 0.60", "sees nd: mismatch", Role::Warning}}));
        panel->setHoverCell(ls::scene::Cell{37, 21});
        window.settle(200);
        window.keep("inspector-light");
        window->setProperty("dark", true);
        window.settle(200);
        window.keep("inspector-dark");
    }
};

int main(int argc, char** argv) {
    QGuiApplication app(argc, argv);
    ViewsInspectorTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "views_inspector_test.moc"
