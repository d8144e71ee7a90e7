// The UB view in its window: every panel opens, dragging with the pointer changes the text, nothing is cut when it is
// narrow, low or large. With LS_PICTURES=folder each state is written there as a picture.
#include <QtCore/QDir>
#include <QtCore/QSettings>
#include <QtCore/QStandardPaths>
#include <QtGui/QGuiApplication>
#include <QtQuick/QQuickItem>
#include <QtQuick/QQuickWindow>
#include <QtTest/QtTest>

#include "app/gui/gui_app.h"
#include "app/models/documents_model.h"
#include "app/models/settings.h"
#include "app/models/ub_map_model.h"
#include "app/models/ub_model.h"
#include "app/models/ub_work_model.h"

using namespace ls::models;

class UbWindow : public QObject {
    Q_OBJECT

    std::unique_ptr<ls::gui::GuiApp> app_;
    QQuickWindow* window_ = nullptr;

    template <class T>
    T* part(const char* name) {
        return qvariant_cast<T*>(window_->property(name));
    }
    QQuickItem* item(const char* name) { return window_->findChild<QQuickItem*>(QLatin1String(name)); }
    QObject* view() { return qvariant_cast<QObject*>(window_->property("view")); }
    template <class T>
    T* ofView(const char* name) {
        return qvariant_cast<T*>(view()->property(name));
    }
    void openExample(const QString& id) {
        auto* examples = qvariant_cast<QAbstractItemModel*>(window_->property("examples"));
        const auto found = examples->match(examples->index(0, 0), Qt::UserRole + 1, id, 1, Qt::MatchExactly);
        QVERIFY2(!found.isEmpty(), qPrintable(id));
        QMetaObject::invokeMethod(window_, "openExample", Q_ARG(int, found.first().row()));
        QTRY_COMPARE(window_->property("page").toString(), QStringLiteral("ub"));
        QTest::qWait(80);
    }
    void show(const QSize& size, double scale = 1, bool dark = false) {
        part<Settings>("settings")->setScale(scale);
        part<Settings>("settings")->setDark(dark);
        window_->resize(size);
        QTest::qWait(120);
    }
    void picture(const char* name) {
        const QString folder = qEnvironmentVariable("LS_PICTURES");
        if (folder.isEmpty()) return;
        QTest::qWait(250);
        QVERIFY(window_->grabWindow().save(folder + "/" + QLatin1String(name) + ".png"));
    }
    static void texts(QQuickItem* from, QList<QQuickItem*>& found) {
        if (!from->isVisible()) return;
        if (from->inherits("QQuickText")) found << from;
        for (QQuickItem* child : from->childItems()) texts(child, found);
    }
    /// Words that do not wrap, do not elide and have less room than they need, or reach out of the window.
    QStringList cut() {
        QList<QQuickItem*> found;
        texts(window_->contentItem(), found);
        QStringList list;
        for (QQuickItem* text : found) {
            const QString words = text->property("text").toString();
            if (words.isEmpty() || text->width() <= 0) continue;
            bool scrolled = false;
            for (QQuickItem* one = text; one; one = one->parentItem()) scrolled = scrolled || one->inherits("QQuickFlickable");
            const bool wraps = text->property("wrapMode").toInt() != 0, elides = text->property("elide").toInt() != 3;
            if (!wraps && !elides && !scrolled && text->implicitWidth() > text->width() + 1.5) list << words;
            const QRectF place = text->mapRectToScene(QRectF(0, 0, qMin(text->width(), text->implicitWidth()), text->height()));
            if (!scrolled && (place.right() > window_->width() + 1 || place.left() < -1)) list << words + " (outside)";
        }
        return list;
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setApplicationName(QStringLiteral("layoutscope-test-%1").arg(QCoreApplication::applicationPid()));
        app_ = std::make_unique<ls::gui::GuiApp>();
        ls::gui::StartOptions options;
        options.fresh = true;
        options.size = QSize(1600, 1000);
        options.dark = 0;
        options.scale = 1;
        QVERIFY(app_->start(options));
        window_ = app_->window();
        QVERIFY(QTest::qWaitForWindowExposed(window_));
        window_->requestActivate();
    }
    void cleanupTestCase() {
        QSettings().clear();
        app_.reset();
    }
    void init() {
        show({1600, 1000});
        auto* documents = part<DocumentsModel>("documents");
        while (documents->count() > 0) documents->close(0);
    }

    void emptyStateOffersAnExample() {
        QTest::keyClick(window_, Qt::Key_5, Qt::ControlModifier);
        QTRY_COMPARE(window_->property("page").toString(), QStringLiteral("ub"));
        picture("empty");
    }

    void everyPanelShows() {
        openExample("ub-cgdr");
        QVERIFY(ofView<UbMapModel>("map")->picture().valid());
        QVERIFY(ofView<UbWorkModel>("work")->picture().valid());
        for (const char* panel : {"showBooks", "showViews", "showFits", "showText", "showExport"}) {
            QMetaObject::invokeMethod(view(), panel);
            QTest::qWait(150);
            picture(panel);
            QVERIFY2(cut().isEmpty(), qPrintable(cut().join("; ")));
        }
    }

