// The models behind the window, without one.
#include <QtCore/QFile>
#include <QtCore/QStandardPaths>
#include <QtCore/QTemporaryDir>
#include <QtGui/QGuiApplication>
#include <QtTest/QAbstractItemModelTester>
#include <QtTest/QtTest>

#include "app/models/diff_model.h"
#include "app/models/documents_model.h"
#include "app/models/examples_model.h"
#include "app/models/explorer.h"
#include "app/models/fuzzy.h"
#include "app/models/palette_model.h"
#include "app/models/recent_model.h"
#include "app/models/text.h"
#include "app/models/trace_model.h"

using namespace ls::models;

class AppModels : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void hexAndSpans() {
        QCOMPARE(hex(0xCAA), QStringLiteral("0x0CAA"));
        QCOMPARE(hex(0x1F0CAA), QStringLiteral("0x1F0CAA"));
        QCOMPARE(size_text(4096, 16), QStringLiteral("8192 B"));
        QCOMPARE(size_text(3, 4), QStringLiteral("12 bit"));
        // Two bytes of UTF-8 are one character.
        const TextSpan span = utf16_span("é·x", {4, 5});
        QCOMPARE(span.begin, 2);
        QCOMPARE(span.end, 3);
    }

    void fuzzyPrefersWordStartsAndRuns() {
        QVERIFY(!fuzzy_match("xyz", "Swizzle off"));
        const auto run = fuzzy_match("swiz", "Swizzle off and on"), scattered = fuzzy_match("swiz", "Save with size");
        QVERIFY(run.has_value());
        QVERIFY(scattered.has_value());
        QVERIFY(run->score > scattered->score);
        QCOMPARE(with_bold("a<b", {1}), QStringLiteral("a<b>&lt;</b>b"));
        QCOMPARE(fuzzy_match("", "anything")->score, 0);
        // Every matched position holds the letter that was asked for, in order.
        const auto match = fuzzy_match("gta", "Go to address");
        QVERIFY(match.has_value());
        QCOMPARE(match->positions.size(), std::size_t(3));
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(QString("Go to address")[match->positions[i]].toLower(), QString("gta")[static_cast<int>(i)]);
            if (i > 0) QVERIFY(match->positions[i] > match->positions[i - 1]);
        }
    }

    void diffAlignsLines() {
        const QStringList before{"a", "w: [32, 2048]", "b", "c"}, after{"a", "w: [32, 128, 16]", "b", "new", "c"};
        const auto rows = diff_lines(before, after);
        // Every line of both texts stands in exactly one row, in order.
        int left = 0, right = 0;
        for (const DiffRow& row : rows) {
            if (row.left >= 0) QCOMPARE(row.left, left++);
            if (row.right >= 0) QCOMPARE(row.right, right++);
            if (!row.changed) QCOMPARE(before[row.left], after[row.right]);
        }
        QCOMPARE(left, 4);
        QCOMPARE(right, 5);
        QCOMPARE(rows[1].left, 1);
        QCOMPARE(rows[1].right, 1);
        QVERIFY(rows[1].changed);
        QCOMPARE(before[1].mid(rows[1].left_words[0].first, rows[1].left_words[0].second - rows[1].left_words[0].first),
                 QStringLiteral("2048"));
    }

    void diffModelFolds() {
        DiffModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QStringList before, after;
        for (int i = 0; i < 100; ++i) before << QString::number(i);
        after = before;
        after[50] = "fifty";
        model.show(before.join('\n'), after.join('\n'), "python");
        QCOMPARE(model.added(), 1);
        QCOMPARE(model.removed(), 1);
        QVERIFY(model.count() < 20);
        QVERIFY(model.rowOfLine(51) >= 0);
        QCOMPARE(model.lineAt(model.rowOfLine(51)), 51);
        QVERIFY(model.rowOfLine(10) >= 0); // unfolds
        QVERIFY(model.count() >= 100);
    }

    void documentsUndoReopenAndAutosave() {
        QTemporaryDir folder;
        const QString file = folder.filePath("autosave.json");
        {
            DocumentsModel documents;
            QAbstractItemModelTester tester(&documents, QAbstractItemModelTester::FailureReportingMode::QtTest);
            documents.setAutosaveFile(file);
            Explorer explorer;
            explorer.setDocuments(&documents);
            documents.openText("layout", "nz(64, 64, f16)", "one");
            documents.openText("layout", "S[4:1]", "two");
            explorer.setText("S[8:1]");
            QCOMPARE(documents.text(), QStringLiteral("S[8:1]"));
            documents.undo();
            QCOMPARE(explorer.text(), QStringLiteral("S[4:1]"));
            documents.redo();
            QCOMPARE(explorer.text(), QStringLiteral("S[8:1]"));
            documents.close(1);
            QCOMPARE(documents.count(), 1);
            QCOMPARE(explorer.text(), QStringLiteral("nz(64, 64, f16)"));
            documents.reopen();
            QCOMPARE(documents.count(), 2);
            QCOMPARE(explorer.text(), QStringLiteral("S[8:1]"));
            // Written without being asked, well within a second.
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), 1000);
        }
        DocumentsModel again;
        again.setAutosaveFile(file);
        QCOMPARE(again.restore(), 2);
        QCOMPARE(again.text(), QStringLiteral("S[8:1]"));
    }

    void documentsRefuseWhatCannotBeRead() {
        DocumentsModel documents;
        QSignalSpy refused(&documents, &DocumentsModel::refused);
        QVERIFY(!documents.openFile(QUrl::fromLocalFile("/nowhere/at/all.txt")));
        QCOMPARE(refused.count(), 1);
        QCOMPARE(refused[0][0].toString(), QStringLiteral("DOC_UNREADABLE"));
        QCOMPARE(documents.count(), 0);
    }

    void plainTextStaysPlainText() {
        QTemporaryDir folder;
        const QString path = folder.filePath("layout.txt");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("S[4:1]\n");
        file.close();
        DocumentsModel documents;
        Explorer explorer;
        explorer.setDocuments(&documents);
        QVERIFY(documents.openFile(QUrl::fromLocalFile(path)));
        explorer.setText("S[8:1]");
        QVERIFY(documents.modified());
        QVERIFY(documents.save());
        QVERIFY(!documents.modified());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("S[8:1]\n"));
    }

    void explorerChecksWhileTyping() {
        Explorer explorer;
        explorer.setText("nz(64, 64, f16)");
        QVERIFY(explorer.valid());
        QVERIFY(!explorer.refused());
        QCOMPARE(explorer.elementsText(), QStringLiteral("4096 elements"));
        QCOMPARE(explorer.sizeText(), QStringLiteral("8192 B"));
        QCOMPARE(explorer.verdictTone(), QStringLiteral("fine"));
        QCOMPARE(explorer.canonical(), QStringLiteral("S[(4, 16, 4, 16):(256, 16, 1024, 1)]"));
        const auto picture = explorer.logical();
        QCOMPARE(picture.rows(), 64.0);
        // Refused input keeps the last good picture and says what and where.
        explorer.setText("nz(250, 512, i8)");
        QVERIFY(explorer.refused());
        QCOMPARE(explorer.errorCode(), QStringLiteral("NZ_ROWS_UNALIGNED"));
        QVERIFY(explorer.errorEnd() > explorer.errorBegin());
        QVERIFY(explorer.logical() == picture);
        explorer.setText("");
        QVERIFY(!explorer.refused());
        QVERIFY(!explorer.valid());
    }

    void explorerPointsSelectsAndPins() {
        DocumentsModel documents;
        Explorer explorer;
        explorer.setDocuments(&documents);
        documents.openText("layout", "nz(64, 64, f16)", {});
        explorer.hoverLogical(ls::views::GridCell(ls::scene::Cell{37, 21}));
        QVERIFY(explorer.hasFormula());
        QCOMPARE(explorer.formulaCoordinate(), QStringLiteral("(37, 21)"));
        QCOMPARE(explorer.formulaAddress(), QStringLiteral("0x0CAA"));
        QCOMPARE(explorer.formulaState(), QStringLiteral("hovered"));
        QCOMPARE(explorer.formulaRows().size(), 1);
        QCOMPARE(explorer.formulaRows()[0].toMap()["sum"].toInt(), 1621);
        QVERIFY(explorer.ruler().size() >= 3);
        // Byte 0x0CAA in rows of 128 B: row 25, element 21 of the row.
        QCOMPARE(explorer.physicalHover().cell(), (ls::scene::Cell{25, 21}));
        explorer.hoverPhysical(ls::views::GridCell(ls::scene::Cell{25, 21}));
        QCOMPARE(explorer.logicalHover().cell(), (ls::scene::Cell{37, 21}));
        explorer.togglePin();
        QCOMPARE(explorer.pins().size(), 1);
        QCOMPARE(explorer.pins()[0].toMap()["address"].toString(), QStringLiteral("0x0CAA"));
        documents.undo();
        QCOMPARE(explorer.pins().size(), 0);
        documents.redo();
        QCOMPARE(explorer.pins().size(), 1);
        explorer.clearHover();
        QCOMPARE(explorer.find("0x0CAA"), QString());
        QCOMPARE(explorer.formulaCoordinate(), QStringLiteral("(37, 21)"));
        QCOMPARE(explorer.peek("1621"), QStringLiteral("(37, 21)"));
        QVERIFY(!explorer.find("0xFFFFFF").isEmpty());
    }

    void explorerChangesTypeInTheText() {
        Explorer explorer;
        explorer.setText("nz(64, 64, f16)");
        int wanted = -1;
        const QStringList names = explorer.dtypes();
        for (int i = 0; i < names.size(); ++i) {
            if (names[i].startsWith("bf16")) wanted = i;
        }
        QVERIFY(wanted >= 0);
        explorer.chooseDtype(wanted);
        QCOMPARE(explorer.text(), QStringLiteral("nz(64, 64, bf16)"));
        QVERIFY(explorer.valid() && !explorer.refused());
        explorer.setText("S[(8, 64):(64, 1)]");
        explorer.chooseDtype(wanted);
        QCOMPARE(explorer.text(), QStringLiteral("S[(8, 64):(64, 1)] | bf16"));
        QVERIFY(!explorer.refused());
    }

    void explorerDimensionsBeyondTwo() {
        Explorer explorer;
        explorer.setText("S[(4, 8, 16):(128, 16, 1)]");
        QCOMPARE(explorer.dims().size(), 3);
        QCOMPARE(explorer.dims()[0].toMap()["place"].toString(), QStringLiteral("fixed"));
        QCOMPARE(explorer.logical().rows(), 8.0);
        explorer.putOnRows(0);
        QCOMPARE(explorer.logical().rows(), 4.0);
        QCOMPARE(explorer.dims()[1].toMap()["place"].toString(), QStringLiteral("fixed"));
        explorer.fix(1, 3);
        explorer.hoverLogical(ls::views::GridCell(ls::scene::Cell{2, 5}));
        QCOMPARE(explorer.formulaCoordinate(), QStringLiteral("(2, 3, 5)"));
        // Going to an element on another slice brings that slice in front.
        explorer.clearHover();
        QCOMPARE(explorer.find("1, 6, 0"), QString());
        QCOMPARE(explorer.dims()[1].toMap()["value"].toInt(), 6);
    }

    void explorerFiltersElements() {
        Explorer explorer;
        explorer.setText("nz(64, 64, f16)");
        QCOMPARE(explorer.elements().rowCount(), 4096.0);
        explorer.setFilter("r == 37");
        QCOMPARE(explorer.elements().rowCount(), 64.0);
        QCOMPARE(explorer.elementsNote(), QStringLiteral("64 of 4096 shown"));
        explorer.setFilter("r == ");
        QVERIFY(!explorer.filterErrorCode().isEmpty());
        QCOMPARE(explorer.elements().rowCount(), 64.0); // the rows of the last good filter
    }

    void explorerCompares() {
        Explorer explorer;
        explorer.setText("nz(64, 64, f16)");
        explorer.setCompareText("S[(4, 16, 4, 16):(256, 16, 1024, 1)]");
        QCOMPARE(explorer.compareTone(), QStringLiteral("fine"));
        explorer.setCompareText("S[(64, 64):(64, 1)]");
        QCOMPARE(explorer.compareTone(), QStringLiteral("finding"));
        QVERIFY(explorer.compareDetail().startsWith("first (0, 16)"));
        explorer.setCompareText("S[(64, 65):(65, 1)]");
        QCOMPARE(explorer.compareVerdict(), QStringLiteral("CMP_SIZE"));
    }

    void explorerExports() {
        QTemporaryDir folder;
        Explorer explorer;
        explorer.setText("nz(64, 64, f16)");
        for (const char* ending : {"svg", "png", "pdf", "txt"}) {
            const QString path = folder.filePath(QStringLiteral("picture.%1").arg(ending));
            QVERIFY2(explorer.exportTo(QUrl::fromLocalFile(path), false, false), ending);
            QVERIFY(QFile(path).size() > 500);
        }
        QSignalSpy failed(&explorer, &Explorer::failed);
        QVERIFY(!explorer.exportTo(QUrl::fromLocalFile(folder.filePath("picture.xyz")), false, false));
        QCOMPARE(failed[0][0].toString(), QStringLiteral("EXP_ENDING"));
    }

    void everyExampleOpens() {
        ExamplesModel examples;
        QAbstractItemModelTester tester(&examples, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QVERIFY(examples.count() >= 6);
        for (int row = 0; row < examples.count(); ++row) {
            const QVariantMap one = examples.get(row);
            const QByteArray id = one["exampleId"].toByteArray();
            if (one["kind"].toString() == "ub" || one["kind"].toString() == "gemm") {
                QVERIFY2(one["map"].value<ls::views::PictureHandle>().valid(), id.constData());
                continue; // opened by the tests of their views
            }
            QVERIFY2(one["picture"].value<ls::views::GridHandle>().valid(), id.constData());
            if (one["file"].toString().isEmpty()) {
                Explorer explorer;
                explorer.setText(one["text"].toString());
                QVERIFY2(explorer.valid() && !explorer.refused(), id.constData());
            } else {
                const TraceData trace = trace_program(examples.program(one["file"].toString()).toStdString());
                QVERIFY2(trace.passes.size() > 1, id.constData());
            }
        }
    }

    void traceFollowsAnElementThroughPasses() {
        ExamplesModel examples;
        DocumentsModel documents;
        TraceModel trace;
        QAbstractItemModelTester strip(trace.strip(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        trace.setDocuments(&documents);
        documents.openText("program", examples.program("nz_slice.py"), "nz_slice.py");
        trace.finish();
        QVERIFY(trace.count() > 50);
        QCOMPARE(trace.findings(), 0);
        // It opens where the coordinates change: at the pass that blocks NZ tensors.
        QCOMPARE(trace.name(), QStringLiteral("BlockNzTensorViews"));
        QCOMPARE(trace.number(), QStringLiteral("15"));
        QVERIFY(trace.diff()->added() > 0);
        QVERIFY(trace.pictureBursts().startsWith("16 bursts of 8192 B"));
        // w[1, 256+row, 512+col]: byte (1·4096·2048 + 16·65536 + 16·512) = 0x902000, in every snapshot.
        const QVariantList track = trace.track();
        QVERIFY(track.size() >= 3);
        for (const QVariant& one : track) {
            QCOMPARE(one.toMap()["address"].toString(), QStringLiteral("0x902000"));
            QVERIFY(!one.toMap()["moved"].toBool());
        }
        QCOMPARE(track.first().toMap()["coordinate"].toString(), QStringLiteral("[1, 256, 512]"));
        QCOMPARE(track.last().toMap()["coordinate"].toString(), QStringLiteral("[1, 16, 16, 0, 0]"));
        // Every export target answers: with source, or with the reason why not.
        QVERIFY(trace.kernels().size() >= 2);
        for (const QVariant& one : trace.kernels()) {
            QVERIFY(one.toMap()["refused"].toBool() != one.toMap()["why"].toString().isEmpty());
        }
        trace.step(-1, false);
        QCOMPARE(trace.name(), QStringLiteral("ConvertToSSA"));
        const int dots = trace.strip()->rowOf(2);
        QCOMPARE(trace.strip()->passAt(dots), -1);
        const int before = trace.strip()->rowCount();
        trace.strip()->spread(dots);
        QVERIFY(trace.strip()->rowCount() > before);
    }

    void traceShowsARefusalWhereItStands() {
        ExamplesModel examples;
        QString program = examples.program("nz_slice.py");
        // A row offset of 8 is no multiple of 16.
        program.replace("pl.tile.load(w, [1, 256, 512]", "pl.tile.load(w, [1, 8, 512]");
        DocumentsModel documents;
        TraceModel trace;
        trace.setDocuments(&documents);
        documents.openText("program", program, "nz_slice.py");
        trace.finish();
        QCOMPARE(trace.diagnostics()->errors(), 1);
        QCOMPARE(trace.name(), QStringLiteral("BlockNzTensorViews"));
        const int line = trace.goToFinding(0);
        QVERIFY(line > 0);
        const QString said =
            trace.diff()->data(trace.diff()->index(trace.diff()->rowOfLine(line), 0), Qt::DisplayRole).toString();
        QCOMPARE(said.trimmed(), QStringLiteral("[1, 8, 512],"));
        QCOMPARE(trace.accesses()[trace.access()], QStringLiteral("load wt ← w"));
        // What comes after the refusal did not run.
        QCOMPARE(trace.strip()
                     ->data(trace.strip()->index(trace.strip()->rowCount() - 1, 0), PassStripModel::StateRole)
                     .toString(),
                 QStringLiteral("notrun"));
    }

    void refusedOffsetShowsItsProofAndIsMendedInOneUndoableStep() {
        DocumentsModel documents;
        ExamplesModel examples;
        TraceModel trace;
        trace.setDocuments(&documents);
        documents.openText("program", examples.program("nz_refused_offset.py"), "nz_refused_offset.py");
        trace.finish();
        QCOMPARE(trace.diagnostics()->errors(), 1);
        QCOMPARE(trace.proofs()->coordinates().size(), 1);
        const QVariantList questions = trace.proofs()->questions();
        QCOMPARE(questions.size(), 2);
        QVERIFY(questions[0].toMap()["proven"].toBool());
        QVERIFY(!questions[1].toMap()["proven"].toBool());
        QVERIFY(trace.proofs()->clamps());
        QVERIFY(trace.proofs()->text().contains("a difference never qualifies"));

        QCOMPARE(trace.mends().size(), 2);
        QCOMPARE(trace.mends()[1].toMap()["title"].toString(), QStringLiteral("n0 = nb * 256"));
        trace.applyMend(1);
        trace.finish();
        QCOMPARE(trace.diagnostics()->errors(), 0);
        QVERIFY(documents.text().contains("n0: pl.Scalar[pl.INDEX] = nb * 256\n"));
        QVERIFY(trace.mends().isEmpty());
        QCOMPARE(documents.undoName(), QStringLiteral("Mend NZ_OFF_UNPROVEN_SIGN"));
        documents.undo();
        trace.finish();
        QCOMPARE(trace.diagnostics()->errors(), 1);
    }

    void chipAndAssemblerBelongToTheDocument() {
        DocumentsModel documents;
        ExamplesModel examples;
        TraceModel trace;
        trace.setDocuments(&documents);
        documents.openText("program", examples.program("nz_fp32_store.py"), "nz_fp32_store.py");
        trace.finish();
        QCOMPARE(trace.diagnostics()->errors(), 0);
        QCOMPARE(trace.chip(), 0);
        trace.setChip(1); // the store of an accumulator into an NZ tensor is A2/A3's alone
        trace.finish();
        QCOMPARE(trace.chip(), 1);
        QCOMPARE(trace.diagnostics()->errors(), 1);
        documents.undo();
        trace.finish();
        QCOMPARE(trace.chip(), 0);
        QCOMPARE(trace.diagnostics()->errors(), 0);
        trace.setAssembler(1);
        trace.finish();
        QCOMPARE(trace.assemblers()[trace.assembler()], QStringLiteral("PTOAS 0.60"));
        QVERIFY(trace.diagnostics()->warnings() > 0);
    }

    void aDirectoryOfDumpsIsATraceOfItsOwn() {
        QTemporaryDir folder;
        const auto write = [&](const QString& name, const QString& text) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text.toUtf8());
        };
        const QString program = ExamplesModel().program("nz_slice.py");
        write("00_frontend.py", program);
        write("01_after_InlineFunctions.py", program);
        write("02_after_Rename.py", QString(program).replace("xt", "moved"));
        DocumentsModel documents;
        TraceModel trace;
        trace.setDocuments(&documents);
        QVERIFY(documents.openFile(QUrl::fromLocalFile(folder.path())));
        trace.finish();
        QVERIFY(trace.recorded());
        QCOMPARE(trace.count(), 3);
        QCOMPARE(trace.changedCount(), 2);
        trace.setCurrent(2);
        QCOMPARE(trace.name(), QStringLiteral("Rename"));
        QVERIFY(trace.diff()->added() > 0);
    }

    void unreadableProgramSaysWhere() {
        DocumentsModel documents;
        TraceModel trace;
        trace.setDocuments(&documents);
        documents.openText("program", "import pypto.language as pl\n\n@pl.program\nclass A:\n    def (:\n", "bad.py");
        trace.finish();
        QCOMPARE(trace.count(), 0);
        QVERIFY(trace.diagnostics()->errors() > 0);
        QVERIFY(trace.goToFinding(0) > 0);
    }

    void recentKeepsTheLatestFirst() {
        RecentModel recent;
        recent.clear();
        QAbstractItemModelTester tester(&recent, QAbstractItemModelTester::FailureReportingMode::QtTest);
        for (int i = 0; i < RecentModel::kMost + 3; ++i)
            recent.add(QString::number(i), {}, QStringLiteral("S[%1:1]").arg(i + 1), "layout");
        QCOMPARE(recent.count(), RecentModel::kMost);
        recent.add("again", {}, "S[10:1]", "layout");
        QCOMPARE(recent.count(), RecentModel::kMost);
        QCOMPARE(recent.get(0)["title"].toString(), QStringLiteral("again"));
        QCOMPARE(RecentModel().count(), RecentModel::kMost); // remembered
        const QDateTime now = QDateTime::fromString("2026-03-20T12:00:00", Qt::ISODate);
        QCOMPARE(day_text(now, now), QStringLiteral("today"));
        QCOMPARE(day_text(now.addDays(-1), now), QStringLiteral("yesterday"));
        QCOMPARE(day_text(now.addDays(-3), now), QStringLiteral("Tuesday"));
        QCOMPARE(day_text(now.addDays(-30), now), QStringLiteral("2026-02-18"));
        recent.clear();
    }

    void paletteRanksAndRuns() {
        CommandRegistry commands;
        auto list = commands.commands();
        Command swizzle, other;
        for (auto [command, title] : {std::pair{&swizzle, "Swizzle off"}, {&other, "Save as picture"}}) {
            command->setProperty("title", title);
            command->setProperty("menu", "Layout");
            list.append(&list, command);
        }
        PaletteModel palette;
        QAbstractItemModelTester tester(&palette, QAbstractItemModelTester::FailureReportingMode::QtTest);
        palette.setCommands(&commands);
        Explorer explorer;
        explorer.setText("nz(64, 64, f16)");
        palette.setExplorer(&explorer);
        palette.setQuery("");
        QCOMPARE(palette.count(), 2);
        palette.setQuery("swiz");
        QCOMPARE(palette.data(palette.index(0), PaletteModel::TitleRole).toString(), QStringLiteral("Swizzle off"));
        QVERIFY(palette.data(palette.index(0), PaletteModel::StyledRole).toString().startsWith("<b>Swiz</b>"));
        QSignalSpy ran(&swizzle, &Command::triggered);
        palette.run(0);
        QCOMPARE(ran.count(), 1);
        palette.setQuery("0x0CAA");
        QCOMPARE(palette.data(palette.index(0), PaletteModel::TitleRole).toString(),
                 QStringLiteral("Go to element (37, 21)"));
        QSignalSpy element(&palette, &PaletteModel::elementChosen);
        palette.run(0);
        QCOMPARE(element[0][0].toString(), QStringLiteral("0x0CAA"));
    }
};

QTEST_MAIN(AppModels)
#include "app_models_test.moc"
