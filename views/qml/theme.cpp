#include "views/qml/theme.h"

#include <algorithm>
#include <array>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QPointer>
#include <QtQml/QQmlEngine>

#include "core/scene/theme.h"
#include "core/scene/tokens.h"

namespace ls::ui {

namespace {

QJsonObject read_tokens() {
    const std::string_view json = scene::tokens_json();
    return QJsonDocument::fromJson(QByteArray::fromRawData(json.data(), static_cast<qsizetype>(json.size()))).object();
}

/// "#RRGGBB" or "rgba(r,g,b,.a)".
QColor color_from(const QString& text) {
    if (!text.startsWith(QLatin1String("rgba("))) return QColor(text);
    const QStringList parts = text.mid(5, text.size() - 6).split(QLatin1Char(','));
    if (parts.size() != 4) return {};
    QColor color(parts[0].toInt(), parts[1].toInt(), parts[2].toInt());
    color.setAlphaF(parts[3].toFloat());
    return color;
}

QStringList families(const QJsonObject& tokens, const char* which) {
    QStringList names;
    const QJsonArray list = tokens["font"].toObject()[QLatin1String(which)].toArray();
    for (const auto& one : list) names << one.toString();
    return names;
}

} // namespace

Theme::Theme(QObject* parent)
    : QObject(parent), tokens_(read_tokens()), ui_families_(families(tokens_, "ui")),
      mono_families_(families(tokens_, "mono")) {
    reload();
}

Theme* Theme::instance() {
    // Owned by the application, so that no static destructor runs after Qt has gone.
    static QPointer<Theme> theme;
    if (!theme) theme = new Theme(QCoreApplication::instance());
    return theme;
}

Theme* Theme::create(QQmlEngine*, QJSEngine*) {
    QQmlEngine::setObjectOwnership(instance(), QQmlEngine::CppOwnership);
    return instance();
}

void Theme::reload() {
    const QJsonObject colors =
        tokens_["theme"].toObject()[QLatin1String(dark_ ? "dark" : "light")].toObject()["color"].toObject();
    const std::array<std::pair<QColor*, const char*>, 33> table{{
        {&colors_.window, "window"},
        {&colors_.panel, "panel"},
        {&colors_.raised, "raised"},
        {&colors_.sunken, "sunken"},
        {&colors_.canvas, "canvas"},
        {&colors_.line, "line"},
        {&colors_.line2, "line2"},
        {&colors_.field, "field"},
        {&colors_.ink, "ink"},
        {&colors_.text, "text"},
        {&colors_.text2, "text2"},
        {&colors_.text3, "text3"},
        {&colors_.accent, "accent"},
        {&colors_.accent_tint, "accentbg"},
        {&colors_.on_accent, "onaccent"},
        {&colors_.hover, "hover"},
        {&colors_.pin, "pin"},
        {&colors_.finding, "find"},
        {&colors_.finding_tint, "findbg"},
        {&colors_.warning, "warn"},
        {&colors_.warning_tint, "warnbg"},
        {&colors_.fine, "ok"},
        {&colors_.fine_tint, "okbg"},
        {&colors_.add, "add"},
        {&colors_.add_word, "addw"},
        {&colors_.del, "del"},
        {&colors_.del_word, "delw"},
        {&colors_.keyword, "kw"},
        {&colors_.string, "str"},
        {&colors_.number, "num"},
        {&colors_.comment, "com"},
        {&colors_.call, "fn"},
        {&colors_.shadow, "shadow"},
    }};
    for (const auto& [color, name] : table) *color = color_from(colors[QLatin1String(name)].toString());
}

void Theme::setDark(bool dark) {
    if (dark == dark_) return;
    dark_ = dark;
    reload();
    emit changed();
}

void Theme::setScale(qreal scale) {
    scale = std::clamp(scale, 1.0, 2.0);
    if (qFuzzyCompare(scale, scale_)) return;
    scale_ = scale;
    emit changed();
}

void Theme::setReduceMotion(bool reduce) {
    if (reduce == reduce_motion_) return;
    reduce_motion_ = reduce;
    emit changed();
}

void Theme::setPatterns(bool patterns) {
    if (patterns == patterns_) return;
    patterns_ = patterns;
    emit changed();
}

QColor Theme::onHover() const {
    // Hover is the same yellow in both themes, so what stands on it is the light theme's ink in both.
    return QColor(0x17, 0x1B, 0x21);
}

QColor Theme::face() const { return faded(colors_.text, dark_ ? 0.07 : 0.055); }

QColor Theme::mix(const QColor& color, const QColor& ground, qreal amount) const {
    const auto at = [&](float a, float b) { return static_cast<float>(a * amount + b * (1 - amount)); };
    return QColor::fromRgbF(at(color.redF(), ground.redF()), at(color.greenF(), ground.greenF()),
                            at(color.blueF(), ground.blueF()));
}

QColor Theme::category(int index) const {
    const auto& theme = scene::Theme::builtin(dark() ? scene::Theme::Kind::Dark : scene::Theme::Kind::Light);
    const scene::Rgba c = theme.color(scene::ColorKey::category(static_cast<std::uint32_t>(std::max(0, index))));
    return {c.r, c.g, c.b, c.a};
}

QColor Theme::faded(const QColor& color, qreal alpha) const {
    QColor out = color;
    out.setAlphaF(static_cast<float>(alpha));
    return out;
}

QFont Theme::type(const char* role, bool strong) const {
    const QJsonArray numbers = tokens_["type"].toObject()[QLatin1String(role)].toArray();
    const bool mono = numbers.size() > 3 && numbers[3].toString() == QLatin1String("mono");
    QFont font(mono ? mono_families_ : ui_families_);
    font.setPixelSize(qMax(1, qRound(numbers.at(0).toInt() * scale_)));
    font.setWeight(strong ? QFont::DemiBold : static_cast<QFont::Weight>(numbers.at(2).toInt()));
    // Ligatures and contextual alternates would make code and hexadecimal numbers lie.
    if (mono) font.setStyleStrategy(QFont::PreferNoShaping);
    return font;
}

QFont Theme::exact(const QFont& font) const {
    QFont out = font;
    out.setStyleStrategy(QFont::PreferNoShaping);
    return out;
}

QFont Theme::large() const {
    QFont font = title();
    font.setWeight(QFont::Normal);
    return font;
}

QFont Theme::codeMicro() const {
    QFont font = code();
    font.setPixelSize(micro().pixelSize());
    return font;
}

int Theme::motion(const char* role) const {
    return reduce_motion_ ? 0 : tokens_["motion"].toObject()[QLatin1String(role)].toInt();
}

int Theme::progressAfterMs() const { return tokens_["motion"].toObject()["progressAfter"].toInt(); }

} // namespace ls::ui
