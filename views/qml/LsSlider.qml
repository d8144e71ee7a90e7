// A slider over whole numbers: arrows step by one.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Ui

T.Slider {
    id: control
    property string label

    implicitWidth: 120 * Theme.dp
    implicitHeight: 24 * Theme.dp
    stepSize: 1
    snapMode: T.Slider.SnapAlways
    focusPolicy: Qt.StrongFocus
    Accessible.role: Accessible.Slider
    Accessible.name: control.label + " " + control.value

    background: Rectangle {
        x: control.leftPadding
        y: (control.height - height) / 2
        width: control.availableWidth
        height: 3
        radius: 1.5
        color: Theme.line2
        Rectangle {
            width: control.visualPosition * parent.width
            height: parent.height
            radius: 1.5
            color: Theme.accent
        }
    }
    handle: Rectangle {
        x: control.leftPadding + control.visualPosition * (control.availableWidth - width)
        y: (control.height - height) / 2
        width: 14 * Theme.dp
        height: width
        radius: width / 2
        color: Theme.panel
        border.width: 2
        border.color: Theme.accent
        LsFocusRing { visible: control.visualFocus; radius: width / 2 }
    }
}
