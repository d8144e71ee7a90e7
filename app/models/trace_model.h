// The Passes view behind its window: the program of the document in front run through its pipeline on a worker, the
// pass that is looked at, its diff, its findings and the exported sources.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>

#include <QtCore/QFutureWatcher>
#include <QtCore/QPointer>
#include <QtCore/QTimer>
#include <QtCore/QVariantList>
#include <QtQml/qqmlregistration.h>

#include "app/models/diagnostics_model.h"
#include "app/models/diff_model.h"
#include "app/models/documents_model.h"
#include "app/models/pass_strip_model.h"
#include "app/models/proof_model.h"
#include "app/models/trace_data.h"
#include "views/handles.h"

namespace ls::models {

class TraceModel : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(ls::models::DocumentsModel* documents READ documents WRITE setDocuments NOTIFY documentsChanged)
    /// Snapshots, the program as read among them; 0 when there is none.
    Q_PROPERTY(int count READ count NOTIFY traceChanged)
    Q_PROPERTY(int findings READ findings NOTIFY traceChanged)
    Q_PROPERTY(int changedCount READ changedCount NOTIFY traceChanged)
    /// Position in the trace.
    Q_PROPERTY(int current READ current WRITE setCurrent NOTIFY currentChanged)
    Q_PROPERTY(QString number READ number NOTIFY currentChanged)
    Q_PROPERTY(QString name READ name NOTIFY currentChanged)
    Q_PROPERTY(QString about READ about NOTIFY currentChanged)
    Q_PROPERTY(QString beforeName READ beforeName NOTIFY currentChanged)
    Q_PROPERTY(bool changedHere READ changedHere NOTIFY currentChanged)
    Q_PROPERTY(int lastNumber READ lastNumber NOTIFY traceChanged)
    Q_PROPERTY(ls::models::PassStripModel* strip READ strip CONSTANT)
    Q_PROPERTY(ls::models::DiffModel* diff READ diff CONSTANT)
    Q_PROPERTY(bool diffOn READ diffOn WRITE setDiffOn NOTIFY currentChanged)
    Q_PROPERTY(ls::models::DiagnosticsModel* diagnostics READ diagnostics CONSTANT)
    /// Tiles have addresses in the snapshot in front; `addressesAt` is the first in which they do, −1 for none.
    Q_PROPERTY(bool hasAddresses READ hasAddresses NOTIFY currentChanged)
    Q_PROPERTY(int addressesAt READ addressesAt NOTIFY traceChanged)
    /// Products of the program, as the pass that tiles them for L0 finds them.
    Q_PROPERTY(QStringList products READ products NOTIFY traceChanged)
    /// What the pass in front had to prove.
    Q_PROPERTY(ls::models::ProofModel* proofs READ proofs CONSTANT)
    /// Row of `diagnostics` whose mends are shown; the first that has any when it is −1.
    Q_PROPERTY(int finding READ finding WRITE setFinding NOTIFY findingChanged)
    /// { title, effect } of the edits that mend that finding.
    Q_PROPERTY(QVariantList mends READ mends NOTIFY findingChanged)
    /// { text, value } of the chips and assembler versions that can be compiled for.
    Q_PROPERTY(QVariantList chips READ chips CONSTANT)
    Q_PROPERTY(int chip READ chip WRITE setChip NOTIFY optionsChanged)
    Q_PROPERTY(QStringList assemblers READ assemblers CONSTANT)
    Q_PROPERTY(int assembler READ assembler WRITE setAssembler NOTIFY optionsChanged)
    /// "pypto", "pto" or "tirx"
    Q_PROPERTY(QString dialect READ dialect NOTIFY traceChanged)
    /// Snapshots that a compiler wrote are shown as they are: nothing of ours ran.
    Q_PROPERTY(bool recorded READ recorded NOTIFY traceChanged)
    /// { title, file, language, refused } of every export target.
    Q_PROPERTY(QVariantList kernels READ kernels NOTIFY traceChanged)
    Q_PROPERTY(int kernel READ kernel WRITE setKernel NOTIFY kernelChanged)
    Q_PROPERTY(ls::models::DiffModel* kernelText READ kernelText CONSTANT)
    /// The loads and stores of the program: "load wt ← w".
    Q_PROPERTY(QStringList accesses READ accesses NOTIFY traceChanged)
    Q_PROPERTY(int access READ access WRITE setAccess NOTIFY accessChanged)
    Q_PROPERTY(double accessRows READ accessRows NOTIFY accessChanged)
    Q_PROPERTY(double accessColumns READ accessColumns NOTIFY accessChanged)
    /// The element of the tile that is followed.
    Q_PROPERTY(double elementRow READ elementRow WRITE setElementRow NOTIFY accessChanged)
    Q_PROPERTY(double elementColumn READ elementColumn WRITE setElementColumn NOTIFY accessChanged)
    /// { position, pass, coordinate, address, why, moved } where the element was seen to change its coordinate.
    Q_PROPERTY(QVariantList track READ track NOTIFY accessChanged)
    Q_PROPERTY(ls::views::GridHandle logical READ logical NOTIFY pictureChanged)
    Q_PROPERTY(ls::views::GridHandle physical READ physical NOTIFY pictureChanged)
    /// Rows of `physical` around what is read.
    Q_PROPERTY(ls::views::GridWindow region READ region NOTIFY pictureChanged)
    Q_PROPERTY(QString pictureTensor READ pictureTensor NOTIFY pictureChanged)
    Q_PROPERTY(QString pictureWindow READ pictureWindow NOTIFY pictureChanged)
    Q_PROPERTY(QString pictureBursts READ pictureBursts NOTIFY pictureChanged)
    Q_PROPERTY(QString pictureWhy READ pictureWhy NOTIFY pictureChanged)
    Q_PROPERTY(bool busy READ busy NOTIFY busyChanged)
    Q_PROPERTY(double progress READ progress NOTIFY progressChanged)
    Q_PROPERTY(QString progressText READ progressText NOTIFY progressChanged)

public:
    explicit TraceModel(QObject* parent = nullptr);
    ~TraceModel() override;

