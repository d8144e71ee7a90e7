// Every command with its key, made from the commands themselves.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Models
import Layoutscope.Ui

Sheet {
    id: sheet
    required property CommandRegistry commands

    title: qsTr("Keys")
    wantedWidth: 560 * Theme.dp
    wantedHeight: 620 * Theme.dp

    ListView {
        anchors.fill: parent
        anchors.margins: 10 * Theme.dp
        clip: true
        focus: true
        model: sheet.commands.keyed
        T.ScrollBar.vertical: LsScrollBar {}
        delegate: Item {
            id: row
            required property LsCommand modelData
            width: ListView.view.width
            height: 27 * Theme.dp
            LsText {
                x: 8 * Theme.dp
                width: 60 * Theme.dp
                height: parent.height
                text: row.modelData.group
                font: Theme.small
                color: Theme.text3
            }
            LsText {
                x: 76 * Theme.dp
                height: parent.height
                text: row.modelData.title
            }
            LsKey {
                anchors.right: parent.right
                anchors.rightMargin: 14 * Theme.dp
                anchors.verticalCenter: parent.verticalCenter
                text: row.modelData.keyText
            }
        }
    }
}
