// The open file was written by somebody else: take theirs or keep mine.
import QtQuick
import Layoutscope.Models
import Layoutscope.Ui

Rectangle {
    id: bar
    required property DocumentsModel documents

    height: 36 * Theme.dp
    color: Theme.warningTint

    Row {
        x: 14 * Theme.dp
        anchors.verticalCenter: parent.verticalCenter
        spacing: 10 * Theme.dp
        LsIcon {
            anchors.verticalCenter: parent.verticalCenter
            name: "warning"
            color: Theme.warning
            size: 16
        }
        LsText {
            anchors.verticalCenter: parent.verticalCenter
            text: qsTr("%1 changed on disk.").arg(bar.documents.title)
        }
        LsButton {
            text: qsTr("Reload")
            onClicked: bar.documents.reload()
        }
        LsButton {
            text: qsTr("Keep mine")
            onClicked: bar.documents.keepMine()
        }
    }
}
