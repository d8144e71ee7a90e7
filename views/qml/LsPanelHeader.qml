// The head of a panel: name, what it shows, and controls at the right (the default children).
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Ui

Rectangle {
    id: header
    property string title
    property string subtitle
    property bool exactSubtitle: true
    property real minimumWidth: name.implicitWidth + controls.implicitWidth + 36 * Theme.dp
    default property alias controls: controls.data

    implicitWidth: minimumWidth
    implicitHeight: 36 * Theme.dp
    color: Theme.panel

    LsText {
        id: name
        x: 12 * Theme.dp
        height: parent.height
        text: header.title
        font: Theme.bodyStrong
    }
    LsText {
        id: about
        x: name.x + name.implicitWidth + 10 * Theme.dp
        width: Math.max(0, controls.x - x - 10 * Theme.dp)
        height: parent.height
        // A subtitle that does not fit is left out, not cut.
        visible: implicitWidth <= width
        text: header.subtitle
        font: header.exactSubtitle ? Theme.exact(Theme.body) : Theme.body
        color: Theme.text2
    }
    Row {
        id: controls
        anchors.right: parent.right
        anchors.rightMargin: 12 * Theme.dp
        anchors.verticalCenter: parent.verticalCenter
        spacing: 8 * Theme.dp
    }
    Rectangle {
        anchors.bottom: parent.bottom
        width: parent.width
        height: 1
        color: Theme.line
    }
}
