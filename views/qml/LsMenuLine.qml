// A line between groups of a menu.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Ui

T.MenuSeparator {
    implicitHeight: 9 * Theme.dp
    implicitWidth: 100
    width: parent ? parent.width : implicitWidth
    contentItem: Item {
        Rectangle {
            anchors.verticalCenter: parent.verticalCenter
            width: parent.width
            height: 1
            color: Theme.line
        }
    }
}
