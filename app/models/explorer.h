// The explorer behind its view: the layout field with its live check, both pictures, what is pointed at, pinned and
// selected, and the address formula. Without a window; everything it answers can be tested.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include <QtCore/QFutureWatcher>
#include <QtCore/QObject>
#include <QtCore/QPointer>
#include <QtCore/QVariantList>
#include <QtQml/qqmlregistration.h>

#include "app/models/documents_model.h"
#include "app/models/explorer_state.h"
#include "app/models/layout_snapshot.h"
#include "app/models/text.h"
#include "views/handles.h"

namespace ls::models {

class Explorer : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(ls::models::DocumentsModel* documents READ documents WRITE setDocuments NOTIFY documentsChanged)

    // The field.
    Q_PROPERTY(QString text READ text WRITE setText NOTIFY textChanged)
    Q_PROPERTY(bool refused READ refused NOTIFY checked)
    Q_PROPERTY(QString errorCode READ errorCode NOTIFY checked)
    Q_PROPERTY(QString errorMessage READ errorMessage NOTIFY checked)
    Q_PROPERTY(QString errorHint READ errorHint NOTIFY checked)
    /// Characters of `text` that are to blame; equal when there is no place.
    Q_PROPERTY(int errorBegin READ errorBegin NOTIFY checked)
    Q_PROPERTY(int errorEnd READ errorEnd NOTIFY checked)
    Q_PROPERTY(bool busy READ busy NOTIFY busyChanged)

    // The layout as a whole.
    Q_PROPERTY(bool valid READ valid NOTIFY shown)
    Q_PROPERTY(QString canonical READ canonical NOTIFY shown)
    /// { name, text } of every notation that can say it.
    Q_PROPERTY(QVariantList notations READ notations NOTIFY shown)
    Q_PROPERTY(QString verdict READ verdict NOTIFY shown)
    Q_PROPERTY(QString verdictTone READ verdictTone NOTIFY shown)
    Q_PROPERTY(QString elementsText READ elementsText NOTIFY shown)
    Q_PROPERTY(QString sizeText READ sizeText NOTIFY shown)
    Q_PROPERTY(QString spaceText READ spaceText NOTIFY shown)
    Q_PROPERTY(QStringList dtypes READ dtypes CONSTANT)
    Q_PROPERTY(int dtypeIndex READ dtypeIndex NOTIFY shown)
    Q_PROPERTY(QString dtypeText READ dtypeText NOTIFY shown)

    // The pictures.
    Q_PROPERTY(ls::views::GridHandle logical READ logical NOTIFY shown)
    Q_PROPERTY(ls::views::GridHandle physical READ physical NOTIFY shown)
    Q_PROPERTY(ls::views::TableHandle iters READ iters NOTIFY shown)
    Q_PROPERTY(ls::views::PropertiesHandle properties READ properties NOTIFY shown)
    Q_PROPERTY(QStringList colors READ colors NOTIFY shown)
    Q_PROPERTY(int colorIndex READ colorIndex WRITE setColorIndex NOTIFY shown)
    Q_PROPERTY(QStringList labels READ labels NOTIFY shown)
    Q_PROPERTY(int labelIndex READ labelIndex WRITE setLabelIndex NOTIFY shown)
    /// The chosen label as a ls::scene::CellLabel.
    Q_PROPERTY(int label READ label NOTIFY shown)
    Q_PROPERTY(QList<int> rowChoices READ rowChoices NOTIFY shown)
    Q_PROPERTY(int rowBytes READ rowBytes WRITE setRowBytes NOTIFY shown)
    Q_PROPERTY(bool hasSwizzle READ hasSwizzle NOTIFY shown)
    Q_PROPERTY(bool showSwizzle READ showSwizzle WRITE setShowSwizzle NOTIFY shown)
    /// { name, extent, place ("row", "column", "fixed"), value } of every dimension.
    Q_PROPERTY(QVariantList dims READ dims NOTIFY shown)

