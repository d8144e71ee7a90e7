// Bank conflicts of one access of a warp to A or B, with and without the swizzle.
#pragma once

#include <QtCore/QPointer>
#include <QtCore/QStringList>
#include <QtQml/qqmlregistration.h>

#include "app/models/tmem_model.h"

namespace ls::models {

class TmemBanks : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(ls::models::TmemModel* model READ model WRITE setModel NOTIFY modelChanged)
    Q_PROPERTY(double width READ width WRITE setWidth NOTIFY banksChanged)
    Q_PROPERTY(QStringList kinds READ kinds CONSTANT)
    Q_PROPERTY(int kind READ kind WRITE setKind NOTIFY banksChanged)
    /// "One ldmatrix phase: rows 0–7 of k 16–23".
    Q_PROPERTY(QString title READ title NOTIFY banksChanged)
    Q_PROPERTY(QString problem READ problem NOTIFY banksChanged)
    Q_PROPERTY(ls::views::PictureHandle picture READ picture NOTIFY banksChanged)

public:
    explicit TmemBanks(QObject* parent = nullptr);

    TmemModel* model() const { return model_; }
    void setModel(TmemModel* model);
    double width() const { return width_; }
    void setWidth(double width);
    QStringList kinds() const;
    int kind() const { return kind_; }
    void setKind(int kind);
    QString title() const { return title_; }
    QString problem() const { return problem_; }
    views::PictureHandle picture() const { return picture_; }

signals:
    void modelChanged();
    void banksChanged();

private:
    void redraw();

    QPointer<TmemModel> model_;
    double width_ = 0;
    int kind_ = 0;
    QString title_, problem_;
    views::PictureHandle picture_;
};

} // namespace ls::models
