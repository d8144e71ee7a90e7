// UB: does it fit, who may overlap, who waits. The map takes what the rest leaves; cores stand under it.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls
import Layoutscope.Models
import Layoutscope.Ui

FocusScope {
    id: view
    required property var app
    required property UbModel model
    readonly property real logicalWidth: width / Theme.dp
    readonly property bool wide: logicalWidth + 56 >= 1440
    readonly property bool low: app.logicalHeight < 800
    /// Narrow or low: the drawer is closed until asked for, and lies over the map where there is no height.
    property bool drawerOpen: false
    property bool sideOpen: false
    readonly property bool drawerShown: (wide && !low) ? !drawerFolded : drawerOpen
    property bool drawerFolded: false

    readonly property int errors: model.diagnostics.errors
    readonly property int warnings: model.diagnostics.warnings
    readonly property string findingText: errors > 0 ? errors === 1 ? qsTr("1 error") : qsTr("%1 errors").arg(errors)
                                        : warnings > 0 ? warnings === 1 ? qsTr("1 warning") : qsTr("%1 warnings").arg(warnings) : qsTr("no findings")
    readonly property string findingTone: errors > 0 ? "finding" : warnings > 0 ? "warning" : "fine"
    readonly property var statusLeft: {
        const parts = []
        if (map.hoverText !== "") parts.push(qsTr("hover %1").arg(map.hoverText))
        else if (work.hoverText !== "") parts.push(work.hoverText)
        if (map.selectedName !== "") parts.push(qsTr("selected %1").arg(map.selectedName))
        return parts
    }
    readonly property var statusRight: !model.valid ? [] : [model.isOperator ? model.variantIndex === 1 ? "v1135" : "v1108" : qsTr("model"), qsTr("32 B grid"), model.platformText.split(" ")[0]]

    function fit() { map.fit(); work.fit() }
    function toggleDrawer() {
        if (wide && !low) drawerFolded = !drawerFolded
        else drawerOpen = !drawerOpen
    }
    function toggleInspector() { if (!wide) sideOpen = !sideOpen }
    function showTab(id: string) {
        side.tab = id
        if (!wide) sideOpen = true
    }
    function showFindings() {
        if (!wide) sideOpen = true
        side.focusFindings()
    }
    function nextFinding() { if (!wide) sideOpen = true; side.stepFinding(1) }
    function previousFinding() { if (!wide) sideOpen = true; side.stepFinding(-1) }
    function unitBack() { cores.stepBy(-1) }
    function unitForward() { cores.stepBy(1) }
    function editSequences() { sequences.open() }
    function showBooks() { showTab("books") }
    function showViews() { showTab("views") }
    function showFits() { showTab("fit") }
    function showText() { showTab("text") }
    function showExport() { showTab("export") }
    function toggleLifetimes() { map.lifetimes = !map.lifetimes }
    function zoomToSelected() { map.zoomToSelected() }
    function writeAsModel() { model.writeAsModel() }
    function exportTo(file: url) { if (map.exportTo(file, Theme.dark)) app.say(qsTr("Saved the memory map"), "", "fine", "") }
    function panels(): var { return [bar, mapPane.canvas, drawerShown ? cores.canvas : cores.head, side] }
    function stepOut() {
        if (sideOpen && !wide) sideOpen = false
        else if (drawerOpen) drawerOpen = false
        else if (map.selected >= 0) map.selected = -1
        else if (work.step >= 0) work.step = work.units
        else fit()
    }

    UbMapModel {
        id: map
        model: view.model
    }
    UbWorkModel {
        id: work
        model: view.model
    }
    UbExportModel {
        id: source
        model: view.model
    }
    readonly property alias map: map
    readonly property alias work: work
    readonly property alias source: source

    UbBar {
        id: bar
        width: parent.width
        visible: view.model.valid || view.model.refused
        app: view.app
        model: view.model
        wide: view.wide
        onFitAsked: view.showTab("fit")
        onExportAsked: view.showTab("export")
    }
    Item {
        id: body
        y: bar.height
        width: parent.width
        height: parent.height - y
        visible: view.model.valid || view.model.refused

        LsSplit {
            id: columns
            width: parent.width - (view.wide ? 0 : strip.width)
            height: parent.height
            orientation: Qt.Horizontal
            Item {
                id: left
                SplitView.fillWidth: true
                SplitView.minimumWidth: 320 * Theme.dp
                UbMapPane {
                    id: mapPane
                    width: parent.width
                    // A drawer over the map leaves it where it is.
                    height: parent.height - (view.low ? cores.head.height : cores.height)
                    focus: true
                    model: view.model
                    work: view.work
                    map: view.map
                    onHelpAsked: code => view.app.openHelp("", code)
                }
                Rectangle {
                    id: divider
                    y: cores.y - 1
                    width: parent.width
                    height: 1
                    color: Theme.line
                }
                UbCoresPane {
                    id: cores
                    width: parent.width
                    height: view.drawerShown ? Math.min(drawerHeight, left.height - 160 * Theme.dp) : head.height
                    y: parent.height - height
                    property real drawerHeight: view.app.settings.panel("ub/cores", 330) * Theme.dp
                    work: view.work
                    folded: !view.drawerShown
                    foldable: true
                    onFoldAsked: view.toggleDrawer()
                    onSequencesAsked: sequences.open()
                    // The edge between map and drawer: 1 px drawn, 9 px to grab.
                    Item {
                        y: -5 * Theme.dp
                        width: parent.width
                        height: 9 * Theme.dp
                        visible: view.drawerShown
                        HoverHandler { cursorShape: Qt.SplitVCursor }
                        DragHandler {
                            target: null
                            property real start: 0
                            onActiveChanged: {
                                if (active) start = cores.drawerHeight
                                else view.app.settings.setPanel("ub/cores", cores.drawerHeight / Theme.dp)
                            }
                            onActiveTranslationChanged: if (active) cores.drawerHeight = Math.max(150 * Theme.dp, Math.min(left.height - 160 * Theme.dp, start - activeTranslation.y))
                        }
                    }
                }
            }
            Item {
                id: rightColumn
                visible: view.wide
                SplitView.preferredWidth: view.app.settings.panel("ub/side", 404) * Theme.dp
                SplitView.minimumWidth: 372 * Theme.dp
                SplitView.maximumWidth: 760 * Theme.dp
                UbWhyPane {
                    id: why
                    width: parent.width
                    height: cores.height
                    y: parent.height - height
                    visible: view.drawerShown && side.tab !== "export"
                    work: view.work
                    Rectangle { y: -1; width: parent.width; height: 1; color: Theme.line }
                }
            }
            onResizingChanged: if (!resizing && rightColumn.visible) view.app.settings.setPanel("ub/side", rightColumn.width / Theme.dp)
        }
        // Narrow: a strip of tabs; the column opens over the map.
        Rectangle {
            id: strip
            visible: !view.wide
            x: parent.width - width
            width: 40 * Theme.dp
            height: parent.height
            color: Theme.window
            Rectangle { width: 1; height: parent.height; color: Theme.line }
            Column {
                y: 12 * Theme.dp
                spacing: 4 * Theme.dp
                Repeater {
                    model: side.ids
                    Item {
                        id: tab
                        required property string modelData
                        readonly property bool current: view.sideOpen && side.tab === modelData
                        width: strip.width
                        height: word.implicitWidth + 20 * Theme.dp
                        activeFocusOnTab: true
                        Accessible.role: Accessible.PageTab
                        Accessible.name: word.text
                        Keys.onReturnPressed: pick()
                        function pick() {
                            if (current) view.sideOpen = false
                            else view.showTab(modelData)
                        }
                        Rectangle {
                            anchors.fill: parent
                            anchors.margins: 4 * Theme.dp
                            radius: 4 * Theme.dp
                            color: tab.current ? Theme.accentTint : over.hovered ? Theme.face : "transparent"
                            LsFocusRing { visible: tab.activeFocus; offset: 0 }
                        }
                        LsText {
                            id: word
                            anchors.centerIn: parent
                            rotation: 90
                            text: side.titleOf(tab.modelData)
                            color: tab.current ? Theme.accent : Theme.text2
                        }
                        HoverHandler { id: over }
                        TapHandler { onTapped: tab.pick() }
                    }
                }
            }
        }
    }
    UbSide {
        id: side
        parent: view.wide ? rightColumn : body
        visible: view.wide || view.sideOpen
        x: view.wide ? 0 : strip.x - width
        width: view.wide ? rightColumn.width : Math.min(420 * Theme.dp, strip.x)
        height: view.wide && why.visible ? why.y - 1 : parent.height
        stacked: view.wide && height > 430 * Theme.dp
        closable: !view.wide
        app: view.app
        model: view.model
        map: view.map
        source: view.source
        onCloseAsked: view.sideOpen = false
        onWorkAsked: if (!view.drawerShown) view.toggleDrawer()
        Rectangle {
            visible: !view.wide
            x: -1
            width: 1
            height: parent.height
            color: Theme.line2
        }
    }
    UbSequencesSheet {
        id: sequences
        parent: view.app.overlay
        work: view.work
    }
    LsEmptyState {
        anchors.fill: parent
        visible: !view.model.open
        glyph: "ub"
        title: qsTr("Open a partition of the unified buffer")
        sentence: qsTr("A model of any operator (JSON), or a launch of chunk_gated_delta_rule: who lies where, when it lives, and what clashes.")
        action: qsTr("Open…")
        actionKeys: "Ctrl O"
        example: view.exampleRow >= 0 ? view.app.examples.get(view.exampleRow).title : ""
        onActed: view.app.askOpen()
        onExampleChosen: view.app.openExample(view.exampleRow)
    }
    readonly property int exampleRow: {
        for (let i = 0; i < view.app.examples.count; ++i) {
            if (view.app.examples.get(i).kind === "ub") return i
        }
        return -1
    }
}
