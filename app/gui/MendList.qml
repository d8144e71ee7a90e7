// Edits that mend the finding in front. Each was tried: the program is refused less with it.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Models
import Layoutscope.Ui

Column {
    id: list
    required property TraceModel trace
    readonly property bool some: trace.mends.length > 0
    visible: some

    LsSection {
        width: parent.width
        title: qsTr("Mend")
    }
    Repeater {
        model: list.trace.mends
        Item {
            id: one
            required property int index
            required property var modelData
            width: list.width
            height: words.height + 16 * Theme.dp
            Column {
                id: words
                x: 14 * Theme.dp
                y: 8 * Theme.dp
                width: act.x - x - 10 * Theme.dp
                spacing: 3 * Theme.dp
                LsCode {
                    width: parent.width
                    text: one.modelData.title
                    wrapMode: Text.WrapAnywhere
                }
                LsText {
                    width: parent.width
                    text: one.modelData.effect
                    font: Theme.exact(Theme.small)
                    color: Theme.text2
                    wrapMode: Text.Wrap
                }
            }
            Row {
                id: act
                x: parent.width - width - 12 * Theme.dp
                y: 8 * Theme.dp
                height: 26 * Theme.dp
                spacing: 8 * Theme.dp
                LsPill {
                    anchors.verticalCenter: parent.verticalCenter
                    text: qsTr("tried")
                    tone: "fine"
                }
                LsButton {
                    text: qsTr("Apply")
                    tip: qsTr("Write it into the program")
                    Accessible.name: qsTr("Apply %1").arg(one.modelData.title)
                    onClicked: list.trace.applyMend(one.index)
                }
            }
            Rectangle {
                y: parent.height - 1
                width: parent.width
                height: 1
                color: Theme.line
            }
        }
    }
}
