// Why this descriptor: where each of its fields comes from; and when there is none, the refusal with its values and mends.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Models
import Layoutscope.Ui

FocusScope {
    id: pane
    required property var app
    required property TmemModel model

    Flickable {
        anchors.fill: parent
        contentHeight: column.implicitHeight + 12 * Theme.dp
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: LsScrollBar {}
        Column {
            id: column
            width: parent.width
            topPadding: 4 * Theme.dp
            LsDiagnosticList {
                width: parent.width
                height: visible ? Math.min(220 * Theme.dp, 132 * Theme.dp * count) : 0
                visible: count > 0
                readonly property int count: pane.model.diagnostics.count
                model: pane.model.diagnostics
                onHelpAsked: code => pane.app.openHelp("", code)
            }
            Repeater {
                model: pane.model.trace
                Item {
                    id: fact
                    required property var modelData
                    readonly property bool wraps: value.implicitWidth > width - label.implicitWidth - 40 * Theme.dp
                    width: column.width
                    height: wraps ? lines.implicitHeight + 24 * Theme.dp : 22 * Theme.dp
                    LsText {
                        id: label
                        x: 14 * Theme.dp
                        height: 22 * Theme.dp
                        text: fact.modelData.name
                        font: Theme.exact(Theme.small)
                        color: Theme.text2
                    }
                    LsCode {
                        id: value
                        visible: !fact.wraps
                        anchors.right: parent.right
                        anchors.rightMargin: 14 * Theme.dp
                        height: 22 * Theme.dp
                        text: fact.modelData.value
                    }
                    LsCode {
                        id: lines
                        visible: fact.wraps
                        x: 14 * Theme.dp
                        y: 20 * Theme.dp
                        width: parent.width - 28 * Theme.dp
                        text: fact.modelData.value
                        wrapMode: Text.WrapAnywhere
                    }
                }
            }
        }
    }
}
