// The pinned elements: number, coordinate, address, where it lies; a click goes there.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Models
import Layoutscope.Ui

FocusScope {
    id: pane
    required property Explorer explorer

    ListView {
        id: list
        anchors.fill: parent
        model: pane.explorer.pins
        clip: true
        focus: true
        activeFocusOnTab: count > 0
        currentIndex: -1
        boundsBehavior: Flickable.StopAtBounds
        onActiveFocusChanged: if (activeFocus && currentIndex < 0) currentIndex = 0
        Keys.onReturnPressed: pane.explorer.goToPin(currentIndex + 1)
        Keys.onDeletePressed: pane.explorer.removePin(currentIndex + 1)
        T.ScrollBar.vertical: LsScrollBar {}
        delegate: Rectangle {
            id: row
            required property int index
            required property var modelData
            width: list.width
            height: 46 * Theme.dp
            color: over.hovered || (ListView.isCurrentItem && list.activeFocus) ? Theme.accentTint : "transparent"
            Accessible.role: Accessible.ListItem
            Accessible.name: qsTr("Pin %1, %2, %3").arg(modelData.number).arg(modelData.coordinate).arg(modelData.address)
            HoverHandler { id: over }
            TapHandler { onTapped: pane.explorer.goToPin(row.index + 1) }
            Rectangle {
                x: 12 * Theme.dp
                y: 8 * Theme.dp
                width: 18 * Theme.dp
                height: width
                radius: width / 2
                color: Theme.pin
                LsText {
                    anchors.centerIn: parent
                    text: row.modelData.number
                    font: Theme.smallStrong
                    color: Theme.panel
                }
            }
            LsText {
                x: 40 * Theme.dp
                y: 7 * Theme.dp
                text: row.modelData.coordinate
                font: Theme.bodyStrong
            }
            LsCode {
                anchors.right: closer.left
                anchors.rightMargin: 8 * Theme.dp
                y: 7 * Theme.dp
                text: row.modelData.address
            }
            LsText {
                x: 40 * Theme.dp
                y: 25 * Theme.dp
                width: closer.x - x - 8
                text: row.modelData.where
                font: Theme.exact(Theme.small)
                color: Theme.text2
                elide: Text.ElideRight
            }
            LsButton {
                id: closer
                anchors.right: parent.right
                anchors.rightMargin: 8 * Theme.dp
                anchors.verticalCenter: parent.verticalCenter
                kind: "flat"
                glyph: "cross"
                ink: Theme.text3
                focusPolicy: Qt.NoFocus
                tip: qsTr("Take pin off")
                onClicked: pane.explorer.removePin(row.index + 1)
            }
        }
    }
    LsEmptyState {
        anchors.fill: parent
        visible: list.count === 0
        glyph: "pin"
        title: qsTr("Nothing is pinned")
        sentence: qsTr("Point at an element and press P, or double click it. Up to nine pins are numbered in both pictures; the keys 1 to 9 go to them.")
    }
}
