// Why the batch takes as long as it does: a sentence with the numbers, the rules side by side, the formulas.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Models
import Layoutscope.Ui
import Layoutscope.Views

FocusScope {
    id: pane
    required property UbWorkModel work

    LsPanelHeader {
        id: head
        width: parent.width
        title: pane.work.whyTitle
    }
    Rectangle {
        y: head.height
        width: parent.width
        height: parent.height - y
        color: Theme.panel
        Flickable {
            anchors.fill: parent
            contentHeight: column.implicitHeight + 16 * Theme.dp
            clip: true
            boundsBehavior: Flickable.StopAtBounds
            T.ScrollBar.vertical: LsScrollBar {}
            Column {
                id: column
                width: parent.width
                spacing: 6 * Theme.dp
                LsText {
                    x: 14 * Theme.dp
                    width: parent.width - 28 * Theme.dp
                    topPadding: 12 * Theme.dp
                    text: pane.work.why
                    font: Theme.exact(Theme.body)
                    wrapMode: Text.Wrap
                }
                PictureCanvas {
                    id: bars
                    objectName: "ubBars"
                    width: parent.width
                    height: pane.work.bars.height * Theme.dp
                    dp: Theme.dp
                    dark: Theme.dark
                    activeFocusOnTab: true
                    picture: pane.work.bars
                    onWidthChanged: pane.work.barsWidth = Math.floor(width / Theme.dp)
                }
                LsText {
                    x: 14 * Theme.dp
                    width: parent.width - 28 * Theme.dp
                    visible: text !== ""
                    text: bars.describe
                    font: Theme.exact(Theme.small)
                    color: Theme.text2
                    wrapMode: Text.Wrap
                }
                Repeater {
                    model: pane.work.facts
                    Item {
                        id: fact
                        required property var modelData
                        width: column.width
                        height: 20 * Theme.dp
                        LsText {
                            x: 14 * Theme.dp
                            height: parent.height
                            text: fact.modelData.name
                            font: Theme.small
                            color: Theme.text2
                        }
                        LsCode {
                            anchors.right: parent.right
                            anchors.rightMargin: 14 * Theme.dp
                            height: parent.height
                            text: fact.modelData.value
                        }
                    }
                }
            }
        }
    }
}
