#include "app/models/command.h"

namespace ls::models {

void Command::setGroup(const QString& group) {
    if (group == group_) return;
    group_ = group;
    emit changed();
}

bool Command::bareKey() const {
    // Function keys and chords with Ctrl or Alt never clash with typing.
    return !keys_.isEmpty() && !keys_.first().contains(QLatin1String("Ctrl")) &&
           !keys_.first().contains(QLatin1String("Alt")) &&
           !(keys_.first().contains(QLatin1Char('F')) && keys_.first().size() > 1);
}

QString Command::keyText() const {
    if (keys_.isEmpty()) return {};
    QString text = keys_.first();
    // A '+' may be the key itself ("Ctrl++").
    for (qsizetype i = 0; i + 1 < text.size(); ++i) {
        if (text[i] == QLatin1Char('+') && i > 0) text[i] = QLatin1Char(' ');
    }
    return text;
}

void Command::trigger() {
    if (enabled_) emit triggered();
}

QStringList CommandRegistry::menus() const {
    QStringList menus;
    for (const Command* command : list_) {
        if (!command->menu().isEmpty() && !menus.contains(command->menu())) menus << command->menu();
    }
    return menus;
}

Command* CommandRegistry::find(const QString& name) const {
    for (Command* command : list_) {
        if (command->name() == name) return command;
    }
    return nullptr;
}

QVariantList CommandRegistry::inMenu(const QString& menu) const {
    QVariantList found;
    for (Command* command : list_) {
        if (command->menu() == menu) found << QVariant::fromValue(command);
    }
    return found;
}

QVariantList CommandRegistry::keyed() const {
    QVariantList found;
    for (Command* command : list_) {
        if (!command->keys().isEmpty()) found << QVariant::fromValue(command);
    }
    return found;
}

} // namespace ls::models
