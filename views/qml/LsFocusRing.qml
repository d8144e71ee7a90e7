// The ring of keyboard focus: 2 px of accent, 2 px off its control.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Ui

Rectangle {
    property Item control: parent as Item
    property real offset: 2

    anchors.fill: parent
    anchors.margins: -(offset + border.width)
    radius: 7 * Theme.dp
    color: "transparent"
    border.width: 2
    border.color: Theme.accent
    z: 100
}
