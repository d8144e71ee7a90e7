// Grids in a window: pointing, keys, camera, pixels, links, and doing nothing while idle.
#include <QtGui/QAccessible>
#include <QtGui/QGuiApplication>

#include <algorithm>
#include <vector>

#include "core/scene/theme.h"
#include "tests/gui/views_stage.h"
#include "views/canvas/camera_motion.h"
#include "views/canvas/grid_canvas.h"
#include "views/canvas/link_overlay.h"

using ls::scene::Cell;
using ls::scene::ColorKey;
using ls::scene::Role;
using ls::views::GridCanvas;
using ls::views::GridCell;
using ls::views::GridWindow;

namespace {

const QByteArray kTwoCanvases = R"(
import QtQuick
import Layoutscope.Views
Window {
    width: 1180; height: 660; visible: true; color: dark ? "#14171B" : "#FAFBFC"
    property bool dark: false
    Item {
        focus: true; anchors.fill: parent
        GridCanvas { id: left; objectName: "left"; width: 586; height: 660; dark: Window.window.dark }
        GridCanvas { id: right; objectName: "right"; x: 587; width: 593; height: 660; dark: left.dark }
        LinkOverlay { objectName: "link"; anchors.fill: parent; from: left; to: right; dark: left.dark }
    }
}
)";

const QByteArray kOneCanvas = R"(
import QtQuick
import Layoutscope.Views
Window {
    width: 1280; height: 800; visible: true; color: "#FAFBFC"
    GridCanvas { objectName: "canvas"; anchors.fill: parent; reduceMotion: true; focus: true }
}
)";

QRgb rgb(ColorKey key, bool dark = false) {
    const ls::scene::Rgba c =
        ls::scene::Theme::builtin(dark ? ls::scene::Theme::Kind::Dark : ls::scene::Theme::Kind::Light).color(key);
    return qRgb(c.r, c.g, c.b);
}

QPointF centre(const GridCanvas* canvas, Cell cell) { return canvas->cellRect(cell).center(); }

} // namespace

class ViewsCanvasTest : public QObject {
    Q_OBJECT
    std::unique_ptr<stage::Window> window_;
    GridCanvas *left_ = nullptr, *right_ = nullptr;

    QRgb pixel(GridCanvas* canvas, QPointF at) {
        return window_->shot().pixel(window_->at(canvas, at) * (*window_)->effectiveDevicePixelRatio());
    }

private slots:
    void init() {
        window_ = std::make_unique<stage::Window>(kTwoCanvases);
        left_ = window_->find<GridCanvas>("left");
        right_ = window_->find<GridCanvas>("right");
        window_->move(left_, {1, 1});
        left_->setScene(stage::nz_logical(64, 64));
        right_->setScene(stage::nz_physical());
        QTRY_VERIFY(left_->zoom() == 8 && right_->zoom() == 8);
        window_->settle();
    }
    void cleanup() { window_.reset(); }

    void hoverFindsTheCellAndItsPlaceInTheOtherPicture() {
        window_->move(left_, centre(left_, {37, 21}));
        QTRY_COMPARE(left_->hoverCell().cell(), (Cell{37, 21}));
        QCOMPARE(left_->describe(), QStringLiteral("row 37, column 21, byte 0x0CAA"));
        QCOMPARE(left_->hoverLinks(), QList<GridCell>{GridCell(Cell{25, 21})}); // 1621 = 25·64 + 21
        QCOMPARE(right_->shown_hover(), (Cell{25, 21}));
        QCOMPARE(right_->describe(), QStringLiteral("byte 0x0CAA"));
        QVERIFY(!right_->hoverCell().valid());
        window_->move(right_, centre(right_, {0, 0}));
        QTRY_COMPARE(left_->shown_hover(), (Cell{0, 0}));
        QVERIFY(!left_->hoverCell().valid());
        window_->move(right_, {3, 3}); // beside the cells
        QTRY_VERIFY(!left_->shown_hover().valid() && !right_->shown_hover().valid());
    }

