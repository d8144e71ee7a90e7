// A short fact in a rounded frame. Tone: neutral, fine, warning, finding, accent, hover.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Ui

Rectangle {
    id: pill
    property string text
    property string tone: "neutral"
    property string glyph: tone === "fine" ? "check" : tone === "warning" ? "warning" : tone === "finding" ? "cross" : ""
    property bool mono: false
    readonly property color ink: tone === "fine" ? Theme.fine : tone === "warning" ? Theme.warning : tone === "finding" ? Theme.finding
                               : tone === "accent" ? Theme.accent : tone === "hover" ? Theme.onHover : Theme.text2

    implicitWidth: row.implicitWidth + 18 * Theme.dp
    implicitHeight: 22 * Theme.dp
    radius: height / 2
    color: tone === "fine" ? Theme.fineTint : tone === "warning" ? Theme.warningTint : tone === "finding" ? Theme.findingTint
         : tone === "accent" ? Theme.accentTint : tone === "hover" ? Theme.hover : Theme.sunken

    Accessible.role: Accessible.StaticText
    Accessible.name: pill.text

    Row {
        id: row
        anchors.centerIn: parent
        spacing: 5 * Theme.dp
        LsIcon {
            anchors.verticalCenter: parent.verticalCenter
            visible: pill.glyph !== ""
            name: pill.glyph
            color: pill.ink
            size: 12
        }
        LsText {
            anchors.verticalCenter: parent.verticalCenter
            text: pill.text
            font: pill.mono ? Theme.code : Theme.exact(Theme.small)
            color: pill.ink
        }
    }
}
