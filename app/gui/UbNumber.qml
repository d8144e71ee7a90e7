// A named number in the subject bar: typed, stepped with the arrows or the wheel. Read only where it follows from others.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Ui

Rectangle {
    id: box
    property string label
    property real value: 0
    property real low: 0
    property real high: 2147483647
    property real step: 1
    property bool editable: true
    signal edited(real value)

    implicitWidth: name.implicitWidth + field.width + 17 * Theme.dp
    implicitHeight: 26 * Theme.dp
    radius: 5 * Theme.dp
    color: Theme.panel
    border.width: field.activeFocus ? 1.5 : 1
    border.color: field.activeFocus ? Theme.accent : box.editable ? Theme.field : Theme.line2

    function offer(wanted: real) {
        const bounded = Math.max(low, Math.min(high, Math.round(wanted)))
        if (bounded !== value) edited(bounded)
    }
    function stepBy(steps: real) { if (editable) offer(value + steps * step) }

    LsText {
        id: name
        x: 8 * Theme.dp
        height: parent.height
        text: box.label
        color: Theme.text2
    }
    Rectangle {
        x: field.x - 1
        width: 1
        height: parent.height
        color: Theme.line2
    }
    T.TextField {
        id: field
        x: name.x + name.implicitWidth + 8 * Theme.dp
        width: Math.max(28 * Theme.dp, ruler.implicitWidth + 14 * Theme.dp)
        height: parent.height
        verticalAlignment: TextInput.AlignVCenter
        horizontalAlignment: TextInput.AlignHCenter
        font: Theme.code
        color: box.editable ? Theme.text : Theme.text2
        readOnly: !box.editable
        activeFocusOnTab: box.editable
        selectByMouse: true
        selectionColor: Theme.accent
        selectedTextColor: Theme.onAccent
        validator: RegularExpressionValidator { regularExpression: /\d{0,10}/ }
        text: String(box.value)
        Accessible.role: Accessible.SpinBox
        Accessible.name: box.label + " " + box.value
        onEditingFinished: {
            if (text !== "" && Number(text) !== box.value) box.offer(Number(text))
            text = Qt.binding(() => String(box.value))
        }
        Keys.onUpPressed: box.stepBy(1)
        Keys.onDownPressed: box.stepBy(-1)
        Keys.onEscapePressed: event => {
            text = Qt.binding(() => String(box.value))
            focus = false
            event.accepted = false
        }
        LsText {
            id: ruler
            visible: false
            text: field.text
            font: field.font
        }
    }
    WheelHandler {
        enabled: field.activeFocus && box.editable
        onWheel: event => box.stepBy(event.angleDelta.y > 0 ? 1 : -1)
    }
}
