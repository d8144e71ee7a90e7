// Files may be dropped anywhere in the window.
import QtQuick
import Layoutscope.Ui

DropArea {
    id: layer
    signal filesDropped(var urls)

    keys: ["text/uri-list"]
    onEntered: drag => drag.accept(Qt.CopyAction)
    onDropped: drop => {
        drop.accept(Qt.CopyAction)
        layer.filesDropped(drop.urls)
    }
    Rectangle {
        anchors.fill: parent
        visible: layer.containsDrag
        color: Theme.faded(Theme.accentTint, 0.82)
        LsFrame {
            anchors.fill: parent
            anchors.margins: 14
            dashed: true
            thickness: 2
            radius: 10
            edge: Theme.accent
        }
        Column {
            anchors.centerIn: parent
            spacing: 10
            LsIcon {
                anchors.horizontalCenter: parent.horizontalCenter
                name: "drop"
                color: Theme.accent
                size: 40
            }
            LsText {
                text: qsTr("Drop to open")
                font: Theme.verdict
                color: Theme.accent
            }
        }
    }
}
