// digit · stride, summed: one row an axis, under each term where its digit comes from and what it means.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Ui

Column {
    id: column
    property var rows: []
    /// Goes on in a second line where the width ends.
    property bool wraps: true
    /// Nothing under the terms.
    property bool brief: false
    /// How wide the first row is when nothing wraps.
    readonly property real contentWidth: !wraps && lines.count > 0 && lines.itemAt(0) ? lines.itemAt(0).implicitWidth : 0
    spacing: 6 * Theme.dp

    Repeater {
        id: lines
        model: column.rows
        Flow {
            id: line
            required property var modelData
            required property int index
            width: column.wraps ? column.width : 4000
            spacing: 6 * Theme.dp
            LsCode {
                visible: column.rows.length > 1 || line.modelData.axis !== "m"
                height: 24 * Theme.dp
                text: (line.modelData.axis === "m" ? qsTr("offset") : line.modelData.axis) + " ="
                color: Theme.text2
            }
            Repeater {
                model: line.modelData.terms
                Row {
                    id: term
                    required property var modelData
                    required property int index
                    spacing: 6 * Theme.dp
                    LsCode {
                        visible: term.index > 0
                        height: 24 * Theme.dp
                        text: "+"
                        color: Theme.text3
                    }
                    Column {
                        spacing: 2
                        Rectangle {
                            anchors.horizontalCenter: parent.horizontalCenter
                            width: product.implicitWidth + 14 * Theme.dp
                            height: 22 * Theme.dp
                            radius: 4 * Theme.dp
                            color: Theme.sunken
                            Row {
                                id: product
                                anchors.centerIn: parent
                                LsCode { text: term.modelData.digit; font: Theme.codeStrong }
                                LsCode { text: "·" + term.modelData.stride }
                            }
                        }
                        LsCode {
                            anchors.horizontalCenter: parent.horizontalCenter
                            visible: !column.brief && text !== ""
                            text: term.modelData.expression
                            font: Theme.codeMicro
                            color: Theme.text2
                        }
                        LsText {
                            anchors.horizontalCenter: parent.horizontalCenter
                            visible: !column.brief && text !== ""
                            text: term.modelData.role
                            font: Theme.micro
                            color: Theme.text2
                        }
                    }
                }
            }
            LsCode {
                height: 24 * Theme.dp
                text: "= " + line.modelData.sum
            }
        }
    }
}
