// The UB view behind its window: the document in front read, placed and checked; its parameters, what-ifs, books,
// findings and proposals. Every change is a named step of the document.
#pragma once

#include <memory>

#include <QtCore/QPointer>
#include <QtCore/QStringList>
#include <QtCore/QTimer>
#include <QtCore/QVariantList>
#include <QtQml/qqmlregistration.h>

#include "app/models/diagnostics_model.h"
#include "app/models/documents_model.h"
#include "app/models/ub_plan.h"
#include "core/ub/model/overlay.h"
#include "views/handles.h"

namespace ls::models {

class UbModel : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(ls::models::DocumentsModel* documents READ documents WRITE setDocuments NOTIFY documentsChanged)
    /// There is a picture. It stays while a text is being mended (`refused`).
    Q_PROPERTY(bool valid READ valid NOTIFY planChanged)
    Q_PROPERTY(bool open READ open NOTIFY planChanged)
    Q_PROPERTY(bool isOperator READ isOperator NOTIFY planChanged)
    Q_PROPERTY(QString name READ name NOTIFY planChanged)
    Q_PROPERTY(bool refused READ refused NOTIFY planChanged)
    Q_PROPERTY(QString errorCode READ errorCode NOTIFY planChanged)
    Q_PROPERTY(QString errorMessage READ errorMessage NOTIFY planChanged)
    Q_PROPERTY(QString errorHint READ errorHint NOTIFY planChanged)
    /// Characters of `text` that the refusal means, and their line; 0 where there is no place.
    Q_PROPERTY(int errorBegin READ errorBegin NOTIFY planChanged)
    Q_PROPERTY(int errorEnd READ errorEnd NOTIFY planChanged)
    Q_PROPERTY(int errorLine READ errorLine NOTIFY planChanged)
    Q_PROPERTY(QString text READ text NOTIFY planChanged)

    Q_PROPERTY(QStringList platforms READ platforms CONSTANT)
    Q_PROPERTY(int platformIndex READ platformIndex NOTIFY planChanged)
    Q_PROPERTY(QString platformText READ platformText NOTIFY planChanged)
    Q_PROPERTY(int variantIndex READ variantIndex NOTIFY planChanged)
    /// { key, label, value, low, high, step, editable }.
    Q_PROPERTY(QVariantList parameters READ parameters NOTIFY planChanged)
    Q_PROPERTY(QString verdict READ verdict NOTIFY planChanged)
    Q_PROPERTY(QString verdictTone READ verdictTone NOTIFY planChanged)
    Q_PROPERTY(QString booksVerdict READ booksVerdict NOTIFY planChanged)
    Q_PROPERTY(QString booksTone READ booksTone NOTIFY planChanged)
    /// { id, question, on, takes, value }: changes that can be tried on an operator.
    Q_PROPERTY(QVariantList whatIfs READ whatIfs NOTIFY planChanged)
    Q_PROPERTY(int tried READ tried NOTIFY planChanged)

    Q_PROPERTY(ls::views::TableHandle books READ books NOTIFY planChanged)
    Q_PROPERTY(ls::views::TableHandle views READ views NOTIFY planChanged)
    Q_PROPERTY(ls::views::TableHandle candidates READ candidates NOTIFY planChanged)
    Q_PROPERTY(ls::views::TableHandle record READ record NOTIFY planChanged)
    Q_PROPERTY(ls::views::TableHandle culprits READ culprits NOTIFY planChanged)
    /// { name, value, tone }.
    Q_PROPERTY(QVariantList facts READ facts NOTIFY planChanged)
    Q_PROPERTY(ls::models::DiagnosticsModel* diagnostics READ diagnostics CONSTANT)

    /// The answers below are worked out only while they are looked at.
    Q_PROPERTY(bool fitShown READ fitShown WRITE setFitShown NOTIFY fitChanged)
    /// { name, value, detail, tone }: how far things may grow, what doubling, rounding and the tail cost.
    Q_PROPERTY(QVariantList growth READ growth NOTIFY fitChanged)
    /// { title, detail, saved }: overlays proved free of conflicts.
    Q_PROPERTY(QVariantList proposals READ proposals NOTIFY fitChanged)
    Q_PROPERTY(QString proposalsNote READ proposalsNote NOTIFY fitChanged)

public:
    explicit UbModel(QObject* parent = nullptr);
    ~UbModel() override;