    void pointerDragsABlock() {
        openExample("ub-overlap");
        auto* map = ofView<UbMapModel>("map");
        auto* model = part<UbModel>("ub");
        QQuickItem* canvas = item("ubMap");
        const auto& hits = map->picture().picture()->hits;
        QPointF at;
        for (const UbRow& row : ub_rows(*model->plan())) {
            if (row.name != "chunkVFp32") continue;
            for (const auto& hit : hits)
                if (hit.id == ls::figure::ub_target_id(row.target)) at = {hit.rect.x + hit.rect.w / 2, hit.rect.y + hit.rect.h / 2};
        }
        const QString before = model->text();
        const QPoint from = canvas->mapToScene(at).toPoint();
        QTest::mouseMove(window_, from);
        QTest::qWait(40);
        QTest::mousePress(window_, Qt::LeftButton, {}, from);
        for (int i = 1; i <= 40; ++i) QTest::mouseMove(window_, from + QPoint(i, 0));
        QTest::qWait(60);
        picture("drag");
        QTest::mouseRelease(window_, Qt::LeftButton, {}, from + QPoint(40, 0));
        QVERIFY(model->text() != before);
        QVERIFY(map->selectedName() == "chunkV");
        QVERIFY(map->conflicts() > 0);
        // Keys go on from there; undo takes both back.
        canvas->forceActiveFocus();
        QTest::keyClick(window_, Qt::Key_Right, Qt::ShiftModifier);
        auto* documents = part<DocumentsModel>("documents");
        while (documents->canUndo()) QTest::keyClick(window_, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(model->text(), before);
    }

    void hazardsAndComparison() {
        openExample("ub-cgdr");
        part<UbModel>("ub")->toggleWhatIf("cursor-elements");
        ofView<UbWorkModel>("work")->setOther(1);
        picture("whatif");
        QVERIFY(part<UbModel>("ub")->diagnostics()->errors() > 0);
        part<UbModel>("ub")->toggleWhatIf("cursor-elements");
        ofView<UbWorkModel>("work")->toggleHazard("quota-zero");
        picture("lost");
        ofView<UbWorkModel>("work")->toggleHazard("quota-zero");
        ofView<UbWorkModel>("work")->setOther(0);
        ofView<UbWorkModel>("work")->generate("long-tail", 10000, 4096);
        picture("many");
        QVERIFY(ofView<UbWorkModel>("work")->picture().valid());
    }

    void refusedTextSaysWhere() {
        openExample("ub-overlap");
        QMetaObject::invokeMethod(view(), "showText");
        auto* model = part<UbModel>("ub");
        model->setText(QString(model->text()).replace("\"elems\": \"cs*cs\"", "\"elems\": \"cs*nothing\""));
        QTest::qWait(60);
        QVERIFY(model->refused());
        picture("refused");
        QVERIFY2(cut().isEmpty(), qPrintable(cut().join("; ")));
    }

    void anotherThemeLeavesTheTextAlone() {
        openExample("ub-cgdr");
        QMetaObject::invokeMethod(view(), "showText");
        const QString text = part<UbModel>("ub")->text();
        for (int i = 0; i < 3; ++i) {
            show({1600, 1000}, 1, i % 2 == 0); // words are coloured anew
            part<DocumentsModel>("documents")->close(0);
            openExample("ub-cgdr");
            QTest::qWait(250);
            QCOMPARE(part<UbModel>("ub")->text(), text);
            QVERIFY(!part<DocumentsModel>("documents")->canUndo());
        }
    }

    void typingChangesTheDocument() {
        openExample("ub-cgdr");
        QMetaObject::invokeMethod(view(), "showText");
        QQuickItem* edit = item("ubText");
        QVERIFY(edit);
        const QString text = part<UbModel>("ub")->text();
        edit->forceActiveFocus();
        edit->setProperty("cursorPosition", static_cast<int>(text.indexOf("\"dv\": 128") + 9));
        QTest::keyClick(window_, Qt::Key_Backspace);
        QTest::keyClick(window_, Qt::Key_Backspace);
        QTest::keyClick(window_, Qt::Key_Backspace);
        for (const char c : {'2', '5', '6'}) QTest::keyClick(window_, c);
        QTRY_COMPARE(part<UbModel>("ub")->plan()->host->input.dv, std::int64_t(256));
        QTest::keyClick(window_, Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(part<UbModel>("ub")->text(), text);
        QCOMPARE(edit->property("text").toString(), text);
    }

    void nothingIsCut_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("scale");
        QTest::addColumn<bool>("dark");
        QTest::newRow("1280x720") << QSize(1280, 720) << 1.0 << false;
        QTest::newRow("1280x720-dark") << QSize(1280, 720) << 1.0 << true;
        QTest::newRow("1440x900") << QSize(1440, 900) << 1.0 << false;
        QTest::newRow("1600x1000-dark") << QSize(1600, 1000) << 1.0 << true;
        QTest::newRow("1920x1080-150") << QSize(1920, 1080) << 1.5 << false;
        QTest::newRow("2560x1440-200") << QSize(2560, 1440) << 2.0 << false;
    }
    void nothingIsCut() {
        QFETCH(QSize, size);
        QFETCH(double, scale);
        QFETCH(bool, dark);
        show(size, scale, dark);
        openExample("ub-kda");
        QVERIFY2(cut().isEmpty(), qPrintable(cut().join("; ")));
        openExample("ub-cgdr");
        picture(QTest::currentDataTag());
        QVERIFY2(cut().isEmpty(), qPrintable(cut().join("; ")));
        if (size.width() / scale < 1440) {
            QMetaObject::invokeMethod(view(), "toggleDrawer");
            QMetaObject::invokeMethod(view(), "showFits");
            QTest::qWait(100);
            picture((QByteArray(QTest::currentDataTag()) + "-open").constData());
            QVERIFY2(cut().isEmpty(), qPrintable(cut().join("; ")));
            QMetaObject::invokeMethod(view(), "stepOut");
            QMetaObject::invokeMethod(view(), "stepOut");
        }
    }
};

int main(int argc, char** argv) {
    ls::gui::set_up_application();
    QGuiApplication app(argc, argv);
    UbWindow test;
    return QTest::qExec(&test, argc, argv);
}

#include "ub_window_test.moc"
