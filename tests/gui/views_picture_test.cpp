// Draw lists as pixels: every kind of mark, regions that answer, scrolling, zooming.
#include <QtGui/QAccessible>
#include <QtGui/QGuiApplication>

#include "core/scene/theme.h"
#include "tests/gui/views_stage.h"
#include "views/canvas/picture_canvas.h"

using namespace ls::scene;
using ls::views::PictureCanvas;
using ls::views::PictureHandle;

namespace {

const QByteArray kPicture = R"(
import QtQuick
import Layoutscope.Views
Window {
    width: 400; height: 300; visible: true; color: "#FFFFFF"
    PictureCanvas { objectName: "picture"; anchors.fill: parent }
}
)";

Paint paint(Role role, float alpha = 1) { return {ColorKey::role(role), alpha}; }

QRgb rgb(Role role) {
    const Rgba c = Theme::builtin(Theme::Kind::Light).color(role);
    return qRgb(c.r, c.g, c.b);
}

} // namespace

class ViewsPictureTest : public QObject {
    Q_OBJECT
    std::unique_ptr<stage::Window> window_;
    PictureCanvas* canvas_ = nullptr;

    QImage show(DrawList list, std::vector<HitRegion> regions = {}) {
        if (list.width <= 0) list.width = 400, list.height = 300;
        const int before = canvas_->frameCount();
        canvas_->setPicture(PictureHandle(Picture{"", "", std::move(list), std::move(regions)}));
        if (!QTest::qWaitFor([&] { return canvas_->frameCount() > before; })) qFatal("nothing was drawn");
        window_->settle(30);
        return window_->shot();
    }
    QRgb at(const QImage& shot, double x, double y) const {
        const double dpr = (*window_)->effectiveDevicePixelRatio();
        return shot.pixel(static_cast<int>(x * dpr), static_cast<int>(y * dpr));
    }
    int count(const QImage& shot, QRect where, QRgb color, int tolerance = 8) const {
        int hits = 0;
        for (int y = where.top(); y <= where.bottom(); ++y)
            for (int x = where.left(); x <= where.right(); ++x)
                hits += stage::distance(shot.pixel(x, y), color) <= tolerance;
        return hits;
    }

private slots:
    void init() {
        window_ = std::make_unique<stage::Window>(kPicture);
        canvas_ = window_->find<PictureCanvas>("picture");
        window_->move(canvas_, {395, 295});
    }
    void cleanup() { window_.reset(); }

    void rectanglesEndOnPixels() {
        DrawList list;
        list.add(FillRect{{10, 10, 20, 20}, paint(Role::Finding)});
        list.add(FillRect{{50.3, 10.4, 20, 20}, paint(Role::Accent)}); // snaps to 50 and 10
        list.add(FillRect{{90, 10, 0.5, 20}, paint(Role::Ink)});       // half a pixel: one, half as strong
        const QImage shot = show(list);
        QCOMPARE(count(shot, {0, 0, 40, 40}, rgb(Role::Finding)), 400);
        QCOMPARE(at(shot, 10.5, 10.5), rgb(Role::Finding));
        QCOMPARE(at(shot, 30.5, 20), qRgb(255, 255, 255));
        QCOMPARE(count(shot, {41, 0, 40, 40}, rgb(Role::Accent)), 400);
        const QRgb thin = at(shot, 90.5, 20);
        QVERIFY(qRed(thin) > 110 && qRed(thin) < 160);
        QCOMPARE(at(shot, 91.5, 20), qRgb(255, 255, 255));
    }

    void outlinesAreAsWideAsAsked() {
        DrawList list;
        list.add(StrokeRect{{20, 20, 60, 40}, paint(Role::Ink), 2});
        list.add(StrokeRect{{120, 20, 60, 40}, paint(Role::Ink), 1, 0, 4, 3});
        const QImage shot = show(list);
        // Centred on the edges: 62 × 42 outside less 58 × 38 inside.
        QCOMPARE(count(shot, {0, 0, 100, 100}, rgb(Role::Ink)), 62 * 42 - 58 * 38);
        const int dashed = count(shot, {100, 0, 100, 100}, rgb(Role::Ink));
        QVERIFY2(dashed > 95 && dashed < 130, qPrintable(QString::number(dashed))); // 4 of every 7 of 200
    }

    void linesTurnCornersWithoutGaps() {
        DrawList list;
        list.add(Polyline{{{20, 20}, {20, 60}, {80, 60}}, paint(Role::Ink), 2});
        list.add(Polyline{{{120, 20}, {180, 80}}, paint(Role::Ink), 2});
        const QImage shot = show(list);
        QCOMPARE(at(shot, 19.5, 60.5), rgb(Role::Ink)); // the outer corner
        QCOMPARE(at(shot, 79.5, 59.5), rgb(Role::Ink));
        QVERIFY(stage::distance(at(shot, 150, 50), rgb(Role::Ink)) < 90); // slanted lines are soft
        QCOMPARE(at(shot, 150, 60), qRgb(255, 255, 255));
    }

