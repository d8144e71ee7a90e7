// The TMEM view in its window: the worked example, pointing, pressing, editing, decoding, the gallery, narrow and low.
#include <QtCore/QSettings>
#include <QtCore/QStandardPaths>
#include <QtGui/QGuiApplication>
#include <QtQuick/QQuickItem>
#include <QtQuick/QQuickWindow>
#include <QtTest/QtTest>

#include "app/gui/gui_app.h"
#include "app/models/documents_model.h"
#include "app/models/settings.h"
#include "app/models/tmem_banks.h"
#include "app/models/tmem_model.h"
#include "app/models/tmem_picture.h"
#include "app/models/tmem_word.h"

using namespace ls::models;

class TmemWindow : public QObject {
    Q_OBJECT

    std::unique_ptr<ls::gui::GuiApp> app_;
    QQuickWindow* window_ = nullptr;

    template <class T>
    T* part(const char* name) {
        return qvariant_cast<T*>(window_->property(name));
    }
    /// What a Repeater makes has no QObject parent: it is looked for among the items that are shown.
    static QQuickItem* below(QQuickItem* from, const QString& name) {
        if (from->objectName() == name) return from;
        for (QQuickItem* child : from->childItems()) {
            if (QQuickItem* found = below(child, name)) return found;
        }
        return nullptr;
    }
    QQuickItem* item(const char* name) { return below(window_->contentItem(), QString::fromLatin1(name)); }
    QObject* view() { return qvariant_cast<QObject*>(window_->property("view")); }
    TmemModel& model() { return *part<TmemModel>("tmem"); }
    template <class T>
    T* ofView(const char* name) {
        return qvariant_cast<T*>(view()->property(name));
    }
    void show(const QSize& size, double scale = 1, bool dark = false) {
        part<Settings>("settings")->setScale(scale);
        part<Settings>("settings")->setDark(dark);
        window_->resize(size);
        QTest::qWait(150);
    }
    QPoint inWindow(QQuickItem* one, double x, double y) { return one->mapToScene({x, y}).toPoint(); }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QSettings().clear();
        app_ = std::make_unique<ls::gui::GuiApp>();
        ls::gui::StartOptions options;
        options.fresh = true;
        options.size = QSize(1600, 1000);
        QVERIFY(app_->start(options));
        window_ = app_->window();
        QVERIFY(QTest::qWaitForWindowExposed(window_));
    }

    void galleryComesFirst() {
        QMetaObject::invokeMethod(window_, "goTo", Q_ARG(QString, "tmem"));
        QTRY_COMPARE(window_->property("page").toString(), QStringLiteral("tmem"));
        QVERIFY(!model().open());
        QTRY_VERIFY(item("tmemWorked") && item("tmemWorked")->isVisible());
        QMetaObject::invokeMethod(window_, "openGemm");
        QTRY_VERIFY(model().planned());
        QCOMPARE(model().steps(), 4);
        QCOMPARE(model().step(), 1);
    }

    void wordsAreTheCalls() {
        auto* matrix = ofView<TmemWord>("matrix");
        auto* instruction = ofView<TmemWord>("instruction");
        QCOMPARE(matrix->hex(), QStringLiteral("0x4000404000000042"));
        QCOMPARE(instruction->hex(), QStringLiteral("0x08200010"));
        model().setKStep(3);
        QCOMPARE(matrix->hex(), QStringLiteral("0x4000404000000046"));
        matrix->flip(0);
        QVERIFY(matrix->own());
        QCOMPARE(matrix->hex(), QStringLiteral("0x4000404000000047"));
        matrix->reset();
        QVERIFY(!matrix->own());
        QVERIFY(!matrix->take("nonsense"));
        QCOMPARE(matrix->problemCode(), QStringLiteral("DESC_ARGUMENT"));
        QVERIFY(matrix->take("0x4000404000000046"));
        QVERIFY(!matrix->own() && matrix->problem().isEmpty());
        matrix->setKind(0);
        QCOMPARE(matrix->hex(), QStringLiteral("0x4000004000000046"));
        matrix->setKind(1);
        QVERIFY(!instruction->take("0x4000404000000046"));
        instruction->reset();
        model().setOfB(true);
        QCOMPARE(matrix->hex(), QStringLiteral("0x4000404000000446"));
        model().setOfB(false);
        model().setKStep(1);
    }

    void pointingLightsTheElementEverywhere() {
        QTRY_VERIFY(item("tmemPicture-smem-a"));
        QQuickItem* smem = item("tmemPicture-smem-a");
        QTRY_VERIFY(smem->width() > 300);
        QTest::qWait(60);
        QTest::mouseMove(window_, inWindow(smem, smem->width() / 3, smem->height() / 2));
        QTRY_VERIFY(model().look().of == TmemLook::Of::A);
        QVERIFY(model().lookText().startsWith("A["));
        QQuickItem* tmem = item("tmemPicture-tmem");
        QTest::mouseMove(window_, inWindow(tmem, 80, tmem->height() / 2));
        QTRY_VERIFY(model().look().of == TmemLook::Of::C);
        QVERIFY2(model().lookText().contains("thread"), qPrintable(model().lookText()));
        QTest::mouseMove(window_, QPoint(700, 20));
        QTRY_VERIFY(model().look().of == TmemLook::Of::None);
    }

    void pressingChoosesTheKStep() {
        TmemPicture picture;
        picture.setWidth(800);
        picture.setHeight(500);
        picture.setModel(&model());
        bool changed = false;
        for (double x = 100; x < 600 && !changed; x += 30) {
            picture.pressAt(x, 70);
            changed = model().kStep() != 1;
        }
        QVERIFY(changed);
        model().setKStep(1);
    }

    void editsAreUndoableSteps() {
        auto* documents = part<DocumentsModel>("documents");
        model().setNumber("k", 128);
        QCOMPARE(model().steps(), 8);
        QCOMPARE(documents->undoName(), QStringLiteral("Set K to 128"));
        model().toggleSwitch("transA");
        QVERIFY(model().formula().contains("A[128,128]ᵀ"));
        model().setSwizzle(false, 2);
        QCOMPARE(model().swizzleA(), 2);
        documents->undo();
        documents->undo();
        documents->undo();
        QCOMPARE(model().steps(), 4);
        model().setNumber("k", 24);
        QVERIFY(!model().planned());
        QVERIFY(!model().errorMessage().isEmpty());
        QVERIFY(model().diagnostics()->errors() > 0);
        documents->undo();
        QVERIFY(model().planned());
        model().setText("{");
        QVERIFY(model().refused() && model().valid());
        documents->undo();
        QVERIFY(!model().refused());
    }

    void banksSayWhatTheSwizzleSaves() {
        auto* banks = ofView<TmemBanks>("banks");
        for (int kind = 0; kind < banks->kinds().size(); ++kind) {
            banks->setKind(kind);
            QVERIFY2(banks->picture().valid() && banks->problem().isEmpty(), qPrintable(banks->kinds()[kind]));
        }
        banks->setKind(0);
    }

    void everyExampleOpens() {
        auto* examples = qvariant_cast<QAbstractItemModel*>(window_->property("examples"));
        int opened = 0;
        for (int row = 0; row < examples->rowCount(); ++row) {
            const QString kind = examples->index(row, 0).data(Qt::UserRole + 11).toString();
            if (kind != "gemm") continue;
            QMetaObject::invokeMethod(window_, "openExample", Q_ARG(int, row));
            QTRY_VERIFY(model().valid() && !model().refused());
            ++opened;
        }
        QCOMPARE(opened, 4);
        QVERIFY(!model().planned()); // the last one is the refusal
        QCOMPARE(model().errorCode(), QStringLiteral("SMEM_OPERAND_PLAIN"));
        QMetaObject::invokeMethod(window_, "openGemm");
        QTRY_VERIFY(model().planned());
    }

    void narrowAndLowKeepEverythingInReach() {
        show({1280, 720});
        QTRY_VERIFY(view()->property("tabbed").toBool());
        for (const char* tab : {"words", "steps", "banks", "why", "text"}) {
            view()->setProperty("benchTab", tab);
            QTest::qWait(40);
        }
        QMetaObject::invokeMethod(view(), "toggleDrawer");
        QTest::qWait(40);
        QMetaObject::invokeMethod(view(), "toggleDrawer");
        view()->setProperty("benchTab", "words");
        show({1600, 1000}, 2, true);
        show({1600, 1000});
        QMetaObject::invokeMethod(view(), "showTrip");
        QTRY_VERIFY(item("tmemPicture-registers"));
    }
};

int main(int argc, char** argv) {
    ls::gui::set_up_application();
    QGuiApplication app(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("layoutscope-tmem-test"));
    TmemWindow test;
    return QTest::qExec(&test, argc, argv);
}

#include "tmem_window_test.moc"
