// The subject of the TMEM view: the call as a formula, what it became, and every number of it.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Models
import Layoutscope.Ui

Rectangle {
    id: bar
    required property var app
    required property TmemModel model
    property bool wide: true
    /// Which pictures are shown: ids in the order of the trip.
    property var parts: []
    property bool gallery: false
    signal partAsked(string id)
    signal galleryAsked()

    readonly property var all: [
        { id: "gmem", text: qsTr("GMEM") }, { id: "smem-a", text: qsTr("SMEM A") }, { id: "smem-b", text: qsTr("SMEM B") },
        { id: "tmem", text: qsTr("TMEM") }, { id: "registers", text: qsTr("Registers") }
    ]
    implicitHeight: 88 * Theme.dp
    color: Theme.window

    Item {
        id: first
        width: parent.width
        height: 46 * Theme.dp
        LsText {
            id: name
            x: 16 * Theme.dp
            height: parent.height
            text: "gemm_async"
            font: Theme.title
        }
        LsCode {
            id: formula
            x: name.x + name.implicitWidth + 14 * Theme.dp
            width: Math.min(implicitWidth, right.x - x - 12 * Theme.dp)
            height: parent.height
            visible: width > 120 * Theme.dp
            text: bar.model.formula
            elide: Text.ElideRight
            color: Theme.text2
        }
        // As many facts as there is room for, most telling first.
        Row {
            id: pills
            x: formula.x + formula.width + 12 * Theme.dp
            anchors.verticalCenter: parent.verticalCenter
            spacing: 6 * Theme.dp
            readonly property real room: right.x - x - 12 * Theme.dp
            Repeater {
                model: bar.model.pills
                LsPill {
                    required property var modelData
                    visible: x + implicitWidth <= pills.room
                    text: modelData.text
                    tone: modelData.tone
                }
            }
        }
        Row {
            id: right
            anchors.right: parent.right
            anchors.rightMargin: 16 * Theme.dp
            anchors.verticalCenter: parent.verticalCenter
            spacing: 8 * Theme.dp
            TmemParts {
                id: chosen
                model: bar.all
                shown: bar.parts
                onToggled: id => bar.partAsked(id)
            }
            LsButton {
                text: bar.wide ? qsTr("Gallery") : ""
                glyph: bar.wide ? "" : "layers"
                tip: qsTr("Hardware layouts: what each is for")
                checked: bar.gallery
                onClicked: bar.galleryAsked()
            }
        }
    }
    Row {
        id: numbers
        x: 16 * Theme.dp
        y: 50 * Theme.dp
        width: parent.width - 32 * Theme.dp
        height: 26 * Theme.dp
        spacing: 6 * Theme.dp
        LsDropButton {
            text: bar.model.dtypeIndex >= 0 ? bar.model.dtypes[bar.model.dtypeIndex] : "?"
            tip: qsTr("Element type of A and B")
            model: bar.model.dtypes
            currentIndex: bar.model.dtypeIndex
            enabled: bar.model.valid && !bar.model.refused
            onChosen: index => bar.model.setDtype(index)
        }
        LsDropButton {
            text: qsTr("A %1").arg(bar.model.swizzleA >= 0 ? bar.model.swizzles[bar.model.swizzleA] : qsTr("by text"))
            tip: qsTr("Swizzle of A in shared memory")
            model: bar.model.swizzles
            currentIndex: bar.model.swizzleA
            enabled: bar.model.valid && !bar.model.refused
            onChosen: index => bar.model.setSwizzle(false, index)
        }
        LsDropButton {
            text: qsTr("B %1").arg(bar.model.swizzleB >= 0 ? bar.model.swizzles[bar.model.swizzleB] : qsTr("by text"))
            tip: qsTr("Swizzle of B in shared memory")
            model: bar.model.swizzles
            currentIndex: bar.model.swizzleB
            enabled: bar.model.valid && !bar.model.refused
            onChosen: index => bar.model.setSwizzle(true, index)
        }
        LsDropButton {
            id: options
            readonly property var on: Array.from(bar.model.switches).filter(one => one.on).map(one => one.text)
            text: on.length === 0 ? qsTr("Options") : on.length <= 2 ? on.join(", ") : qsTr("%1 options").arg(on.length)
            tip: qsTr("Transposed operands, two CTAs, accumulate, weight-stationary")
            model: Array.from(bar.model.switches).map(one => ({ text: one.text, detail: one.on ? qsTr("on") : qsTr("off") }))
            enabled: bar.model.valid && !bar.model.refused
            onChosen: index => bar.model.toggleSwitch(bar.model.switches[index].key)
        }
        // Numbers that do not fit are in the text.
        Repeater {
            model: bar.model.numbers.length
            UbNumber {
                id: number
                required property int index
                readonly property var one: index < bar.model.numbers.length ? bar.model.numbers[index] : null
                objectName: one ? "tmemNumber-" + one.key : ""
                visible: x + implicitWidth <= numbers.width
                label: one ? one.label : ""
                value: one ? one.value : 0
                low: one ? one.low : 0
                high: one ? one.high : 0
                step: one ? one.step : 1
                editable: !bar.model.refused
                onEdited: value => bar.model.setNumber(one.key, value)
            }
        }
    }
    Rectangle {
        y: parent.height - 1
        width: parent.width
        height: 1
        color: Theme.line
    }
}
