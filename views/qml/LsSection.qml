// The head of a part inside a panel: name left, a count or a word right.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Ui

Rectangle {
    id: section
    property string title
    property string detail

    implicitHeight: 28 * Theme.dp
    color: Theme.window

    LsText {
        x: 12 * Theme.dp
        height: parent.height
        text: section.title
        font: Theme.smallStrong
        color: Theme.text2
    }
    LsText {
        anchors.right: parent.right
        anchors.rightMargin: 12 * Theme.dp
        height: parent.height
        text: section.detail
        font: Theme.exact(Theme.small)
        color: Theme.text3
    }
    Rectangle { width: parent.width; height: 1; color: Theme.line }
    Rectangle { width: parent.width; height: 1; y: parent.height - 1; color: Theme.line }
}
