// A thin bar that grows when the pointer is near.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Ui

T.ScrollBar {
    id: bar
    implicitWidth: orientation === Qt.Vertical ? 10 * Theme.dp : 40 * Theme.dp
    implicitHeight: orientation === Qt.Vertical ? 40 * Theme.dp : 10 * Theme.dp
    padding: 2
    minimumSize: 0.06
    visible: size < 1 && policy !== T.ScrollBar.AlwaysOff

    contentItem: Rectangle {
        radius: Math.min(width, height) / 2
        color: bar.pressed || bar.hovered ? Theme.field : Theme.line2
    }
}
