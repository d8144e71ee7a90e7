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
        containmentMask: split.orientation === Qt.Horizontal ? upright : lying
        Item {
            id: upright
            x: -4
            width: 9
            height: 10000
        }
        Item {
            id: lying
            y: -4
            width: 10000
            height: 9
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
