// The right column of the UB view: books, views, what fits, text and export; findings under them.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls
import Layoutscope.Models
import Layoutscope.Ui
import Layoutscope.Views

Rectangle {
    id: side
    required property var app
    required property UbModel model
    required property UbMapModel map
    required property UbExportModel source
    property string tab: "books"
    property bool closable: false
    /// Height of the findings in a tall column; in a low one they are a tab.
    property bool stacked: true
    readonly property var ids: stacked ? ["books", "views", "fit", "text", "export"] : ["books", "views", "fit", "text", "export", "findings"]
    readonly property alias views: viewTable
    signal closeAsked()
    signal workAsked()
    color: Theme.panel

    function titleOf(id: string): string {
        return id === "books" ? qsTr("Books") : id === "views" ? qsTr("Views") : id === "fit" ? qsTr("Fits")
             : id === "text" ? qsTr("Text") : id === "export" ? qsTr("Export") : qsTr("Findings %1").arg(model.diagnostics.count)
    }
    function showFinding(index: int) {
        const { target, work, begin, end } = model.placeOfFinding(index)
        if (target >= 0) {
            map.selected = target
        } else if (work) {
            side.workAsked()
        }
        if (end > begin) {
            tab = "text"
            text.reveal(begin, end)
        }
    }
    function focusFindings() {
        if (!stacked) tab = "findings"
        findings.forceActiveFocus(Qt.OtherFocusReason)
    }
    function stepFinding(step: int) {
        const n = model.diagnostics.count
        if (n === 0) return
        findings.currentIndex = ((findings.currentIndex < 0 && step < 0 ? 0 : findings.currentIndex) + step + n) % n
        showFinding(findings.currentIndex)
    }
    onStackedChanged: if (stacked && tab === "findings") tab = "books"
    Binding { target: side.model; property: "fitShown"; value: side.visible && side.tab === "fit" }
    Binding { target: side.source; property: "shown"; value: side.visible && side.tab === "export" }

    LsPanelHeader {
        id: head
        width: parent.width
        title: side.titleOf(side.tab)
        subtitle: ""
        LsPill {
            anchors.verticalCenter: parent.verticalCenter
            visible: side.tab === "books" && side.model.booksVerdict !== "" && side.width > 380 * Theme.dp
            text: side.model.booksVerdict
            tone: side.model.booksTone
        }
        LsButton {
            visible: side.tab === "text" && side.model.isOperator && !side.model.refused
            text: qsTr("Write as model")
            tip: qsTr("The launch as a model that can be changed freely")
            onClicked: side.model.writeAsModel()
        }
        LsButton {
            visible: side.tab === "text"
            glyph: "copy"
            tip: qsTr("Copy the text")
            onClicked: side.model.copyText()
        }
        LsButton {
            visible: side.closable
            kind: "flat"
            glyph: "cross"
            tip: qsTr("Close")
            keys: "Esc"
            onClicked: side.closeAsked()
        }
    }
    Rectangle {
        id: tabs
        y: head.height
        width: parent.width
        height: side.closable ? 0 : 38 * Theme.dp
        visible: !side.closable
        color: Theme.panel
        LsSegment {
            anchors.centerIn: parent
            label: qsTr("Panel")
            model: side.ids.map(id => side.titleOf(id))
            currentIndex: Math.max(0, side.ids.indexOf(side.tab))
            onChosen: index => side.tab = side.ids[index]
        }
        Rectangle { y: parent.height - 1; width: parent.width; height: 1; color: Theme.line }
    }
    LsSplit {
        y: tabs.y + tabs.height
        width: parent.width
        height: parent.height - y
        orientation: Qt.Vertical
        Item {
            id: top
            SplitView.fillHeight: true
            SplitView.minimumHeight: 120 * Theme.dp
            UbBooksPane {
                anchors.fill: parent
                visible: side.tab === "books"
                model: side.model
            }
            TablePanel {
                id: viewTable
                objectName: "ubViews"
                anchors.fill: parent
                visible: side.tab === "views"
                dark: Theme.dark
                dp: Theme.dp
                activeFocusOnTab: true
                sortable: false
                table: side.model.views
                selectedCells: side.map.selectedCells
                // Rows, blocks of the map and the formula light one another.
                property bool following: false
                onHoverCellChanged: if (!following) side.map.hoverCell = hoverCell
                onRowClicked: cell => {
                    side.map.hoverCell = cell
                    side.map.selected = side.map.hovered
                }
                onRowActivated: cell => {
                    side.map.hoverCell = cell
                    side.map.selected = side.map.hovered
                    side.map.zoomToSelected()
                }
                Connections {
                    target: side.map
                    function onHoverChanged() {
                        viewTable.following = true
                        viewTable.hoverCell = side.map.hoverCell
                        viewTable.following = false
                    }
                }
                LsFocusRing { visible: viewTable.activeFocus; offset: -3 }
            }
            UbFitPane {
                anchors.fill: parent
                visible: side.tab === "fit"
                model: side.model
            }
            DocumentTextPane {
                id: text
                anchors.fill: parent
                visible: side.tab === "text"
                model: side.model
                onUndoAsked: side.app.documents.undo()
                onRedoAsked: side.app.documents.redo()
            }
            UbExportPane {
                anchors.fill: parent
                visible: side.tab === "export"
                source: side.source
                map: side.map
            }
            Item {
                id: tabFindings
                anchors.fill: parent
                visible: side.tab === "findings"
            }
        }
        Item {
            visible: side.stacked && side.tab !== "export"
            SplitView.preferredHeight: side.app.settings.panel("ub/findings", 230) * Theme.dp
            SplitView.minimumHeight: 80 * Theme.dp
            LsSection {
                id: section
                width: parent.width
                title: qsTr("Findings")
                detail: side.model.diagnostics.count === 0 ? "" : qsTr("%1 errors, %2 warnings").arg(side.model.diagnostics.errors).arg(side.model.diagnostics.warnings)
            }
            Item {
                id: stackedFindings
                y: section.height
                width: parent.width
                height: parent.height - y
            }
        }
    }
    LsDiagnosticList {
        id: findings
        parent: side.stacked ? stackedFindings : tabFindings
        anchors.fill: parent
        model: side.model.diagnostics
        emptySentence: qsTr("Everything fits and nothing clashes.")
        onChosen: index => side.showFinding(index)
        onHelpAsked: code => side.app.openHelp("", code)
    }
}
