// The pipeline from left to right. A pass that changed something is a box; a run that changed nothing is a row of dots,
// which a click spreads.
//
// Roles of `model`: dots (bool), number, name, state ("same", "changed", "refused", "notrun"), note, first, last, count.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Ui

FocusScope {
    id: strip
    property var model: null
    property int currentIndex: -1
    signal chosen(int index)
    signal spreadAsked(int index)

    implicitHeight: 62 * Theme.dp

    Accessible.role: Accessible.List
    Accessible.name: qsTr("Passes")

    onCurrentIndexChanged: list.positionViewAtIndex(Math.max(0, currentIndex), ListView.Contain)

    ListView {
        id: list
        anchors.fill: parent
        orientation: ListView.Horizontal
        model: strip.model
        currentIndex: strip.currentIndex
        focus: true
        activeFocusOnTab: true
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        highlightMoveDuration: Theme.stepMs
        highlightFollowsCurrentItem: false
        leftMargin: 16 * Theme.dp
        rightMargin: 16 * Theme.dp
        keyNavigationEnabled: false
        T.ScrollBar.horizontal: LsScrollBar {}

        delegate: Item {
            id: one
            required property int index
            required property bool dots
            required property string number
            required property string name
            required property string state
            required property string note
            required property int first
            required property int last
            required property int count
            readonly property bool current: index === strip.currentIndex
            readonly property int shown: Math.min(count, 8)

            width: dots ? shown * 9 * Theme.dp + 26 * Theme.dp : Math.max(box.width, under.implicitWidth) + 10 * Theme.dp
            height: list.height - 10 * Theme.dp

            Accessible.role: Accessible.ListItem
            Accessible.name: one.dots ? qsTr("passes %1 to %2 changed nothing").arg(one.first).arg(one.last) : one.number + " " + one.name + ", " + one.note

            Rectangle {
                y: 15 * Theme.dp
                width: parent.width
                height: 1
                color: Theme.line2
            }
            Row {
                visible: one.dots
                x: (parent.width - width) / 2
                y: 12.5 * Theme.dp
                spacing: 3 * Theme.dp
                Repeater {
                    model: one.dots ? one.shown : 0
                    Rectangle {
                        width: 6 * Theme.dp
                        height: width
                        radius: width / 2
                        color: one.state === "notrun" ? Theme.window : Theme.text3
                        border.width: 1
                        border.color: one.state === "notrun" ? Theme.line2 : Theme.text3
                    }
                }
            }
            LsText {
                visible: one.dots
                width: parent.width
                y: 33 * Theme.dp
                horizontalAlignment: Text.AlignHCenter
                text: one.first === one.last ? one.first : one.first + "–" + one.last
                font: Theme.codeMicro
                color: Theme.text3
            }
            LsFrame {
                id: box
                visible: !one.dots
                x: (parent.width - width) / 2
                width: label.width + 22 * Theme.dp
                height: 30 * Theme.dp
                radius: 5 * Theme.dp
                dashed: one.state === "notrun"
                thickness: one.current ? 2 : 1
                edge: one.state === "refused" ? Theme.finding : one.state === "changed" || one.current ? Theme.accent : Theme.line2
                fill: one.state === "refused" ? Theme.findingTint : one.current ? Theme.accentTint : one.state === "notrun" ? Theme.window : Theme.panel
                Row {
                    id: label
                    anchors.centerIn: parent
                    spacing: 7 * Theme.dp
                    LsCode {
                        text: one.number
                        font: Theme.codeMicro
                        height: 18 * Theme.dp
                        color: one.state === "refused" ? Theme.finding : Theme.text3
                    }
                    LsText {
                        text: one.name
                        height: 18 * Theme.dp
                        font: one.state === "refused" || one.current ? Theme.bodyStrong : Theme.body
                        color: one.state === "refused" ? Theme.finding : one.state === "notrun" ? Theme.text3 : Theme.text
                    }
                }
            }
            LsText {
                id: under
                visible: !one.dots
                width: parent.width
                y: 33 * Theme.dp
                horizontalAlignment: Text.AlignHCenter
                text: one.note
                font: one.state === "refused" ? Theme.exact(Theme.smallStrong) : Theme.exact(Theme.small)
                color: one.state === "refused" ? Theme.finding : Theme.text2
            }
            LsFocusRing {
                visible: list.activeFocus && one.current
                anchors.fill: box
                anchors.margins: -3
            }
            MouseArea {
                anchors.fill: parent
                onClicked: {
                    list.forceActiveFocus()
                    if (one.dots) strip.spreadAsked(one.index)
                    else strip.chosen(one.index)
                }
            }
        }
    }
    WheelHandler {
        acceptedDevices: PointerDevice.Mouse
        onWheel: event => {
            const turn = event.angleDelta.y !== 0 ? event.angleDelta.y : event.angleDelta.x
            list.contentX = Math.max(-list.leftMargin, Math.min(list.contentWidth + list.rightMargin - list.width, list.contentX - turn))
        }
    }
}
