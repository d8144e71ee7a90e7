// The one button: plain (edge), flat (no edge until hovered) or primary (filled; at most one in the window).
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Ui

T.Button {
    id: control
    property string glyph
    property string kind: "plain"
    /// A chevron says that a press opens a menu.
    property bool drops: false
    property string keys
    /// Names the button where it has no text, or says more where it has.
    property string tip
    property color ink: !enabled ? Theme.text3 : kind === "primary" ? Theme.onAccent : checked ? Theme.accent : Theme.text
    readonly property bool bare: text === ""

    implicitWidth: bare && !drops ? implicitHeight : implicitContentWidth + leftPadding + rightPadding
    implicitHeight: 26 * Theme.dp
    leftPadding: bare ? 0 : 10 * Theme.dp
    rightPadding: bare ? 0 : drops ? 8 * Theme.dp : 10 * Theme.dp
    focusPolicy: Qt.StrongFocus
    hoverEnabled: true
    font: Theme.body
    opacity: enabled ? 1 : 0.55

    Accessible.role: control.checkable ? Accessible.CheckBox : Accessible.Button
    Accessible.name: control.text !== "" ? control.text : control.tip
    Accessible.description: control.tip

    function press() {
        if (checkable) toggle()
        clicked()
    }
    Keys.onReturnPressed: press()
    Keys.onEnterPressed: press()

    contentItem: Item {
        implicitWidth: face.implicitWidth
        implicitHeight: face.implicitHeight
    }
    Row {
        id: face
        anchors.centerIn: parent
        spacing: 6 * Theme.dp
        LsIcon {
            anchors.verticalCenter: parent.verticalCenter
            visible: control.glyph !== ""
            name: control.glyph
            color: control.ink
            size: 16
        }
        LsText {
            anchors.verticalCenter: parent.verticalCenter
            visible: control.text !== ""
            text: control.text
            font: control.font
            color: control.ink
        }
        LsKey {
            anchors.verticalCenter: parent.verticalCenter
            visible: control.keys !== "" && !control.bare
            text: control.keys
        }
        LsIcon {
            anchors.verticalCenter: parent.verticalCenter
            visible: control.drops
            name: "chevron-down"
            color: control.enabled ? Theme.text2 : Theme.text3
            size: 14
        }
    }

    background: Rectangle {
        radius: 5 * Theme.dp
        color: control.kind === "primary" ? (control.down ? Theme.mix(Theme.text, Theme.accent, 0.18) : control.hovered ? Theme.mix(Theme.text, Theme.accent, 0.08) : Theme.accent)
             : control.checked ? Theme.accentTint
             : control.kind === "flat" ? (control.down ? Theme.faded(Theme.text, 0.12) : control.hovered ? Theme.face : "transparent")
             : control.down ? Theme.sunken : control.hovered ? Theme.mix(Theme.text, Theme.panel, 0.04) : Theme.panel
        border.width: control.kind === "plain" ? 1 : 0
        border.color: control.checked ? Theme.accent : Theme.line2

        LsFocusRing { visible: control.visualFocus }
    }

    Loader {
        active: control.tip !== "" && control.hovered
        sourceComponent: LsTip {
            parent: control
            visible: control.hovered && !control.down
            text: control.tip
            keys: control.bare ? control.keys : ""
        }
    }
}
