// The TMEM view behind its window: the gemm_async document in front read and planned; its numbers, the chosen
// instruction, what is looked at. Every change of the text is a named step of the document.
#pragma once

#include <functional>
#include <memory>

#include <QtCore/QPointer>
#include <QtCore/QStringList>
#include <QtCore/QVariantList>
#include <QtQml/qqmlregistration.h>

#include "app/models/diagnostics_model.h"
#include "app/models/documents_model.h"
#include "app/models/tmem_bench.h"
#include "views/handles.h"

namespace ls::models {

class TmemModel : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(ls::models::DocumentsModel* documents READ documents WRITE setDocuments NOTIFY documentsChanged)
    /// There are pictures. They stay while a text is being mended (`refused`).
    Q_PROPERTY(bool valid READ valid NOTIFY planChanged)
    Q_PROPERTY(bool open READ open NOTIFY planChanged)
    Q_PROPERTY(bool refused READ refused NOTIFY planChanged)
    Q_PROPERTY(QString errorCode READ errorCode NOTIFY planChanged)
    Q_PROPERTY(QString errorMessage READ errorMessage NOTIFY planChanged)
    Q_PROPERTY(QString errorHint READ errorHint NOTIFY planChanged)
    Q_PROPERTY(int errorBegin READ errorBegin NOTIFY planChanged)
    Q_PROPERTY(int errorEnd READ errorEnd NOTIFY planChanged)
    Q_PROPERTY(int errorLine READ errorLine NOTIFY planChanged)
    Q_PROPERTY(QString text READ text NOTIFY planChanged)
    /// The call is planned: there are instructions.
    Q_PROPERTY(bool planned READ planned NOTIFY planChanged)
    Q_PROPERTY(QString formula READ formula NOTIFY planChanged)
    /// { text, tone }.
    Q_PROPERTY(QVariantList pills READ pills NOTIFY planChanged)
    Q_PROPERTY(ls::models::DiagnosticsModel* diagnostics READ diagnostics CONSTANT)

    Q_PROPERTY(QStringList dtypes READ dtypes CONSTANT)
    Q_PROPERTY(int dtypeIndex READ dtypeIndex NOTIFY planChanged)
    Q_PROPERTY(QStringList swizzles READ swizzles CONSTANT)
    Q_PROPERTY(int swizzleA READ swizzleA NOTIFY planChanged)
    Q_PROPERTY(int swizzleB READ swizzleB NOTIFY planChanged)
    /// { key, label, value, low, high, step }.
    Q_PROPERTY(QVariantList numbers READ numbers NOTIFY planChanged)
    /// { key, text, on }.
    Q_PROPERTY(QVariantList switches READ switches NOTIFY planChanged)

    /// The chosen instruction, an index into the table of steps.
    Q_PROPERTY(int step READ step WRITE setStep NOTIFY stepChanged)
    Q_PROPERTY(int steps READ steps NOTIFY planChanged)
    Q_PROPERTY(int kStep READ kStep WRITE setKStep NOTIFY stepChanged)
    Q_PROPERTY(int kSteps READ kSteps NOTIFY planChanged)
    Q_PROPERTY(ls::views::TableHandle table READ table NOTIFY tableChanged)
    Q_PROPERTY(QList<ls::views::GridCell> stepCells READ stepCells NOTIFY stepChanged)
    /// 0 units of 16 bytes, 1 bytes, 2 elements.
    Q_PROPERTY(int unit READ unit WRITE setUnit NOTIFY unitChanged)
    Q_PROPERTY(bool swizzled READ swizzled WRITE setSwizzled NOTIFY swizzledChanged)
    /// Where A's (or B's) descriptor comes from: { name, value }.
    Q_PROPERTY(bool ofB READ ofB WRITE setOfB NOTIFY ofBChanged)
    Q_PROPERTY(QVariantList trace READ trace NOTIFY traceChanged)

    Q_PROPERTY(QString lookText READ lookText NOTIFY lookChanged)

public:
    explicit TmemModel(QObject* parent = nullptr);
    ~TmemModel() override;

    DocumentsModel* documents() const { return documents_; }
    void setDocuments(DocumentsModel* documents);
    bool valid() const { return shown_ != nullptr; }
    bool open() const { return read_ != nullptr; }
    bool refused() const { return read_ && read_->refusal; }
    QString errorCode() const;
    QString errorMessage() const;
    QString errorHint() const;
    int errorBegin() const;
    int errorEnd() const;
    int errorLine() const;
    QString text() const;
    bool planned() const { return shown_ && shown_->bench.plan; }
    QString formula() const;
    QVariantList pills() const;
    DiagnosticsModel* diagnostics() { return &diagnostics_; }

    QStringList dtypes() const;
    int dtypeIndex() const;
    QStringList swizzles() const;
    int swizzleA() const;
    int swizzleB() const;
    QVariantList numbers() const;
    QVariantList switches() const;

    int step() const { return step_; }
    void setStep(int step);
    int steps() const { return shown_ ? static_cast<int>(shown_->bench.steps.size()) : 0; }
    int kStep() const;
    void setKStep(int ki);
    int kSteps() const { return planned() ? static_cast<int>(shown_->bench.plan->k_iters) : 0; }
    views::TableHandle table() const { return table_; }
    QList<views::GridCell> stepCells() const { return {views::GridCell(scene::Cell{step_, 0})}; }
    int unit() const { return unit_; }
    void setUnit(int unit);
    bool swizzled() const { return swizzled_; }
    void setSwizzled(bool on);
    bool ofB() const { return of_b_; }
    void setOfB(bool on);
    QVariantList trace() const;
    QString lookText() const;

    Q_INVOKABLE void setText(const QString& text);
    Q_INVOKABLE void setNumber(const QString& key, double value);
    Q_INVOKABLE void toggleSwitch(const QString& key);
    Q_INVOKABLE void setDtype(int index);
    Q_INVOKABLE void setSwizzle(bool b, int index);
    /// The category that colours a K step.
    Q_INVOKABLE int kCategory(int step) const;
    Q_INVOKABLE void copyText();
    Q_INVOKABLE void copyTable();
    Q_INVOKABLE void clearLook() { setLook({}); }
    Q_INVOKABLE void say(const QString& what) { emit said(what); }
    /// The layout of A or B in shared memory, of C in tensor memory or of its registers, as Explore reads it.
    Q_INVOKABLE QString layoutText(const QString& part) const;

    // For the pictures and words beside this one.
    const TmemBench* bench() const { return shown_.get(); }
    const tirx::GemmStep* chosen() const;
    const TmemLook& look() const { return look_; }
    void setLook(const TmemLook& look);

signals:
    void documentsChanged();
    void planChanged();
    void stepChanged();
    void tableChanged();
    void unitChanged();
    void swizzledChanged();
    void ofBChanged();
    void traceChanged();
    void lookChanged();
    void said(const QString& what);
    void failed(const QString& code, const QString& message, const QString& hint);

private:
    void follow();
    void read(const std::string& text);
    void edit(const QString& step, const std::function<void(tirx::GemmSubject&)>& change, const std::string& merge_key = {});
    void editText(const QString& step, std::string text, const std::string& merge_key);

    QPointer<DocumentsModel> documents_;
    std::shared_ptr<const TmemBench> read_;  ///< of the text as it is
    std::shared_ptr<const TmemBench> shown_; ///< the last that could be drawn
    views::TableHandle table_;
    DiagnosticsModel diagnostics_;
    TmemLook look_;
    int step_ = 0, unit_ = 0;
    bool swizzled_ = true, of_b_ = false;
};

} // namespace ls::models
