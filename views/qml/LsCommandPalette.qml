// Everything that can be done or opened, found by typing a part of its name.
//
// `model` has a writable `query` and the roles styled (matches in bold), glyph, group, keys; it is already ranked.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Ui

T.Popup {
    id: sheet
    property var model: null
    property alias query: field.text
    property alias currentIndex: list.currentIndex
    property alias count: list.count
    /// `keepOpen`: Ctrl Enter.
    signal ran(int index, bool keepOpen)

    width: Math.min(470 * Theme.dp, parent ? parent.width - 32 : 470)
    height: Math.min(head.height + Math.max(1, list.count) * row + 12 * Theme.dp, parent ? parent.height * 0.7 : 400)
    x: parent ? Math.round((parent.width - width) / 2) : 0
    y: parent ? Math.round(parent.height * 0.12) : 0
    readonly property real row: 37 * Theme.dp
    modal: true
    dim: false
    focus: true
    padding: 0
    closePolicy: T.Popup.CloseOnEscape | T.Popup.CloseOnPressOutside

    onOpened: field.forceActiveFocus()
    onAboutToShow: {
        field.text = ""
        sheet.model.query = "" // what can be done may have changed since
        list.currentIndex = 0
    }
    enter: Transition { NumberAnimation { property: "opacity"; from: 0; to: 1; duration: Theme.fadeMs } }

    background: Rectangle {
        radius: 10 * Theme.dp
        color: Theme.raised
        border.color: Theme.line2
        LsShadow {}
    }
    Item {
        id: head
        width: parent.width
        height: 44 * Theme.dp
        LsIcon {
            x: 15 * Theme.dp
            anchors.verticalCenter: parent.verticalCenter
            name: "search"
            color: Theme.text2
            size: 16
        }
        TextInput {
            id: field
            x: 40 * Theme.dp
            width: parent.width - x - esc.width - 24 * Theme.dp
            height: parent.height
            verticalAlignment: TextInput.AlignVCenter
            clip: true
            color: Theme.text
            font: Theme.large
            selectByMouse: true
            selectionColor: Theme.accent
            selectedTextColor: Theme.onAccent
            Accessible.role: Accessible.EditableText
            Accessible.name: qsTr("Search or run a command")
            onTextChanged: {
                sheet.model.query = text
                list.currentIndex = 0
            }
            Keys.onDownPressed: list.currentIndex = Math.min(list.count - 1, list.currentIndex + 1)
            Keys.onUpPressed: list.currentIndex = Math.max(0, list.currentIndex - 1)
            Keys.onPressed: event => {
                const page = Math.max(1, Math.floor(list.height / sheet.row) - 1)
                if (event.key === Qt.Key_PageDown) list.currentIndex = Math.min(list.count - 1, list.currentIndex + page)
                else if (event.key === Qt.Key_PageUp) list.currentIndex = Math.max(0, list.currentIndex - page)
                else if ((event.key === Qt.Key_Return || event.key === Qt.Key_Enter) && list.count > 0)
                    sheet.ran(list.currentIndex, (event.modifiers & Qt.ControlModifier) !== 0)
                else return
                event.accepted = true
            }
            LsText {
                anchors.fill: parent
                visible: field.text === ""
                text: qsTr("Search or run a command")
                font: field.font
                color: Theme.text3
            }
        }
        LsKey {
            id: esc
            anchors.right: parent.right
            anchors.rightMargin: 14 * Theme.dp
            anchors.verticalCenter: parent.verticalCenter
            text: "Esc"
        }
        Rectangle {
            y: parent.height - 1
            width: parent.width
            height: 1
            color: Theme.line
        }
    }
    ListView {
        id: list
        y: head.height
        width: parent.width
        height: parent.height - y - 8 * Theme.dp
        model: sheet.model
        clip: true
        highlightMoveDuration: 0
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: LsScrollBar {}
        delegate: Rectangle {
            id: one
            required property int index
            required property string styled
            required property string glyph
            required property string group
            required property string keys

            width: list.width
            height: sheet.row
            color: ListView.isCurrentItem ? Theme.accentTint : "transparent"
            Accessible.role: Accessible.ListItem
            Accessible.name: one.styled.replace(/<[^>]*>/g, "") + ", " + one.group

            LsIcon {
                x: 15 * Theme.dp
                anchors.verticalCenter: parent.verticalCenter
                name: one.glyph
                color: Theme.text2
                size: 16
            }
            LsText {
                x: 40 * Theme.dp
                width: right.x - x - 10 * Theme.dp
                height: parent.height
                textFormat: Text.StyledText
                text: one.styled
                font: Theme.exact(Theme.body)
                elide: Text.ElideRight
            }
            Row {
                id: right
                anchors.right: parent.right
                anchors.rightMargin: 14 * Theme.dp
                anchors.verticalCenter: parent.verticalCenter
                spacing: 8 * Theme.dp
                LsText {
                    anchors.verticalCenter: parent.verticalCenter
                    text: one.group
                    font: Theme.small
                    color: Theme.text2
                }
                LsKey {
                    anchors.verticalCenter: parent.verticalCenter
                    visible: one.keys !== ""
                    text: one.keys
                }
            }
            MouseArea {
                anchors.fill: parent
                hoverEnabled: true
                onPositionChanged: list.currentIndex = one.index
                onClicked: mouse => sheet.ran(one.index, (mouse.modifiers & Qt.ControlModifier) !== 0)
            }
        }
        LsText {
            visible: list.count === 0
            x: 40 * Theme.dp
            height: sheet.row
            text: qsTr("Nothing is named like that.")
            color: Theme.text2
        }
    }
}
