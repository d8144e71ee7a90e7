// Tables and the inspector: Dear ImGui inside Qt Quick. Pointer, keys, typing, clipboard, focus, idleness, large
// tables.
#include <QtGui/QAccessible>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>

#include <algorithm>
#include <vector>

#include "core/scene/theme.h"
#include "tests/gui/views_stage.h"
#include "views/inspector/inspector_panel.h"

using ls::scene::Cell;
using ls::scene::Role;
using ls::views::GridCell;
using ls::views::InspectorPanel;
using ls::views::TableHandle;
using ls::views::TablePanel;

namespace {

const QByteArray kInspector = R"(
import QtQuick
import Layoutscope.Views
Window {
    width: 372; height: 830; visible: true; color: dark ? "#1C2026" : "#FFFFFF"
    property bool dark: false
    property int shortcuts: 0
    Shortcut { sequence: "F"; onActivated: shortcuts++ }
    Item {
        anchors.fill: parent
        InspectorPanel {
            objectName: "panel"; y: 30; width: 372; height: 800; dark: Window.window.dark; focus: true
            filterHint: "block == 1"; elementsNote: "4096 of 4096 shown"; sortColumn: 2
        }
        Item { objectName: "other"; width: 372; height: 30; activeFocusOnTab: true }
    }
}
)";

const QByteArray kTable = R"(
import QtQuick
import Layoutscope.Views
Window {
    width: 1280; height: 800; visible: true
    TablePanel { objectName: "table"; anchors.fill: parent }
}
)";

// Points of the picture: the elements' rows begin below two sections, a title, a field and a header.
constexpr double kRow = 21, kHeader = 22;
constexpr double kItersHeight = kHeader + 4 * kRow, kPropertiesHeight = 28 + 8 + 5 * 22;
constexpr double kElementsTop = kItersHeight + 8 + kPropertiesHeight;
constexpr double kFilterMiddle = kElementsTop + 28 + 6 + 13;
constexpr double kRowsTop = kElementsTop + 28 + 38 + kHeader;

QRgb rgb(Role role, bool dark = false) {
    const ls::scene::Rgba c =
        ls::scene::Theme::builtin(dark ? ls::scene::Theme::Kind::Dark : ls::scene::Theme::Kind::Light).color(role);
    return qRgb(c.r, c.g, c.b);
}

TableHandle iters() {
    return TableHandle(std::make_shared<stage::TextTable>(
        std::vector<ls::scene::TableColumn>{{"axis", false, 4, ""},
                                            {"extent", true, 4, ""},
                                            {"stride", true, 5, ""},
                                            {"bytes", true, 5, ""},
                                            {"meaning", false, 8, ""}},
        std::vector<std::vector<std::string>>{{"r", "4", "256", "512", "fractal row"},
                                              {"r", "16", "16", "32", "line in fractal"},
                                              {"c", "4", "1024", "2048", "column block"},
                                              {"c", "16", "1", "2", "within C0 line"}}));
}

ls::views::PropertiesHandle properties() {
    return ls::views::PropertiesHandle(
        std::vector<ls::scene::PropertyRow>{{"injective", "yes", Role::Fine},
                                            {"covers [0, 4096)", "yes, no holes", Role::Fine},
                                            {"span", "4096 el · 8192 B", Role::Text},
                                            {"contiguous along c", "16 el · 32 B", Role::Text},
                                            {"PTOAS ≤ 0.60", "sees nd: mismatch", Role::Warning}});
}

} // namespace

class ViewsInspectorTest : public QObject {
    Q_OBJECT
    std::unique_ptr<stage::Window> window_;
    InspectorPanel* panel_ = nullptr;

    QPointF row(int n) const { return {120, kRowsTop + kRow * n + kRow / 2}; }
    QRgb pixel(QQuickItem* item, QPointF at) {
        return window_->shot().pixel(window_->at(item, at) * (*window_)->effectiveDevicePixelRatio());
    }
    void type_filter(const char* text) {
        window_->click(panel_, {150, kFilterMiddle});
        QTRY_VERIFY(panel_->textInput());
        window_->type(text);
    }

private slots:
    void init() {
        window_ = std::make_unique<stage::Window>(kInspector);
        panel_ = window_->find<InspectorPanel>("panel");
        panel_->setIters(iters());
        panel_->setProperties(properties());
        panel_->setTable(TableHandle(std::make_shared<stage::NzElements>(64, 64)));
        window_->move(panel_, {180, kElementsTop + 14});
        QTRY_VERIFY(panel_->visibleRows() > 5);
        window_->settle();
    }
    void cleanup() { window_.reset(); }

