// One line of a menu: tick or icon, words, key.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Ui

T.MenuItem {
    id: item
    property string keys
    property string glyph

    implicitWidth: row.x + words.implicitWidth + 34 * Theme.dp + (keys !== "" ? key.implicitWidth + 20 * Theme.dp : 0)
    implicitHeight: visible ? 27 * Theme.dp : 0
    width: parent ? parent.width : implicitWidth
    hoverEnabled: true
    font: Theme.body

    Accessible.role: item.checkable ? Accessible.CheckBox : Accessible.MenuItem
    Accessible.name: item.text
    Accessible.description: item.keys

    contentItem: Item {}
    indicator: Item {}
    arrow: LsIcon {
        visible: item.subMenu
        x: item.width - width - 6 * Theme.dp
        anchors.verticalCenter: parent ? parent.verticalCenter : undefined
        name: "chevron-right"
        color: Theme.text3
        size: 14
    }
    Item {
        id: row
        x: 28 * Theme.dp
        height: item.height
        width: item.width - x
        LsIcon {
            x: -21 * Theme.dp
            anchors.verticalCenter: parent.verticalCenter
            visible: item.checked || item.glyph !== ""
            name: item.checked ? "check" : item.glyph
            color: item.checked ? Theme.accent : Theme.text2
            size: 15
        }
        LsText {
            id: words
            height: parent.height
            text: item.text
            textFormat: Text.PlainText
            font: Theme.exact(item.font)
            color: item.enabled ? Theme.text : Theme.text3
        }
        LsText {
            id: key
            anchors.right: parent.right
            anchors.rightMargin: 10 * Theme.dp
            height: parent.height
            text: item.keys
            font: Theme.exact(Theme.small)
            color: Theme.text3
        }
    }
    background: Rectangle {
        radius: 4 * Theme.dp
        color: item.highlighted && item.enabled ? Theme.accentTint : "transparent"
    }
}
