// The right column: how the layout is built, what holds for it, every element; or the pins.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Models
import Layoutscope.Ui
import Layoutscope.Views

Rectangle {
    id: column
    required property Explorer explorer
    property int tab: 0
    property GridCanvas canvas: null
    readonly property alias table: inspector
    signal closeAsked()
    property bool closable: false

    color: Theme.panel

    LsPanelHeader {
        id: header
        width: parent.width
        title: qsTr("Inspector")
        LsSegment {
            label: qsTr("Inspector")
            model: [qsTr("Layout"), column.explorer.pins.length > 0 ? qsTr("Pins %1").arg(column.explorer.pins.length) : qsTr("Pins")]
            currentIndex: column.tab
            onChosen: index => column.tab = index
        }
        LsButton {
            visible: column.closable
            kind: "flat"
            glyph: "cross"
            tip: qsTr("Close")
            keys: "Esc"
            onClicked: column.closeAsked()
        }
    }
    InspectorPanel {
        id: inspector
        objectName: "inspector"
        y: header.height
        width: parent.width
        height: parent.height - y
        visible: column.tab === 0
        opacity: column.explorer.refused ? 0.48 : 1
        dark: Theme.dark
        dp: Theme.dp
        activeFocusOnTab: true
        iters: column.explorer.iters
        properties: column.explorer.properties
        table: column.explorer.elements
        elementsNote: column.explorer.elementsBusy ? qsTr("filtering…") : column.explorer.elementsNote
        filterVisible: true
        filterHint: "block == 1 && fractal == 2"
        filterErrorCode: column.explorer.filterErrorCode
        filterError: column.explorer.filterError
        filterErrorBegin: column.explorer.filterErrorBegin
        filterErrorEnd: column.explorer.filterErrorEnd
        sortColumn: column.explorer.sortColumn
        sortDescending: column.explorer.sortDescending
        selectedCells: column.explorer.logicalSelected
        onFilterEdited: text => column.explorer.filter = text
        onSortRequested: (index, descending) => column.explorer.sortBy(index, descending)
        onRowClicked: cell => column.explorer.selectLogical(cell)
        onRowActivated: cell => column.explorer.pinLogical(cell)
        // The pointer over a row lights the element in both pictures, and the other way round.
        onHoverCellChanged: if (column.canvas && column.canvas.hoverCell !== hoverCell && !following) column.canvas.hoverCell = hoverCell
        property bool following: false
        Connections {
            target: column.explorer
            function onHoverChanged() {
                inspector.following = true
                inspector.hoverCell = column.explorer.logicalHover
                inspector.following = false
            }
        }
        LsFocusRing { visible: inspector.activeFocus; offset: -3 }
    }
    PinList {
        y: header.height
        width: parent.width
        height: parent.height - y
        visible: column.tab === 1
        explorer: column.explorer
    }
}