    void hoveredRowNamesItsCell() {
        QSignalSpy changed(panel_, &TablePanel::hoverCellChanged);
        window_->move(panel_, row(3));
        QTRY_COMPARE(panel_->currentRow(), 3.0);
        QCOMPARE(panel_->hoverCell().cell(), (Cell{0, 3})); // offset 3
        QCOMPARE(panel_->currentText(), QStringLiteral("0  3  3  0x0006  0  0  0  3"));
        QCOMPARE(changed.size(), 1);
        QTRY_COMPARE(pixel(panel_, {4, row(3).y()}), rgb(Role::Hover));
        window_->move(panel_, {180, kElementsTop + 14});
        QTRY_COMPARE(panel_->currentRow(), -1.0);
        QVERIFY(!panel_->hoverCell().valid());
    }

    void hoveredCellLightsItsRowAndBringsItIntoSight() {
        panel_->setHoverCell(GridCell(Cell{37, 21}));
        QTRY_VERIFY(panel_->firstRow() > 1600);
        QVERIFY(panel_->firstRow() <= 1621 && panel_->firstRow() + panel_->visibleRows() > 1621);
        const int at = static_cast<int>(1621 - panel_->firstRow());
        QTRY_COMPARE(pixel(panel_, {4, row(at).y()}), rgb(Role::Hover));
        QCOMPARE(pixel(panel_, {4, row(at + 1).y()}), rgb(Role::Panel));
        panel_->setFollowHover(false);
        panel_->setHoverCell(GridCell(Cell{0, 0}));
        window_->settle();
        QVERIFY(panel_->firstRow() > 1600);
    }

    void clickSelectsARow() {
        QSignalSpy clicked(panel_, &TablePanel::rowClicked), activated(panel_, &TablePanel::rowActivated);
        window_->click(panel_, row(5));
        QTRY_COMPARE(clicked.size(), 1);
        QCOMPARE(clicked[0][0].value<GridCell>().cell(), (Cell{0, 5}));
        QCOMPARE(clicked[0][1].toDouble(), 5.0);
        panel_->setSelectedCells({GridCell(Cell{0, 5})});
        window_->move(panel_, {180, kElementsTop + 14});
        QTRY_COMPARE(pixel(panel_, {0, row(5).y()}), rgb(Role::Accent));
        QTRY_COMPARE(pixel(panel_, {200, row(5).y() - 8}), rgb(Role::AccentTint));
        window_->settle(500);
        QCOMPARE(activated.size(), 0);
        QTest::mouseDClick(window_->get(), Qt::LeftButton, {}, window_->at(panel_, row(6)));
        QTRY_COMPARE(activated.size(), 1);
        QCOMPARE(activated[0][1].toDouble(), 6.0);
    }

    void slowClicksAreNoDoubleClick() {
        QSignalSpy activated(panel_, &TablePanel::rowActivated), clicked(panel_, &TablePanel::rowClicked);
        window_->click(panel_, row(2));
        window_->settle(700);
        window_->click(panel_, row(2));
        QTRY_COMPARE(clicked.size(), 2);
        QCOMPARE(activated.size(), 0);
    }

    void wheelAndScrollBarScroll() {
        window_->wheel(panel_, row(4), -120);
        QTRY_COMPARE(panel_->firstRow(), 3.0);
        for (int i = 0; i < 9; ++i) window_->wheel(panel_, row(4), -120);
        QTRY_COMPARE(panel_->firstRow(), 30.0);
        QTRY_COMPARE(panel_->currentRow(), 34.0); // the pointer means another row now
        window_->wheel(panel_, row(4), 120 * 50);
        QTRY_COMPARE(panel_->firstRow(), 0.0);
        // The handle stands at the top; drag it to the very bottom.
        window_->drag(panel_, {366, kRowsTop + 10}, {366, 799});
        QTRY_COMPARE(panel_->firstRow(), 4096.0 - panel_->visibleRows());
    }

    void headersAskForAnOrder() {
        QSignalSpy sort(panel_, &TablePanel::sortRequested);
        const double y = kRowsTop - kHeader / 2;
        window_->click(panel_, {16, y});
        QTRY_COMPARE(sort.size(), 1);
        QCOMPARE(sort[0], (QVariantList{0, false}));
        // The column that orders already is turned round; "offset" ends left of a third of the panel.
        window_->click(panel_, {88, y});
        QTRY_COMPARE(sort.size(), 2);
        QCOMPARE(sort[1], (QVariantList{2, true}));
        panel_->setSortDescending(true);
        window_->click(panel_, {88, y});
        QTRY_COMPARE(sort.size(), 3);
        QCOMPARE(sort[2], (QVariantList{2, false}));
    }