    void cellsHaveTheColoursOfTheTheme() {
        for (const bool dark : {false, true}) {
            (*window_)->setProperty("dark", dark);
            window_->settle();
            // Between the lines that part cells: the middle of a cell, away from labels.
            QCOMPARE(pixel(left_, centre(left_, {10, 3})), rgb(ColorKey::category(0, 0), dark));
            QCOMPARE(pixel(left_, centre(left_, {60, 60})), rgb(ColorKey::category(3, 3), dark));
            QCOMPARE(pixel(right_, centre(right_, {33, 40})), rgb(ColorKey::category(2, 0), dark));
        }
    }

    void hoveredCellIsYellowInBothPictures() {
        window_->move(left_, centre(left_, {37, 21}));
        QTRY_COMPARE(left_->hoverCell().cell(), (Cell{37, 21}));
        window_->settle();
        QCOMPARE(pixel(left_, centre(left_, {37, 21})), rgb(ColorKey::role(Role::Hover)));
        QCOMPARE(pixel(right_, centre(right_, {25, 21})), rgb(ColorKey::role(Role::Hover)));
    }

    void linkIsDrawnAcrossTheGutter() {
        window_->move(left_, centre(left_, {37, 21}));
        QTRY_VERIFY(left_->linkPoint().x() > 0 && right_->linkPoint().x() >= 0);
        window_->settle();
        QCOMPARE(left_->linkPoint().y(), centre(left_, {37, 0}).y());
        const QRgb ink = rgb(ColorKey::role(Role::Ink));
        QVERIFY(stage::distance(pixel(left_, left_->linkPoint()), ink) < 8);
        window_->move(left_, {3, 3});
        QTRY_VERIFY(left_->linkPoint().x() < 0);
    }

    void clicksSelectPinAskAndOpenTheMenu() {
        QSignalSpy clicked(left_, &GridCanvas::cellClicked), asked(left_, &GridCanvas::cellAsked),
            pinned(left_, &GridCanvas::pinRequested), menu(left_, &GridCanvas::contextMenuRequested);
        const QPointF p = centre(left_, {5, 6});
        window_->click(left_, p);
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(clicked[0][0].value<GridCell>().cell(), (Cell{5, 6}));
        window_->settle(500);
        window_->click(left_, p, Qt::AltModifier);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(clicked.size(), 1);
        QTest::mouseDClick(window_->get(), Qt::LeftButton, {}, window_->at(left_, p));
        QCOMPARE(pinned.size(), 1);
        QCOMPARE(pinned[0][0].value<GridCell>().cell(), (Cell{5, 6}));
        QTest::mouseClick(window_->get(), Qt::RightButton, {}, window_->at(left_, p));
        QCOMPARE(menu.size(), 1);
        QCOMPARE(menu[0][0].value<GridCell>().cell(), (Cell{5, 6}));
        window_->key(Qt::Key_P);
        QCOMPARE(pinned.size(), 2);
    }

    void selectionAndPinsAreDrawn() {
        const QRgb before = pixel(left_, left_->cellRect(Cell{40, 40}).topLeft());
        left_->setSelection({GridCell(Cell{40, 40})});
        window_->settle();
        QVERIFY(stage::distance(pixel(left_, left_->cellRect(Cell{40, 40}).topLeft()), before) > 60);
        ls::views::GridPin pin;
        pin.cell = Cell{58, 40};
        pin.number = 3;
        left_->setPins({pin});
        window_->settle();
        const QPoint at = window_->at(left_, centre(left_, {58, 40}));
        const int violet = window_->count(window_->shot(), QRectF(at - QPoint(24, 16), QSizeF(48, 32)),
                                          rgb(ColorKey::role(Role::Pinned)), 10);
        QVERIFY2(violet > 60, qPrintable(QString::number(violet)));
    }