    // The table of elements.
    Q_PROPERTY(ls::views::TableHandle elements READ elements NOTIFY elementsChanged)
    Q_PROPERTY(bool elementsBusy READ elementsBusy NOTIFY elementsChanged)
    Q_PROPERTY(QString filter READ filter WRITE setFilter NOTIFY elementsChanged)
    Q_PROPERTY(QString filterErrorCode READ filterErrorCode NOTIFY elementsChanged)
    Q_PROPERTY(QString filterError READ filterError NOTIFY elementsChanged)
    /// Bytes of the filter that are to blame.
    Q_PROPERTY(int filterErrorBegin READ filterErrorBegin NOTIFY elementsChanged)
    Q_PROPERTY(int filterErrorEnd READ filterErrorEnd NOTIFY elementsChanged)
    /// "256 of 4096 shown"
    Q_PROPERTY(QString elementsNote READ elementsNote NOTIFY elementsChanged)
    Q_PROPERTY(int sortColumn READ sortColumn NOTIFY elementsChanged)
    Q_PROPERTY(bool sortDescending READ sortDescending NOTIFY elementsChanged)

    // What is pointed at, selected, pinned.
    Q_PROPERTY(ls::views::GridCell logicalHover READ logicalHover NOTIFY hoverChanged)
    Q_PROPERTY(ls::views::GridCell physicalHover READ physicalHover NOTIFY hoverChanged)
    Q_PROPERTY(QList<ls::views::GridCell> logicalAlso READ logicalAlso NOTIFY hoverChanged)
    Q_PROPERTY(QList<ls::views::GridCell> physicalAlso READ physicalAlso NOTIFY hoverChanged)
    Q_PROPERTY(QList<ls::views::GridCell> logicalSelected READ logicalSelected NOTIFY marksChanged)
    Q_PROPERTY(QList<ls::views::GridCell> physicalSelected READ physicalSelected NOTIFY marksChanged)
    Q_PROPERTY(QList<ls::views::GridPin> logicalPins READ logicalPins NOTIFY marksChanged)
    Q_PROPERTY(QList<ls::views::GridPin> physicalPins READ physicalPins NOTIFY marksChanged)
    /// { number, coordinate, address, where } of every pin.
    Q_PROPERTY(QVariantList pins READ pins NOTIFY marksChanged)
    Q_PROPERTY(QString hoverText READ hoverText NOTIFY hoverChanged)

    // The formula of the element in focus: hovered, else selected.
    Q_PROPERTY(bool hasFormula READ hasFormula NOTIFY formulaChanged)
    Q_PROPERTY(QString formulaCoordinate READ formulaCoordinate NOTIFY formulaChanged)
    Q_PROPERTY(QString formulaAddress READ formulaAddress NOTIFY formulaChanged)
    /// "hovered", "selected" or "pinned n".
    Q_PROPERTY(QString formulaState READ formulaState NOTIFY formulaChanged)
    /// One row an axis: { axis, sum, terms: [{ digit, stride, expression, role }] }.
    Q_PROPERTY(QVariantList formulaRows READ formulaRows NOTIFY formulaChanged)
    /// Lines below the terms: swizzle, bytes, replicas.
    Q_PROPERTY(QStringList formulaNotes READ formulaNotes NOTIFY formulaChanged)
    Q_PROPERTY(QString formulaRoles READ formulaRoles NOTIFY formulaChanged)
    /// One row a level: { name, size, parts: [{ text, hit }], before, after }.
    Q_PROPERTY(QVariantList ruler READ ruler NOTIFY formulaChanged)

    // The other layout.
    Q_PROPERTY(QString compareText READ compareText WRITE setCompareText NOTIFY compareChanged)
    Q_PROPERTY(bool comparing READ comparing NOTIFY compareChanged)
    Q_PROPERTY(QString compareVerdict READ compareVerdict NOTIFY compareChanged)
    Q_PROPERTY(QString compareTone READ compareTone NOTIFY compareChanged)
    Q_PROPERTY(QString compareDetail READ compareDetail NOTIFY compareChanged)

public:
    explicit Explorer(QObject* parent = nullptr);
    ~Explorer() override;

    DocumentsModel* documents() const { return documents_; }
    void setDocuments(DocumentsModel* documents);

    QString text() const { return text_; }
    void setText(const QString& text);
    bool refused() const { return error_.has_value(); }
    QString errorCode() const;
    QString errorMessage() const;
    QString errorHint() const;
    int errorBegin() const;
    int errorEnd() const;
    bool busy() const { return busy_; }

