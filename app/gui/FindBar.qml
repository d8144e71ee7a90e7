// Search in the layout: "37, 21", "1621", "0x0CAA".
import QtQuick
import Layoutscope.Models
import Layoutscope.Ui

Rectangle {
    id: bar
    required property Explorer explorer
    property string answer
    signal closed()

    function start(text: string) {
        visible = true
        field.text = text
        answer = ""
        field.forceActiveFocus(Qt.ShortcutFocusReason)
        if (text === "") field.selectAll()
    }
    function stop() {
        visible = false
        closed()
    }

    visible: false
    width: 330 * Theme.dp
    height: (answer === "" ? 42 : 66) * Theme.dp
    radius: 8 * Theme.dp
    color: Theme.raised
    border.color: Theme.line2
    LsShadow { radius: 8 * Theme.dp }

    LsField {
        id: field
        objectName: "findField"
        x: 8 * Theme.dp
        y: 8 * Theme.dp
        width: parent.width - 50 * Theme.dp
        exact: true
        glyph: "search"
        placeholderText: qsTr("37, 21  ·  1621  ·  0x0CAA")
        refused: bar.answer !== ""
        Accessible.name: qsTr("Find element, offset or address")
        onTextEdited: bar.answer = ""
        onAccepted: {
            bar.answer = bar.explorer.find(text)
            if (bar.answer === "") selectAll()
        }
        Keys.onEscapePressed: bar.stop()
    }
    LsButton {
        anchors.right: parent.right
        anchors.rightMargin: 8 * Theme.dp
        y: 8 * Theme.dp
        kind: "flat"
        glyph: "cross"
        tip: qsTr("Close")
        keys: "Esc"
        onClicked: bar.stop()
    }
    LsText {
        x: 10 * Theme.dp
        y: 40 * Theme.dp
        width: parent.width - 20 * Theme.dp
        visible: bar.answer !== ""
        text: bar.answer
        font: Theme.exact(Theme.small)
        color: Theme.finding
        elide: Text.ElideRight
    }
}