    DocumentsModel* documents() const { return documents_; }
    void setDocuments(DocumentsModel* documents);
    int count() const { return trace_ ? static_cast<int>(trace_->passes.size()) : 0; }
    int findings() const { return diagnostics_.errors() + diagnostics_.warnings(); }
    int changedCount() const;
    int current() const { return current_; }
    void setCurrent(int position);
    QString number() const;
    QString name() const;
    QString about() const;
    QString beforeName() const;
    bool changedHere() const;
    int lastNumber() const { return count() > 0 ? trace_->passes.back().number : 0; }
    PassStripModel* strip() { return &strip_; }
    DiffModel* diff() { return &diff_; }
    bool diffOn() const { return diff_on_; }
    void setDiffOn(bool on);
    DiagnosticsModel* diagnostics() { return &diagnostics_; }
    bool hasAddresses() const { return trace_ && trace_->pictures.has_addresses(snapshot()); }
    int addressesAt() const { return trace_ ? trace_->pictures.first_with_addresses() : -1; }
    QStringList products() const;
    ProofModel* proofs() { return &proofs_; }
    int finding() const { return finding_; }
    void setFinding(int row);
    QVariantList mends() const;
    QVariantList chips() const;
    int chip() const;
    void setChip(int index);
    QStringList assemblers() const;
    int assembler() const;
    void setAssembler(int index);
    QString dialect() const { return trace_ ? QString::fromStdString(trace_->dialect) : QString(); }
    bool recorded() const { return !running_options_.dump_directory.empty(); }
    QVariantList kernels() const;
    int kernel() const { return kernel_; }
    void setKernel(int index);
    DiffModel* kernelText() { return &kernel_text_; }
    QStringList accesses() const;
    int access() const { return access_; }
    void setAccess(int access);
    double accessRows() const { return trace_ ? static_cast<double>(trace_->accesses.rows(access_)) : 0; }
    double accessColumns() const { return trace_ ? static_cast<double>(trace_->accesses.columns(access_)) : 0; }
    double elementRow() const { return static_cast<double>(element_row_); }
    double elementColumn() const { return static_cast<double>(element_column_); }
    void setElementRow(double row);
    void setElementColumn(double column);
    QVariantList track() const;
    views::GridHandle logical() const { return logical_; }
    views::GridHandle physical() const { return physical_; }
    views::GridWindow region() const { return views::GridWindow(picture_.region); }
    QString pictureTensor() const;
    QString pictureWindow() const;
    QString pictureBursts() const;
    QString pictureWhy() const;
    bool busy() const { return watcher_ != nullptr; }
    double progress() const { return progress_; }
    QString progressText() const { return progress_text_; }

