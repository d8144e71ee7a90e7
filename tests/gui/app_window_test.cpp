// The whole window: typing, pointing, keys, the palette, undo, settings, and that no text is ever cut.
#include <QtCore/QMimeData>
#include <QtCore/QSettings>
#include <QtCore/QStandardPaths>
#include <QtCore/QTemporaryDir>
#include <QtGui/QGuiApplication>
#include <QtQuick/QQuickItem>
#include <QtQuick/QQuickWindow>
#include <QtTest/QtTest>

#include "app/gui/gui_app.h"
#include "app/models/command.h"
#include "app/models/documents_model.h"
#include "app/models/explorer.h"
#include "app/models/palette_model.h"
#include "app/models/settings.h"
#include "app/models/trace_model.h"

using namespace ls::models;

class AppWindow : public QObject {
    Q_OBJECT

    std::unique_ptr<ls::gui::GuiApp> app_;
    QQuickWindow* window_ = nullptr;

    template <class T>
    T* part(const char* name) {
        return qvariant_cast<T*>(window_->property(name));
    }
    QQuickItem* item(const char* name) { return window_->findChild<QQuickItem*>(QLatin1String(name)); }
    /// The start page has a field of the same kind.
    QQuickItem* inField(const char* name) {
        return item("layoutField") ? item("layoutField")->findChild<QQuickItem*>(QLatin1String(name)) : nullptr;
    }
    QPoint at(QQuickItem* target, double x, double y) { return target->mapToScene({x, y}).toPoint(); }

    static void texts(QQuickItem* from, QList<QQuickItem*>& found) {
        if (!from->isVisible()) return;
        if (from->inherits("QQuickText")) found << from;
        for (QQuickItem* child : from->childItems()) texts(child, found);
    }
    static bool scrolls(QQuickItem* one) {
        for (; one; one = one->parentItem()) {
            if (one->inherits("QQuickFlickable")) return true;
        }
        return false;
    }
    /// Every visible text that has less room than it needs, or reaches out of the window.
    QStringList cutTexts() {
        QList<QQuickItem*> found;
        texts(window_->contentItem(), found);
        QStringList cut;
        for (QQuickItem* text : found) {
            const QString words = text->property("text").toString();
            if (words.isEmpty() || text->width() <= 0) continue;
            const bool wraps = text->property("wrapMode").toInt() != 0, elides = text->property("elide").toInt() != 3;
            const bool scrolled = scrolls(text);
            if (!wraps && !elides && !scrolled && text->implicitWidth() > text->width() + 1.5)
                cut << words + " (needs " + QString::number(text->implicitWidth()) + ", has " +
                           QString::number(text->width()) + ")";
            if (elides && !scrolled && text->property("truncated").toBool() && words.size() < 24)
                cut << words + " (elided)";
            const QRectF place =
                text->mapRectToScene(QRectF(0, 0, qMin(text->width(), text->implicitWidth()), text->height()));
            if (!scrolled && (place.right() > window_->width() + 1 || place.left() < -1)) cut << words + " (outside)";
        }
        return cut;
    }
    void show(const QSize& size, double scale, bool dark = false) {
        part<Settings>("settings")->setScale(scale);
        part<Settings>("settings")->setDark(dark);
        window_->resize(size);
        QTest::qWait(120);
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setApplicationName(
            QStringLiteral("layoutscope-test-%1").arg(QCoreApplication::applicationPid()));
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
        QVERIFY(QTest::qWaitForWindowActive(window_));
    }
    void cleanupTestCase() {
        QSettings().clear();
        app_.reset();
    }
    void init() {
        show({1600, 1000}, 1);
        QTest::mouseMove(window_, {700, 5}); // over nothing that answers
        auto* documents = part<DocumentsModel>("documents");
        while (documents->count() > 0) documents->close(0);
    }

