// A second layout beside the first: same place for every element, or where they first part.
import QtQuick
import Layoutscope.Models
import Layoutscope.Ui

Rectangle {
    id: bar
    required property Explorer explorer
    property bool open: false
    readonly property bool due: open || explorer.comparing

    function start() {
        open = true
        other.forceActiveFocus(Qt.ShortcutFocusReason)
    }
    function stop() {
        open = false
        other.text = ""
        explorer.compareText = ""
    }

    implicitHeight: due ? 44 * Theme.dp : 0
    visible: due
    color: Theme.panel

    LsText {
        id: name
        x: 14 * Theme.dp
        height: parent.height
        text: qsTr("Compare with")
        font: Theme.small
        color: Theme.text2
    }
    LsField {
        id: other
        objectName: "compareField"
        x: name.x + name.implicitWidth + 10 * Theme.dp
        anchors.verticalCenter: parent.verticalCenter
        width: Math.max(160 * Theme.dp, Math.min(520 * Theme.dp, parent.width * 0.4))
        exact: true
        placeholderText: "S[(64, 64):(64, 1)]"
        text: bar.explorer.compareText
        refused: bar.explorer.compareTone === "finding" && text !== ""
        onTextEdited: bar.explorer.compareText = text
        Keys.onEscapePressed: bar.stop()
    }
    Row {
        x: other.x + other.width + 12 * Theme.dp
        width: closer.x - x - 8 * Theme.dp
        height: parent.height
        spacing: 10 * Theme.dp
        clip: true
        LsPill {
            objectName: "comparePill"
            anchors.verticalCenter: parent.verticalCenter
            visible: text !== "" && x + implicitWidth <= (parent as Row).width
            text: bar.explorer.compareVerdict
            tone: bar.explorer.compareTone
        }
        LsText {
            height: parent.height
            visible: text !== "" && x + implicitWidth <= (parent as Row).width
            text: bar.explorer.compareDetail
            font: Theme.exact(Theme.small)
            color: Theme.text2
        }
        LsButton {
            anchors.verticalCenter: parent.verticalCenter
            visible: bar.explorer.compareDetail !== "" && bar.explorer.compareVerdict.includes(" ") && x + implicitWidth <= (parent as Row).width
            text: qsTr("Show it")
            onClicked: bar.explorer.goToDifference()
        }
    }
    LsButton {
        id: closer
        anchors.right: parent.right
        anchors.rightMargin: 10 * Theme.dp
        anchors.verticalCenter: parent.verticalCenter
        kind: "flat"
        glyph: "cross"
        tip: qsTr("Stop comparing")
        onClicked: bar.stop()
    }
    Rectangle {
        y: parent.height - 1
        width: parent.width
        height: 1
        color: Theme.line
    }
}