    void polygonsFillTheirInsideOnly() {
        DrawList list;
        Polyline l{{{20, 20}, {100, 20}, {100, 40}, {40, 40}, {40, 100}, {20, 100}}, paint(Role::None), 0};
        l.closed = true;
        l.fill = paint(Role::Fine);
        list.add(l);
        const QImage shot = show(list);
        QCOMPARE(at(shot, 30, 90), rgb(Role::Fine));
        QCOMPARE(at(shot, 90, 30), rgb(Role::Fine));
        QCOMPARE(at(shot, 70, 70), qRgb(255, 255, 255)); // the notch
        const int area = count(shot, {0, 0, 120, 120}, rgb(Role::Fine));
        QVERIFY2(std::abs(area - (80 * 20 + 20 * 60)) < 60, qPrintable(QString::number(area)));
    }

    void circlesAndCurves() {
        DrawList list;
        list.add(Ellipse{{60, 60}, 30, 20, paint(Role::Pinned)});
        list.add(Curve{{120, 20}, {160, 20}, {160, 100}, {200, 100}, paint(Role::Ink), 2});
        const QImage shot = show(list);
        const int area = count(shot, {0, 0, 110, 120}, rgb(Role::Pinned));
        QVERIFY2(std::abs(area - 1885) < 120, qPrintable(QString::number(area))); // 30·20·π less the soft rim
        QCOMPARE(at(shot, 31, 42), qRgb(255, 255, 255));
        QVERIFY(stage::distance(at(shot, 160, 60), rgb(Role::Ink)) < 120); // a symmetric curve passes its middle
    }

    void clipsHoldAndClose() {
        DrawList list;
        list.add(PushClip{{20, 20, 30, 30}});
        list.add(PushClip{{40, 40, 100, 100}});
        list.add(FillRect{{0, 0, 200, 200}, paint(Role::Finding)});
        list.add(PopClip{});
        list.add(PopClip{});
        list.add(PopClip{}); // one too many is no harm
        list.add(FillRect{{100, 100, 10, 10}, paint(Role::Accent)});
        const QImage shot = show(list);
        QCOMPARE(count(shot, {0, 0, 200, 200}, rgb(Role::Finding)), 100);
        QCOMPARE(count(shot, {0, 0, 200, 200}, rgb(Role::Accent)), 100);
    }

    void hatchesRepeatInScreenSpace() {
        DrawList list;
        list.add(HatchRect{{0, 0, 200, 100}, Pattern::Finding, paint(Role::Finding)});
        list.add(HatchRect{{0, 150, 33, 100}, Pattern::Finding, paint(Role::Finding)});
        list.add(HatchRect{{33, 150, 167, 100}, Pattern::Finding, paint(Role::Finding)});
        const QImage shot = show(list);
        const int red = count(shot, {0, 0, 200, 100}, rgb(Role::Finding), 90);
        QVERIFY2(red > 3000 && red < 9000, qPrintable(QString::number(red))); // 1.6 of every 6 points, less soft edges
        // Two rectangles side by side look like one; the pitch is 8 pixels along x.
        int seams = 0;
        for (int y = 150; y < 240; ++y)
            for (int x = 8; x < 190; ++x) seams += shot.pixel(x, y) != shot.pixel(x - 8, y);
        QCOMPARE(seams, 0);
    }

    void textStandsWhereItIsPut() {
        DrawList list;
        list.add(FillRect{{0, 0, 400, 300}, paint(Role::Panel)});
        list.add(Text{{100, 50}, "Hxg", FontFace::Ui, 13, HAlign::Left, VAlign::Baseline, paint(Role::Ink)});
        list.add(Text{{300, 100}, "0x0CAA", FontFace::Mono, 12, HAlign::Right, VAlign::Middle, paint(Role::Ink)});
        list.add(Text{{200, 200},
                      "halo",
                      FontFace::UiBold,
                      12,
                      HAlign::Centre,
                      VAlign::Middle,
                      paint(Role::Ink),
                      ColorKey::role(Role::Finding)});
        const QImage shot = show(list);
        const auto ink = [&](QRect r) { return count(shot, r, rgb(Role::Ink), 100); };
        QVERIFY(ink({100, 38, 40, 12}) > 30);      // above the base line
        QVERIFY(ink({100, 51, 40, 8}) > 3);        // g hangs below
        QCOMPARE(ink({101, 51, 8, 8}), 0);         // H does not
        QVERIFY(ink({300 - 44, 92, 44, 16}) > 60); // six characters of 7.2 points
        QCOMPARE(ink({300 - 60, 92, 15, 16}), 0);
        QCOMPARE(ink({301, 92, 20, 16}), 0);
        QVERIFY(count(shot, {180, 190, 40, 20}, rgb(Role::Finding), 40) > 60); // the rim
        // Unusual sizes and characters come with the next build.
        DrawList more;
        more.add(Text{{20, 20}, "Ωж", FontFace::Ui, 24, HAlign::Left, VAlign::Top, paint(Role::Ink)});
        const QImage second = show(more);
        QVERIFY(count(second, {20, 20, 40, 30}, rgb(Role::Ink), 100) > 60);
    }

