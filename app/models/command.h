// Everything that can be done in the window is one Command; menus, keys and the palette are made from the same list.
#pragma once

#include <QtCore/QObject>
#include <QtCore/QStringList>
#include <QtCore/QVariantList>
#include <QtQml/QQmlListProperty>
#include <QtQml/QQmlParserStatus>
#include <QtQml/qqmlregistration.h>

namespace ls::models {

class Command : public QObject {
    Q_OBJECT
    QML_NAMED_ELEMENT(LsCommand)
    Q_PROPERTY(QString name MEMBER name_ NOTIFY changed)
    Q_PROPERTY(QString title MEMBER title_ NOTIFY changed)
    /// Menu that shows it ("File"); empty: palette and key only.
    Q_PROPERTY(QString menu MEMBER menu_ NOTIFY changed)
    /// Shown in the palette at the right; the menu where empty.
    Q_PROPERTY(QString group READ group WRITE setGroup NOTIFY changed)
    /// A line stands above it in its menu.
    Q_PROPERTY(bool parted MEMBER parted_ NOTIFY changed)
    /// Portable key sequences, the first is shown.
    Q_PROPERTY(QStringList keys MEMBER keys_ NOTIFY changed)
    /// Keys that work only where no text is typed (single letters).
    Q_PROPERTY(bool bareKey READ bareKey CONSTANT)
    Q_PROPERTY(QString keyText READ keyText CONSTANT)
    Q_PROPERTY(QString glyph MEMBER glyph_ NOTIFY changed)
    Q_PROPERTY(bool enabled MEMBER enabled_ NOTIFY changed)
    Q_PROPERTY(bool checkable MEMBER checkable_ NOTIFY changed)
    Q_PROPERTY(bool checked MEMBER checked_ NOTIFY changed)

public:
    explicit Command(QObject* parent = nullptr) : QObject(parent) {}

    const QString& name() const { return name_; }
    const QString& title() const { return title_; }
    const QString& menu() const { return menu_; }
    QString group() const { return group_.isEmpty() ? menu_ : group_; }
    void setGroup(const QString& group);
    const QStringList& keys() const { return keys_; }
    bool bareKey() const;
    /// "Ctrl+Shift+P" as "Ctrl Shift P".
    QString keyText() const;
    const QString& glyph() const { return glyph_; }
    bool enabled() const { return enabled_; }

    Q_INVOKABLE void trigger();

signals:
    void changed();
    void triggered();

private:
    QString name_, title_, menu_, group_, glyph_;
    QStringList keys_;
    bool parted_ = false;
    bool enabled_ = true;
    bool checkable_ = false;
    bool checked_ = false;
};

/// The list of all commands: `CommandRegistry { LsCommand { ... } LsCommand { ... } }`.
class CommandRegistry : public QObject, public QQmlParserStatus {
    Q_OBJECT
    Q_INTERFACES(QQmlParserStatus)
    QML_ELEMENT
    Q_PROPERTY(QQmlListProperty<ls::models::Command> commands READ commands)
    Q_CLASSINFO("DefaultProperty", "commands")
    Q_PROPERTY(QStringList menus READ menus NOTIFY listChanged)
    /// Those that have a key.
    Q_PROPERTY(QVariantList keyed READ keyed NOTIFY listChanged)

public:
    explicit CommandRegistry(QObject* parent = nullptr) : QObject(parent) {}

    QQmlListProperty<Command> commands() { return {this, &list_}; }
    const QList<Command*>& all() const { return list_; }
    /// Menus in the order in which they first appear.
    QStringList menus() const;

    Q_INVOKABLE ls::models::Command* find(const QString& name) const;
    Q_INVOKABLE QVariantList inMenu(const QString& menu) const;
    QVariantList keyed() const;

    void classBegin() override {}
    /// Keys are bindings, so that they are known only now.
    void componentComplete() override { emit listChanged(); }

signals:
    void listChanged();

private:
    QList<Command*> list_;
};

} // namespace ls::models
