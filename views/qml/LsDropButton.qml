// A button that opens a list of choices. `model`: words or { text, value, detail } objects.
pragma ComponentBehavior: Bound

import QtQuick
import QtQml
import Layoutscope.Ui

LsButton {
    id: control
    property var model: []
    property int currentIndex: -1
    /// What the menu marks; -1 for a list of actions.
    signal chosen(int index)

    drops: true
    onClicked: menu.visible ? menu.close() : menu.open()
    Keys.onDownPressed: menu.open()

    LsMenu {
        id: menu
        y: control.height + 3
        x: Math.min(0, control.width - width)
    }
    Instantiator {
        model: control.model
        LsMenuItem {
            required property int index
            required property var modelData
            text: modelData.text !== undefined ? modelData.text : modelData
            keys: modelData.detail !== undefined ? modelData.detail : ""
            checkable: control.currentIndex >= 0
            checked: index === control.currentIndex
            onTriggered: control.chosen(index)
        }
        onObjectAdded: (index, object) => menu.insertItem(index, object as LsMenuItem)
        onObjectRemoved: (index, object) => menu.removeItem(object as LsMenuItem)
    }
}
