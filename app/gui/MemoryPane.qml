// Where the tiles of the program lie on the chip after this pass: every memory on its own scale, lifetimes down.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls
import Layoutscope.Models
import Layoutscope.Ui
import Layoutscope.Views

FocusScope {
    id: pane
    required property TraceModel trace
    property int turn: 0
    Connections {
        target: pane.trace
        function onCurrentChanged() { ++pane.turn }
        function onTraceChanged() { ++pane.turn }
    }
    Flickable {
        id: scroll
        anchors.fill: parent
        anchors.margins: 10 * Theme.dp
        visible: pane.trace.hasAddresses
        clip: true
        contentHeight: map.height
        boundsBehavior: Flickable.StopAtBounds
        ScrollBar.vertical: LsScrollBar {}
        PictureCanvas {
            id: map
            width: scroll.width - 12 * Theme.dp
            height: implicitHeight
            picture: pane.turn >= 0 && pane.visible ? pane.trace.memoryPicture(width / Theme.dp) : pane.trace.memoryPicture(0)
            dark: Theme.dark
            dp: Theme.dp
        }
    }
    LsEmptyState {
        anchors.fill: parent
        visible: !pane.trace.hasAddresses
        glyph: "ub"
        title: qsTr("Tiles have no addresses yet")
        sentence: pane.trace.addressesAt >= 0 ? qsTr("A later pass gives every tile its bytes.") : qsTr("No pass that ran gave them any: the program was refused before, or has no tiles.")
        action: pane.trace.addressesAt >= 0 ? qsTr("Go to that pass") : ""
        onActed: pane.trace.current = pane.trace.addressesAt
    }
}