    void dragPansAndKeepsTheCellUnderThePointer() {
        left_->setReduceMotion(true);
        left_->setZoom(32);
        const QPointF from = centre(left_, {30, 30});
        window_->move(left_, from);
        QTRY_COMPARE(left_->hoverCell().cell(), (Cell{30, 30}));
        QSignalSpy clicked(left_, &GridCanvas::cellClicked);
        const auto before = left_->camera().camera();
        window_->drag(left_, from, from + QPointF(64, -96));
        const auto after = left_->camera().camera();
        QCOMPARE(after.origin_col, before.origin_col - 2);
        QCOMPARE(after.origin_row, before.origin_row + 3);
        QCOMPARE(left_->cellAt(from + QPointF(64, -96)).cell(), (Cell{30, 30}));
        QCOMPARE(clicked.size(), 0);
        QVERIFY(!left_->fitted());
    }

    void wheelZoomsAtThePointer() {
        const QPointF p = centre(left_, {20, 44}) + QPointF(2.25, -1.5);
        const auto seen = [&] {
            const auto camera = left_->camera().camera();
            const QPointF corner =
                left_->cellRect(Cell{0, 0}).topLeft() + QPointF(camera.origin_col, camera.origin_row) * camera.zoom;
            return QPointF(camera.origin_col, camera.origin_row) + (p - corner) / camera.zoom;
        };
        const Cell cell = left_->cellAt(p).cell();
        const QPointF before = seen();
        for (int i = 0; i < 6; ++i) window_->wheel(left_, p, 120);
        QVERIFY(std::abs(left_->zoom() - 8 * std::pow(1.2, 6)) < 1e-6);
        QCOMPARE(left_->cellAt(p).cell(), cell);
        QVERIFY((seen() - before).manhattanLength() < 0.1); // device pixels are whole, cells are not
        window_->wheel(left_, p, -120 * 40);
        QTRY_VERIFY(left_->zoom() < 8.001); // never smaller than needed to see it all
    }

    void controlWheelJumpsByEight() {
        left_->setReduceMotion(true);
        window_->wheel(left_, centre(left_, {32, 32}), 120, Qt::ControlModifier);
        QCOMPARE(left_->zoom(), 64.0);
        window_->wheel(left_, centre(left_, {32, 32}), -120, Qt::ControlModifier);
        QCOMPARE(left_->zoom(), 8.0);
    }