    void startFieldOpensALayout() {
        QCOMPARE(window_->property("page").toString(), QStringLiteral("start"));
        QTest::keyClick(window_, Qt::Key_L, Qt::ControlModifier);
        for (const QChar c : QStringLiteral("nz(32, 32, f16)")) QTest::keyClick(window_, c.toLatin1());
        QTest::keyClick(window_, Qt::Key_Return);
        QTRY_COMPARE(window_->property("page").toString(), QStringLiteral("explore"));
        QCOMPARE(part<Explorer>("explorer")->text(), QStringLiteral("nz(32, 32, f16)"));
    }

    void typingChangesPictureAndPills() {
        part<DocumentsModel>("documents")->openText("layout", "nz(64, 64, f16)", {});
        QTRY_VERIFY(item("layoutField") && part<QQuickItem>("view") != nullptr);
        QTRY_COMPARE(inField("countsPill")->property("text").toString(), QStringLiteral("4096 elements"));
        QTest::keyClick(window_, Qt::Key_L, Qt::ControlModifier);
        for (const QChar c : QStringLiteral("S[(8, 64):(64, 1)]")) QTest::keyClick(window_, c.toLatin1());
        QTRY_COMPARE(inField("countsPill")->property("text").toString(), QStringLiteral("512 elements"));
        QCOMPARE(part<Explorer>("explorer")->logical().rows(), 8.0);
        // What is half typed is refused in place, and the picture of before stays.
        QTest::keyClick(window_, Qt::Key_Backspace);
        QVERIFY(part<Explorer>("explorer")->refused());
        QTRY_VERIFY(!inField("verdictPill")->isVisible());
        QCOMPARE(part<Explorer>("explorer")->logical().rows(), 8.0);
        QTRY_COMPARE(item("logicalCanvas")->opacity(), 0.48);
        // One undo takes the typing back as a whole.
        QTest::keyClick(window_, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(part<Explorer>("explorer")->text(), QStringLiteral("nz(64, 64, f16)"));
        QTRY_COMPARE(item("logicalCanvas")->opacity(), 1.0);
    }

    void pointingLinksPictureFormulaAndTable() {
        part<DocumentsModel>("documents")->openText("layout", "nz(64, 64, f16)", {});
        QTRY_VERIFY(item("logicalCanvas") && item("logicalCanvas")->width() > 100);
        QTest::qWait(100);
        QQuickItem* canvas = item("logicalCanvas");
        QTest::mouseMove(window_, at(canvas, canvas->width() / 2, canvas->height() / 2));
        QTest::mouseMove(window_, at(canvas, canvas->width() / 2 + 3, canvas->height() / 2 + 3));
        auto* explorer = part<Explorer>("explorer");
        QTRY_VERIFY(explorer->logicalHover().valid());
        QVERIFY(explorer->hasFormula());
        QVERIFY(explorer->physicalHover().valid());
        QTRY_COMPARE(item("inspector")->property("hoverCell").value<ls::views::GridCell>(), explorer->logicalHover());
        // Hover changes the geometry of nothing.
        const QRectF before = canvas->mapRectToScene(canvas->boundingRect());
        QTest::mouseMove(window_, at(canvas, canvas->width() / 3, canvas->height() / 3));
        QTest::qWait(50);
        QCOMPARE(canvas->mapRectToScene(canvas->boundingRect()), before);
        // P pins it, Ctrl Z takes it off.
        canvas->forceActiveFocus();
        QTest::keyClick(window_, Qt::Key_P);
        QTRY_COMPARE(explorer->pins().size(), 1);
        QTest::keyClick(window_, Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(explorer->pins().size(), 0);
    }

    void paletteListsEveryCommand() {
        auto* commands = part<CommandRegistry>("commands");
        QVERIFY(commands->all().size() > 40);
        QSet<QString> names, keys;
        for (Command* command : commands->all()) {
            QVERIFY2(!command->name().isEmpty() && !command->title().isEmpty(), qUtf8Printable(command->name()));
            QVERIFY2(!names.contains(command->name()), qUtf8Printable(command->name()));
            names << command->name();
            for (const QString& key : command->keys()) {
                QVERIFY2(!keys.contains(key), qUtf8Printable(key + " of " + command->name()));
                keys << key;
            }
        }
        part<DocumentsModel>("documents")->openText("layout", "nz(64, 64, f16)", {});
        QTest::keyClick(window_, Qt::Key_K, Qt::ControlModifier);
        auto* sheet = qvariant_cast<QObject*>(window_->property("commandSheet"));
        QTRY_VERIFY(sheet->property("opened").toBool());
        auto* palette = part<PaletteModel>("paletteModel");
        for (Command* command : commands->all()) {
            if (!command->enabled()) continue;
            palette->setQuery(command->title());
            bool listed = false;
            for (int row = 0; row < palette->count(); ++row)
                listed = listed ||
                         palette->data(palette->index(row), PaletteModel::TitleRole).toString() == command->title();
            QVERIFY2(listed, qUtf8Printable(command->title()));
        }
        // Rows stand below each other, each high enough to hit.
        palette->setQuery("");
        QTest::qWait(50);
        QList<QQuickItem*> rows;
        texts(qvariant_cast<QQuickItem*>(sheet->property("contentItem")), rows);
        QSet<int> heights;
        for (QQuickItem* row : rows) heights << qRound(row->mapToScene({0, 0}).y());
        QVERIFY2(heights.size() > 8, qUtf8Printable(QString::number(heights.size())));
        // By key alone: type, Enter, done.
        palette->setQuery("");
        for (const QChar c : QStringLiteral("dark theme")) QTest::keyClick(window_, c.toLatin1());
        QTest::keyClick(window_, Qt::Key_Return);
        QTRY_VERIFY(part<Settings>("settings")->dark());
        QTRY_VERIFY(!sheet->property("visible").toBool());
    }

    void findGoesToAnAddress() {
        part<DocumentsModel>("documents")->openText("layout", "nz(64, 64, f16)", {});
        QTest::keyClick(window_, Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(item("findField") && item("findField")->hasActiveFocus());
        for (const QChar c : QStringLiteral("0x0CAA")) QTest::keyClick(window_, c.toLatin1());
        QTest::keyClick(window_, Qt::Key_Return);
        QTRY_COMPARE(part<Explorer>("explorer")->formulaCoordinate(), QStringLiteral("(37, 21)"));
        QTest::keyClick(window_, Qt::Key_Escape);
        QTRY_VERIFY(!item("findField")->isVisible());
        // The next Esc clears the selection.
        QVERIFY(!part<Explorer>("explorer")->logicalSelected().isEmpty());
        QTest::keyClick(window_, Qt::Key_Escape);
        QTRY_VERIFY(part<Explorer>("explorer")->logicalSelected().isEmpty());
    }

    void lettersBelongToTheFieldWhileTyping() {
        part<DocumentsModel>("documents")->openText("layout", "S[4:1]", {});
        QTest::keyClick(window_, Qt::Key_L, Qt::ControlModifier);
        QTest::keyClick(window_, Qt::Key_End);
        QTest::keyClick(window_, 'p');
        QCOMPARE(part<Explorer>("explorer")->text(), QStringLiteral("S[4:1]p"));
        QCOMPARE(part<Explorer>("explorer")->pins().size(), 0);
    }

    void everyPanelIsReachedByKey() {
        part<DocumentsModel>("documents")->openText("layout", "nz(64, 64, f16)", {});
        QTRY_VERIFY(item("logicalCanvas"));
        QSet<QQuickItem*> visited;
        for (int i = 0; i < 12; ++i) {
            QTest::keyClick(window_, Qt::Key_F6);
            if (QQuickItem* focus = window_->activeFocusItem()) {
                for (QQuickItem* one = focus; one; one = one->parentItem()) visited << one;
            }
        }
        for (const char* name : {"layoutField", "logicalCanvas", "physicalCanvas", "inspector"})
            QVERIFY2(visited.contains(item(name)), name);
        // Tab never gets stuck.
        QQuickItem* before = nullptr;
        for (int i = 0; i < 8; ++i) {
            QTest::keyClick(window_, Qt::Key_Tab);
            QVERIFY(window_->activeFocusItem() != before);
            before = window_->activeFocusItem();
        }
    }

    void passesStepByKey() {
        QMetaObject::invokeMethod(window_, "openExample", Q_ARG(int, 1));
        QTRY_COMPARE(window_->property("page").toString(), QStringLiteral("passes"));
        auto* trace = part<TraceModel>("trace");
        trace->finish();
        QTRY_VERIFY(trace->count() > 50);
        const int start = trace->current();
        item("diffView")->forceActiveFocus();
        QTest::keyClick(window_, Qt::Key_BracketLeft);
        QTRY_COMPARE(trace->current(), start - 1);
        QTest::keyClick(window_, Qt::Key_BracketRight);
        QTRY_COMPARE(trace->current(), start);
        QTest::keyClick(window_, Qt::Key_D);
        QTRY_VERIFY(!trace->diffOn());
        QTest::keyClick(window_, Qt::Key_D);
    }

    void noTextIsCut_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("scale");
        QTest::newRow("reference") << QSize(1600, 1000) << 1.0;
        QTest::newRow("smallest") << QSize(1280, 720) << 1.0;
        QTest::newRow("half as large again") << QSize(1600, 1000) << 1.5;
        QTest::newRow("twice as large") << QSize(1600, 1000) << 2.0;
    }
    void noTextIsCut() {
        QFETCH(QSize, size);
        QFETCH(double, scale);
        show(size, scale);
        QCOMPARE(window_->property("page").toString(), QStringLiteral("start"));
        QCOMPARE(cutTexts(), QStringList());
        auto* explorer = part<Explorer>("explorer");
        part<DocumentsModel>("documents")->openText("layout", "nz(64, 64, f16)", {});
        explorer->find("37, 21");
        QTest::qWait(150);
        QCOMPARE(cutTexts(), QStringList());
        explorer->setText("nz(250, 512, i8)");
        QTest::qWait(100);
        QCOMPARE(cutTexts(), QStringList());
        QMetaObject::invokeMethod(window_, "openExample", Q_ARG(int, 1));
        part<TraceModel>("trace")->finish();
        QTest::qWait(150);
        QCOMPARE(cutTexts(), QStringList());
    }

    void settingsAreRemembered() {
        auto* settings = part<Settings>("settings");
        settings->setReduceMotion(true);
        settings->setPatterns(true);
        settings->setPanel("explore/wide/drawer", 210);
        Settings again;
        QVERIFY(again.reduceMotion());
        QVERIFY(again.patterns());
        QCOMPARE(again.panel("explore/wide/drawer", 190).toInt(), 210);
        settings->setReduceMotion(false);
        settings->setPatterns(false);
    }

    void filesDroppedAnywhereOpen() {
        QTemporaryDir folder;
        QFile file(folder.filePath("dropped.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("S[(4, 4):(4, 1)]");
        file.close();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file.fileName())});
        const QPoint place(700, 500);
        QDragEnterEvent enter(place, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window_, &enter);
        QDropEvent drop(place, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window_, &drop);
        QTRY_COMPARE(part<Explorer>("explorer")->text(), QStringLiteral("S[(4, 4):(4, 1)]"));
    }

    void idleWindowDrawsNothing() {
        part<DocumentsModel>("documents")->openText("layout", "nz(64, 64, f16)", {});
        QTRY_VERIFY(item("logicalCanvas"));
        item("logicalCanvas")->forceActiveFocus();
        QTest::qWait(700);
        int swaps = 0;
        const auto counting = connect(window_, &QQuickWindow::frameSwapped, this, [&] { ++swaps; });
        QTest::qWait(1000);
        disconnect(counting);
        QVERIFY2(swaps <= 3, qUtf8Printable(QString::number(swaps)));
    }
};

int main(int argc, char** argv) {
    ls::gui::set_up_application();
    QGuiApplication app(argc, argv);
    AppWindow test;
    return QTest::qExec(&test, argc, argv);
}
#include "app_window_test.moc"
