// The models behind the UB view, without a window.
#include <QtCore/QElapsedTimer>
#include <QtCore/QTemporaryDir>
#include <QtGui/QGuiApplication>
#include <QtTest/QtTest>

#include "app/models/examples_model.h"
#include "app/models/sequence_text.h"
#include "app/models/ub_export_model.h"
#include "app/models/ub_map_model.h"
#include "app/models/ub_model.h"
#include "app/models/ub_tables.h"
#include "app/models/ub_work_model.h"

using namespace ls::models;

class UbModels : public QObject {
    Q_OBJECT

    struct Stage {
        DocumentsModel documents;
        UbModel model;
        UbMapModel map;
        UbWorkModel work;
        UbExportModel source;
        ExamplesModel examples;

        explicit Stage(const QString& file) {
            model.setDocuments(&documents);
            map.setModel(&model);
            map.setWidth(1000);
            map.setHeight(460);
            work.setModel(&model);
            work.setWidth(900);
            work.setHeight(260);
            source.setModel(&model);
            documents.openText("ub", examples.program(file), file);
        }
        double idOf(const char* name) const {
            for (const UbRow& row : ub_rows(*model.plan()))
                if (row.name == name) return static_cast<double>(ls::figure::ub_target_id(row.target));
            return -1;
        }
        std::int64_t offsetOf(const char* name) const {
            for (const UbRow& row : ub_rows(*model.plan()))
                if (row.name == name) return row.off;
            return -1;
        }
        /// The middle of a view's live rectangle in the map.
        QPointF middleOf(const char* name) const {
            const auto& hits = map.picture().picture()->hits;
            for (std::size_t i = hits.size(); i-- > 0;)
                if (static_cast<double>(hits[i].id) == idOf(name) && hits[i].rect.y > 100)
                    return {hits[i].rect.x + hits[i].rect.w / 2, hits[i].rect.y + hits[i].rect.h / 2};
            return {};
        }
    };

private slots:
    void operatorOpens() {
        Stage s("chunk_gated_delta_rule.ub.json");
        QVERIFY(s.model.valid());
        QVERIFY(s.model.isOperator());
        QCOMPARE(s.model.verdict(), QStringLiteral("fits, 247296 of 262144"));
        QCOMPARE(s.model.booksVerdict(), QStringLiteral("agree"));
        QVERIFY(s.map.picture().valid());
        QCOMPARE(s.map.conflicts(), 0);
        QCOMPARE(s.work.whyTitle(), QStringLiteral("Why it doubles"));
        QCOMPARE(s.work.units(), 16.0);
        QVERIFY(s.work.facts().at(0).toMap()["value"].toString().endsWith("= 520"));
    }

    void everyPartitionOfTheExampleListOpens() {
        ExamplesModel examples;
        int partitions = 0;
        for (int row = 0; row < examples.count(); ++row) {
            const QVariantMap one = examples.get(row);
            if (one["kind"].toString() != "ub") continue;
            ++partitions;
            Stage s(one["file"].toString());
            QVERIFY2(s.model.valid() && !s.model.refused(), qPrintable(one["file"].toString()));
            QVERIFY2(s.map.picture().valid(), qPrintable(one["file"].toString()));
            QVERIFY2(s.model.views().rowCount() > 0, qPrintable(one["file"].toString()));
            s.source.setShown(true);
            QVERIFY2(s.source.files().size() >= 3, qPrintable(one["file"].toString() + s.source.why()));
        }
        QVERIFY(partitions >= 12);
    }

    void parametersAreNamedSteps() {
        Stage s("chunk_gated_delta_rule.ub.json");
        s.model.setParameter("dv", 256);
        QVERIFY(s.documents.canUndo());
        QVERIFY(s.documents.undoName().contains("dv"));
        QCOMPARE(s.model.plan()->host->input.dv, std::int64_t(256));
        s.documents.undo();
        QCOMPARE(s.model.verdict(), QStringLiteral("fits, 247296 of 262144"));
    }

