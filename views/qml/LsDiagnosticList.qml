// Findings in one shape everywhere: glyph, code, place, one sentence with the values, how to mend it.
//
// Roles of `model`: severity ("error", "warning", "note"), code, place, message, hint.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Ui

FocusScope {
    id: view
    property var model: null
    property alias currentIndex: list.currentIndex
    property string emptyTitle: qsTr("No findings")
    property string emptySentence
    signal chosen(int index)
    signal helpAsked(string code)

    implicitHeight: list.contentHeight

    ListView {
        id: list
        anchors.fill: parent
        model: view.model
        clip: true
        focus: true
        activeFocusOnTab: count > 0
        currentIndex: -1
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: LsScrollBar {}
        Keys.onReturnPressed: view.chosen(currentIndex)

        delegate: Rectangle {
            id: one
            required property int index
            required property string severity
            required property string code
            required property string place
            required property string message
            required property string hint
            readonly property color ink: severity === "error" ? Theme.finding : severity === "warning" ? Theme.warning : Theme.text2
            readonly property bool current: ListView.isCurrentItem

            width: list.width
            height: column.implicitHeight + 22 * Theme.dp
            color: severity === "error" ? Theme.findingTint : severity === "warning" && current ? Theme.warningTint : current ? Theme.accentTint : Theme.panel

            Accessible.role: Accessible.ListItem
            Accessible.name: one.severity + " " + one.code + ", " + one.place + ": " + one.message + " " + one.hint

            Rectangle {
                visible: one.severity === "error" || one.current
                width: 3
                height: parent.height
                color: one.ink
            }
            Rectangle {
                y: parent.height - 1
                width: parent.width
                height: 1
                color: Theme.line
            }
            MouseArea {
                anchors.fill: parent
                onClicked: {
                    list.currentIndex = one.index
                    view.chosen(one.index)
                }
            }
            LsIcon {
                x: 14 * Theme.dp
                y: 12 * Theme.dp
                name: one.severity === "error" ? "cross" : one.severity === "warning" ? "warning" : "note"
                color: one.ink
                size: 14
            }
            Column {
                id: column
                x: 37 * Theme.dp
                y: 10 * Theme.dp
                width: parent.width - x - 14 * Theme.dp
                spacing: 4 * Theme.dp
                Flow {
                    width: parent.width
                    spacing: 10 * Theme.dp
                    LsCode {
                        text: one.code
                        height: 18 * Theme.dp
                        color: one.severity === "note" ? Theme.text : one.ink
                        HoverHandler { cursorShape: Qt.PointingHandCursor }
                        TapHandler { onTapped: view.helpAsked(one.code) }
                    }
                    LsText {
                        visible: one.place !== ""
                        text: one.place
                        height: 18 * Theme.dp
                        font: Theme.exact(Theme.small)
                        color: Theme.text2
                    }
                }
                LsText {
                    width: parent.width
                    text: one.message
                    font: Theme.exact(Theme.body)
                    wrapMode: Text.Wrap
                }
                LsText {
                    width: parent.width
                    visible: one.hint !== ""
                    text: one.hint
                    font: Theme.exact(Theme.small)
                    color: Theme.text2
                    wrapMode: Text.Wrap
                }
            }
        }
    }
    LsEmptyState {
        anchors.fill: parent
        visible: list.count === 0
        glyph: "check"
        title: view.emptyTitle
        sentence: view.emptySentence
    }
}