    void cellImagesAreNotSmoothed() {
        DrawList list;
        CellImage image;
        image.rect = {20, 20, 80, 40};
        image.width = 4;
        image.height = 2;
        for (int i = 0; i < 8; ++i) image.pixels.push_back({static_cast<std::uint8_t>(30 * i), 100, 200, 255});
        list.add(image);
        const QImage shot = show(list);
        for (int i = 0; i < 8; ++i)
            QCOMPARE(count(shot, {20 + i % 4 * 20, 20 + i / 4 * 20, 20, 20}, qRgb(30 * i, 100, 200), 0), 400);
    }

    void regionsAnswerThePointer() {
        DrawList list;
        list.add(FillRect{{20, 20, 100, 30}, paint(Role::FineTint)});
        list.add(FillRect{{20, 80, 100, 30}, paint(Role::FindingTint)});
        show(list, {{{20, 20, 100, 30}, 7, "n0, proven"}, {{20, 80, 100, 30}, 9, "a − b, refused"}});
        QSignalSpy clicked(canvas_, &PictureCanvas::regionClicked), activated(canvas_, &PictureCanvas::regionActivated);
        window_->move(canvas_, {30, 90});
        QTRY_COMPARE(canvas_->hoveredId(), 9.0);
        QCOMPARE(canvas_->describe(), QStringLiteral("a − b, refused"));
        QCOMPARE(QAccessible::queryAccessibleInterface(canvas_)->text(QAccessible::Name),
                 QStringLiteral("a − b, refused"));
        window_->click(canvas_, {30, 30});
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(clicked[0][0].toDouble(), 7.0);
        window_->move(canvas_, {300, 200});
        QTRY_COMPARE(canvas_->hoveredId(), -1.0);
        canvas_->setFocus(false);
        canvas_->forceActiveFocus(Qt::TabFocusReason);
        QTRY_COMPARE(canvas_->hoveredId(), 7.0);
        window_->key(Qt::Key_Down);
        QCOMPARE(canvas_->hoveredId(), 9.0);
        window_->key(Qt::Key_Return);
        QCOMPARE(activated.size(), 1);
        canvas_->setSelectedId(9);
        window_->settle();
        QCOMPARE(at(window_->shot(), 19.5, 95), rgb(Role::Selected));
    }

    void largePicturesScrollAndZoom() {
        DrawList list;
        list.width = 1000;
        list.height = 900;
        list.add(FillRect{{500, 400, 40, 40}, paint(Role::Accent)});
        show(list, {{{500, 400, 40, 40}, 3, "far away"}});
        QCOMPARE(canvas_->implicitWidth(), 1000.0);
        window_->wheel(canvas_, {200, 150}, -120);
        QTRY_COMPARE(canvas_->regionRect(3), QRectF(500, 352, 40, 40));
        canvas_->reveal(3);
        QCOMPARE(canvas_->regionRect(3), QRectF(360, 260, 40, 40));
        window_->settle();
        QCOMPARE(count(window_->shot(), {360, 260, 40, 40}, rgb(Role::Accent)), 1600);
        canvas_->setZoomable(true);
        const QPointF p = canvas_->regionRect(3).topLeft();
        window_->wheel(canvas_, p, 120, Qt::ControlModifier);
        QTRY_COMPARE(canvas_->zoom(), 1.2);
        QVERIFY((canvas_->regionRect(3).topLeft() - p).manhattanLength() <= 2); // stays under the pointer
        canvas_->setZoom(1);
        canvas_->setFit(PictureCanvas::FitAll);
        QCOMPARE(canvas_->regionRect(3).width(), 40.0 / 3);
    }

    void idleDrawsNothing() {
        DrawList list;
        list.add(FillRect{{20, 20, 100, 30}, paint(Role::FineTint)});
        show(list, {{{20, 20, 100, 30}, 0, "n0"}});
        window_->move(canvas_, {30, 30});
        window_->settle(200);
        QCOMPARE(window_->frames_during(500), 0);
    }
};

int main(int argc, char** argv) {
    QGuiApplication app(argc, argv);
    ViewsPictureTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "views_picture_test.moc"