    void typingFilters() {
        QSignalSpy edited(panel_, &TablePanel::filterEdited);
        type_filter("fractal==2");
        QTRY_COMPARE(panel_->filter(), QStringLiteral("fractal==2"));
        QCOMPARE(edited.size(), 10);
        QCOMPARE(edited.last()[0].toString(), QStringLiteral("fractal==2"));
        QCOMPARE((*window_)->property("shortcuts").toInt(), 0); // F is a shortcut of this window
        window_->key(Qt::Key_Backspace);
        QTRY_COMPARE(panel_->filter(), QStringLiteral("fractal=="));
        window_->key(Qt::Key_A, Qt::ControlModifier);
        window_->key(Qt::Key_C, Qt::ControlModifier);
        QTRY_COMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("fractal=="));
        QGuiApplication::clipboard()->setText(QStringLiteral("line < 3"));
        window_->key(Qt::Key_V, Qt::ControlModifier);
        QTRY_COMPARE(panel_->filter(), QStringLiteral("line < 3"));
        QSignalSpy submitted(panel_, &TablePanel::filterSubmitted);
        window_->key(Qt::Key_Return);
        QTRY_COMPARE(submitted.size(), 1);
        QTRY_VERIFY(!panel_->textInput());
        window_->key(Qt::Key_F);
        QTRY_COMPARE((*window_)->property("shortcuts").toInt(), 1);
    }

    void wrongFilterSaysWhyUnderTheField() {
        panel_->setFilter(QStringLiteral("blok == 1"));
        panel_->setFilterErrorCode(QStringLiteral("FILTER_NAME"));
        panel_->setFilterError(QStringLiteral("There is no column blok; block is near."));
        panel_->setFilterErrorEnd(4);
        window_->settle();
        const QPoint from = window_->at(panel_, {10, kFilterMiddle - 13});
        const int red = window_->count(window_->shot(), QRectF(from, QSizeF(352, 60)), rgb(Role::Finding), 40);
        QVERIFY2(red > 700, qPrintable(QString::number(red))); // the field's edge alone is 2·350 + 2·26
        window_->keep("inspector-error");
        // Rows moved down by the code's line and the message's.
        window_->move(panel_, row(0) + QPointF(0, 16 + 16 + 6));
        QTRY_COMPARE(panel_->currentRow(), 0.0);
    }

    void keysWalkTheRows() {
        panel_->forceActiveFocus(Qt::TabFocusReason);
        window_->key(Qt::Key_Down);
        QTRY_COMPARE(panel_->currentRow(), 0.0);
        window_->key(Qt::Key_Down);
        window_->key(Qt::Key_Down);
        QTRY_COMPARE(panel_->currentRow(), 2.0);
        QCOMPARE(panel_->hoverCell().cell(), (Cell{0, 2}));
        window_->key(Qt::Key_End);
        QTRY_COMPARE(panel_->currentRow(), 4095.0);
        QCOMPARE(panel_->firstRow(), 4096.0 - panel_->visibleRows());
        window_->key(Qt::Key_PageUp);
        QTRY_COMPARE(panel_->currentRow(), 4095.0 - panel_->visibleRows());
        window_->key(Qt::Key_Home);
        QTRY_COMPARE(panel_->currentRow(), 0.0);
        QSignalSpy activated(panel_, &TablePanel::rowActivated);
        window_->key(Qt::Key_Return);
        QTRY_COMPARE(activated.size(), 1);
    }

    void arrowsLeadIntoTheFilterAndOut() {
        panel_->forceActiveFocus(Qt::TabFocusReason);
        window_->key(Qt::Key_Down);
        QTRY_COMPARE(panel_->currentRow(), 0.0);
        window_->key(Qt::Key_Up);
        QTRY_VERIFY(panel_->textInput());
        window_->type("r");
        QTRY_COMPARE(panel_->filter(), QStringLiteral("r"));
        window_->key(Qt::Key_Down);
        QTRY_VERIFY(!panel_->textInput());
        QTRY_COMPARE(panel_->currentRow(), 0.0);
    }

    void titlesSayWhatTheirColumnMeans() {
        window_->move(panel_, {88, kRowsTop - kHeader / 2});
        QTRY_COMPARE(panel_->headerHelp(), QStringLiteral("elements from the base"));
        window_->move(panel_, {104, 5});
        QTRY_COMPARE(panel_->headerHelp(), QString());
    }

    void columnsFollowTheirText() {
        const auto right_edge_of_ink = [&](double from,
                                           double to) { // of the first row, between two columns' right ends
            const QImage shot = window_->shot();
            int last = -1;
            for (int x = static_cast<int>(from); x < to; ++x)
                for (int y = -6; y < 6; ++y)
                    if (stage::distance(shot.pixel(window_->at(panel_, {0, row(0).y()}) + QPoint(x, y)),
                                        rgb(Role::Text)) < 60)
                        last = x;
            return last;
        };
        using Rows = std::vector<std::vector<std::string>>;
        const std::vector<ls::scene::TableColumn> columns{{"a", false, 2, ""}, {"b", true, 2, ""}};
        panel_->setTable(TableHandle(std::make_shared<stage::TextTable>(columns, Rows{{"x", "1"}})));
        window_->settle();
        QVERIFY(right_edge_of_ink(200, 370) > 340); // the last column ends at the right
        const QString long_text = QStringLiteral("a name of thirty characters ok");
        panel_->setTable(
            TableHandle(std::make_shared<stage::TextTable>(columns, Rows{{long_text.toStdString(), "1"}})));
        window_->settle();
        const int end = right_edge_of_ink(0, 300);
        QVERIFY2(end > 12 + 29 * 7.2 && end < 12 + 30 * 7.3, qPrintable(QString::number(end))); // whole, not cut
    }

    void rowsWithoutAnElementAreNotYellow() {
        window_->move(panel_, {60, kHeader + kRow * 1.5});
        window_->settle();
        QCOMPARE(pixel(panel_, {3, kHeader + kRow * 1.5}), rgb(Role::Sunken));
    }

    void rowsAndTablesAreCopied() {
        window_->click(panel_, row(2));
        window_->settle();
        window_->key(Qt::Key_C, Qt::ControlModifier);
        QTRY_COMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("0\t2\t2\t0x0004\t0\t0\t0\t2"));
        window_->key(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(QGuiApplication::clipboard()->text().startsWith(
            QStringLiteral("r,c,offset,byte,block,fractal,line,in line\r\n0,0,0,0x0000,")));
        QCOMPARE(QGuiApplication::clipboard()->text().count(QLatin1Char('\n')), 4097);
        panel_->setTable(TableHandle(std::make_shared<stage::TextTable>(
            std::vector<ls::scene::TableColumn>{{"a,b", false, 4, ""}, {"c", false, 4, ""}},
            std::vector<std::vector<std::string>>{{"say \"no\"", "1"}})));
        QCOMPARE(panel_->csv(10), QStringLiteral("\"a,b\",c\r\n\"say \"\"no\"\"\",1\r\n"));
    }

    void tabLeavesTheField() {
        type_filter("x");
        auto* other = window_->find<QQuickItem>("other");
        window_->key(Qt::Key_Tab);
        QTRY_VERIFY(other->hasActiveFocus());
        QTRY_VERIFY(!panel_->textInput());
        window_->key(Qt::Key_Backtab, Qt::ShiftModifier);
        QTRY_VERIFY(panel_->hasActiveFocus());
        QVERIFY(!panel_->textInput());
        // Where the keyboard is can be seen.
        QTRY_VERIFY(stage::distance(pixel(panel_, {1, kRowsTop + 100}), rgb(Role::Accent)) < 4);
        panel_->focusFilter();
        QTRY_VERIFY(panel_->textInput());
    }

    void idleDrawsNothingAndACaretLittle() {
        window_->move(panel_, row(3));
        window_->settle(300);
        const int built = panel_->frameCount();
        QCOMPARE(window_->frames_during(700), 0);
        QCOMPARE(panel_->frameCount(), built);
        type_filter("a");
        window_->settle(300);
        const int frames = window_->frames_during(2000);
        QVERIFY2(frames >= 1 && frames <= 6, qPrintable(QString::number(frames)));
    }

    void pointerOverNothingNewDrawsNothing() {
        window_->move(panel_, row(3));
        window_->settle(200);
        const int built = panel_->frameCount();
        for (int i = 0; i < 8; ++i) {
            window_->move(panel_, row(3) + QPointF(i, 0));
            window_->settle(20);
        }
        QCOMPARE(panel_->frameCount(), built);
    }

    void hiddenDoesNothing() {
        panel_->setVisible(false);
        const int built = panel_->frameCount();
        panel_->setHoverCell(GridCell(Cell{1, 1}));
        window_->settle();
        QCOMPARE(panel_->frameCount(), built);
        panel_->setVisible(true);
        QTRY_VERIFY(panel_->frameCount() > built);
    }

    void rowsGrowWithTheType() {
        panel_->setItersVisible(false);
        panel_->setPropertiesVisible(false);
        panel_->setDp(1.5);
        window_->settle();
        // The columns need more than there is now: a bar below, which takes a row's room.
        QCOMPARE(panel_->visibleRows(), static_cast<int>((800 / 1.5 - 28 - 38 - kHeader - 12) / kRow));
        window_->move(panel_, QPointF(80, 28 + 38 + kHeader + kRow * 2 + 10) * 1.5);
        QTRY_COMPARE(panel_->currentRow(), 2.0);
        window_->keep("inspector-dp");
        const QImage before = window_->shot();
        window_->wheel(panel_, QPointF(80, 200), -240, Qt::ShiftModifier);
        window_->settle();
        QVERIFY(window_->shot() != before);
        QCOMPARE(panel_->firstRow(), 0.0);
    }

    void sectionsCanBeHidden() {
        panel_->setItersVisible(false);
        panel_->setPropertiesVisible(false);
        window_->settle();
        window_->move(panel_, {120, 28 + 38 + kHeader + kRow * 2 + 10});
        QTRY_COMPARE(panel_->currentRow(), 2.0);
    }

    void screenReadersHearTheRow() {
        window_->move(panel_, row(1));
        QTRY_COMPARE(panel_->currentRow(), 1.0);
        QAccessibleInterface* heard = QAccessible::queryAccessibleInterface(panel_);
        QVERIFY(heard);
        QCOMPARE(heard->text(QAccessible::Name), panel_->currentText());
        QCOMPARE(heard->role(), QAccessible::Table);
    }

    void shortPanelKeepsRoomForTheElements() {
        panel_->setHeight(330);
        window_->settle();
        QVERIFY(panel_->visibleRows() >= 4);
        window_->keep("inspector-short");
    }

    void looks() {
        if (qEnvironmentVariableIsEmpty("LS_SHOTS")) QSKIP("LS_SHOTS names no folder");
        for (const bool dark : {false, true}) {
            (*window_)->setProperty("dark", dark);
            panel_->setHoverCell(GridCell(Cell{37, 21}));
            panel_->setSelectedCells({GridCell(Cell{37, 24})});
            window_->settle(200);
            window_->keep(dark ? QStringLiteral("inspector-dark") : QStringLiteral("inspector-light"));
        }
    }

    /// Prints, does not judge. 10^5 and 1.6·10^7 rows in a full window, scrolled every frame.
    void scrollTimes_data() {
        QTest::addColumn<qint64>("rows");
        QTest::addColumn<qint64>("cols");
        QTest::newRow("100 000 rows") << 1024LL << 98LL;
        QTest::newRow("16 777 216 rows") << 4096LL << 4096LL;
    }
    void scrollTimes() {
        QFETCH(qint64, rows);
        QFETCH(qint64, cols);
        if (qEnvironmentVariableIsSet("LS_NO_TIMES")) QSKIP("LS_NO_TIMES is set");
        window_.reset();
        stage::Window window(kTable);
        auto* table = window.find<TablePanel>("table");
        table->setTable(TableHandle(std::make_shared<stage::NzElements>(rows, cols)));
        QTRY_VERIFY(table->visibleRows() > 20);
        double build = 0, raster = 0;
        const stage::FrameTimes times(window.get(), 48, [&](int step) {
            build = std::max(build, table->buildMs());
            raster = std::max(raster, table->rasterMs());
            window.wheel(table, {400, 300}, step % 2 ? -1200 : -1080);
        });
        QCOMPARE(times.frames(), 48);
        qInfo("table of %lld rows: frame %.1f ms (worst %.1f), processor %.1f ms; at most build %.2f, raster %.1f",
              static_cast<long long>(rows * cols), times.median_ms(), times.worst_ms(), times.cpu_ms(), build, raster);
        table->scrollToRow(static_cast<double>(rows * cols - 1));
        QTRY_COMPARE(table->firstRow(), static_cast<double>(rows * cols - table->visibleRows()));
        window.keep(QStringLiteral("table-%1").arg(rows * cols));
    }
};

int main(int argc, char** argv) {
    QGuiApplication app(argc, argv);
    ViewsInspectorTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "views_inspector_test.moc"
