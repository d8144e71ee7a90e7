// AscendC sources of the document in front: one file a tab, copied or saved.
#pragma once

#include <QtCore/QPointer>
#include <QtCore/QStringList>
#include <QtQml/qqmlregistration.h>

#include "app/models/diff_model.h"
#include "app/models/ub_model.h"
#include "core/codegen/ascendc/ascendc.h"

namespace ls::models {

class UbExportModel : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(ls::models::UbModel* model READ model WRITE setModel NOTIFY modelChanged)
    /// Sources are written only while they are looked at.
    Q_PROPERTY(bool shown READ shown WRITE setShown NOTIFY filesChanged)
    Q_PROPERTY(QStringList files READ files NOTIFY filesChanged)
    Q_PROPERTY(int current READ current WRITE setCurrent NOTIFY filesChanged)
    Q_PROPERTY(QString file READ file NOTIFY filesChanged)
    Q_PROPERTY(ls::models::DiffModel* text READ text CONSTANT)
    /// Why there is nothing.
    Q_PROPERTY(QString why READ why NOTIFY filesChanged)

public:
    explicit UbExportModel(QObject* parent = nullptr) : QObject(parent) {}

    UbModel* model() const { return model_; }
    void setModel(UbModel* model);
    bool shown() const { return shown_; }
    void setShown(bool shown);
    QStringList files() const;
    int current() const { return current_; }
    void setCurrent(int index);
    QString file() const;
    DiffModel* text() { return &text_; }
    QString why() const { return why_; }

    Q_INVOKABLE void copy();
    Q_INVOKABLE bool save(const QUrl& file);
    /// Every file into a folder.
    Q_INVOKABLE bool saveAll(const QUrl& folder);
    /// Hit id of the buffer or view that a line requests or carves; −1 for none.
    Q_INVOKABLE double targetOfLine(int row) const;

signals:
    void modelChanged();
    void filesChanged();

private:
    void write();
    void show();

    QPointer<UbModel> model_;
    bool shown_ = false;
    std::vector<codegen::AscendcFile> files_;
    int current_ = 0;
    DiffModel text_;
    QString why_;
};

} // namespace ls::models
