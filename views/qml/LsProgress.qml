// Long work, in the panel it concerns: appears after 150 ms, says what is done and how far, and can be cancelled.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Ui

Rectangle {
    id: progress
    property bool running: false
    property string title
    property string detail
    property string sentence: qsTr("The picture before stays usable.")
    /// 0 to 1; below 0 when the end is not known.
    property real value: -1
    signal cancelled()

    property bool due: false
    visible: running && due
    implicitWidth: 420 * Theme.dp
    implicitHeight: column.implicitHeight + 28 * Theme.dp
    radius: 8 * Theme.dp
    color: Theme.raised
    border.color: Theme.line2

    onRunningChanged: if (!running) due = false
    Timer {
        interval: Theme.progressAfterMs
        running: progress.running
        onTriggered: progress.due = true
    }
    Accessible.role: Accessible.ProgressBar
    Accessible.name: progress.title + " " + progress.detail

    Column {
        id: column
        x: 14 * Theme.dp
        y: 14 * Theme.dp
        width: parent.width - 28 * Theme.dp
        spacing: 9 * Theme.dp
        Item {
            width: parent.width
            height: cancel.height
            LsText {
                id: title
                height: parent.height
                text: progress.title
                font: Theme.bodyStrong
            }
            LsText {
                x: title.implicitWidth + 8 * Theme.dp
                height: parent.height
                text: progress.detail
                font: Theme.exact(Theme.small)
                color: Theme.text2
            }
            LsButton {
                id: cancel
                anchors.right: parent.right
                text: qsTr("Cancel")
                onClicked: progress.cancelled()
            }
        }
        Rectangle {
            width: parent.width
            height: 4
            radius: 2
            color: Theme.sunken
            Rectangle {
                height: parent.height
                radius: 2
                width: parent.width * (progress.value < 0 ? 0.3 : Math.min(1, progress.value))
                color: Theme.accent
            }
        }
        LsText {
            width: parent.width
            text: progress.sentence
            font: Theme.small
            color: Theme.text2
            wrapMode: Text.Wrap
        }
    }
}