    /// To the next pass that changed something; plain steps when `every`.
    Q_INVOKABLE void step(int direction, bool every = true);
    Q_INVOKABLE void goToPass(int position) { setCurrent(position); }
    /// Shows the pass of a finding; answers the 1-based line of its text, 0 for none.
    Q_INVOKABLE int goToFinding(int row);
    /// A row of the diff was chosen: what it loads or stores is followed. Answers whether it is an access.
    Q_INVOKABLE bool chooseRow(int row);
    /// A row of the kernel source was chosen: answers the line of the last snapshot that it came from, 0 for none.
    Q_INVOKABLE int sourceLineOfKernel(int row) const;
    /// Makes the edit in the document, as one step that can be undone.
    Q_INVOKABLE void applyMend(int index);
    /// Bars of the hardware fields that the access in front fills, `width` points wide.
    Q_INVOKABLE ls::views::PictureHandle fieldsPicture(double width) const;
    /// On-chip memories of the snapshot in front; the search for the L0 tile of a product.
    Q_INVOKABLE ls::views::PictureHandle memoryPicture(double width) const;
    /// { picture, why }: one of them is empty.
    Q_INVOKABLE QVariantMap productSearch(int product, double width) const;
    Q_INVOKABLE void copyProof();
    Q_INVOKABLE void copyKernel();
    Q_INVOKABLE bool saveKernel(const QUrl& file);
    Q_INVOKABLE void copyText();
    Q_INVOKABLE void cancel();
    /// Waits for the running pipeline (tests and screenshots).
    void finish();

signals:
    void documentsChanged();
    void traceChanged();
    void currentChanged();
    void kernelChanged();
    void accessChanged();
    void pictureChanged();
    void findingChanged();
    void optionsChanged();
    void busyChanged();
    void progressChanged();
    void said(const QString& what);

private:
    using Answer = std::shared_ptr<const TraceData>;
    void documentReplaced();
    void start();
    void take(Answer answer);
    void showCurrent();
    void showPicture();
    /// Puts the access that was refused in front.
    void showRefusedAccess(const TracePass& refused);
    /// Puts the first access whose coordinates a pass rewrites in front, and that pass when none is wanted yet.
    void showWhereCoordinatesChange(int& wanted);
    const TracePass* pass(int position) const;
    /// The snapshot that is shown: a refused pass left none of its own, so it is that of the program it refused.
    int snapshot() const { return trace_ ? std::min(current_, trace_->snapshots - 1) : -1; }
    /// What the document in front is compiled for.
    TraceOptions options() const;
    /// One named step on the settings of the document in front.
    void storeOption(const QString& step, const char* key, nlohmann::json value);
    const std::vector<check::Mend>* mendsOf(int row) const;
    std::vector<TextMark> marksOf(const TracePass& pass) const;

    QPointer<DocumentsModel> documents_;
    QTimer debounce_;
    std::string running_text_;
    TraceOptions running_options_;
    Answer trace_;
    int current_ = 0;
    bool diff_on_ = true;
    PassStripModel strip_;
    DiffModel diff_;
    DiagnosticsModel diagnostics_;
    ProofModel proofs_;
    int finding_ = -1;
    int access_ = 0;
    std::int64_t element_row_ = 0, element_column_ = 0;
    AccessPicture picture_;
    views::GridHandle logical_, physical_;
    int kernel_ = 0;
    DiffModel kernel_text_;
    QFutureWatcher<Answer>* watcher_ = nullptr;
    std::shared_ptr<std::atomic<bool>> stop_;
    double progress_ = 0;
    QString progress_text_;
};

} // namespace ls::models
