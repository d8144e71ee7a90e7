// Panels side by side or stacked: 1 px drawn, 9 px to grab.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls
import Layoutscope.Ui

SplitView {
    id: split

    handle: Item {
        id: grip
        implicitWidth: 1
        implicitHeight: 1
        z: 10
        // Longer than any handle: asking for its real length would be a circle.
        containmentMask: Item {
            x: split.orientation === Qt.Horizontal ? -4 : 0
            y: split.orientation === Qt.Horizontal ? 0 : -4
            // Longer than any window: bound to the handle's own length it would be a loop.
            width: split.orientation === Qt.Horizontal ? 9 : 20000
            height: split.orientation === Qt.Horizontal ? 20000 : 9
        }
        Rectangle {
            anchors.fill: parent
            color: Theme.line
        }
        Rectangle {
            visible: grip.SplitHandle.hovered || grip.SplitHandle.pressed
            anchors.centerIn: parent
            width: split.orientation === Qt.Horizontal ? 3 : parent.width
            height: split.orientation === Qt.Horizontal ? parent.height : 3
            color: grip.SplitHandle.pressed ? Theme.accent : Theme.line2
        }
    }
}