    DocumentsModel* documents() const { return documents_; }
    void setDocuments(DocumentsModel* documents);
    bool valid() const { return shown_ != nullptr; }
    bool open() const { return plan_ != nullptr; }
    bool isOperator() const { return shown_ && shown_->is_operator(); }
    QString name() const;
    bool refused() const { return plan_ && plan_->refusal; }
    QString errorCode() const;
    QString errorMessage() const;
    QString errorHint() const;
    int errorBegin() const;
    int errorEnd() const;
    int errorLine() const;
    QString text() const;

    QStringList platforms() const;
    int platformIndex() const;
    QString platformText() const;
    int variantIndex() const;
    QVariantList parameters() const;
    QString verdict() const;
    QString verdictTone() const;
    QString booksVerdict() const;
    QString booksTone() const;
    QVariantList whatIfs() const;
    int tried() const;
    views::TableHandle books() const { return books_; }
    views::TableHandle views() const { return views_; }
    views::TableHandle candidates() const { return candidates_; }
    views::TableHandle record() const { return record_; }
    views::TableHandle culprits() const { return culprits_; }
    QVariantList facts() const;
    DiagnosticsModel* diagnostics() { return &diagnostics_; }

    bool fitShown() const { return fit_shown_; }
    void setFitShown(bool shown);
    QVariantList growth() const { return growth_; }
    QVariantList proposals() const;
    QString proposalsNote() const { return proposals_note_; }

    Q_INVOKABLE void setText(const QString& text);
    Q_INVOKABLE void setParameter(const QString& key, double value);
    Q_INVOKABLE void setPlatform(int index);
    Q_INVOKABLE void setVariant(int index);
    Q_INVOKABLE void toggleWhatIf(const QString& id);
    Q_INVOKABLE void setWhatIfValue(const QString& id, double value);
    Q_INVOKABLE void clearWhatIfs();
    Q_INVOKABLE void applyProposal(int index);
    /// The operator's launch written as a model that can be changed freely.
    Q_INVOKABLE void writeAsModel();
    /// What a finding is about: { begin, end } in `text`, and the hit id of its view (−1 for none).
    Q_INVOKABLE QVariantMap placeOfFinding(int row) const;
    Q_INVOKABLE void copyText();

    // For the models beside this one.
    const UbPlan* plan() const { return shown_.get(); }
    /// One named step; steps with the same key that follow each other are one.
    void edit(const QString& step, std::string text, const std::string& merge_key = {});
    /// The text that edits of views work on: a model's own, or the operator's as a model.
    std::string modelText() const;
    nlohmann::json viewSetting(const char* key) const;
    void setViewSetting(const QString& step, const char* key, nlohmann::json value, const std::string& merge_key = {});
    /// Findings of the distribution are listed behind those of the partition.
    void showWorkFindings(std::vector<ub::Finding> findings);

signals:
    void documentsChanged();
    void planChanged();
    void fitChanged();
    /// A setting that is no part of the text changed.
    void settingsChanged();
    void said(const QString& what);
    void failed(const QString& code, const QString& message, const QString& hint);

private:
    void follow();
    void read(const std::string& text);
    void listFindings();
    void workOutFit();
    void editOperator(const QString& step, const std::function<void(ub::cgdr::OperatorFile&)>& change, const std::string& merge_key = {});
    void report(const Diagnostic& why);

    QPointer<DocumentsModel> documents_;
    std::shared_ptr<const UbPlan> plan_;  ///< of the text as it is
    std::shared_ptr<const UbPlan> shown_; ///< the last that could be drawn
    nlohmann::json settings_;
    std::vector<ub::Finding> work_findings_;
    views::TableHandle books_, views_, candidates_, record_, culprits_;
    DiagnosticsModel diagnostics_;
    QTimer fit_timer_;
    bool fit_shown_ = false;
    QVariantList growth_;
    struct Proposal {
        QString title, detail;
        std::int64_t saved = 0;
        std::string alloc;
        ub::OverlayPlan plan;
    };
    std::vector<Proposal> proposals_;
    ub::Model proposal_model_; ///< what proposals are applied to
    QString proposals_note_;
};

} // namespace ls::models
