// One picture of the TMEM view at its place: global memory, A or B in shared memory, C in tensor memory, its registers.
// What is pointed at in one is lit in all.
#pragma once

#include <QtCore/QPointer>
#include <QtCore/QUrl>
#include <QtQml/qqmlregistration.h>

#include "app/models/tmem_model.h"
#include "core/figure/gmem_operands.h"
#include "core/figure/smem_tile.h"
#include "core/figure/tmem_map.h"

namespace ls::models {

class TmemPicture : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(ls::models::TmemModel* model READ model WRITE setModel NOTIFY modelChanged)
    /// "gmem", "smem-a", "smem-b", "tmem", "registers".
    Q_PROPERTY(QString part READ part WRITE setPart NOTIFY partChanged)
    /// Points; the picture is drawn for exactly this place.
    Q_PROPERTY(double width READ width WRITE setWidth NOTIFY sizeChanged)
    Q_PROPERTY(double height READ height WRITE setHeight NOTIFY sizeChanged)
    Q_PROPERTY(ls::views::PictureHandle picture READ picture NOTIFY pictureChanged)
    Q_PROPERTY(QString title READ title NOTIFY pictureChanged)
    /// The layout, as text.
    Q_PROPERTY(QString subtitle READ subtitle NOTIFY pictureChanged)
    /// Why there is no picture.
    Q_PROPERTY(QString absence READ absence NOTIFY pictureChanged)
    Q_PROPERTY(bool scrolls READ scrolls NOTIFY pictureChanged)

public:
    explicit TmemPicture(QObject* parent = nullptr);

    TmemModel* model() const { return model_; }
    void setModel(TmemModel* model);
    QString part() const { return part_; }
    void setPart(const QString& part);
    double width() const { return width_; }
    void setWidth(double width);
    double height() const { return height_; }
    void setHeight(double height);
    views::PictureHandle picture() const { return picture_; }
    QString title() const;
    QString subtitle() const;
    QString absence() const { return absence_; }
    bool scrolls() const { return shared() && smem_.lines > smem_.lines_shown; }

    // Positions are points in the picture.
    Q_INVOKABLE void hoverAt(double x, double y);
    /// Chooses the K step of what lies there, or scrolls to a place of the small picture.
    Q_INVOKABLE void pressAt(double x, double y);
    Q_INVOKABLE void scrollBy(int lines);
    /// Keyboard: moves what is looked at by rows and columns of this picture.
    Q_INVOKABLE void moveLook(int down, int right);
    Q_INVOKABLE bool exportTo(const QUrl& file, bool dark);

signals:
    void modelChanged();
    void partChanged();
    void sizeChanged();
    void pictureChanged();

private:
    bool shared() const { return part_.startsWith(QLatin1String("smem")); }
    bool of_b() const { return part_ == QLatin1String("smem-b"); }
    void planChanged();
    void redraw();
    /// Redraws at a new place or for another call, with the chosen window in view.
    void settle();
    void reveal();
    /// Scrolls to the chosen instruction's window when none of it is in view.
    void revealStep();
    scene::Picture draw(double width, double height);
    TmemLook look_at(scene::Point at) const;

    QPointer<TmemModel> model_;
    QString part_ = QStringLiteral("smem-a");
    double width_ = 0, height_ = 0;
    views::PictureHandle picture_;
    QString absence_;
    figure::SmemTileGeometry smem_;
    figure::TmemMapGeometry tmem_;
    figure::RegisterMapGeometry registers_;
    figure::GmemGeometry gmem_;
    std::int64_t first_line_ = 0;
    TmemLook own_look_; ///< what this picture's pointer set: no scrolling towards it
};

} // namespace ls::models
