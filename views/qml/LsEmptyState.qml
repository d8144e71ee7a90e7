// What stands where there is nothing yet: one sentence, the one action, and an example to click.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Ui

Item {
    id: state
    property string glyph
    property string title
    property string sentence
    property string action
    property string actionKeys
    property string example
    signal acted()
    signal exampleChosen()

    implicitWidth: 320 * Theme.dp
    implicitHeight: column.implicitHeight

    Column {
        id: column
        anchors.centerIn: parent
        width: Math.min(parent.width - 24 * Theme.dp, 420 * Theme.dp)
        spacing: 8 * Theme.dp
        LsIcon {
            anchors.horizontalCenter: parent.horizontalCenter
            visible: state.glyph !== ""
            name: state.glyph
            color: Theme.text3
            size: 26
        }
        LsText {
            width: parent.width
            horizontalAlignment: Text.AlignHCenter
            text: state.title
            font: Theme.bodyStrong
            wrapMode: Text.Wrap
        }
        LsText {
            width: parent.width
            visible: text !== ""
            horizontalAlignment: Text.AlignHCenter
            text: state.sentence
            font: Theme.exact(Theme.small)
            color: Theme.text2
            wrapMode: Text.Wrap
        }
        LsButton {
            anchors.horizontalCenter: parent.horizontalCenter
            visible: state.action !== ""
            text: state.action
            keys: state.actionKeys
            onClicked: state.acted()
        }
        LsButton {
            anchors.horizontalCenter: parent.horizontalCenter
            visible: state.example !== ""
            kind: "flat"
            text: state.example
            ink: Theme.accent
            font: Theme.code
            onClicked: state.exampleChosen()
        }
    }
}
