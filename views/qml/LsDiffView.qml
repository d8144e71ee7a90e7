// Two states of a text, line by line: rows stand aligned because both panes are one list, so they scroll as one.
//
// Roles of `model`: leftNumber, rightNumber (0 = no line), leftText, rightText (styled), leftMark, rightMark
// ("", "-", "+", "x"), leftWords, rightWords (lists of { begin, end } in characters), leftWave, rightWave ({ begin, end } or
// null), leftFaded, rightFaded, skipped (count of folded lines), and the properties longest (characters) and expand(row).
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Ui

FocusScope {
    id: view
    property var model: null
    /// Characters of the longest line.
    property int longest: 80
    property alias currentIndex: list.currentIndex
    /// Only the right pane, when there is nothing to compare with.
    property bool single: false
    property real scrollX: 0
    signal lineChosen(int row)
    signal expandAsked(int row)

    readonly property real gutter: 58 * Theme.dp
    readonly property real rowHeight: 22 * Theme.dp
    readonly property real charWidth: ruler.implicitWidth / ruler.text.length
    readonly property real paneWidth: single ? width : Math.floor((width - 1) / 2)
    readonly property real overflow: Math.max(0, longest * charWidth + gutter + 24 - paneWidth)

    onOverflowChanged: scrollX = Math.min(scrollX, overflow)

    Accessible.role: Accessible.Table
    Accessible.name: qsTr("Program before and after")

    function positionAt(row: int) {
        list.positionViewAtIndex(row, ListView.Center)
    }

    // Measured as it is drawn: hinting may set the advance to whole pixels.
    LsCode {
        id: ruler
        visible: false
        text: "0".repeat(100)
    }

    component Pane: Item {
        id: pane
        property int number: 0
        property string styled
        property string mark
        property var words: []
        property var wave: null
        property bool faded: false

        clip: true
        Rectangle {
            anchors.fill: parent
            color: pane.mark === "+" ? Theme.diffAdd : pane.mark === "-" ? Theme.diffDel : pane.mark === "x" ? Theme.findingTint : "transparent"
        }
        LsCode {
            width: 30 * Theme.dp
            height: parent.height
            horizontalAlignment: Text.AlignRight
            visible: pane.number > 0
            text: pane.number
            color: Theme.text3
        }
        LsCode {
            x: 38 * Theme.dp
            height: parent.height
            visible: pane.mark !== "" && pane.mark !== "x"
            text: pane.mark === "-" ? "−" : pane.mark
            font: Theme.codeStrong
            color: pane.mark === "+" ? Theme.fine : Theme.finding
        }
        LsIcon {
            x: 36 * Theme.dp
            anchors.verticalCenter: parent.verticalCenter
            visible: pane.mark === "x"
            name: "cross"
            color: Theme.finding
            size: 12
        }
        Item {
            x: view.gutter
            width: parent.width - x
            height: parent.height
            clip: true
            opacity: pane.faded ? 0.48 : 1
            Repeater {
                model: pane.words
                Rectangle {
                    required property var modelData
                    x: modelData.begin * view.charWidth - view.scrollX - 1
                    y: 2
                    width: (modelData.end - modelData.begin) * view.charWidth + 2
                    height: parent.height - 4
                    radius: 2
                    color: pane.mark === "+" ? Theme.diffAddWord : Theme.diffDelWord
                }
            }
            LsCode {
                x: -view.scrollX
                height: parent.height
                text: pane.styled
                textFormat: Text.StyledText
            }
            LsSquiggle {
                visible: pane.wave !== null && pane.wave !== undefined
                x: visible ? pane.wave.begin * view.charWidth - view.scrollX : 0
                y: parent.height - 6
                width: visible ? Math.max(1, pane.wave.end - pane.wave.begin) * view.charWidth : 0
                color: Theme.finding
            }
        }
    }

    ListView {
        id: list
        anchors.fill: parent
        model: view.model
        clip: true
        focus: true
        activeFocusOnTab: true
        boundsBehavior: Flickable.StopAtBounds
        highlightMoveDuration: 0
        currentIndex: -1
        reuseItems: true
        topMargin: 6 * Theme.dp
        bottomMargin: 10 * Theme.dp
        T.ScrollBar.vertical: LsScrollBar {}

        Keys.onReturnPressed: view.lineChosen(currentIndex)
        Keys.onLeftPressed: view.scrollX = Math.max(0, view.scrollX - 4 * view.charWidth)
        Keys.onRightPressed: view.scrollX = Math.min(view.overflow, view.scrollX + 4 * view.charWidth)

        delegate: Item {
            id: row
            required property int index
            required property int leftNumber
            required property int rightNumber
            required property string leftText
            required property string rightText
            required property string leftMark
            required property string rightMark
            required property var leftWords
            required property var rightWords
            required property var leftWave
            required property var rightWave
            required property bool leftFaded
            required property bool rightFaded
            required property int skipped

            width: list.width
            height: view.rowHeight

            Pane {
                visible: !view.single && row.skipped === 0
                width: view.paneWidth
                height: parent.height
                number: row.leftNumber
                styled: row.leftText
                mark: row.leftMark
                words: row.leftWords
                wave: row.leftWave
                faded: row.leftFaded
            }
            Pane {
                visible: row.skipped === 0
                x: view.single ? 0 : view.paneWidth + 1
                width: view.paneWidth
                height: parent.height
                number: row.rightNumber
                styled: row.rightText
                mark: row.rightMark
                words: row.rightWords
                wave: row.rightWave
                faded: row.rightFaded
            }
            Rectangle {
                visible: row.skipped > 0
                anchors.fill: parent
                color: skip.containsMouse ? Theme.accentTint : Theme.window
                LsText {
                    anchors.centerIn: parent
                    text: qsTr("%1 unchanged lines").arg(row.skipped)
                    font: Theme.micro
                    color: skip.containsMouse ? Theme.accent : Theme.text3
                }
            }
            Rectangle {
                visible: row.ListView.isCurrentItem && row.skipped === 0
                anchors.fill: parent
                color: "transparent"
                border.color: Theme.accent
                border.width: list.activeFocus ? 2 : 1
            }
            MouseArea {
                id: skip
                anchors.fill: parent
                hoverEnabled: row.skipped > 0
                onClicked: {
                    if (row.skipped > 0) {
                        view.expandAsked(row.index)
                        return
                    }
                    list.currentIndex = row.index
                    list.forceActiveFocus()
                    view.lineChosen(row.index)
                }
            }
        }
    }
    Rectangle {
        visible: !view.single
        x: view.paneWidth
        width: 1
        height: parent.height
        color: Theme.line
    }
    WheelHandler {
        acceptedModifiers: Qt.ShiftModifier
        acceptedDevices: PointerDevice.Mouse | PointerDevice.TouchPad
        onWheel: event => {
            const turn = event.angleDelta.x !== 0 ? event.angleDelta.x : event.angleDelta.y
            view.scrollX = Math.max(0, Math.min(view.overflow, view.scrollX - turn / 3))
        }
    }
    LsScrollBar {
        anchors.bottom: parent.bottom
        width: parent.width
        orientation: Qt.Horizontal
        size: view.overflow > 0 ? view.paneWidth / (view.paneWidth + view.overflow) : 1
        position: view.overflow > 0 ? view.scrollX / (view.paneWidth + view.overflow) : 0
        onPositionChanged: if (pressed) view.scrollX = position * (view.paneWidth + view.overflow)
    }
}
