// One tab a document. On the Start page a tab of its own stands in front.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Models
import Layoutscope.Ui

FocusScope {
    id: tabs
    required property var app
    required property DocumentsModel documents
    readonly property bool atStart: app.page === "start"

    activeFocusOnTab: documents.count > 0
    Accessible.role: Accessible.PageTabList
    Accessible.name: qsTr("Documents")

    Keys.onLeftPressed: app.stepDocument(-1)
    Keys.onRightPressed: app.stepDocument(1)
    Keys.onDeletePressed: app.closeDocument(documents.currentIndex)

    component Tab: Rectangle {
        id: tab
        property bool current: false
        property string title
        property string glyph: "file"
        property bool modified: false
        property bool closable: true
        signal chosen()
        signal closed()

        width: Math.min(220 * Theme.dp, label.x + label.implicitWidth + (closable ? 30 : 14) * Theme.dp)
        height: parent ? parent.height : 32 * Theme.dp
        radius: 5 * Theme.dp
        color: current ? Theme.panel : mouse.containsMouse ? Theme.face : "transparent"
        border.color: Theme.line
        border.width: current ? 1 : 0

        Accessible.role: Accessible.PageTab
        Accessible.name: tab.title + (tab.modified ? qsTr(", modified") : "")

        // Square where it meets the page below.
        Rectangle {
            visible: tab.current
            x: 1
            y: parent.height / 2
            width: parent.width - 2
            height: parent.height / 2
            color: Theme.panel
        }
        Rectangle {
            visible: tab.current
            y: parent.height / 2
            width: 1
            height: parent.height / 2
            color: Theme.line
        }
        Rectangle {
            visible: tab.current
            x: parent.width - 1
            y: parent.height / 2
            width: 1
            height: parent.height / 2
            color: Theme.line
        }
        LsIcon {
            x: 12 * Theme.dp
            anchors.verticalCenter: parent.verticalCenter
            name: tab.glyph
            color: tab.current ? Theme.text : Theme.text2
            size: 15
        }
        LsText {
            id: label
            x: 33 * Theme.dp
            width: tab.width - x - (tab.closable ? 28 : 10) * Theme.dp
            height: parent.height
            text: tab.title
            font: Theme.exact(Theme.body)
            color: tab.current ? Theme.text : Theme.text2
            elide: Text.ElideRight
        }
        MouseArea {
            id: mouse
            anchors.fill: parent
            hoverEnabled: true
            acceptedButtons: Qt.LeftButton | Qt.MiddleButton
            onClicked: event => event.button === Qt.MiddleButton && tab.closable ? tab.closed() : tab.chosen()
        }
        Rectangle {
            visible: tab.modified && !mouse.containsMouse && !closer.hovered
            x: parent.width - 18 * Theme.dp
            anchors.verticalCenter: parent.verticalCenter
            width: 6 * Theme.dp
            height: width
            radius: width / 2
            color: Theme.text3
        }
        LsButton {
            id: closer
            visible: tab.closable && (mouse.containsMouse || hovered || (tab.current && !tab.modified))
            x: parent.width - 27 * Theme.dp
            anchors.verticalCenter: parent.verticalCenter
            implicitHeight: 24 * Theme.dp
            kind: "flat"
            glyph: "cross"
            ink: Theme.text3
            focusPolicy: Qt.NoFocus
            tip: qsTr("Close")
            onClicked: tab.closed()
        }
    }

    Flickable {
        anchors.fill: parent
        contentWidth: row.width
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        interactive: contentWidth > width
        Row {
            id: row
            height: parent.height
            spacing: 2
            Tab {
                visible: tabs.atStart
                current: true
                title: qsTr("Start")
                closable: false
            }
            Repeater {
                model: tabs.documents
                Tab {
                    required property int index
                    required title
                    required modified
                    current: !tabs.atStart && index === tabs.documents.currentIndex
                    onChosen: tabs.app.showDocument(index)
                    onClosed: tabs.app.closeDocument(index)
                }
            }
        }
    }
    LsFocusRing { visible: tabs.activeFocus; offset: -3 }
}
