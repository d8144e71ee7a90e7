// One descriptor word of the workbench: derived from the chosen instruction until another is typed or a bit is flipped.
#pragma once

#include <optional>

#include <QtCore/QPointer>
#include <QtCore/QStringList>
#include <QtQml/qqmlregistration.h>

#include "app/models/tmem_model.h"

namespace ls::models {

class TmemWord : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(ls::models::TmemModel* model READ model WRITE setModel NOTIFY modelChanged)
    /// False: the 64-bit matrix descriptor of A or B (as the model's ofB says); true: the 32-bit instruction descriptor.
    Q_PROPERTY(bool instruction READ instruction WRITE setInstruction NOTIFY modelChanged)
    Q_PROPERTY(double width READ width WRITE setWidth NOTIFY wordChanged)
    /// Matrix: Hopper, Blackwell. Instruction: the kinds.
    Q_PROPERTY(QStringList kinds READ kinds CONSTANT)
    Q_PROPERTY(int kind READ kind WRITE setKind NOTIFY wordChanged)
    Q_PROPERTY(QString title READ title NOTIFY wordChanged)
    Q_PROPERTY(QString hex READ hex NOTIFY wordChanged)
    Q_PROPERTY(QString note READ note NOTIFY wordChanged)
    /// Typed or flipped; not the call's own any more.
    Q_PROPERTY(bool own READ own NOTIFY wordChanged)
    /// There is a word: the call's own or a typed one.
    Q_PROPERTY(bool known READ known NOTIFY wordChanged)
    Q_PROPERTY(QString problem READ problem NOTIFY wordChanged)
    Q_PROPERTY(QString problemCode READ problemCode NOTIFY wordChanged)
    Q_PROPERTY(ls::views::PictureHandle picture READ picture NOTIFY wordChanged)

public:
    explicit TmemWord(QObject* parent = nullptr);

    TmemModel* model() const { return model_; }
    void setModel(TmemModel* model);
    bool instruction() const { return instruction_; }
    void setInstruction(bool on);
    double width() const { return width_; }
    void setWidth(double width);
    QStringList kinds() const;
    int kind() const { return instruction_ ? kind_ : generation_; }
    void setKind(int kind);
    QString title() const;
    QString hex() const;
    QString note() const;
    bool known() const { return own() || derived(); }
    bool own() const { return typed_.has_value(); }
    QString problem() const { return problem_ ? problem_text() : QString(); }
    QString problemCode() const;
    views::PictureHandle picture() const { return picture_; }

    /// Reads a word, hexadecimal with 0x or decimal. False with `problem` set when it is none.
    Q_INVOKABLE bool take(const QString& text);
    Q_INVOKABLE void flip(double bit);
    /// Back to the call's own word.
    Q_INVOKABLE void reset();
    Q_INVOKABLE void copy();
    /// All fields as lines of text.
    Q_INVOKABLE void copyFields();

signals:
    void modelChanged();
    void wordChanged();

private:
    void redraw();
    QString problem_text() const;
    std::optional<std::uint64_t> derived() const;
    std::vector<tensor_core::DescriptorField> fields() const;

    QPointer<TmemModel> model_;
    bool instruction_ = false;
    double width_ = 0;
    int generation_ = 1;
    int kind_ = 0;
    bool kind_chosen_ = false;
    std::uint64_t word_ = 0;
    std::optional<std::uint64_t> typed_;
    std::optional<Diagnostic> problem_, refused_text_;
    views::PictureHandle picture_;
};

} // namespace ls::models
