// Every instruction of the call: what it adds, the words it is given, where it writes. A row chooses the step everywhere.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Models
import Layoutscope.Ui
import Layoutscope.Views

TablePanel {
    id: table
    required property TmemModel bench
    objectName: "tmemSteps"
    dark: Theme.dark
    dp: Theme.dp
    activeFocusOnTab: true
    sortable: false
    table: bench.table
    selectedCells: bench.stepCells
    onRowClicked: cell => bench.step = cell.row
    onRowActivated: cell => bench.step = cell.row
    LsText {
        anchors.centerIn: parent
        visible: table.bench.valid && !table.bench.planned && parent.height > 70 * Theme.dp
        text: qsTr("No instructions: the call is refused.")
        color: Theme.text2
    }
    LsFocusRing { visible: table.activeFocus; offset: -3 }
}
