// One element of a tile followed through all passes: where it stands in the tensor and in memory. No pass may move it.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Models
import Layoutscope.Ui

FocusScope {
    id: pane
    required property TraceModel trace

    component Number: LsField {
        id: number
        property double value
        property double most
        signal picked(double value)
        width: 64 * Theme.dp
        exact: true
        text: value
        inputMethodHints: Qt.ImhDigitsOnly
        validator: IntValidator { bottom: 0; top: Math.max(0, number.most - 1) }
        onEditingFinished: picked(parseInt(text))
        Keys.onUpPressed: picked(Math.min(most - 1, value + 1))
        Keys.onDownPressed: picked(Math.max(0, value - 1))
    }

    Row {
        id: head
        x: 12 * Theme.dp
        y: 8 * Theme.dp
        height: 26 * Theme.dp
        spacing: 8 * Theme.dp
        visible: pane.trace.accesses.length > 0
        LsDropButton {
            text: pane.trace.access < pane.trace.accesses.length ? pane.trace.accesses[pane.trace.access] : ""
            font: Theme.code
            model: pane.trace.accesses
            currentIndex: pane.trace.access
            onChosen: index => pane.trace.access = index
        }
        LsText { height: parent.height; text: qsTr("row"); color: Theme.text2; font: Theme.small }
        Number {
            value: pane.trace.elementRow
            most: pane.trace.accessRows
            Accessible.name: qsTr("Row of the tile")
            onPicked: value => pane.trace.elementRow = value
        }
        LsText { height: parent.height; text: qsTr("column"); color: Theme.text2; font: Theme.small }
        Number {
            value: pane.trace.elementColumn
            most: pane.trace.accessColumns
            Accessible.name: qsTr("Column of the tile")
            onPicked: value => pane.trace.elementColumn = value
        }
        LsText {
            height: parent.height
            text: qsTr("of %1 × %2").arg(pane.trace.accessRows).arg(pane.trace.accessColumns)
            font: Theme.exact(Theme.small)
            color: Theme.text3
        }
    }
    Row {
        id: titles
        x: 16 * Theme.dp
        y: head.y + head.height + 6 * Theme.dp
        height: 22 * Theme.dp
        visible: head.visible
        readonly property real first: Math.min(260 * Theme.dp, pane.width * 0.34)
        readonly property real second: Math.min(240 * Theme.dp, pane.width * 0.32)
        LsText { width: titles.first; height: parent.height; text: qsTr("pass"); font: Theme.smallStrong; color: Theme.text2 }
        LsText { width: titles.second; height: parent.height; text: qsTr("coordinate"); font: Theme.smallStrong; color: Theme.text2 }
        LsText { height: parent.height; text: qsTr("address"); font: Theme.smallStrong; color: Theme.text2 }
    }
    ListView {
        id: list
        y: titles.y + titles.height
        width: parent.width
        height: parent.height - y
        model: pane.trace.track
        clip: true
        focus: true
        activeFocusOnTab: count > 0
        currentIndex: -1
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: LsScrollBar {}
        Keys.onReturnPressed: if (currentItem) pane.trace.current = model[currentIndex].position
        delegate: Rectangle {
            id: row
            required property var modelData
            readonly property bool here: modelData.position === pane.trace.current
            width: list.width
            height: 26 * Theme.dp
            color: modelData.moved ? Theme.findingTint : here ? Theme.accentTint : over.hovered ? Theme.face : "transparent"
            Accessible.role: Accessible.ListItem
            Accessible.name: modelData.pass + ": " + modelData.coordinate + " " + modelData.address + modelData.why
            HoverHandler { id: over }
            TapHandler { onTapped: pane.trace.current = row.modelData.position }
            LsIcon {
                x: 12 * Theme.dp
                anchors.verticalCenter: parent.verticalCenter
                name: row.modelData.moved ? "cross" : row.modelData.why !== "" ? "minus" : "check"
                color: row.modelData.moved ? Theme.finding : row.modelData.why !== "" ? Theme.text3 : Theme.fine
                size: 13
            }
            LsText {
                x: 32 * Theme.dp
                width: titles.first - 20 * Theme.dp
                height: parent.height
                text: (row.modelData.position > 0 && row.modelData.number === 0 ? "" : String(row.modelData.number).padStart(2, "0") + " ") + row.modelData.pass
                font: Theme.exact(Theme.body)
                elide: Text.ElideRight
            }
            LsCode {
                x: titles.x + titles.first
                width: titles.second - 8
                height: parent.height
                text: row.modelData.coordinate
                elide: Text.ElideRight
            }
            LsCode {
                x: titles.x + titles.first + titles.second
                width: list.width - x - 12
                height: parent.height
                text: row.modelData.address !== "" ? row.modelData.address : row.modelData.why
                color: row.modelData.moved ? Theme.finding : row.modelData.address !== "" ? Theme.text : Theme.text3
                elide: Text.ElideRight
            }
        }
    }
    LsEmptyState {
        anchors.fill: parent
        visible: !head.visible
        glyph: "target"
        title: qsTr("Nothing is loaded or stored")
        sentence: qsTr("What is followed here is a tile.load or tile.store of a pypto or PTO program; this one has none.")
    }
}
