// Asks before changes to a file are let go.
import QtQuick
import Layoutscope.Ui

Sheet {
    id: sheet
    signal saved()
    signal discarded()

    wantedWidth: 440 * Theme.dp
    wantedHeight: 150 * Theme.dp

    LsText {
        x: 16 * Theme.dp
        y: 12 * Theme.dp
        width: parent.width - 32 * Theme.dp
        wrapMode: Text.Wrap
        text: qsTr("The file on disk does not have them yet.")
        color: Theme.text2
    }
    Row {
        anchors.right: parent.right
        anchors.rightMargin: 16 * Theme.dp
        y: parent.height - height - 16 * Theme.dp
        spacing: 8 * Theme.dp
        LsButton {
            text: qsTr("Close without saving")
            onClicked: {
                sheet.close()
                sheet.discarded()
            }
        }
        LsButton {
            text: qsTr("Cancel")
            onClicked: sheet.close()
        }
        LsButton {
            text: qsTr("Save")
            kind: "primary"
            focus: true
            onClicked: {
                sheet.close()
                sheet.saved()
            }
        }
    }
}