    bool valid() const { return shown_ != nullptr; }
    const std::shared_ptr<const LayoutSnapshot>& snapshot() const { return shown_; }
    QString canonical() const { return canonical_; }
    QVariantList notations() const { return notations_; }
    QString verdict() const;
    QString verdictTone() const;
    QString elementsText() const;
    QString sizeText() const;
    QString spaceText() const;
    QStringList dtypes() const;
    int dtypeIndex() const;
    QString dtypeText() const;
    /// Writes the type into the text, where the text says its type, or behind it.
    Q_INVOKABLE void chooseDtype(int index);

    views::GridHandle logical() const;
    views::GridHandle physical() const;
    views::TableHandle iters() const;
    views::PropertiesHandle properties() const { return properties_; }
    QStringList colors() const;
    int colorIndex() const;
    void setColorIndex(int index);
    QStringList labels() const;
    int labelIndex() const;
    void setLabelIndex(int index);
    int label() const;
    QList<int> rowChoices() const;
    int rowBytes() const { return read_ ? static_cast<int>(state_.row_bytes_for(*read_)) : 0; }
    void setRowBytes(int bytes);
    bool hasSwizzle() const;
    bool showSwizzle() const { return state_.show_swizzle; }
    void setShowSwizzle(bool show);
    QVariantList dims() const;
    /// Puts a dimension on the rows or columns; what stood there takes its place.
    Q_INVOKABLE void putOnRows(int dim) { putOn(dim, true); }
    Q_INVOKABLE void putOnColumns(int dim) { putOn(dim, false); }
    Q_INVOKABLE void fix(int dim, double value);

    views::TableHandle elements() const { return elements_; }
    bool elementsBusy() const { return elements_busy_; }
    QString filter() const { return to_filter_; }
    void setFilter(const QString& filter);
    QString filterErrorCode() const;
    QString filterError() const;
    int filterErrorBegin() const { return filter_error_ ? static_cast<int>(filter_error_->span.begin) : 0; }
    int filterErrorEnd() const { return filter_error_ ? static_cast<int>(filter_error_->span.end) : 0; }
    QString elementsNote() const;
    int sortColumn() const { return sort_column_; }
    bool sortDescending() const { return sort_descending_; }
    Q_INVOKABLE void sortBy(int column, bool descending);
    Q_INVOKABLE void cancelElements();

    Q_INVOKABLE void hoverLogical(const ls::views::GridCell& cell);
    Q_INVOKABLE void hoverPhysical(const ls::views::GridCell& cell);
    Q_INVOKABLE void clearHover();
    Q_INVOKABLE void selectLogical(const ls::views::GridCell& cell);
    Q_INVOKABLE void selectPhysical(const ls::views::GridCell& cell);
    Q_INVOKABLE void clearSelection();
    /// Pins what is hovered, else what is selected; takes the pin off when it has one.
    Q_INVOKABLE void togglePin();
    Q_INVOKABLE void pinLogical(const ls::views::GridCell& cell);
    Q_INVOKABLE void pinPhysical(const ls::views::GridCell& cell);
    /// The same for a place in words, as `find` reads it.
    Q_INVOKABLE void pinPlace(const QString& text);
    Q_INVOKABLE void removePin(int number);
    Q_INVOKABLE void clearPins();
    Q_INVOKABLE void goToPin(int number);
    /// "37, 21", "1621", "0x0CAA": selects it and asks the canvases to centre it. Empty, or why there is none.
    Q_INVOKABLE QString find(const QString& text);
    /// What `find` would go to: "(37, 21)", or empty.
    Q_INVOKABLE QString peek(const QString& text) const;

    /// Where an element of one picture is in the other; invalid when nowhere.
    Q_INVOKABLE ls::views::GridCell physicalOfLogical(const ls::views::GridCell& cell) const;
    Q_INVOKABLE ls::views::GridCell logicalOfPhysical(const ls::views::GridCell& cell) const;

    views::GridCell logicalHover() const;
    views::GridCell physicalHover() const;
    QList<views::GridCell> logicalAlso() const { return {}; }
    QList<views::GridCell> physicalAlso() const;
    QList<views::GridCell> logicalSelected() const;
    QList<views::GridCell> physicalSelected() const;
    QList<views::GridPin> logicalPins() const;
    QList<views::GridPin> physicalPins() const;
    QVariantList pins() const;
    QString hoverText() const;