    void keysMoveTheCursorByElementRunAndTile() {
        for (int i = 0; i < 10 && !left_->hasActiveFocus(); ++i) window_->key(Qt::Key_Tab);
        QVERIFY(left_->hasActiveFocus());
        window_->move(left_, {3, 3});
        window_->settle();
        window_->key(Qt::Key_Right); // the first key puts the cursor where the picture begins
        QCOMPARE(left_->hoverCell().cell(), (Cell{0, 0}));
        window_->key(Qt::Key_Right);
        window_->key(Qt::Key_Down);
        QCOMPARE(left_->hoverCell().cell(), (Cell{1, 1}));
        window_->key(Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(left_->hoverCell().cell(), (Cell{1, 17}));
        window_->key(Qt::Key_Down, Qt::ControlModifier); // a C0 line is one row high
        QCOMPARE(left_->hoverCell().cell(), (Cell{2, 17}));
        window_->key(Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(left_->hoverCell().cell(), (Cell{18, 17}));
        for (int i = 0; i < 5; ++i) window_->key(Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(left_->hoverCell().cell(), (Cell{63, 17}));
        QCOMPARE(left_->describe(), QStringLiteral("row 63, column 17, byte 0x0FE2"));
        QCOMPARE(right_->shown_hover(), (Cell{31, 49}));
        QSignalSpy clicked(left_, &GridCanvas::cellClicked);
        window_->key(Qt::Key_Return);
        QCOMPARE(clicked.size(), 1);
        // The ring of the keyboard's focus.
        window_->settle();
        QVERIFY(stage::distance(pixel(left_, {2, left_->height() / 2}), rgb(ColorKey::role(Role::Accent))) < 8);
    }

    void cursorPullsTheCameraAlong() {
        left_->setReduceMotion(true);
        left_->setZoom(64);
        left_->forceActiveFocus(Qt::TabFocusReason);
        left_->setHoverCell(GridCell(Cell{32, 32}));
        for (int i = 0; i < 12; ++i) window_->key(Qt::Key_Right);
        QCOMPARE(left_->hoverCell().cell(), (Cell{32, 44}));
        const QRectF cell = left_->cellRect(Cell{32, 44});
        QVERIFY(QRectF(0, 0, left_->width(), left_->height()).contains(cell));
    }

    void zoomKeysGlideAndFitComesBack() {
        left_->forceActiveFocus();
        window_->key(Qt::Key_Plus);
        QVERIFY(left_->animating());
        QTRY_VERIFY(!left_->animating());
        QCOMPARE(left_->zoom(), 10.0);
        window_->key(Qt::Key_Minus);
        QTRY_VERIFY(!left_->animating());
        QVERIFY(std::abs(left_->zoom() - 8) < 1e-9);
        window_->key(Qt::Key_Plus);
        window_->key(Qt::Key_Plus); // the second adds to where the first is going
        QTRY_VERIFY(!left_->animating());
        QVERIFY(std::abs(left_->zoom() - 12.5) < 1e-9);
        window_->key(Qt::Key_0);
        QTRY_VERIFY(!left_->animating());
        QVERIFY(std::abs(left_->zoom() - 8) < 1e-9);
        window_->key(Qt::Key_F);
        QTRY_VERIFY(left_->fitted() && !left_->animating());
        left_->setReduceMotion(true);
        window_->key(Qt::Key_Plus);
        QVERIFY(!left_->animating());
        QCOMPARE(left_->zoom(), 10.0);
    }

    void shiftDragSelectsAWindowSnappedToLevels() {
        QSignalSpy selected(left_, &GridCanvas::windowSelected);
        // One row, across two C0 lines: whole lines.
        window_->drag(left_, centre(left_, {3, 5}), centre(left_, {3, 20}), Qt::ShiftModifier);
        QCOMPARE(selected.size(), 1);
        QCOMPARE(selected[0][0].value<GridWindow>().rect(), (ls::scene::CellRect{3, 0, 1, 32}));
        // Higher than a fractal: whole fractals.
        window_->drag(left_, centre(left_, {3, 5}), centre(left_, {20, 5}), Qt::ShiftModifier);
        QCOMPARE(left_->selectedWindow().rect(), (ls::scene::CellRect{0, 0, 32, 16}));
        // Ctrl: exactly these cells.
        window_->drag(left_, centre(left_, {3, 5}), centre(left_, {9, 20}), Qt::ShiftModifier | Qt::ControlModifier);
        QCOMPARE(left_->selectedWindow().rect(), (ls::scene::CellRect{3, 5, 7, 16}));
        QCOMPARE(left_->camera().camera().origin_row, 0.0);
        QSignalSpy cleared(left_, &GridCanvas::clearRequested);
        window_->key(Qt::Key_Escape);
        QCOMPARE(cleared.size(), 1);
        QVERIFY(!left_->selectedWindow().valid());
    }

    void anotherSceneOfTheSameSizeKeepsTheCamera() {
        left_->setReduceMotion(true);
        left_->setZoom(20);
        const auto before = left_->camera();
        left_->setScene(stage::nz_logical(64, 64));
        window_->settle();
        QCOMPARE(left_->camera(), before);
        left_->setScene(stage::nz_logical(128, 128));
        QTRY_VERIFY(left_->fitted());
        QVERIFY(left_->zoom() < 5);
    }

    void fittedPictureStaysFittedWhenResized() {
        left_->setHeight(400);
        QTRY_VERIFY(left_->zoom() < 6);
        QVERIFY(left_->fitted());
        QVERIFY(left_->cellRect(Cell{63, 63}).bottom() < 400);
    }

    void thumbnailStandsInTheMiddle() {
        left_->setAxes(false);
        left_->setLegend(false);
        left_->setHeight(300);
        window_->settle();
        const QRectF picture = left_->cellRect(Cell{0, 0}).united(left_->cellRect(Cell{63, 63}));
        QVERIFY((picture.center() - QPointF(left_->width() / 2, 150)).manhattanLength() <= 2);
    }

    void camerasCanBeJoined() {
        left_->setReduceMotion(true);
        connect(left_, &GridCanvas::cameraChanged, right_, [this] { right_->setCamera(left_->camera()); });
        left_->setZoom(24);
        QCOMPARE(right_->zoom(), 24.0);
        window_->drag(left_, {300, 300}, {200, 250});
        QCOMPARE(right_->camera().camera().origin_row, left_->camera().camera().origin_row);
    }

    void largerTypeKeepsTheSizeOfCells() {
        left_->setReduceMotion(true);
        left_->setZoom(20);
        const double gutter = left_->cellRect(Cell{0, 0}).left() + left_->camera().originColumn() * 20;
        left_->setDp(1.5);
        window_->settle();
        QVERIFY(std::abs(left_->zoom() - 20) < 1e-9);
        const QRectF cell = left_->cellRect(Cell{30, 30});
        QVERIFY(std::abs(cell.width() - 20) <= 1);
        QVERIFY(left_->cellRect(Cell{0, 0}).left() + left_->camera().originColumn() * 20 >
                gutter * 1.3); // ticks need more room
        window_->move(left_, cell.center());
        QTRY_COMPARE(left_->hoverCell().cell(), (Cell{30, 30}));
        QTRY_VERIFY(left_->linkPoint().x() > 0);
        window_->settle();
        QVERIFY(std::abs(left_->linkPoint().y() - cell.center().y()) <= 1);
        QCOMPARE(pixel(left_, cell.center()), rgb(ColorKey::role(Role::Hover)));
        QCOMPARE(pixel(left_, centre(left_, {40, 40})), rgb(ColorKey::category(2, 2)));
        window_->keep("canvas-dp");
        left_->fit();
        left_->setDp(1);
        QTRY_COMPARE(left_->zoom(), 8.0);
    }

    void idleDrawsNothing() {
        window_->move(left_, centre(left_, {37, 21}));
        window_->settle(300);
        const int built = left_->frameCount() + right_->frameCount();
        QCOMPARE(window_->frames_during(700), 0);
        QCOMPARE(left_->frameCount() + right_->frameCount(), built);
    }

    void hiddenBuildsNothing() {
        right_->setVisible(false);
        window_->settle();
        const int built = right_->frameCount();
        window_->move(left_, centre(left_, {2, 2}));
        window_->settle();
        QCOMPARE(right_->frameCount(), built);
        right_->setVisible(true);
        QTRY_VERIFY(right_->frameCount() > built);
    }

    void screenReadersHearTheElement() {
        window_->move(left_, centre(left_, {37, 21}));
        QTRY_COMPARE(left_->hoverCell().cell(), (Cell{37, 21}));
        QAccessibleInterface* heard = QAccessible::queryAccessibleInterface(left_);
        QVERIFY(heard);
        QCOMPARE(heard->text(QAccessible::Name), QStringLiteral("row 37, column 21, byte 0x0CAA"));
        QCOMPARE(heard->text(QAccessible::Description), QStringLiteral("Logical [64 rows, 64 columns]"));
        QCOMPARE(heard->role(), QAccessible::Graphic);
    }

    void slowSourceDoesNotHoldUpTheWindow() {
        left_->setReduceMotion(true);
        left_->setScene(stage::nz_logical(2048, 2048, 3000)); // even a coarse picture takes 0.4 s
        window_->settle(30);
        for (int i = 0; i < 5; ++i) {
            left_->zoomBy(1.1);
            QElapsedTimer timer;
            timer.start();
            window_->shot();
            QVERIFY2(timer.elapsed() < 250, qPrintable(QString::number(timer.elapsed())));
        }
        left_->setScene(stage::nz_logical(512, 512, 120));
        QTRY_VERIFY_WITH_TIMEOUT(left_->fills() > 0 && !left_->fillBusy(), 15000);
        window_->settle();
        QCOMPARE(pixel(left_, centre(left_, {8, 9})), rgb(ColorKey::category(0, 0)));
    }

    void waysBetweenCamerasKeepTheCommonPoint() {
        const ls::scene::Camera a{10, 20, 8}, b{30, 26, 32};
        QCOMPARE(ls::views::between(a, b, 0), a);
        QCOMPARE(ls::views::between(a, b, 1), b);
        // (origin − pivot)·zoom is the same in all of them; here pivot_row = (30·32 − 10·8)/24.
        const double pivot = (30.0 * 32 - 10 * 8) / 24;
        for (double t = 0.1; t < 1; t += 0.1) {
            const ls::scene::Camera c = ls::views::between(a, b, t);
            QVERIFY(std::abs((c.origin_row - pivot) * c.zoom - (10 - pivot) * 8) < 1e-9);
            QVERIFY(std::abs(c.zoom - 8 * std::pow(4, t)) < 1e-9);
        }
        const ls::scene::Camera c = ls::views::between({0, 0, 8}, {10, 4, 8}, 0.25);
        QCOMPARE(c, (ls::scene::Camera{2.5, 1, 8}));
    }

    void looks() {
        if (qEnvironmentVariableIsEmpty("LS_SHOTS")) QSKIP("LS_SHOTS names no folder");
        left_->setReduceMotion(true);
        for (const bool dark : {false, true}) {
            (*window_)->setProperty("dark", dark);
            const QString theme = dark ? QStringLiteral("dark") : QStringLiteral("light");
            left_->fit();
            window_->move(left_, centre(left_, {37, 21}));
            window_->settle(200);
            window_->keep("canvas-" + theme);
            left_->setHoverCell({});
            for (const double zoom : {14.0, 30.0, 60.0}) {
                left_->setZoom(zoom);
                left_->setLabel(GridCanvas::OffsetLabel);
                window_->settle(200);
                window_->keep(QStringLiteral("canvas-%1-zoom%2").arg(theme).arg(zoom));
            }
        }
    }

    /// Prints, does not judge: the machine may be busy. The aim is 16 ms a frame.
    void panTimes_data() {
        QTest::addColumn<qint64>("side");
        QTest::addColumn<double>("zoom");
        for (const qint64 side : {4096LL, 65536LL})
            for (const double zoom : {0.0, 8.0, 32.0})
                QTest::addRow("%lld cells a side, zoom %g", static_cast<long long>(side), zoom) << side << zoom;
    }
    void panTimes() {
        QFETCH(qint64, side);
        QFETCH(double, zoom);
        if (qEnvironmentVariableIsSet("LS_NO_TIMES")) QSKIP("LS_NO_TIMES is set");
        window_.reset();
        stage::Window window(kOneCanvas);
        auto* canvas = window.find<GridCanvas>("canvas");
        canvas->setScene(stage::nz_logical(side, side));
        window.settle(100);
        canvas->setZoom(zoom > 0 ? zoom : canvas->zoom() * 1.5);
        window.settle(200);
        double build = 0, fill = 0, raster = 0;
        const stage::FrameTimes times(window.get(), 48, [&](int step) {
            build = std::max(build, canvas->buildMs());
            fill = std::max(fill, canvas->fillMs());
            raster = std::max(raster, canvas->rasterMs());
            canvas->panBy(step / 12 % 2 == 0 ? -7 : 7, step / 12 % 2 == 0 ? -5 : 5);
        });
        QCOMPARE(times.frames(), 48);
        qInfo("pan %lld² at %.3g points: frame %.1f ms (worst %.1f), processor %.1f ms; at most build %.1f, fill %.1f, "
              "raster %.1f",
              static_cast<long long>(side), canvas->zoom(), times.median_ms(), times.worst_ms(), times.cpu_ms(), build,
              fill, raster);
    }
};

int main(int argc, char** argv) {
    QGuiApplication app(argc, argv);
    ViewsCanvasTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "views_canvas_test.moc"
