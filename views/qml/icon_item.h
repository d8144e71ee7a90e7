// A line icon in the colour that its place asks for.
#pragma once

#include <QtGui/QColor>
#include <QtQml/qqmlregistration.h>
#include <QtQuick/QQuickPaintedItem>

namespace ls::ui {

class IconItem : public QQuickPaintedItem {
    Q_OBJECT
    QML_NAMED_ELEMENT(LsIcon)
    /// File name in resources/icons without ".svg".
    Q_PROPERTY(QString name READ name WRITE setName NOTIFY nameChanged)
    Q_PROPERTY(QColor color READ color WRITE setColor NOTIFY colorChanged)
    /// Edge in logical pixels, before the theme's scale.
    Q_PROPERTY(qreal size READ size WRITE setSize NOTIFY sizeChanged)
    Q_PROPERTY(bool filled READ filled WRITE setFilled NOTIFY filledChanged)

public:
    explicit IconItem(QQuickItem* parent = nullptr);

    QString name() const { return name_; }
    void setName(const QString& name);
    QColor color() const { return color_; }
    void setColor(const QColor& color);
    qreal size() const { return size_; }
    void setSize(qreal size);
    bool filled() const { return filled_; }
    void setFilled(bool filled);

    void paint(QPainter* painter) override;
    /// Whether the program carries an icon of this name.
    static bool known(const QString& name);

signals:
    void nameChanged();
    void colorChanged();
    void sizeChanged();
    void filledChanged();

private:
    void resize();

    QString name_;
    QColor color_;
    qreal size_ = 16;
    bool filled_ = false;
};

} // namespace ls::ui
