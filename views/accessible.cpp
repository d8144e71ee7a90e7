#include "views/accessible.h"

#include <QtGui/QAccessible>
#include <QtQml/QQmlContext>
#include <QtQml/QQmlProperty>
#include <QtQuick/QQuickItem>

namespace ls::views {
namespace {

// The attached type itself is private to Qt; it is reached by the name that the item's own QML file knows it by.
void write(QQuickItem& item, const char* property, const QVariant& value) {
    QQmlContext* context = qmlContext(&item);
    if (!context) return;
    QQmlProperty attached(&item, QLatin1String(property), context);
    if (attached.isValid()) attached.write(value);
}

} // namespace

void set_accessible_role(QQuickItem& item, const QString& role) {
    write(item, "Accessible.role", role == QLatin1String("Table") ? QAccessible::Table : QAccessible::Graphic);
}

void set_accessible_text(QQuickItem& item, const QString& name, const QString& description) {
    write(item, "Accessible.name", name);
    write(item, "Accessible.description", description);
}

} // namespace ls::views
