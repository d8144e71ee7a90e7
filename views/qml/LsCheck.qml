// A switch with its sentence.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Ui

T.CheckBox {
    id: control
    property string detail

    implicitWidth: words.implicitWidth + 26 * Theme.dp
    implicitHeight: Math.max(26 * Theme.dp, words.implicitHeight)
    focusPolicy: Qt.StrongFocus
    font: Theme.body
    Accessible.role: Accessible.CheckBox
    Accessible.name: control.text
    Accessible.description: control.detail

    contentItem: Item {}
    indicator: Rectangle {
        y: 5 * Theme.dp
        width: 16 * Theme.dp
        height: width
        radius: 4 * Theme.dp
        color: control.checked ? Theme.accent : Theme.panel
        border.color: control.checked ? Theme.accent : Theme.field
        LsIcon {
            anchors.centerIn: parent
            visible: control.checked
            name: "check"
            color: Theme.onAccent
            size: 12
        }
        LsFocusRing { visible: control.visualFocus }
    }
    Column {
        id: words
        x: 26 * Theme.dp
        y: 4 * Theme.dp
        width: control.width - x
        LsText {
            width: parent.width
            text: control.text
            color: control.enabled ? Theme.text : Theme.text3
            wrapMode: Text.Wrap
        }
        LsText {
            width: parent.width
            visible: control.detail !== ""
            text: control.detail
            font: Theme.small
            color: Theme.text2
            wrapMode: Text.Wrap
        }
    }
}
