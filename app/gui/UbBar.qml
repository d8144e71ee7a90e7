// The subject of the UB view: what is partitioned, on which chip, for which numbers, and whether it fits.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Models
import Layoutscope.Ui

Rectangle {
    id: bar
    required property var app
    required property UbModel model
    property bool wide: true
    signal fitAsked()
    signal exportAsked()

    implicitHeight: 52 * Theme.dp
    color: Theme.window

    LsText {
        id: name
        x: 16 * Theme.dp
        height: parent.height
        width: Math.min(implicitWidth, 260 * Theme.dp)
        text: bar.model.name
        font: Theme.title
        elide: Text.ElideMiddle
    }
    LsDropButton {
        id: chip
        x: name.x + name.width + 14 * Theme.dp
        anchors.verticalCenter: parent.verticalCenter
        text: bar.wide ? bar.model.platformText : bar.model.platformText.split(" ")[0]
        model: bar.model.platforms
        currentIndex: bar.model.platformIndex
        enabled: !bar.model.refused
        onChosen: index => bar.model.setPlatform(index)
    }
    LsSegment {
        id: variant
        visible: bar.model.isOperator && bar.width > 1240 * Theme.dp
        x: chip.x + chip.width + 8 * Theme.dp
        width: visible ? implicitWidth : 0
        anchors.verticalCenter: parent.verticalCenter
        label: qsTr("Version of the kernel")
        model: ["v1108", "v1135"]
        currentIndex: bar.model.variantIndex
        onChosen: index => bar.model.setVariant(index)
    }
    // As many numbers as there is room for; the others are in the text and under "All numbers".
    Row {
        id: numbers
        x: (variant.visible ? variant.x + variant.width : chip.x + chip.width) + 8 * Theme.dp
        anchors.verticalCenter: parent.verticalCenter
        spacing: 6 * Theme.dp
        readonly property real room: right.x - x - 12 * Theme.dp
        Repeater {
            model: bar.model.parameters.length
            UbNumber {
                id: number
                required property int index
                readonly property var one: index < bar.model.parameters.length ? bar.model.parameters[index] : null
                visible: x + implicitWidth <= numbers.room
                objectName: one ? "ubParam-" + one.key : ""
                label: one ? one.label : ""
                value: one ? one.value : 0
                low: one ? one.low : 0
                high: one ? one.high : 0
                step: one ? one.step : 1
                editable: one ? one.editable && !bar.model.refused : false
                onEdited: value => bar.model.setParameter(one.key, value)
            }
        }
    }
    Row {
        id: right
        anchors.right: parent.right
        anchors.rightMargin: 16 * Theme.dp
        anchors.verticalCenter: parent.verticalCenter
        spacing: 8 * Theme.dp
        LsPill {
            anchors.verticalCenter: parent.verticalCenter
            visible: bar.model.verdict !== ""
            text: bar.model.verdict
            tone: bar.model.verdictTone
        }
        LsButton {
            text: qsTr("What fits…")
            enabled: bar.model.valid
            onClicked: bar.fitAsked()
        }
        LsButton {
            kind: "primary"
            text: bar.wide ? qsTr("Export AscendC") : qsTr("Export")
            enabled: bar.model.valid
            onClicked: bar.exportAsked()
        }
    }
    Rectangle {
        y: parent.height - 1
        width: parent.width
        height: 1
        color: Theme.line
    }
}
