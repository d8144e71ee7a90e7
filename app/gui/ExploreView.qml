// Explore: where does each element live. The two pictures take what the rest leaves.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls
import Layoutscope.Models
import Layoutscope.Ui
import Layoutscope.Views

FocusScope {
    id: view
    required property var app
    required property Explorer explorer

    readonly property real logicalWidth: width / Theme.dp
    readonly property real logicalHeight: height / Theme.dp
    /// The window's size class; the rail takes 56 of its width.
    readonly property bool wide: logicalWidth + 56 >= 1440
    readonly property bool low: app.logicalHeight < 800
    readonly property string sizeClass: (wide ? "wide" : "compact")
    property bool inspectorOpen: false
    property bool drawerShown: true
    property bool inspectorShown: true

    // --- what the frame asks for
    readonly property string findingText: explorer.refused ? qsTr("1 refusal") : explorer.verdictTone === "finding" ? explorer.verdict : qsTr("no findings")
    readonly property string findingTone: explorer.refused || explorer.verdictTone === "finding" ? "finding" : "fine"
    readonly property var statusLeft: {
        const parts = []
        if (explorer.hoverText !== "") parts.push(explorer.hoverText)
        if (explorer.pins.length > 0) parts.push(explorer.pins.length === 1 ? qsTr("1 pin") : qsTr("%1 pins").arg(explorer.pins.length))
        return parts
    }
    readonly property var statusRight: {
        if (!explorer.valid) return []
        const parts = [qsTr("zoom %1 px / element").arg(pair.logical.zoom >= 1 ? Math.round(pair.logical.zoom) : pair.logical.zoom.toPrecision(2))]
        if (explorer.spaceText !== "") parts.push(explorer.spaceText)
        return parts
    }
    function focusField() { bar.field.take(true) }
    function focusCanvas() { pair.logical.forceActiveFocus(Qt.OtherFocusReason) }
    function fit() { pair.fit() }
    function actualSize() { pair.actualSize() }
    function startCompare() { compare.start() }
    function toggleSwizzle() { explorer.showSwizzle = !explorer.showSwizzle }
    function toggleLink() { pair.linked = !pair.linked }
    function toggleCameraLink() { pair.camerasLinked = !pair.camerasLinked }
    function toggleDrawer() { drawerShown = !drawerShown }
    function toggleInspector() {
        if (wide) inspectorShown = !inspectorShown
        else inspectorOpen = !inspectorOpen
    }
    function askFind(start: string) { find.start(start) }
    function showFindings() {
        if (explorer.refused) focusField()
        else inspectorShown = true
    }
    function nextFinding() { if (explorer.refused) focusField() }
    function previousFinding() { nextFinding() }
    function exportTo(file: url) { explorer.exportTo(file, Theme.dark, Theme.patterns) }
    function panels(): var {
        return [bar.field, pair.logical, pair.physical, view.wide ? inspector.table : view.inspectorOpen ? overlay.table : strip]
    }
    /// Overlay first, then the selection.
    function stepOut() {
        if (find.visible) find.stop()
        else if (inspectorOpen) inspectorOpen = false
        else explorer.clearSelection()
    }

    ExploreBar {
        id: bar
        width: parent.width
        app: view.app
        explorer: view.explorer
        wide: view.wide
        focus: true
    }
    CompareBar {
        id: compare
        y: bar.height
        width: parent.width
        height: implicitHeight
        explorer: view.explorer
    }
    DimsBar {
        id: dims
        y: compare.y + compare.height
        width: parent.width
        height: visible ? implicitHeight : 0
        visible: view.explorer.dims.length > 2
        explorer: view.explorer
    }

    LsSplit {
        id: split
        y: dims.y + dims.height
        width: parent.width - (view.wide ? 0 : strip.width)
        height: parent.height - y
        orientation: Qt.Horizontal

        LsSplit {
            id: stage
            SplitView.fillWidth: true
            SplitView.minimumWidth: 320 * Theme.dp
            orientation: Qt.Vertical
            Item {
                SplitView.fillHeight: true
                SplitView.minimumHeight: 200 * Theme.dp
                Rectangle {
                    anchors.fill: parent
                    color: Theme.canvas
                }
                CanvasPair {
                    id: pair
                    anchors.fill: parent
                    visible: view.explorer.valid
                    app: view.app
                    explorer: view.explorer
                    legends: view.wide && !view.low
                }
                LsEmptyState {
                    anchors.fill: parent
                    visible: !view.explorer.valid && !view.explorer.busy && view.explorer.text.trim() === ""
                    glyph: "explore"
                    title: qsTr("Type a layout in the field above")
                    sentence: qsTr("TIRx, CuTe, a named layout, a pypto tensor or a PTO view. It is drawn as you type.")
                    action: qsTr("Edit layout text")
                    actionKeys: "Ctrl L"
                    example: "nz(64, 64, f16)"
                    onActed: view.focusField()
                    onExampleChosen: view.explorer.text = "nz(64, 64, f16)"
                }
                LsEmptyState {
                    anchors.fill: parent
                    visible: !view.explorer.valid && view.explorer.refused
                    glyph: "cross"
                    title: view.explorer.errorCode
                    sentence: view.explorer.errorMessage
                }
                LsProgress {
                    anchors.centerIn: parent
                    running: view.explorer.busy
                    title: qsTr("Laying out")
                    detail: view.explorer.text
                    onCancelled: view.explorer.cancel()
                }
                FindBar {
                    id: find
                    anchors.right: parent.right
                    anchors.rightMargin: 14 * Theme.dp
                    y: 44 * Theme.dp
                    explorer: view.explorer
                    onClosed: view.focusCanvas()
                }
                // Without a second row in the bar the refusal lies over the canvas.
                Rectangle {
                    visible: bar.refused && !view.wide && view.explorer.valid
                    width: parent.width
                    height: refusal.implicitHeight + 16 * Theme.dp
                    color: Theme.findingTint
                    RefusalLine {
                        id: refusal
                        x: 14 * Theme.dp
                        y: 8 * Theme.dp
                        width: parent.width - 28 * Theme.dp
                        explorer: view.explorer
                        onHelpAsked: code => view.app.openHelp("", code)
                    }
                }
            }
            FormulaDrawer {
                id: drawer
                visible: view.drawerShown && view.explorer.valid
                compact: !view.wide || view.low || height < 120 * Theme.dp
                explorer: view.explorer
                SplitView.preferredHeight: view.app.settings.panel("explore/" + view.sizeClass + "/drawer", (view.wide && !view.low ? 190 : 72)) * Theme.dp
                SplitView.minimumHeight: 56 * Theme.dp
                SplitView.maximumHeight: 320 * Theme.dp
            }
            onResizingChanged: if (!resizing) view.app.settings.setPanel("explore/" + view.sizeClass + "/drawer", drawer.height / Theme.dp)
        }
        InspectorColumn {
            id: inspector
            visible: view.wide && view.inspectorShown
            SplitView.preferredWidth: view.app.settings.panel("explore/wide/inspector", 372) * Theme.dp
            SplitView.minimumWidth: 300 * Theme.dp
            SplitView.maximumWidth: 620 * Theme.dp
            explorer: view.explorer
            canvas: pair.logical
        }
        onResizingChanged: if (!resizing && inspector.visible) view.app.settings.setPanel("explore/wide/inspector", inspector.width / Theme.dp)
    }

    // Narrow: a strip of tabs; the column opens over the canvas.
    Rectangle {
        id: strip
        visible: !view.wide
        x: parent.width - width
        y: split.y
        width: 40 * Theme.dp
        height: split.height
        color: Theme.window
        Rectangle {
            width: 1
            height: parent.height
            color: Theme.line
        }
        Column {
            y: 12 * Theme.dp
            spacing: 8 * Theme.dp
            Repeater {
                model: [qsTr("Layout"), view.explorer.pins.length > 0 ? qsTr("Pins %1").arg(view.explorer.pins.length) : qsTr("Pins")]
                Item {
                    id: tab
                    required property int index
                    required property string modelData
                    readonly property bool current: view.inspectorOpen && overlay.tab === index
                    width: strip.width
                    height: word.implicitWidth + 22 * Theme.dp
                    activeFocusOnTab: true
                    Accessible.role: Accessible.PageTab
                    Accessible.name: modelData
                    Keys.onReturnPressed: pick()
                    function pick() {
                        if (current) view.inspectorOpen = false
                        else {
                            overlay.tab = index
                            view.inspectorOpen = true
                        }
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
                        text: tab.modelData
                        color: tab.current ? Theme.accent : Theme.text2
                    }
                    HoverHandler { id: over }
                    TapHandler { onTapped: tab.pick() }
                }
            }
        }
    }
    InspectorColumn {
        id: overlay
        visible: view.inspectorOpen && !view.wide
        x: strip.x - width
        y: split.y
        width: Math.min(372 * Theme.dp, strip.x)
        height: split.height
        explorer: view.explorer
        canvas: pair.logical
        closable: true
        onCloseAsked: view.inspectorOpen = false
        Rectangle {
            x: -1
            width: 1
            height: parent.height
            color: Theme.line2
        }
    }
}
