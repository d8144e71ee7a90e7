// A sheet over the window: title, content (default children), Esc closes.
import QtQuick
import QtQuick.Templates as T
import Layoutscope.Ui

T.Popup {
    id: sheet
    property string title
    property real wantedWidth: 480 * Theme.dp
    property real wantedHeight: 360 * Theme.dp
    default property alias inner: body.data

    width: Math.min(wantedWidth, parent ? parent.width - 32 : wantedWidth)
    height: Math.min(wantedHeight, parent ? parent.height - 32 : wantedHeight)
    x: parent ? Math.round((parent.width - width) / 2) : 0
    y: parent ? Math.round((parent.height - height) / 3) : 0
    modal: true
    focus: true
    padding: 1
    closePolicy: T.Popup.CloseOnEscape | T.Popup.CloseOnPressOutside
    enter: Transition { NumberAnimation { property: "opacity"; from: 0; to: 1; duration: Theme.fadeMs } }

    T.Overlay.modal: Rectangle { color: Theme.faded(Theme.window, 0.55) }
    background: Rectangle {
        radius: 10 * Theme.dp
        color: Theme.raised
        border.color: Theme.line2
        LsShadow {}
    }
    contentItem: FocusScope {
        focus: true
    }
    Item {
        id: head
        width: parent ? parent.width : 0
        height: 44 * Theme.dp
        LsText {
            x: 16 * Theme.dp
            height: parent.height
            text: sheet.title
            font: Theme.title
        }
        LsButton {
            anchors.right: parent.right
            anchors.rightMargin: 10 * Theme.dp
            anchors.verticalCenter: parent.verticalCenter
            kind: "flat"
            glyph: "cross"
            tip: qsTr("Close")
            keys: "Esc"
            onClicked: sheet.close()
        }
        Rectangle {
            y: parent.height - 1
            width: parent.width
            height: 1
            color: Theme.line
        }
    }
    Item {
        id: body
        y: head.height
        width: parent ? parent.width : 0
        height: (parent ? parent.height : 0) - y
        clip: true
    }
}
