// The top 40 pixels: mark, menus, document tabs, command field, theme. Menus fold into one button when it gets narrow.
pragma ComponentBehavior: Bound

import QtQuick
import QtQml
import Layoutscope.Models
import Layoutscope.Ui

Rectangle {
    id: bar
    required property var app
    required property DocumentsModel documents
    required property CommandRegistry commands
    readonly property real logicalWidth: width / Theme.dp
    readonly property bool narrow: logicalWidth < 1000

    implicitHeight: 40 * Theme.dp
    color: Theme.window

    Rectangle {
        id: mark
        x: 12 * Theme.dp
        anchors.verticalCenter: parent.verticalCenter
        width: 22 * Theme.dp
        height: width
        radius: 5 * Theme.dp
        color: Theme.accent
        LsIcon {
            anchors.centerIn: parent
            name: "mark"
            color: Theme.onAccent
            size: 18
            filled: true
        }
        Accessible.role: Accessible.Graphic
        Accessible.name: "Layoutscope"
    }

    component CommandItem: LsMenuItem {
        property LsCommand command: null
        text: command ? command.title : ""
        keys: command ? command.keyText : ""
        enabled: command ? command.enabled : false
        checkable: command ? command.checkable : false
        checked: command ? command.checked : false
        onTriggered: if (command) command.trigger()
    }
    Component {
        id: commandItem
        CommandItem {}
    }
    Component {
        id: menuLine
        LsMenuLine {}
    }

    function fill(menu: LsMenu, title: string) {
        const list = commands.inMenu(title)
        for (let i = 0; i < list.length; ++i) {
            if (i > 0 && list[i].parted) menu.addItem(menuLine.createObject(menu.contentItem))
            menu.addItem(commandItem.createObject(menu.contentItem, { command: list[i] }))
        }
    }

    Row {
        id: menus
        x: mark.x + mark.width + 14 * Theme.dp
        height: parent.height
        visible: !bar.narrow
        property int openIndex: -1

        Repeater {
            id: menuButtons
            model: bar.commands.menus
            LsButton {
                id: menuButton
                required property int index
                required property string modelData
                anchors.verticalCenter: parent ? parent.verticalCenter : undefined
                kind: "flat"
                text: modelData
                ink: Theme.text2
                leftPadding: 7 * Theme.dp
                rightPadding: 7 * Theme.dp
                focusPolicy: Qt.TabFocus
                onClicked: sheet.visible ? sheet.close() : sheet.open()
                Keys.onDownPressed: sheet.open()
                // With one menu open the others open as the pointer passes over them.
                onHoveredChanged: if (hovered && menus.openIndex >= 0 && menus.openIndex !== index) {
                    const other = menuButtons.itemAt(menus.openIndex) as LsButton
                    if (other) other.shut()
                    sheet.open()
                }
                signal shut()
                onShut: sheet.close()
                LsMenu {
                    id: sheet
                    y: menuButton.height + 3
                    onAboutToShow: menus.openIndex = menuButton.index
                    onClosed: if (menus.openIndex === menuButton.index) menus.openIndex = -1
                    Component.onCompleted: bar.fill(sheet, menuButton.modelData)
                }
            }
        }
    }
    LsButton {
        id: folded
        visible: bar.narrow
        x: menus.x
        anchors.verticalCenter: parent.verticalCenter
        kind: "flat"
        glyph: "menu"
        tip: qsTr("Menu")
        onClicked: all.visible ? all.close() : all.open()
        LsMenu {
            id: all
            y: folded.height + 3
        }
        Instantiator {
            model: bar.narrow ? bar.commands.menus : []
            LsMenu {
                id: sub
                required property string modelData
                title: modelData
                Component.onCompleted: bar.fill(sub, modelData)
            }
            onObjectAdded: (index, object) => all.insertMenu(index, object as LsMenu)
            onObjectRemoved: (index, object) => all.removeMenu(object as LsMenu)
        }
    }

    DocumentTabs {
        id: tabs
        x: (bar.narrow ? folded.x + folded.width : menus.x + menus.width) + 14 * Theme.dp
        y: parent.height - height
        width: Math.max(60, search.x - x - 16 * Theme.dp)
        height: 32 * Theme.dp
        app: bar.app
        documents: bar.documents
    }

    LsButton {
        id: search
        readonly property bool full: bar.logicalWidth >= 900
        anchors.right: theme.left
        anchors.rightMargin: 8 * Theme.dp
        anchors.verticalCenter: parent.verticalCenter
        width: full ? 260 * Theme.dp : implicitHeight
        focusPolicy: Qt.TabFocus
        glyph: full ? "" : "search"
        tip: qsTr("Search or run a command")
        keys: "Ctrl K"
        onClicked: bar.app.openPalette()
        Accessible.role: Accessible.Button
        Accessible.name: qsTr("Search or run a command")
        LsIcon {
            visible: search.full
            x: 9 * Theme.dp
            anchors.verticalCenter: parent.verticalCenter
            name: "search"
            color: Theme.text3
            size: 15
        }
        LsText {
            visible: search.full
            x: 31 * Theme.dp
            anchors.verticalCenter: parent.verticalCenter
            text: qsTr("Search or run a command")
            color: Theme.text3
        }
        LsKey {
            visible: search.full
            anchors.right: parent.right
            anchors.rightMargin: 6 * Theme.dp
            anchors.verticalCenter: parent.verticalCenter
            text: "Ctrl K"
        }
    }
    LsButton {
        id: theme
        anchors.right: parent.right
        anchors.rightMargin: 8 * Theme.dp
        anchors.verticalCenter: parent.verticalCenter
        kind: "flat"
        glyph: Theme.dark ? "sun" : "moon"
        ink: Theme.text2
        tip: Theme.dark ? qsTr("Light theme") : qsTr("Dark theme")
        keys: "Ctrl D"
        onClicked: bar.app.toggleTheme()
    }
    Rectangle {
        y: parent.height - 1
        width: parent.width
        height: 1
        color: Theme.line
        z: -1
    }
}
