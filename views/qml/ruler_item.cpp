#include "views/qml/ruler_item.h"

#include <QtGui/QFontMetricsF>
#include <QtGui/QPainter>
#include <QtGui/QPainterPath>

#include "views/qml/theme.h"

namespace ls::ui {

namespace {

constexpr qreal kLeastLabel = 74, kPitch = 38, kBox = 26; // at scale 1

struct Row {
    QString name, size;
    QVariantList parts;
    bool before = false, after = false;
    int hit() const {
        for (int i = 0; i < parts.size(); ++i) {
            if (parts[i].toMap()["hit"].toBool()) return i;
        }
        return -1;
    }
};

void paint_band(QPainter* painter, const QRectF& hit, qreal left, qreal right, qreal next_top) {
    QPainterPath band(hit.bottomLeft());
    band.lineTo(hit.bottomRight());
    band.lineTo(right, next_top);
    band.lineTo(left, next_top);
    band.closeSubpath();
    QColor pale = Theme::instance()->hover();
    pale.setAlphaF(0.2F);
    painter->fillPath(band, pale);
}

/// The text of a part, shortened to what fits; nothing when even that does not.
QString fitting(const QVariantMap& part, const QFontMetricsF& metrics, qreal room) {
    for (const char* key : {"text", "brief"}) {
        const QString text = part[QLatin1String(key)].toString();
        if (metrics.horizontalAdvance(text) + 8 <= room) return text;
    }
    return {};
}

} // namespace

RulerItem::RulerItem(QQuickItem* parent) : QQuickPaintedItem(parent) {
    setAntialiasing(true);
    connect(Theme::instance(), &Theme::changed, this, [this] { update(); });
}

void RulerItem::setLevels(const QVariantList& levels) {
    if (levels == levels_) return;
    levels_ = levels;
    update();
    emit levelsChanged();
}

void RulerItem::paint(QPainter* painter) {
    const Theme* theme = Theme::instance();
    const qreal dp = theme->scale();
    if (levels_.isEmpty()) return;
    painter->setRenderHint(QPainter::Antialiasing);
    const qreal pitch = qMin(kPitch * dp, height() / static_cast<qreal>(levels_.size()));
    const qreal box = qMin(kBox * dp, pitch - 6 * dp);
    // The names take what the longest needs.
    qreal label = kLeastLabel * dp;
    const QFontMetricsF names(theme->exact(theme->smallStrong()));
    for (const QVariant& level : levels_)
        label = qMax(label, names.horizontalAdvance(level.toMap()["name"].toString()));
    const qreal left = qRound(qMin(label, width() / 3) + 12 * dp) + 0.5, right = qFloor(width()) - 1.5;
    QRectF above;
    for (int r = 0; r < levels_.size(); ++r) {
        const QVariantMap map = levels_[r].toMap();
        const Row row{map["name"].toString(), map["size"].toString(), map["parts"].toList(), map["before"].toBool(),
                      map["after"].toBool()};
        const qreal top = qRound(r * pitch) + 0.5;
        if (!above.isNull()) paint_band(painter, above, left, right, top);

        painter->setPen(theme->text());
        painter->setFont(theme->exact(theme->smallStrong()));
        const QFontMetricsF name_metrics(painter->font());
        painter->drawText(QPointF(0, top + name_metrics.ascent() - 2), row.name);
        painter->setPen(theme->text2());
        painter->setFont(theme->codeMicro());
        painter->drawText(QPointF(0, top + name_metrics.height() + QFontMetricsF(painter->font()).ascent() - 4),
                          row.size);

        const int count = static_cast<int>(row.parts.size());
        const int hit = row.hit();
        above = {};
        if (count == 0) continue;
        const qreal each = (right - left) / count;
        const auto part_rect = [&](int i) {
            const qreal x0 = qRound(left + i * each - 0.5) + 0.5, x1 = qRound(left + (i + 1) * each - 0.5) + 0.5;
            return QRectF(x0, top, x1 - x0, qRound(box));
        };
        painter->setBrush(theme->canvas());
        painter->setPen(QPen(theme->line2(), 1));
        for (int i = 0; i < count; ++i) painter->drawRect(part_rect(i));
        // A row that goes on beyond what is shown has open ends.
        painter->setPen(QPen(theme->canvas(), 1.5));
        if (row.before) painter->drawLine(QPointF(left, top + 1), QPointF(left, top + qRound(box) - 1));
        if (row.after) painter->drawLine(QPointF(right, top + 1), QPointF(right, top + qRound(box) - 1));
        if (hit >= 0) {
            above = part_rect(hit);
            painter->setBrush(theme->hover());
            painter->setPen(QPen(theme->ink(), 2));
            painter->drawRect(above);
        }
        for (int i = 0; i < count; ++i) {
            const bool lit = i == hit;
            QFont font = lit ? theme->codeStrong() : theme->code();
            font.setPixelSize(theme->micro().pixelSize());
            painter->setFont(font);
            painter->setPen(lit ? theme->onHover() : theme->text2());
            const QRectF rect = part_rect(i);
            painter->drawText(rect, Qt::AlignCenter, fitting(row.parts[i].toMap(), QFontMetricsF(font), rect.width()));
        }
    }
}

} // namespace ls::ui
