// The one place where QML learns how things look: colours by name, type roles, sizes and times from the design tokens.
// Everything follows `dark` and `scale` live. Sizes are in device-independent pixels at `scale` 1.
#pragma once

#include <QtCore/QJsonObject>
#include <QtCore/QObject>
#include <QtCore/QVariantMap>
#include <QtGui/QColor>
#include <QtGui/QFont>
#include <QtQml/qqmlregistration.h>

class QJSEngine;
class QQmlEngine;

namespace ls::ui {

class Theme : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON

    Q_PROPERTY(bool dark READ dark WRITE setDark NOTIFY changed)
    /// 1 to 2: sizes and type grow, the pixels of a cell do not.
    Q_PROPERTY(qreal scale READ scale WRITE setScale NOTIFY changed)
    Q_PROPERTY(bool reduceMotion READ reduceMotion WRITE setReduceMotion NOTIFY changed)
    Q_PROPERTY(bool patterns READ patterns WRITE setPatterns NOTIFY changed)
    /// One design pixel at the present scale: `12 * Theme.dp`.
    Q_PROPERTY(qreal dp READ scale NOTIFY changed)

    Q_PROPERTY(QColor window READ window NOTIFY changed)
    Q_PROPERTY(QColor panel READ panel NOTIFY changed)
    Q_PROPERTY(QColor raised READ raised NOTIFY changed)
    Q_PROPERTY(QColor sunken READ sunken NOTIFY changed)
    Q_PROPERTY(QColor canvas READ canvas NOTIFY changed)
    Q_PROPERTY(QColor line READ line NOTIFY changed)
    Q_PROPERTY(QColor line2 READ line2 NOTIFY changed)
    Q_PROPERTY(QColor field READ field NOTIFY changed)
    Q_PROPERTY(QColor ink READ ink NOTIFY changed)
    Q_PROPERTY(QColor text READ text NOTIFY changed)
    Q_PROPERTY(QColor text2 READ text2 NOTIFY changed)
    Q_PROPERTY(QColor text3 READ text3 NOTIFY changed)
    Q_PROPERTY(QColor accent READ accent NOTIFY changed)
    Q_PROPERTY(QColor accentTint READ accentTint NOTIFY changed)
    Q_PROPERTY(QColor onAccent READ onAccent NOTIFY changed)
    Q_PROPERTY(QColor hover READ hover NOTIFY changed)
    Q_PROPERTY(QColor onHover READ onHover NOTIFY changed)
    Q_PROPERTY(QColor pin READ pin NOTIFY changed)
    Q_PROPERTY(QColor finding READ finding NOTIFY changed)
    Q_PROPERTY(QColor findingTint READ findingTint NOTIFY changed)
    Q_PROPERTY(QColor warning READ warning NOTIFY changed)
    Q_PROPERTY(QColor warningTint READ warningTint NOTIFY changed)
    Q_PROPERTY(QColor fine READ fine NOTIFY changed)
    Q_PROPERTY(QColor fineTint READ fineTint NOTIFY changed)
    Q_PROPERTY(QColor diffAdd READ diffAdd NOTIFY changed)
    Q_PROPERTY(QColor diffAddWord READ diffAddWord NOTIFY changed)
    Q_PROPERTY(QColor diffDel READ diffDel NOTIFY changed)
    Q_PROPERTY(QColor diffDelWord READ diffDelWord NOTIFY changed)
    Q_PROPERTY(QColor shadow READ shadow NOTIFY changed)
    /// Pressed and hovered faces of flat controls: text colour at a few per cent.
    Q_PROPERTY(QColor face READ face NOTIFY changed)

    Q_PROPERTY(QFont micro READ micro NOTIFY changed)
    Q_PROPERTY(QFont small READ small NOTIFY changed)
    Q_PROPERTY(QFont smallStrong READ smallStrong NOTIFY changed)
    Q_PROPERTY(QFont body READ body NOTIFY changed)
    Q_PROPERTY(QFont bodyStrong READ bodyStrong NOTIFY changed)
    Q_PROPERTY(QFont large READ large NOTIFY changed)
    Q_PROPERTY(QFont title READ title NOTIFY changed)
    Q_PROPERTY(QFont verdict READ verdict NOTIFY changed)
    Q_PROPERTY(QFont start READ start NOTIFY changed)
    Q_PROPERTY(QFont code READ code NOTIFY changed)
    Q_PROPERTY(QFont codeStrong READ codeStrong NOTIFY changed)
    Q_PROPERTY(QFont codeMicro READ codeMicro NOTIFY changed)
    Q_PROPERTY(QFont input READ input NOTIFY changed)

