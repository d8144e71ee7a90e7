// What a screen reader says about items whose text it cannot see. Sets QML's attached Accessible properties.
#pragma once

class QQuickItem;
class QString;

namespace ls::views {

/// `role` as in QML's Accessible enumeration: "Graphic", "Table". Does nothing for items that no QML file made.
void set_accessible_role(QQuickItem& item, const QString& role);
void set_accessible_text(QQuickItem& item, const QString& name, const QString& description);

} // namespace ls::views
