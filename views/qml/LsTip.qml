// Names a control that shows only an icon, with its key. Never used over data.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Ui

T.ToolTip {
    id: tip
    property string keys

    x: parent ? Math.round((parent.width - width) / 2) : 0
    y: parent ? parent.height + 6 : 0
    margins: 6
    delay: 500
    padding: 6 * Theme.dp
    leftPadding: 9 * Theme.dp
    rightPadding: 9 * Theme.dp
    implicitWidth: implicitContentWidth + leftPadding + rightPadding
    implicitHeight: implicitContentHeight + topPadding + bottomPadding
    closePolicy: T.Popup.CloseOnEscape | T.Popup.CloseOnPressOutsideParent | T.Popup.CloseOnReleaseOutsideParent

    contentItem: Row {
        spacing: 8 * Theme.dp
        LsText {
            anchors.verticalCenter: parent.verticalCenter
            text: tip.text
            font: Theme.small
        }
        LsKey {
            anchors.verticalCenter: parent.verticalCenter
            text: tip.keys
            visible: tip.keys !== ""
        }
    }
    background: Rectangle {
        radius: 6 * Theme.dp
        color: Theme.raised
        border.color: Theme.line2
        LsShadow { radius: 6 * Theme.dp }
    }
}
