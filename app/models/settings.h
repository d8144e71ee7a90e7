// What is remembered between sessions: looks, window geometry, sizes of panels, recent documents.
#pragma once

#include <QtCore/QObject>
#include <QtCore/QRect>
#include <QtCore/QSettings>
#include <QtCore/QVariant>
#include <QtQml/qqmlregistration.h>

namespace ls::models {

class Settings : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(bool dark READ dark WRITE setDark NOTIFY changed)
    Q_PROPERTY(qreal scale READ scale WRITE setScale NOTIFY changed)
    Q_PROPERTY(bool patterns READ patterns WRITE setPatterns NOTIFY changed)
    Q_PROPERTY(bool reduceMotion READ reduceMotion WRITE setReduceMotion NOTIFY changed)
    Q_PROPERTY(QRect geometry READ geometry WRITE setGeometry NOTIFY changed)
    Q_PROPERTY(bool maximized READ maximized WRITE setMaximized NOTIFY changed)

public:
    explicit Settings(QObject* parent = nullptr) : QObject(parent) {}

    bool dark() const { return store_.value("look/dark", false).toBool(); }
    void setDark(bool dark) { set("look/dark", dark); }
    qreal scale() const { return store_.value("look/scale", 1.0).toReal(); }
    void setScale(qreal scale) { set("look/scale", scale); }
    bool patterns() const { return store_.value("look/patterns", false).toBool(); }
    void setPatterns(bool patterns) { set("look/patterns", patterns); }
    bool reduceMotion() const { return store_.value("look/reduceMotion", false).toBool(); }
    void setReduceMotion(bool reduce) { set("look/reduceMotion", reduce); }
    QRect geometry() const { return store_.value("window/geometry").toRect(); }
    void setGeometry(const QRect& geometry) { set("window/geometry", geometry); }
    bool maximized() const { return store_.value("window/maximized", false).toBool(); }
    void setMaximized(bool maximized) { set("window/maximized", maximized); }

    /// Sizes of panels, one value for each view and size class: `panel("explore/wide/drawer", 190)`.
    Q_INVOKABLE QVariant panel(const QString& key, const QVariant& otherwise) const {
        return store_.value(QStringLiteral("panels/") + key, otherwise);
    }
    Q_INVOKABLE void setPanel(const QString& key, const QVariant& value) {
        store_.setValue(QStringLiteral("panels/") + key, value);
    }

signals:
    void changed();

private:
    template <class T>
    void set(const char* key, const T& value) {
        if (store_.value(QLatin1String(key)) == QVariant::fromValue(value)) return;
        store_.setValue(QLatin1String(key), QVariant::fromValue(value));
        emit changed();
    }
    QSettings store_;
};

} // namespace ls::models
