// Which stations of the tile's trip are shown: any of them at once. One focus stop; arrows go along, Space switches.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Ui

FocusScope {
    id: control
    /// { id, text }.
    property var model: []
    property var shown: []
    property int current: 0
    signal toggled(string id)

    implicitWidth: row.implicitWidth
    implicitHeight: 26 * Theme.dp
    activeFocusOnTab: true
    Accessible.role: Accessible.CheckBox
    Accessible.name: model.length > 0 ? qsTr("Picture: %1").arg(model[current].text) : ""
    Keys.onLeftPressed: current = Math.max(0, current - 1)
    Keys.onRightPressed: current = Math.min(model.length - 1, current + 1)
    Keys.onSpacePressed: toggled(model[current].id)
    Keys.onReturnPressed: toggled(model[current].id)

    Rectangle {
        anchors.fill: parent
        radius: 5 * Theme.dp
        color: Theme.panel
        border.color: Theme.line2
    }
    Row {
        id: row
        Repeater {
            model: control.model
            Item {
                id: part
                required property int index
                required property var modelData
                readonly property bool on: control.shown.indexOf(modelData.id) >= 0
                objectName: "tmemPart-" + modelData.id
                width: word.implicitWidth + 20 * Theme.dp
                height: control.height
                Rectangle {
                    anchors.fill: parent
                    anchors.margins: 1
                    radius: 4 * Theme.dp
                    color: part.on ? Theme.accentTint : over.hovered ? Theme.face : "transparent"
                }
                Rectangle {
                    visible: part.index > 0
                    width: 1
                    height: parent.height
                    color: Theme.line2
                }
                LsText {
                    id: word
                    anchors.centerIn: parent
                    text: part.modelData.text
                    color: part.on ? Theme.accent : Theme.text2
                    font: part.on ? Theme.bodyStrong : Theme.body
                }
                LsFocusRing { visible: control.activeFocus && control.current === part.index; offset: 0 }
                HoverHandler { id: over }
                TapHandler {
                    onTapped: {
                        control.current = part.index
                        control.toggled(part.modelData.id)
                    }
                }
            }
        }
    }
}
