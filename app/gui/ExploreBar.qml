// The subject of Explore: what is laid out, in every notation. One row when it gets narrow.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Models
import Layoutscope.Ui

Rectangle {
    id: bar
    required property var app
    required property Explorer explorer
    property bool wide: true
    property alias field: field
    readonly property real logicalWidth: width / Theme.dp
    /// The refusal is laid over the canvas when there is no second row.
    readonly property bool refused: field.refused

    implicitHeight: (wide ? 88 : 52) * Theme.dp
    color: Theme.window

    LsDropButton {
        id: examples
        x: 12 * Theme.dp
        y: field.y
        height: field.height
        visible: bar.logicalWidth > 620
        text: qsTr("Examples")
        model: {
            const list = []
            for (let i = 0; i < bar.app.examples.count; ++i) {
                const one = bar.app.examples.get(i)
                list.push({ text: one.title, detail: one.family })
            }
            return list
        }
        onChosen: index => bar.app.openExample(index)
    }
    LayoutField {
        id: field
        objectName: "layoutField"
        x: (examples.visible ? examples.x + examples.width + 10 * Theme.dp : 12 * Theme.dp)
        y: (bar.wide ? 10 : 8) * Theme.dp
        width: right.x - x - 10 * Theme.dp
        height: 36 * Theme.dp
        explorer: bar.explorer
        focus: true
        onUndoAsked: bar.app.documents.undo()
        onRedoAsked: bar.app.documents.redo()
        onAccepted: bar.app.callView("focusCanvas")
        onLeftByEscape: bar.app.callView("focusCanvas")
    }
    Row {
        id: right
        anchors.right: parent.right
        anchors.rightMargin: 12 * Theme.dp
        y: field.y
        height: field.height
        spacing: 10 * Theme.dp
        LsDropButton {
            height: parent.height
            visible: bar.logicalWidth > 520
            text: bar.explorer.valid ? bar.explorer.dtypeText : qsTr("no type")
            enabled: bar.explorer.valid
            model: bar.explorer.dtypes
            currentIndex: bar.explorer.dtypeIndex
            onChosen: index => bar.explorer.chooseDtype(index)
        }
        LsButton {
            height: parent.height
            visible: bar.wide
            text: qsTr("Compare…")
            enabled: bar.explorer.valid
            onClicked: bar.app.callView("startCompare")
        }
        LsDropButton {
            height: parent.height
            visible: !bar.wide
            enabled: bar.explorer.valid
            text: qsTr("Also as")
            model: Array.from(bar.explorer.notations).map(one => ({ text: one.text.length > 64 ? one.text.slice(0, 63) + "…" : one.text, detail: one.name }))
            onChosen: index => bar.explorer.copy(bar.explorer.notations[index].text)
        }
    }
    // The second row: the other notations, or why there are none.
    Item {
        x: 14 * Theme.dp
        y: 52 * Theme.dp
        width: bar.width - 28 * Theme.dp
        height: 32 * Theme.dp
        visible: bar.wide
        clip: true

        Row {
            visible: !field.refused
            height: parent.height
            spacing: 20 * Theme.dp
            Repeater {
                model: bar.explorer.notations
                T.AbstractButton {
                    id: note
                    required property var modelData
                    required property int index
                    implicitWidth: label.implicitWidth + words.implicitWidth + 14 * Theme.dp
                    height: 28 * Theme.dp
                    // What does not fit stays in the palette and the Edit menu; nothing is cut.
                    visible: x + implicitWidth <= bar.width - 28 * Theme.dp
                    hoverEnabled: true
                    focusPolicy: Qt.TabFocus
                    Accessible.role: Accessible.Button
                    Accessible.name: qsTr("Copy %1: %2").arg(modelData.name).arg(modelData.text)
                    Keys.onReturnPressed: clicked()
                    onClicked: bar.explorer.copy(modelData.text)
                    background: Rectangle {
                        x: -5
                        width: parent.width + 10
                        radius: 4 * Theme.dp
                        color: note.hovered ? Theme.face : "transparent"
                        LsFocusRing { visible: note.visualFocus; offset: 0 }
                    }
                    LsText {
                        id: label
                        height: parent.height
                        text: note.modelData.name
                        font: Theme.small
                        color: Theme.text3
                    }
                    LsCode {
                        id: words
                        x: label.implicitWidth + 6 * Theme.dp
                        height: parent.height
                        text: note.modelData.text
                    }
                }
            }
        }
        RefusalLine {
            visible: field.refused
            anchors.verticalCenter: parent.verticalCenter
            width: parent.width
            explorer: bar.explorer
            onHelpAsked: code => bar.app.openHelp("", code)
        }
    }
    Rectangle {
        y: parent.height - 1
        width: parent.width
        height: 1
        color: Theme.line
    }
}