    void whatIfsShowDamageAndGoAgain() {
        Stage s("chunk_gated_delta_rule.ub.json");
        s.model.toggleWhatIf("cursor-elements");
        QVERIFY(s.map.conflicts() > 0);
        QVERIFY(s.model.diagnostics()->errors() > 0);
        QCOMPARE(s.map.handleAt(s.middleOf("chunkKFp32").x(), s.middleOf("chunkKFp32").y()), QString());
        s.model.toggleWhatIf("cursor-elements");
        QCOMPARE(s.map.conflicts(), 0);
        s.model.toggleWhatIf("double-buffer");
        QCOMPARE(s.model.verdict(), QStringLiteral("32768 bytes too many"));
    }

    void draggingChangesTheTextInSteps() {
        Stage s("cgdr_overlap.ub.json");
        const std::int64_t before = s.offsetOf("chunkVFp32"), after = s.offsetOf("chunkScoresFp32");
        const QPointF from = s.middleOf("chunkVFp32");
        QCOMPARE(s.map.handleAt(from.x(), from.y()), QStringLiteral("block"));
        QVERIFY(s.map.beginDrag(from.x(), from.y()));
        for (int i = 1; i <= 20; ++i) s.map.dragTo(from.x() + i, false);
        s.map.endDrag();
        QVERIFY(s.offsetOf("chunkVFp32") > before);
        QCOMPARE(s.offsetOf("chunkVFp32") % 32, std::int64_t(0));
        QCOMPARE(s.offsetOf("chunkScoresFp32"), after); // followers stay
        QVERIFY(s.map.conflicts() > 0);                 // and now they clash
        QVERIFY(s.model.text().contains("\"off\": " + QString::number(s.offsetOf("chunkVFp32"))));
        s.documents.undo(); // the whole drag is one step
        QCOMPARE(s.offsetOf("chunkVFp32"), before);
        QVERIFY(!s.documents.canUndo());
    }

    void keysMoveAndResize() {
        Stage s("cgdr_overlap.ub.json");
        s.map.setSelected(s.idOf("expGCumFp32"));
        const std::int64_t before = s.offsetOf("expGCumFp32");
        QVERIFY(s.map.nudge(32, false));
        QCOMPARE(s.offsetOf("expGCumFp32"), before + 32);
        QVERIFY(s.map.nudge(256, false));
        QCOMPARE(s.offsetOf("expGCumFp32"), before + 288);
        QVERIFY(s.map.nudge(32, true));
        QVERIFY(s.map.formula().contains("288 B"));
    }

    void draggingALaunchMakesItAModel() {
        Stage s("chunk_gated_delta_rule.ub.json");
        s.map.setSelected(s.idOf("gCumsumFp32"));
        QVERIFY(s.map.nudge(32, false));
        QVERIFY(!s.model.isOperator());
        QCOMPARE(s.offsetOf("gCumsumFp32"), std::int64_t(212992 + 32));
        s.documents.undo();
        QVERIFY(s.model.isOperator());
    }

    void refusedTextKeepsThePictureAndPointsAtThePlace() {
        Stage s("cgdr_overlap.ub.json");
        QString text = s.model.text();
        text.replace("\"elems\": \"cs*cs\"", "\"elems\": \"cs*nothing\"");
        s.model.setText(text);
        QVERIFY(s.model.refused());
        QVERIFY(s.model.valid());
        QVERIFY(s.map.picture().valid());
        QVERIFY(s.model.errorLine() > 1);
        QVERIFY(text.mid(s.model.errorBegin(), s.model.errorEnd() - s.model.errorBegin()).contains("nothing"));
        s.documents.undo();
        QVERIFY(!s.model.refused());
    }

    void proposalsSaveBytesAndCanBeUndone() {
        Stage s("chunk_gated_delta_rule.ub.json");
        s.model.setFitShown(true);
        QVERIFY(!s.model.proposals().isEmpty());
        QVERIFY(s.model.growth().size() >= 8);
        const double saved = s.model.proposals().at(0).toMap()["saved"].toDouble();
        QVERIFY(saved >= 32768);
        s.model.applyProposal(0);
        QVERIFY(!s.model.isOperator());
        QCOMPARE(s.map.conflicts(), 0);
        QCOMPARE(s.model.plan()->partition->find("tmpBuff")->used, std::int64_t(214528) - static_cast<std::int64_t>(saved));
        s.documents.undo();
        QVERIFY(s.model.isOperator());
    }

