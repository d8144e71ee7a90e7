import QtQuick
import Layoutscope.Ui

Sheet {
    id: sheet
    title: qsTr("About Layoutscope")
    wantedWidth: 420 * Theme.dp
    wantedHeight: 220 * Theme.dp

    Column {
        x: 20 * Theme.dp
        y: 20 * Theme.dp
        width: parent.width - 40 * Theme.dp
        spacing: 10 * Theme.dp
        LsText {
            text: "Layoutscope " + Qt.application.version
            font: Theme.verdict
        }
        LsText {
            width: parent.width
            wrapMode: Text.Wrap
            text: qsTr("Shows where every element of a tensor really lives: in global memory, shared memory, tensor memory, registers and unified buffers, pass by pass.")
            color: Theme.text2
        }
        LsText {
            text: qsTr("Apache License 2.0")
            font: Theme.small
            color: Theme.text2
        }
    }
}
