// Soft shadow of popups (nothing else casts one): a few nested translucent frames, so that no effects module is needed.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Ui

Item {
    id: shadow
    property real radius: 10 * Theme.dp
    readonly property int spread: 7

    anchors.fill: parent
    z: -1

    Repeater {
        model: shadow.spread
        Rectangle {
            required property int index
            anchors.fill: parent
            anchors.margins: -2 * (index + 1)
            anchors.topMargin: -2 * (index + 1) + 5
            anchors.bottomMargin: -2 * (index + 1) - 5
            radius: shadow.radius + 2 * index
            color: Theme.faded(Theme.shadow, Theme.shadow.a * 0.28)
        }
    }
}
