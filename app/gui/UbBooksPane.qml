// The two books side by side, the branch that each side takes, the V-step candidates, the tiling record.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Models
import Layoutscope.Ui
import Layoutscope.Views

FocusScope {
    id: pane
    required property UbModel model

    component Facts: Column {
        id: facts
        property var model: []
        topPadding: 6 * Theme.dp
        bottomPadding: 6 * Theme.dp
        Repeater {
            model: facts.model
            Item {
                id: fact
                required property var modelData
                readonly property color ink: modelData.tone === "finding" ? Theme.finding : modelData.tone === "warning" ? Theme.warning : Theme.text
                readonly property bool wraps: value.implicitWidth > width - label.implicitWidth - 40 * Theme.dp
                width: facts.width
                height: wraps ? lines.implicitHeight + 24 * Theme.dp : 22 * Theme.dp
                LsText {
                    id: label
                    x: 12 * Theme.dp
                    height: 22 * Theme.dp
                    text: fact.modelData.name
                    font: Theme.exact(Theme.small)
                    color: Theme.text2
                }
                LsCode {
                    id: value
                    visible: !fact.wraps
                    anchors.right: parent.right
                    anchors.rightMargin: 12 * Theme.dp
                    height: 22 * Theme.dp
                    text: fact.modelData.value
                    color: fact.ink
                }
                LsText {
                    id: lines
                    visible: fact.wraps
                    x: 12 * Theme.dp
                    y: 20 * Theme.dp
                    width: parent.width - 24 * Theme.dp
                    text: fact.modelData.value
                    font: Theme.exact(Theme.small)
                    color: fact.ink
                    wrapMode: Text.Wrap
                }
            }
        }
    }

    Flickable {
        anchors.fill: parent
        contentHeight: column.implicitHeight
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: LsScrollBar {}
        Column {
            id: column
            width: parent.width
            component Table: TablePanel {
                width: column.width
                height: (25 + 21 * table.rowCount) * Theme.dp
                dark: Theme.dark
                dp: Theme.dp
                sortable: false
                activeFocusOnTab: true
            }
            Table {
                objectName: "ubBooks"
                visible: pane.model.books.rowCount > 0
                table: pane.model.books
            }
            Facts {
                width: column.width
                model: pane.model.facts
            }
            LsSection {
                visible: pane.model.isOperator
                width: column.width
                title: qsTr("V step candidates")
                detail: pane.model.candidates.rowCount === 1 ? qsTr("1 tried") : qsTr("%1 tried").arg(pane.model.candidates.rowCount)
            }
            Table {
                visible: pane.model.isOperator
                table: pane.model.candidates
                height: Math.min(260, 25 + 21 * table.rowCount) * Theme.dp
            }
            LsSection {
                visible: pane.model.isOperator && pane.model.record.rowCount > 0
                width: column.width
                title: qsTr("Tiling record")
                detail: qsTr("64 bytes, little endian")
            }
            Table {
                visible: pane.model.isOperator && pane.model.record.rowCount > 0
                table: pane.model.record
            }
        }
    }
}
