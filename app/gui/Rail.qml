// The way between views. It never hides; a view that does not exist yet is not on it.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Ui

Rectangle {
    id: rail
    required property var app
    /// { id, title, glyph } from top to bottom.
    property var pages: []
    property string current

    implicitWidth: 56 * Theme.dp
    color: Theme.window

    component RailItem: T.AbstractButton {
        id: item
        property string glyph
        property bool current: false
        property string keys
        property string title

        x: 4 * Theme.dp
        width: 48 * Theme.dp
        height: title === "" ? 40 * Theme.dp : 46 * Theme.dp
        hoverEnabled: true
        focusPolicy: Qt.TabFocus
        Accessible.role: Accessible.PageTab
        Accessible.name: item.title !== "" ? item.title : item.text
        Keys.onReturnPressed: clicked()

        background: Rectangle {
            radius: 6 * Theme.dp
            color: item.current ? Theme.accentTint : item.hovered ? Theme.face : "transparent"
            LsFocusRing { visible: item.visualFocus; offset: 0 }
        }
        LsIcon {
            y: item.title === "" ? (item.height - height) / 2 : 6 * Theme.dp
            anchors.horizontalCenter: parent.horizontalCenter
            name: item.glyph
            color: item.current ? Theme.accent : Theme.text2
            size: 19
        }
        LsText {
            anchors.horizontalCenter: parent.horizontalCenter
            y: 27 * Theme.dp
            text: item.title
            font.family: Theme.micro.family
            font.pixelSize: Theme.micro.pixelSize
            font.weight: item.current ? Font.DemiBold : Font.Normal
            color: item.current ? Theme.accent : Theme.text2
        }
        Loader {
            active: item.hovered && item.text !== ""
            sourceComponent: LsTip {
                parent: item
                x: item.width + 6
                y: (item.height - height) / 2
                visible: item.hovered
                text: item.text
                keys: item.keys
            }
        }
    }

    Column {
        y: 8 * Theme.dp
        spacing: 2 * Theme.dp
        Repeater {
            model: rail.pages
            RailItem {
                required property int index
                required property var modelData
                title: modelData.title
                glyph: modelData.glyph
                current: modelData.id === rail.current
                onClicked: rail.app.goTo(modelData.id)
            }
        }
    }
    RailItem {
        anchors.bottom: parent.bottom
        anchors.bottomMargin: 6 * Theme.dp
        glyph: "settings"
        text: qsTr("Settings")
        keys: "Ctrl ,"
        onClicked: rail.app.openSettings()
    }
    Rectangle {
        x: parent.width - 1
        width: 1
        height: parent.height
        color: Theme.line
    }
}
