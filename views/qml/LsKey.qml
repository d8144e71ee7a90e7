// A key cap: "Ctrl K".
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Ui

Rectangle {
    id: cap
    property alias text: label.text
    property color ink: Theme.text2

    implicitWidth: Math.max(label.implicitWidth + 10 * Theme.dp, implicitHeight)
    implicitHeight: 19 * Theme.dp
    radius: 3 * Theme.dp
    color: Theme.panel
    border.color: Theme.line2

    LsText {
        id: label
        anchors.centerIn: parent
        font: Theme.micro
        color: cap.ink
    }
}