    void zoomReachesASmallView() {
        Stage s("cgdr_overlap.ub.json");
        s.map.setSelected(s.idOf("gCumsumFp32"));
        s.map.zoomToSelected();
        QVERIFY(s.map.zoomed());
        const auto& hits = s.map.picture().picture()->hits;
        const bool wide = std::any_of(hits.begin(), hits.end(), [&](const ls::scene::HitRegion& h) {
            return static_cast<double>(h.id) == s.idOf("gCumsumFp32") && h.rect.w > 150;
        });
        QVERIFY(wide);
        s.map.fit();
        QVERIFY(!s.map.zoomed());
    }

    void workReplaysAndCompares() {
        Stage s("chunk_gated_delta_rule.ub.json");
        s.work.setStep(2);
        QVERIFY(s.work.stepText().contains("unit 2 of 16"));
        QVERIFY(s.work.stepText().contains("turn 1")); // the second head reaches the quota
        s.work.setOther(1);
        QVERIFY(s.work.otherPicture().valid());
        QVERIFY(s.work.otherText().contains("instead of 1024"));
        s.work.toggleHazard("quota-zero");
        QCOMPARE(s.work.whyTitle(), QStringLiteral("Work is lost"));
        QVERIFY(s.model.diagnostics()->errors() > 0);
        s.documents.undo();
        QCOMPARE(s.model.diagnostics()->errors(), 0);
    }

    void sequencesAreTypedPastedAndGenerated() {
        const auto read = read_lengths("[512, 8]\n 16x3;−4");
        QVERIFY(!read.ok()); // a typographic minus is no number
        QCOMPARE(std::string(read.error().code), std::string("UB_LENGTHS"));
        const auto good = read_lengths("[512, 8]\n 16x3; -4");
        QVERIFY(good.ok());
        QVERIFY(*good == std::vector<std::int32_t>({512, 8, 16, 16, 16, -4}));
        const std::vector<std::int32_t> many = generate_lengths("long-tail", 5000, 2048);
        QVERIFY(*read_lengths(write_lengths(many)) == many);
        QVERIFY(*std::max_element(many.begin(), many.end()) <= 2048);

        Stage s("recurrent_kda.ub.json");
        QVERIFY(s.work.setLengths("100, 200x5"));
        QCOMPARE(s.work.sequences(), 6);
        s.documents.undo();
        QCOMPARE(s.work.sequences(), 2);
        QVERIFY(!s.work.setLengths("100, x"));
        QVERIFY(s.work.lengthsError().contains("'x'"));
        s.work.setCores(20);
        QCOMPARE(s.work.cores(), 20.0);
    }

    void speedsHold() {
        Stage s("cgdr_separate_3tiles.ub.json");
        s.map.setSelected(s.idOf("expGCumFp32"));
        double best = 1e9;
        for (int i = 0; i < 12; ++i) {
            QElapsedTimer timer;
            timer.start();
            s.map.nudge(32, false);
            best = std::min(best, static_cast<double>(timer.nsecsElapsed()) / 1e6);
        }
        qInfo("one nudge from key to picture: %.2f ms", best);
        s.work.generate("uniform", 10000, 2048);
        QCOMPARE(s.work.sequences(), 10000);
        qInfo("10 000 sequences distributed: %.2f ms", s.work.lastMilliseconds());
        QVERIFY(best < 50);
    }

    void exportSaves() {
        Stage s("chunk_gated_delta_rule.ub.json");
        QTemporaryDir folder;
        s.source.setShown(true);
        QVERIFY(s.source.saveAll(QUrl::fromLocalFile(folder.path())));
        QVERIFY(QFile::exists(folder.filePath("cgdr_kernel.h")));
        QVERIFY(s.map.exportTo(QUrl::fromLocalFile(folder.filePath("map.svg")), false));
        QVERIFY(QFile(folder.filePath("map.svg")).size() > 4000);
        QSignalSpy failed(&s.model, &UbModel::failed);
        QVERIFY(!s.map.exportTo(QUrl::fromLocalFile(folder.filePath("map.gif")), false));
        QCOMPARE(failed.size(), 1);
    }
};

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QGuiApplication app(argc, argv);
    UbModels test;
    return QTest::qExec(&test, argc, argv);
}

#include "ub_models_test.moc"
