// The distribution of a batch over cores as the window shows it: sequences, quota, replay, hazards, and another rule or
// launch beside it.
#pragma once

#include <memory>
#include <optional>

#include <QtCore/QPointer>
#include <QtCore/QVariantList>
#include <QtQml/qqmlregistration.h>

#include "app/models/ub_model.h"
#include "core/figure/work_timeline.h"
#include "core/ub/work/distribution.h"
#include "views/handles.h"

namespace ls::models {

class UbWorkModel : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(ls::models::UbModel* model READ model WRITE setModel NOTIFY modelChanged)
    Q_PROPERTY(bool valid READ valid NOTIFY workChanged)
    /// "512, 8"; long batches are shortened for reading, not for editing.
    Q_PROPERTY(QString lengths READ lengths NOTIFY workChanged)
    Q_PROPERTY(QString lengthsShort READ lengthsShort NOTIFY workChanged)
    Q_PROPERTY(QString lengthsError READ lengthsError NOTIFY errorChanged)
    Q_PROPERTY(int sequences READ sequences NOTIFY workChanged)
    Q_PROPERTY(double heads READ heads NOTIFY workChanged)
    Q_PROPERTY(double cores READ cores NOTIFY workChanged)
    Q_PROPERTY(double tiles READ tiles NOTIFY workChanged)
    /// Set here; an operator's launch says them itself.
    Q_PROPERTY(bool free READ free NOTIFY workChanged)
    Q_PROPERTY(QString subtitle READ subtitle NOTIFY workChanged)
    /// { code, text, tone } of what is worth a pill.
    Q_PROPERTY(QVariantList pills READ pills NOTIFY workChanged)
    Q_PROPERTY(QString whyTitle READ whyTitle NOTIFY workChanged)
    Q_PROPERTY(QString why READ why NOTIFY workChanged)
    Q_PROPERTY(QVariantList facts READ facts NOTIFY workChanged)
    /// { id, question, on }.
    Q_PROPERTY(QVariantList hazards READ hazards NOTIFY workChanged)
    Q_PROPERTY(int hazardCount READ hazardCount NOTIFY workChanged)
    /// Names of what can be laid beside the kernel's rule.
    Q_PROPERTY(QStringList others READ others NOTIFY workChanged)
    Q_PROPERTY(int other READ other WRITE setOther NOTIFY pictureChanged)
    Q_PROPERTY(QString otherText READ otherText NOTIFY pictureChanged)

    Q_PROPERTY(double width READ width WRITE setWidth NOTIFY sizeChanged)
    Q_PROPERTY(double height READ height WRITE setHeight NOTIFY sizeChanged)
    Q_PROPERTY(double barsWidth READ barsWidth WRITE setBarsWidth NOTIFY sizeChanged)
    Q_PROPERTY(ls::views::PictureHandle picture READ picture NOTIFY pictureChanged)
    Q_PROPERTY(ls::views::PictureHandle otherPicture READ otherPicture NOTIFY pictureChanged)
    Q_PROPERTY(ls::views::PictureHandle bars READ bars NOTIFY pictureChanged)
    Q_PROPERTY(bool zoomed READ zoomed NOTIFY pictureChanged)

    /// Replay: this many units are distributed; `units` when it stands at the end.
    Q_PROPERTY(double units READ units NOTIFY workChanged)
    Q_PROPERTY(double step READ step WRITE setStep NOTIFY pictureChanged)
    Q_PROPERTY(QString stepText READ stepText NOTIFY pictureChanged)
    Q_PROPERTY(double lit READ lit WRITE setLit NOTIFY litChanged)
    Q_PROPERTY(QString hoverText READ hoverText NOTIFY litChanged)
    Q_PROPERTY(double lastMilliseconds READ lastMilliseconds NOTIFY workChanged)

public:
    explicit UbWorkModel(QObject* parent = nullptr);

    UbModel* model() const { return model_; }
    void setModel(UbModel* model);
    bool valid() const { return distribution_.has_value(); }
    QString lengths() const;
    QString lengthsShort() const;
    QString lengthsError() const { return lengths_error_; }
    int sequences() const { return distribution_ ? static_cast<int>(distribution_->input.seq_lens.size()) : 0; }
    double heads() const { return static_cast<double>(input_.heads); }
    double cores() const { return static_cast<double>(input_.cores); }
    double tiles() const { return static_cast<double>(input_.v_tiles); }
    bool free() const;
    QString subtitle() const;
    QVariantList pills() const;
    QString whyTitle() const;
    QString why() const;
    QVariantList facts() const;
    QVariantList hazards() const;
    int hazardCount() const { return static_cast<int>(tried_.size()); }
    QStringList others() const;
    int other() const { return other_; }
    void setOther(int index);
    QString otherText() const;
    double width() const { return width_; }
    void setWidth(double width);
    double height() const { return height_; }
    void setHeight(double height);
    double barsWidth() const { return bars_width_; }
    void setBarsWidth(double width);
    views::PictureHandle picture() const { return picture_; }
    views::PictureHandle otherPicture() const { return other_picture_; }
    views::PictureHandle bars() const { return bars_; }
    bool zoomed() const { return end_ > begin_; }
    double units() const { return distribution_ ? static_cast<double>(distribution_->item_count()) : 0; }
    double step() const { return static_cast<double>(step_); }
    void setStep(double step);
    QString stepText() const;
    double lit() const { return static_cast<double>(lit_); }
    void setLit(double item);
    QString hoverText() const;
    double lastMilliseconds() const { return last_milliseconds_; }

    /// Numbers between anything; "512x8" repeats. False (and lengthsError) when it cannot be read.
    Q_INVOKABLE bool setLengths(const QString& text);
    /// "equal", "uniform", "long tail", "one long": `count` sequences with lengths up to `longest`.
    Q_INVOKABLE void generate(const QString& kind, int count, int longest);
    Q_INVOKABLE void setHeads(double value);
    Q_INVOKABLE void setCores(double value);
    Q_INVOKABLE void setTiles(double value);
    Q_INVOKABLE void toggleHazard(const QString& id);
    Q_INVOKABLE void clearHazards();
    Q_INVOKABLE void zoomAt(double x, double factor);
    Q_INVOKABLE void pan(double dx);
    Q_INVOKABLE void fit();

signals:
    void modelChanged();
    void workChanged();
    void errorChanged();
    void sizeChanged();
    void pictureChanged();
    void litChanged();

private:
    void follow();
    void redraw();
    void store(const QString& step, const char* key, nlohmann::json value, const std::string& merge_key = {});
    void storeLengths(const QString& step, std::vector<std::int32_t> lengths);
    struct Other {
        QString name, what;
        ub::work::WorkInput input;
    };
    std::vector<Other> otherInputs() const;

    QPointer<UbModel> model_;
    ub::work::WorkInput input_;            ///< before hazards
    std::vector<std::string> tried_;       ///< hazards that are on
    std::optional<ub::work::Distribution> distribution_;
    std::optional<ub::work::Distribution> other_distribution_;
    std::int64_t batch_aware_cores_ = 1;
    QString lengths_error_;
    int other_ = 0; ///< 0: none beside it
    double width_ = 0, height_ = 0, bars_width_ = 0;
    figure::WorkTimelineGeometry geometry_;
    views::PictureHandle picture_, other_picture_, bars_;
    double begin_ = 0, end_ = 0;
    std::int64_t step_ = -1; ///< −1: at the end
    std::int64_t lit_ = -1;
    double last_milliseconds_ = 0;
};

} // namespace ls::models
