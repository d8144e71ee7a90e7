// A few exclusive choices in one control. `model` is a list of words, or of { text, value, swatch } objects;
// one focus stop, arrows move the choice.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Ui

FocusScope {
    id: control
    property var model: []
    property int currentIndex: 0
    property string label
    signal chosen(int index)

    implicitWidth: row.implicitWidth
    implicitHeight: 26 * Theme.dp
    activeFocusOnTab: true

    Accessible.role: Accessible.RadioButton
    Accessible.name: control.label + ": " + control.textAt(control.currentIndex)

    function textAt(index: int): string {
        const one = model[index]
        return one === undefined ? "" : one.text !== undefined ? String(one.text) : String(one)
    }
    function choose(index: int) {
        if (index < 0 || index >= model.length || index === currentIndex) return
        chosen(index)
    }

    Keys.onLeftPressed: choose(currentIndex - 1)
    Keys.onRightPressed: choose(currentIndex + 1)

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
                readonly property bool current: index === control.currentIndex

                width: face.implicitWidth + 20 * Theme.dp
                height: control.height

                Rectangle {
                    anchors.fill: parent
                    anchors.margins: 1
                    radius: 4 * Theme.dp
                    color: part.current ? Theme.accentTint : mouse.containsMouse ? Theme.face : "transparent"
                }
                Rectangle {
                    visible: part.index > 0
                    width: 1
                    height: parent.height
                    color: Theme.line2
                }
                Row {
                    id: face
                    anchors.centerIn: parent
                    spacing: 6 * Theme.dp
                    Rectangle {
                        visible: part.modelData.swatch !== undefined
                        anchors.verticalCenter: parent.verticalCenter
                        width: 11 * Theme.dp
                        height: width
                        radius: 2
                        color: visible ? part.modelData.swatch : "transparent"
                        border.color: Theme.ink
                        border.width: 1
                    }
                    LsText {
                        anchors.verticalCenter: parent.verticalCenter
                        text: control.textAt(part.index)
                        font: Theme.exact(Theme.body)
                        color: part.current ? Theme.accent : Theme.text2
                    }
                }
                MouseArea {
                    id: mouse
                    anchors.fill: parent
                    hoverEnabled: true
                    onClicked: control.choose(part.index)
                }
            }
        }
    }
    LsFocusRing { visible: control.activeFocus }
}