    Q_PROPERTY(int fadeMs READ fadeMs NOTIFY changed)
    Q_PROPERTY(int panelMs READ panelMs NOTIFY changed)
    Q_PROPERTY(int cameraMs READ cameraMs NOTIFY changed)
    Q_PROPERTY(int stepMs READ stepMs NOTIFY changed)
    Q_PROPERTY(int progressAfterMs READ progressAfterMs CONSTANT)

public:
    /// The one theme: QML's singleton and the painters in C++ are the same object.
    static Theme* instance();
    static Theme* create(QQmlEngine*, QJSEngine*);

    bool dark() const { return dark_; }
    void setDark(bool dark);
    qreal scale() const { return scale_; }
    void setScale(qreal scale);
    bool reduceMotion() const { return reduce_motion_; }
    void setReduceMotion(bool reduce);
    bool patterns() const { return patterns_; }
    void setPatterns(bool patterns);

    QColor window() const { return colors_.window; }
    QColor panel() const { return colors_.panel; }
    QColor raised() const { return colors_.raised; }
    QColor sunken() const { return colors_.sunken; }
    QColor canvas() const { return colors_.canvas; }
    QColor line() const { return colors_.line; }
    QColor line2() const { return colors_.line2; }
    QColor field() const { return colors_.field; }
    QColor ink() const { return colors_.ink; }
    QColor text() const { return colors_.text; }
    QColor text2() const { return colors_.text2; }
    QColor text3() const { return colors_.text3; }
    QColor accent() const { return colors_.accent; }
    QColor accentTint() const { return colors_.accent_tint; }
    QColor onAccent() const { return colors_.on_accent; }
    QColor hover() const { return colors_.hover; }
    QColor onHover() const;
    QColor pin() const { return colors_.pin; }
    QColor finding() const { return colors_.finding; }
    QColor findingTint() const { return colors_.finding_tint; }
    QColor warning() const { return colors_.warning; }
    QColor warningTint() const { return colors_.warning_tint; }
    QColor fine() const { return colors_.fine; }
    QColor fineTint() const { return colors_.fine_tint; }
    QColor diffAdd() const { return colors_.add; }
    QColor diffAddWord() const { return colors_.add_word; }
    QColor diffDel() const { return colors_.del; }
    QColor diffDelWord() const { return colors_.del_word; }
    QColor shadow() const { return colors_.shadow; }
    QColor face() const;
    QColor keyword() const { return colors_.keyword; }
    QColor string() const { return colors_.string; }
    QColor number() const { return colors_.number; }
    QColor comment() const { return colors_.comment; }
    QColor call() const { return colors_.call; }

    QFont micro() const { return type("micro"); }
    QFont small() const { return type("small"); }
    QFont smallStrong() const { return type("small", true); }
    QFont body() const { return type("body"); }
    QFont bodyStrong() const { return type("bodyStrong"); }
    QFont large() const;
    QFont title() const { return type("title"); }
    QFont verdict() const { return type("verdict"); }
    QFont start() const { return type("start"); }
    QFont code() const { return type("code"); }
    QFont codeStrong() const { return type("code", true); }
    QFont codeMicro() const;
    QFont input() const { return type("input"); }

    int fadeMs() const { return motion("fade"); }
    int panelMs() const { return motion("panel"); }
    int cameraMs() const { return motion("camera"); }
    int stepMs() const { return motion("stepMorph"); }
    int progressAfterMs() const;

    /// `color` over `ground`, `amount` from 0 to 1.
    Q_INVOKABLE QColor mix(const QColor& color, const QColor& ground, qreal amount) const;
    /// The font without shaping: for text that may hold hexadecimal numbers, code or operators (Inter would otherwise
    /// turn the x of 0x0CAA into a multiplication sign).
    /// The fill of a category; it changes with `dark`.
    Q_INVOKABLE QColor category(int index) const;
    Q_INVOKABLE QFont exact(const QFont& font) const;
    Q_INVOKABLE QColor faded(const QColor& color, qreal alpha) const;

signals:
    void changed();

private:
    // Not default-constructible, or the engine would make an object of its own instead of asking create().
    explicit Theme(QObject* parent);

    struct Colors {
        QColor window, panel, raised, sunken, canvas, line, line2, field, ink, text, text2, text3, accent, accent_tint,
            on_accent, hover, pin, finding, finding_tint, warning, warning_tint, fine, fine_tint, add, add_word, del,
            del_word, keyword, string, number, comment, call, shadow;
    };
    /// A type role of the tokens: [size, line height, weight, "mono"?].
    QFont type(const char* role, bool strong = false) const;
    int motion(const char* role) const;
    void reload();

    QJsonObject tokens_;
    QStringList ui_families_;
    QStringList mono_families_;
    Colors colors_;
    bool dark_ = false;
    bool reduce_motion_ = false;
    bool patterns_ = false;
    qreal scale_ = 1;
};

} // namespace ls::ui
