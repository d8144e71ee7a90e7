// What the chosen load or store writes into the fields of its instruction, each against its limit.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Models
import Layoutscope.Ui
import Layoutscope.Views

FocusScope {
    id: pane
    required property TraceModel trace
    /// Counts the changes after which the bars may differ.
    property int turn: 0
    Connections {
        target: pane.trace
        function onPictureChanged() { ++pane.turn }
    }

    LsDropButton {
        id: which
        x: 12 * Theme.dp
        y: 8 * Theme.dp
        visible: pane.trace.accesses.length > 0
        text: pane.trace.access < pane.trace.accesses.length ? pane.trace.accesses[pane.trace.access] : ""
        font: Theme.code
        model: pane.trace.accesses
        currentIndex: pane.trace.access
        onChosen: index => pane.trace.access = index
    }
    Flickable {
        x: 12 * Theme.dp
        y: which.y + which.height + 8 * Theme.dp
        width: parent.width - 24 * Theme.dp
        height: parent.height - y
        clip: true
        contentHeight: bars.height
        boundsBehavior: Flickable.StopAtBounds
        PictureCanvas {
            id: bars
            readonly property bool some: implicitWidth > 0 && pane.trace.accesses.length > 0
            width: parent.width
            height: implicitHeight
            visible: some
            picture: pane.turn >= 0 && pane.visible ? pane.trace.fieldsPicture(width / Theme.dp) : pane.trace.fieldsPicture(0)
            dark: Theme.dark
            dp: Theme.dp
        }
    }
    LsEmptyState {
        anchors.fill: parent
        visible: !bars.some
        glyph: "explore"
        title: qsTr("No fields to show for this access")
        sentence: qsTr("After BlockNzTensorViews a load or store of an NZ tensor is one strided copy: its gap, bursts, rows and bytes stand here against what the hardware holds.")
    }
}
