// Passes: what did this pass change, and why did it refuse.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls
import Layoutscope.Models
import Layoutscope.Ui

FocusScope {
    id: view
    required property var app
    required property TraceModel trace
    readonly property real logicalWidth: width / Theme.dp
    readonly property bool wide: logicalWidth + 56 >= 1440
    readonly property bool low: app.logicalHeight < 800
    /// Chips, fields, products and tile memories are those of Ascend.
    readonly property bool ascend: trace.dialect !== "tirx"
    readonly property bool loaded: trace.count > 0 || trace.diagnostics.count > 0

    readonly property string findingText: trace.diagnostics.errors > 0 ? trace.diagnostics.errors === 1 ? qsTr("1 refusal") : qsTr("%1 refusals").arg(trace.diagnostics.errors)
                                        : trace.diagnostics.warnings > 0 ? trace.diagnostics.warnings === 1 ? qsTr("1 warning") : qsTr("%1 warnings").arg(trace.diagnostics.warnings) : qsTr("no findings")
    readonly property string findingTone: trace.diagnostics.errors > 0 ? "finding" : trace.diagnostics.warnings > 0 ? "warning" : "fine"
    readonly property var statusLeft: trace.count === 0 ? [] : [qsTr("pass %1 of %2").arg(Number(trace.number)).arg(trace.lastNumber),
        trace.changedCount === 2 ? qsTr("1 pass changed the program") : qsTr("%1 passes changed the program").arg(Math.max(0, trace.changedCount - 1))]
    readonly property var statusRight: trace.count === 0 || !ascend ? [] : trace.recorded ? [qsTr("snapshots of a compiler")]
                                     : [trace.assemblers[trace.assembler], trace.chips[trace.chip].text]

    function back() { trace.step(-1) }
    function forward() { trace.step(1) }
    function first() { trace.current = 0 }
    function last() { trace.current = trace.count - 1 }
    function toggleDiff() { trace.diffOn = !trace.diffOn }
    function showFindings() { if (!wide) tabs.currentIndex = 0; findings.forceActiveFocus(Qt.OtherFocusReason) }
    function nextFinding() { stepFinding(1) }
    function previousFinding() { stepFinding(-1) }
    function stepFinding(step: int) {
        const n = trace.diagnostics.count
        if (n === 0) return
        findings.currentIndex = ((findings.currentIndex < 0 && step < 0 ? 0 : findings.currentIndex) + step + n) % n
        showFinding(findings.currentIndex)
    }
    function showFinding(index: int) {
        tabs.showTab("proof")
        const line = trace.goToFinding(index)
        if (line <= 0) return
        const row = trace.diff.rowOfLine(line)
        diff.currentIndex = row
        diff.positionAt(row)
    }
    function showPanel(name: string) { tabs.showTab(name) }
    function focusField() { view.app.goTo("explore"); view.app.callView("focusField") }
    function panels(): var { return [strip, diff, findings, tabs.tab === "kernel" ? kernel : tabs.tab === "proof" ? proof : tabs.tab === "fields" ? fields : tabs.tab === "memory" ? memory : tabs.tab === "product" ? product : track] }
    function stepOut() { diff.currentIndex = -1 }

    Rectangle {
        id: head
        width: parent.width
        height: view.trace.count > 0 ? 118 * Theme.dp : 0
        visible: height > 0
        color: Theme.window
        Row {
            x: 16 * Theme.dp
            y: 10 * Theme.dp
            spacing: 8 * Theme.dp
            height: 28 * Theme.dp
            LsButton {
                anchors.verticalCenter: parent.verticalCenter
                glyph: "back"
                tip: qsTr("One pass back")
                keys: "["
                enabled: view.trace.current > 0
                onClicked: view.back()
            }
            LsButton {
                anchors.verticalCenter: parent.verticalCenter
                glyph: "play"
                tip: qsTr("One pass forward")
                keys: "]"
                enabled: view.trace.current < view.trace.count - 1
                onClicked: view.forward()
            }
            Item { width: 4 * Theme.dp; height: 1 }
            LsText {
                height: parent.height
                text: qsTr("Pass %1 of %2").arg(Number(view.trace.number)).arg(view.trace.lastNumber)
                font: Theme.title
            }
            LsText {
                height: parent.height
                visible: x + implicitWidth < view.width - 620 * Theme.dp
                text: view.trace.about
                color: Theme.text2
            }
        }
        Row {
            anchors.right: parent.right
            anchors.rightMargin: 16 * Theme.dp
            y: 10 * Theme.dp
            height: 28 * Theme.dp
            spacing: 14 * Theme.dp
            component Key: Row {
                id: key
                property string words
                property string state: "same"
                height: parent ? parent.height : 0
                spacing: 6 * Theme.dp
                LsFrame {
                    anchors.verticalCenter: parent.verticalCenter
                    width: (key.state === "same" ? 7 : 13) * Theme.dp
                    height: width
                    radius: key.state === "same" ? width / 2 : 3
                    dashed: key.state === "notrun"
                    edge: key.state === "same" ? Theme.text3 : key.state === "changed" ? Theme.accent : Theme.line2
                    fill: key.state === "same" ? Theme.text3 : Theme.panel
                }
                LsText { height: parent.height; text: key.words; font: Theme.small; color: Theme.text2 }
            }
            LsDropButton {
                anchors.verticalCenter: parent.verticalCenter
                visible: view.ascend && !view.trace.recorded
                text: view.trace.chips[view.trace.chip].text
                tip: qsTr("The chip that the program is compiled for")
                model: view.trace.chips
                currentIndex: view.trace.chip
                onChosen: index => view.trace.chip = index
            }
            LsDropButton {
                anchors.verticalCenter: parent.verticalCenter
                visible: view.ascend && !view.trace.recorded
                text: view.trace.assemblers[view.trace.assembler]
                tip: qsTr("The assembler that will read the PTO text")
                model: view.trace.assemblers
                currentIndex: view.trace.assembler
                onChosen: index => view.trace.assembler = index
            }
            Key { words: qsTr("no change"); state: "same" }
            Key { words: qsTr("changed"); state: "changed" }
            Key { words: qsTr("not run"); state: "notrun" }
        }
        LsPassStrip {
            id: strip
            y: 50 * Theme.dp
            width: parent.width
            height: 66 * Theme.dp
            model: view.trace.strip
            currentIndex: view.stripRow
            onChosen: index => view.trace.current = view.trace.strip.passAt(index)
            onSpreadAsked: index => view.trace.strip.spread(index)
        }
        Rectangle {
            y: parent.height - 1
            width: parent.width
            height: 1
            color: Theme.line
        }
    }
    property int stripRow: -1
    function findRow() { stripRow = trace.strip.rowOf(trace.current) }
    Connections {
        target: view.trace
        function onCurrentChanged() { view.findRow() }
        function onTraceChanged() {
            view.findRow()
            view.showWhy()
        }
    }
    Connections {
        target: view.trace.strip
        function onModelReset() { view.findRow() }
    }
    /// What was refused for want of a proof is what one came for.
    function showWhy() {
        if (trace.diagnostics.errors > 0 && trace.proofs.coordinates.length > 0) tabs.showTab("proof")
    }
    Component.onCompleted: {
        findRow()
        showWhy()
    }

    component Heading: Rectangle {
        height: 36 * Theme.dp
        color: Theme.panel
        Rectangle {
            y: parent.height - 1
            width: parent.width
            height: 1
            color: Theme.line
        }
    }

    LsSplit {
        id: rows
        visible: view.loaded
        y: head.height
        width: parent.width
        height: parent.height - y
        orientation: Qt.Vertical

        LsSplit {
            SplitView.fillHeight: true
            SplitView.minimumHeight: 160 * Theme.dp
            orientation: Qt.Horizontal
            Item {
                id: texts
                SplitView.fillWidth: true
                SplitView.minimumWidth: 320 * Theme.dp
                LsPanelHeader {
                    id: beforeHead
                    width: visible ? Math.floor((parent.width - 1) / 2) : 0
                    visible: !view.trace.diff.single
                    title: view.trace.beforeName
                    subtitle: qsTr("before")
                }
                LsPanelHeader {
                    x: beforeHead.width
                    width: parent.width - x
                    title: view.trace.count > 0 ? view.trace.number + " " + view.trace.name : qsTr("Program")
                    subtitle: view.trace.diff.single ? "" : qsTr("after")
                    LsPill {
                        anchors.verticalCenter: parent.verticalCenter
                        visible: !view.trace.diff.single && view.trace.diff.added > 0
                        text: "+" + view.trace.diff.added
                        tone: "fine"
                        glyph: ""
                    }
                    LsPill {
                        anchors.verticalCenter: parent.verticalCenter
                        visible: !view.trace.diff.single && view.trace.diff.removed > 0
                        text: "−" + view.trace.diff.removed
                        tone: "finding"
                        glyph: ""
                    }
                    LsButton {
                        glyph: "compare"
                        checked: view.trace.diffOn
                        tip: qsTr("Diff on or off")
                        keys: "D"
                        onClicked: view.toggleDiff()
                    }
                    LsButton {
                        glyph: "copy"
                        tip: qsTr("Copy the program after this pass")
                        onClicked: view.trace.copyText()
                    }
                }
                Rectangle {
                    y: beforeHead.implicitHeight
                    width: parent.width
                    height: parent.height - y
                    color: Theme.panel
                    LsDiffView {
                        id: diff
                        objectName: "diffView"
                        anchors.fill: parent
                        focus: true
                        model: view.trace.diff
                        longest: view.trace.diff.longest
                        single: view.trace.diff.single
                        onExpandAsked: row => view.trace.diff.expand(row)
                        onLineChosen: row => view.trace.chooseRow(row)
                    }
                }
            }
            AccessPictures {
                id: pictures
                visible: view.wide && view.trace.accesses.length > 0
                trace: view.trace
                SplitView.preferredWidth: view.app.settings.panel("passes/pictures", 480) * Theme.dp
                SplitView.minimumWidth: 260 * Theme.dp
            }
            onResizingChanged: if (!resizing && pictures.visible) view.app.settings.setPanel("passes/pictures", pictures.width / Theme.dp)
        }
        LsSplit {
            id: drawer
            SplitView.preferredHeight: view.app.settings.panel(view.low ? "passes/low/drawer" : "passes/drawer", view.low ? 230 : 340) * Theme.dp
            SplitView.minimumHeight: 90 * Theme.dp
            orientation: Qt.Horizontal
            Item {
                id: findingsPane
                visible: view.wide
                SplitView.preferredWidth: view.app.settings.panel("passes/findings", 480) * Theme.dp
                SplitView.minimumWidth: 260 * Theme.dp
                LsPanelHeader {
                    id: findingsHead
                    width: parent.width
                    title: qsTr("Findings")
                    LsPill {
                        anchors.verticalCenter: parent.verticalCenter
                        visible: view.trace.findings > 0
                        text: view.findingText
                        tone: view.findingTone
                        glyph: ""
                    }
                    LsKey { anchors.verticalCenter: parent.verticalCenter; visible: view.trace.findings > 1; text: "F8" }
                }
                Rectangle {
                    id: wideFindings
                    y: findingsHead.height
                    width: parent.width
                    height: parent.height - y
                    color: Theme.panel
                }
            }
            Item {
                SplitView.fillWidth: true
                Heading {
                    id: tabHead
                    width: parent.width
                    LsSegment {
                        id: tabs
                        x: 12 * Theme.dp
                        anchors.verticalCenter: parent.verticalCenter
                        label: qsTr("Drawer")
                        property var ids: !view.ascend ? (view.wide ? ["element", "kernel"] : ["findings", "element", "kernel", "pictures"]) : view.wide ? ["element", "proof", "fields", "product", "memory", "kernel"] : ["findings", "element", "proof", "fields", "product", "memory", "kernel", "pictures"]
                        readonly property string tab: ids[currentIndex] !== undefined ? ids[currentIndex] : ids[0]
                        readonly property var words: ({
                            proof: view.wide ? qsTr("Proof of the offset") : qsTr("Proof"), element: view.wide ? qsTr("Element through all passes") : qsTr("Element"),
                            product: qsTr("L0 tile"), memory: view.wide ? qsTr("On-chip memory") : qsTr("Memory"),
                            fields: view.wide ? qsTr("Hardware fields") : qsTr("Fields"), kernel: view.wide ? qsTr("Kernel source") : qsTr("Kernel"), pictures: qsTr("Pictures"),
                            findings: view.trace.findings > 0 ? qsTr("Findings %1").arg(view.trace.findings) : qsTr("Findings") })
                        model: ids.map(id => words[id])
                        property string wanted: ""
                        function showTab(id: string) {
                            wanted = id
                            currentIndex = Math.max(0, ids.indexOf(id))
                        }
                        onChosen: index => showTab(ids[index])
                        onIdsChanged: showTab(wanted)
                    }
                }
                Rectangle {
                    id: narrowFindings
                    y: tabHead.height
                    width: parent.width
                    height: parent.height - y
                    color: Theme.panel
                    ProofPane {
                        id: proof
                        anchors.fill: parent
                        visible: tabs.tab === "proof"
                        trace: view.trace
                    }
                    FieldsPane {
                        id: fields
                        anchors.fill: parent
                        visible: tabs.tab === "fields"
                        trace: view.trace
                    }
                    ProductPane {
                        id: product
                        anchors.fill: parent
                        visible: tabs.tab === "product"
                        trace: view.trace
                    }
                    MemoryPane {
                        id: memory
                        anchors.fill: parent
                        visible: tabs.tab === "memory"
                        trace: view.trace
                    }
                    ElementTrack {
                        id: track
                        anchors.fill: parent
                        visible: tabs.tab === "element"
                        trace: view.trace
                    }
                    KernelPane {
                        id: kernel
                        anchors.fill: parent
                        visible: tabs.tab === "kernel"
                        trace: view.trace
                        onLineChosen: line => {
                            if (line <= 0) return
                            view.trace.current = view.trace.count - 1
                            const row = view.trace.diff.rowOfLine(line)
                            diff.currentIndex = row
                            diff.positionAt(row)
                            view.trace.chooseRow(row)
                        }
                    }
                    AccessPictures {
                        anchors.fill: parent
                        visible: tabs.tab === "pictures"
                        trace: view.trace
                        sideBySide: true
                    }
                }
            }
            onResizingChanged: if (!resizing && findingsPane.visible) view.app.settings.setPanel("passes/findings", findingsPane.width / Theme.dp)
        }
        onResizingChanged: if (!resizing) view.app.settings.setPanel(view.low ? "passes/low/drawer" : "passes/drawer", drawer.height / Theme.dp)
    }
    // One list, in its own pane or in a tab of the drawer.
    LsDiagnosticList {
        id: findings
        parent: view.wide ? wideFindings : narrowFindings
        width: parent.width
        height: mends.some ? Math.min(implicitHeight, parent.height * 0.55) : parent.height
        visible: view.wide || tabs.tab === "findings"
        model: view.trace.diagnostics
        emptySentence: qsTr("Every pass ran, and nothing was refused.")
        onChosen: index => view.showFinding(index)
        onHelpAsked: code => view.app.openHelp("", code)
    }
    Flickable {
        parent: findings.parent
        y: findings.height
        width: parent.width
        height: parent.height - y
        visible: findings.visible && mends.some
        contentHeight: mends.height
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        MendList {
            id: mends
            width: parent.width
            trace: view.trace
        }
    }
    LsEmptyState {
        anchors.fill: parent
        visible: !view.loaded && !view.trace.busy
        glyph: "passes"
        title: qsTr("Open a program to step through its passes")
        sentence: qsTr("A pypto, PTO or TIRx program, or the folder of a compiler's pass dumps.")
        action: qsTr("Open…")
        actionKeys: "Ctrl O"
        example: view.exampleRow >= 0 ? view.app.examples.get(view.exampleRow).title : ""
        onActed: view.app.askOpen()
        onExampleChosen: view.app.openExample(view.exampleRow)
    }
    readonly property int exampleRow: {
        for (let i = 0; i < app.examples.count; ++i) if (app.examples.get(i).file !== "") return i
        return -1
    }
    LsProgress {
        anchors.centerIn: parent
        running: view.trace.busy
        title: qsTr("Running passes")
        detail: view.trace.progressText
        value: view.trace.progress
        onCancelled: view.trace.cancel()
    }
}