    bool hasFormula() const { return formula_.has_value(); }
    QString formulaCoordinate() const;
    QString formulaAddress() const;
    QString formulaState() const;
    QVariantList formulaRows() const;
    QStringList formulaNotes() const;
    QString formulaRoles() const;
    QVariantList ruler() const;

    QString compareText() const;
    void setCompareText(const QString& text);
    bool comparing() const { return !state_.compare.empty(); }
    QString compareVerdict() const { return compare_verdict_; }
    QString compareTone() const { return compare_tone_; }
    QString compareDetail() const { return compare_detail_; }
    Q_INVOKABLE void goToDifference();

    Q_INVOKABLE void copy(const QString& text) const;
    Q_INVOKABLE void copyFormula() const;
    /// The picture as text: one line a row, the chosen label of each cell. Up to 256 × 256 cells.
    Q_INVOKABLE QString asText(bool physical) const;
    /// Both pictures, their legends and the formula as SVG, PNG, PDF or text, by the file's ending.
    Q_INVOKABLE bool exportTo(const QUrl& file, bool dark, bool patterns);
    Q_INVOKABLE void cancel();

signals:
    void documentsChanged();
    void textChanged();
    void checked();
    void busyChanged();
    void shown();
    void elementsChanged();
    void hoverChanged();
    void marksChanged();
    void formulaChanged();
    void compareChanged();
    void centreAsked(const ls::views::GridCell& logical, const ls::views::GridCell& physical);
    /// A short note of what was done ("copied ...").
    void said(const QString& what) const;
    void failed(const QString& code, const QString& message, const QString& hint) const;

private:
    void loadFromDocument();
    void store(const QString& step, const std::string& merge_key = {});
    void check();
    void rebuild();
    void show(std::shared_ptr<const LayoutSnapshot> snapshot);
    void refuse(Diagnostic why);
    void setBusy(bool busy);
    void changeView(const QString& step, const std::string& merge_key = {});
    void queryElements();
    void setHover(std::optional<Coordinate> coordinate, std::optional<scene::Cell> hole);
    void refreshFormula();
    void compareNow();
    void putOn(int dim, bool rows);
    figure::ViewAxes axesNow() const;
    bool inside(const Coordinate& coordinate) const;
    void dropMarksOutside();
    std::optional<Coordinate> at(const views::GridCell& cell, bool physical) const;
    void select(std::optional<Coordinate> coordinate);
    void pin(const Coordinate& coordinate);
    void goTo(const Coordinate& coordinate);
    int pinOf(const Coordinate& coordinate) const;
    views::GridCell logicalOf(const Coordinate& coordinate) const;
    QList<views::GridCell> physicalOf(const Coordinate& coordinate) const;

    QPointer<DocumentsModel> documents_;
    bool storing_ = false;

    QString text_;
    std::optional<TensorLayout> read_; ///< of `text_`, when it reads
    std::optional<Diagnostic> error_;
    TextSpan error_span_;
    ExplorerState state_;

    std::shared_ptr<const LayoutSnapshot> shown_;
    views::PropertiesHandle properties_;
    QString canonical_;
    QVariantList notations_;

    using Built = std::shared_ptr<const LayoutSnapshot>;
    struct BuildAnswer {
        Built built;
        std::optional<Diagnostic> why;
    };
    QFutureWatcher<BuildAnswer>* builder_ = nullptr;
    bool busy_ = false;

    struct ElementsAnswer {
        std::shared_ptr<const scene::TableSource> table;
        std::optional<Diagnostic> why;
    };
    QFutureWatcher<ElementsAnswer>* element_query_ = nullptr;
    std::shared_ptr<std::atomic<bool>> element_cancel_;
    views::TableHandle elements_;
    bool elements_busy_ = false;
    QString to_filter_;
    std::optional<Diagnostic> filter_error_;
    int sort_column_ = -1;
    bool sort_descending_ = false;

    std::optional<Coordinate> hover_;
    std::optional<scene::Cell> hole_; ///< a physical cell under the pointer where nothing lives
    std::optional<Coordinate> focus_;
    std::optional<figure::Formula> formula_;

    QString compare_verdict_, compare_tone_, compare_detail_;
    std::optional<Coordinate> difference_;
};

} // namespace ls::models
