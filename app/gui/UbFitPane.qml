// What fits: how far sizes may grow, what doubling and rounding cost, who takes the bytes, and safe overlays to apply.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Models
import Layoutscope.Ui
import Layoutscope.Views

FocusScope {
    id: pane
    required property UbModel model

    Flickable {
        anchors.fill: parent
        contentHeight: column.implicitHeight + 12 * Theme.dp
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: LsScrollBar {}
        Column {
            id: column
            width: parent.width
            LsSection { width: parent.width; title: qsTr("Safe overlays"); detail: qsTr("never live together, proved") }
            LsText {
                visible: pane.model.proposals.length === 0
                x: 12 * Theme.dp
                width: parent.width - 24 * Theme.dp
                topPadding: 8 * Theme.dp
                bottomPadding: 8 * Theme.dp
                text: pane.model.proposalsNote
                color: Theme.text2
                wrapMode: Text.Wrap
            }
            Repeater {
                model: pane.model.proposals
                Item {
                    id: one
                    required property int index
                    required property var modelData
                    width: column.width
                    height: words.implicitHeight + 16 * Theme.dp
                    Column {
                        id: words
                        x: 12 * Theme.dp
                        y: 8 * Theme.dp
                        width: apply.x - x - 10 * Theme.dp
                        spacing: 2 * Theme.dp
                        LsText {
                            width: parent.width
                            text: one.modelData.title
                            font: Theme.bodyStrong
                            wrapMode: Text.Wrap
                        }
                        LsText {
                            width: parent.width
                            text: one.modelData.detail
                            font: Theme.exact(Theme.small)
                            color: Theme.text2
                            wrapMode: Text.Wrap
                        }
                    }
                    LsButton {
                        id: apply
                        objectName: "ubProposal-" + one.index
                        anchors.right: parent.right
                        anchors.rightMargin: 12 * Theme.dp
                        anchors.verticalCenter: parent.verticalCenter
                        text: qsTr("Save %1 B").arg(one.modelData.saved)
                        enabled: !pane.model.refused && pane.model.tried === 0
                        onClicked: pane.model.applyProposal(one.index)
                    }
                }
            }
            LsSection { width: parent.width; title: qsTr("How far it goes"); detail: qsTr("everything else as it is") }
            Repeater {
                model: pane.model.growth
                Item {
                    id: fact
                    required property var modelData
                    width: column.width
                    height: Math.max(24 * Theme.dp, detail.implicitHeight + 6 * Theme.dp)
                    LsText {
                        x: 12 * Theme.dp
                        width: 132 * Theme.dp
                        height: 24 * Theme.dp
                        text: fact.modelData.name
                        font: Theme.small
                        color: Theme.text2
                        elide: Text.ElideRight
                    }
                    LsCode {
                        id: value
                        x: 146 * Theme.dp
                        height: 24 * Theme.dp
                        text: fact.modelData.value
                        color: fact.modelData.tone === "finding" ? Theme.finding : fact.modelData.tone === "warning" ? Theme.warning : Theme.text
                    }
                    LsText {
                        id: detail
                        readonly property real from: value.x + value.implicitWidth + 10 * Theme.dp
                        x: from
                        y: 5 * Theme.dp
                        width: parent.width - x - 10 * Theme.dp
                        text: fact.modelData.detail
                        font: Theme.exact(Theme.small)
                        color: Theme.text3
                        wrapMode: Text.Wrap
                    }
                }
            }
            LsSection { width: parent.width; title: qsTr("Who takes the bytes"); detail: qsTr("largest first") }
            TablePanel {
                width: parent.width
                height: Math.min(420, 30 + 21 * pane.model.culprits.rowCount) * Theme.dp
                dark: Theme.dark
                dp: Theme.dp
                table: pane.model.culprits
                sortable: false
                activeFocusOnTab: true
            }
        }
    }
}
