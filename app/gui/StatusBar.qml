// The foot: findings first, then what is pointed at; at the right what holds for the whole view.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Ui

Rectangle {
    id: bar
    property string findingText
    /// fine, warning, finding or neutral
    property string tone: "fine"
    property var leftFacts: []
    property var rightFacts: []
    signal findingsAsked()

    readonly property color ink: tone === "finding" ? Theme.finding : tone === "warning" ? Theme.warning : tone === "fine" ? Theme.fine : Theme.text2

    implicitHeight: 26 * Theme.dp
    color: Theme.window
    Accessible.role: Accessible.StatusBar
    Accessible.name: findingText + "; " + leftFacts.join("; ")

    Rectangle {
        width: parent.width
        height: 1
        color: Theme.line
    }
    T.AbstractButton {
        id: findings
        x: 4 * Theme.dp
        height: parent.height
        width: face.width + 20 * Theme.dp
        focusPolicy: Qt.TabFocus
        hoverEnabled: true
        Accessible.role: Accessible.Button
        Accessible.name: bar.findingText
        Keys.onReturnPressed: clicked()
        onClicked: bar.findingsAsked()
        background: Rectangle {
            color: findings.hovered ? Theme.face : "transparent"
            LsFocusRing { visible: findings.visualFocus; offset: -4 }
        }
        Row {
            id: face
            anchors.centerIn: parent
            spacing: 6 * Theme.dp
            Rectangle {
                visible: bar.tone === "fine"
                anchors.verticalCenter: parent.verticalCenter
                width: 8 * Theme.dp
                height: width
                radius: width / 2
                color: bar.ink
            }
            LsIcon {
                visible: bar.tone === "finding" || bar.tone === "warning"
                anchors.verticalCenter: parent.verticalCenter
                name: bar.tone === "finding" ? "cross" : "warning"
                color: bar.ink
                size: 13
            }
            LsText {
                anchors.verticalCenter: parent.verticalCenter
                text: bar.findingText
                font: Theme.small
                color: bar.ink
            }
        }
    }
    Row {
        x: findings.x + findings.width
        height: parent.height
        width: Math.max(0, rightRow.x - x - 12 * Theme.dp)
        clip: true
        Repeater {
            model: bar.leftFacts
            Item {
                id: part
                required property string modelData
                width: words.implicitWidth + 21 * Theme.dp
                height: bar.height
                // What does not fit is left out, not cut.
                visible: x + width <= (parent as Item).width
                Rectangle {
                    anchors.verticalCenter: parent.verticalCenter
                    width: 1
                    height: 14 * Theme.dp
                    color: Theme.line2
                }
                LsText {
                    id: words
                    x: 10 * Theme.dp
                    height: parent.height
                    text: part.modelData
                    font: Theme.exact(Theme.small)
                    color: Theme.text2
                }
            }
        }
    }
    Row {
        id: rightRow
        anchors.right: parent.right
        height: parent.height
        Repeater {
            model: bar.rightFacts
            Item {
                id: fact
                required property string modelData
                required property int index
                width: about.implicitWidth + 22 * Theme.dp
                height: bar.height
                Rectangle {
                    visible: fact.index > 0
                    anchors.verticalCenter: parent.verticalCenter
                    width: 1
                    height: 14 * Theme.dp
                    color: Theme.line2
                }
                LsText {
                    id: about
                    x: 11 * Theme.dp
                    height: parent.height
                    text: fact.modelData
                    font: Theme.exact(Theme.small)
                    color: Theme.text2
                }
            }
        }
    }
}
