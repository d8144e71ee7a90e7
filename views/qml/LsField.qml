// One line of text to fill in. `exact` for code; `refused` turns its edge red.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Ui

T.TextField {
    id: control
    property string glyph
    property bool refused: false
    property bool exact: false

    implicitWidth: 200 * Theme.dp
    implicitHeight: 26 * Theme.dp
    leftPadding: glyph !== "" ? 28 * Theme.dp : 8 * Theme.dp
    rightPadding: 8 * Theme.dp
    verticalAlignment: TextInput.AlignVCenter
    color: Theme.text
    font: exact ? Theme.code : Theme.body
    placeholderTextColor: Theme.text3
    selectionColor: Theme.accent
    selectedTextColor: Theme.onAccent
    selectByMouse: true
    clip: true

    LsText {
        x: control.leftPadding
        width: control.width - control.leftPadding - control.rightPadding
        height: control.height
        visible: control.text === "" && control.preeditText === ""
        text: control.placeholderText
        font: control.font
        color: control.placeholderTextColor
        elide: Text.ElideRight
    }
    LsIcon {
        x: 7 * Theme.dp
        anchors.verticalCenter: parent.verticalCenter
        name: control.glyph
        visible: control.glyph !== ""
        color: Theme.text2
        size: 14
    }

    background: Rectangle {
        radius: 5 * Theme.dp
        color: Theme.panel
        border.width: control.activeFocus || control.refused ? 1.5 : 1
        border.color: control.refused ? Theme.finding : control.activeFocus ? Theme.accent : Theme.field
    }
}
