// TMEM: what a tensor core instruction really reads. The tile's trip above, its words and instructions below, banks and
// the planner's reasons beside them.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls
import Layoutscope.Models
import Layoutscope.Ui

FocusScope {
    id: view
    required property var app
    required property TmemModel model
    readonly property real logicalWidth: width / Theme.dp
    readonly property bool wide: logicalWidth + 56 >= 1440
    readonly property bool low: app.logicalHeight < 800
    property bool galleryOpen: false
    readonly property bool working: (model.valid || model.refused) && !galleryOpen
    /// Stations of the trip in view. Narrow: one at a time, as tabs.
    property var parts: ["smem-a", "tmem"]
    property string tab: "smem-a"
    readonly property var trip: ["gmem", "smem-a", "smem-b", "tmem", "registers"]
    readonly property real needed: 320
    readonly property bool tabbed: !wide || parts.length * needed > logicalWidth
    readonly property var shownParts: tabbed ? [parts.indexOf(tab) >= 0 ? tab : parts[0]] : parts
    /// Low windows: the workbench can be put away.
    property bool benchFolded: false
    property string benchTab: "words"
    property string sideTab: "why"

    readonly property int errors: model.diagnostics.errors
    readonly property string findingText: errors > 0 ? errors === 1 ? qsTr("1 error") : qsTr("%1 errors").arg(errors) : model.planned ? qsTr("the walk agrees") : qsTr("no findings")
    readonly property string findingTone: errors > 0 ? "finding" : "fine"
    readonly property var statusLeft: {
        const list = []
        if (model.lookText !== "") list.push(qsTr("hover %1").arg(model.lookText))
        else if (matrixPane.canvas.hovered) list.push(matrixPane.canvas.describe)
        else if (instructionPane.canvas.hovered) list.push(instructionPane.canvas.describe)
        else if (banksPane.canvas.hovered) list.push(banksPane.canvas.describe)
        return list
    }
    readonly property var statusRight: galleryOpen || !model.valid ? [] : [qsTr("instruction %1 of %2").arg(model.steps > 0 ? model.step + 1 : 0).arg(model.steps), model.swizzled ? qsTr("as stored") : qsTr("before the XOR"), "sm_100a"]

    function togglePart(id: string) {
        if (tabbed && !wide) {
            tab = id
            if (parts.indexOf(id) < 0) parts = trip.filter(one => one === id || parts.indexOf(one) >= 0)
            return
        }
        const has = parts.indexOf(id) >= 0
        if (has && parts.length === 1) return
        parts = trip.filter(one => one === id ? !has : parts.indexOf(one) >= 0)
        if (!has) tab = id
    }
    function showTrip() {
        galleryOpen = false
        parts = ["gmem", "smem-a", "tmem", "registers"]
    }
    function showGallery() { galleryOpen = !galleryOpen }
    function showFindings() { galleryOpen = false; showWhy() }
    function showWhy() {
        if (wide) sideTab = "why"
        else { benchFolded = false; benchTab = "why" }
    }
    function showBanks() {
        if (wide) sideTab = "why"
        else { benchFolded = false; benchTab = "banks" }
        banksPane.canvas.forceActiveFocus(Qt.OtherFocusReason)
    }
    function showText() {
        galleryOpen = false
        if (wide) sideTab = "text"
        else { benchFolded = false; benchTab = "text" }
    }
    function showPanel(name: string) {
        if (name === "gallery") galleryOpen = true
        else if (name === "trip") showTrip()
        else if (trip.indexOf(name) >= 0) { if (parts.indexOf(name) < 0) togglePart(name); tab = name }
        else if (name === "text") showText()
        else { benchTab = name; sideTab = "why" }
    }
    function nextFinding() { showFindings() }
    function previousFinding() { showFindings() }
    function unitBack() { model.step = model.step - 1 }
    function unitForward() { model.step = model.step + 1 }
    function toggleSwizzle() { model.swizzled = !model.swizzled }
    function toggleOperand() { model.ofB = !model.ofB }
    function nextUnit() { model.unit = (model.unit + 1) % 3 }
    function toggleDrawer() { benchFolded = !benchFolded }
    function copyTable() { model.copyTable() }
    function panels(): var { return galleryOpen || !working ? [gallery] : [bar, pictures, bench, side] }
    function stepOut() {
        if (galleryOpen) galleryOpen = false
        else model.clearLook()
    }
    function exportTo(file: url) {
        const pane = pictures.paneOf(shownParts.indexOf(tab) >= 0 ? tab : shownParts[0])
        if (pane && pane.shown.exportTo(file, Theme.dark)) app.say(qsTr("Saved the picture"), "", "fine", "")
    }

    TmemWord {
        id: matrix
        model: view.model
    }
    TmemWord {
        id: instruction
        model: view.model
        instruction: true
    }
    TmemBanks {
        id: banks
        model: view.model
    }
    readonly property alias matrix: matrix
    readonly property alias instruction: instruction
    readonly property alias banks: banks

    TmemBar {
        id: bar
        width: parent.width
        visible: view.working
        app: view.app
        model: view.model
        wide: view.wide
        parts: view.wide ? view.parts : view.shownParts
        gallery: view.galleryOpen
        onPartAsked: id => view.togglePart(id)
        onGalleryAsked: view.showGallery()
    }
    Item {
        id: body
        y: bar.height
        width: parent.width
        height: parent.height - y
        visible: view.working

        readonly property real benchHeight: view.benchFolded ? 36 * Theme.dp
            : Math.max(140 * Theme.dp, Math.min(height - 190 * Theme.dp, view.app.settings.panel(view.low ? "tmem/bench-low" : "tmem/bench", view.low ? 306 : 470) * Theme.dp))

        // The trip.
        FocusScope {
            id: pictures
            width: parent.width
            height: parent.height - body.benchHeight
            function paneOf(id: string): var {
                for (let i = 0; i < repeater.count; ++i) {
                    const pane = repeater.itemAt(i) as TmemPicturePane
                    if (pane && pane.part === id) return pane
                }
                return null
            }
            Rectangle {
                id: refusal
                width: parent.width
                height: visible ? refusalText.implicitHeight + 16 * Theme.dp : 0
                visible: view.model.errorMessage !== ""
                color: Theme.findingTint
                z: 1
                LsIcon { x: 14 * Theme.dp; y: 9 * Theme.dp; name: "cross"; color: Theme.finding; size: 14 }
                LsCode {
                    id: refusalCode
                    x: 36 * Theme.dp
                    y: 8 * Theme.dp
                    text: view.model.errorCode
                    color: Theme.finding
                    HoverHandler { cursorShape: Qt.PointingHandCursor }
                    TapHandler { onTapped: view.app.openHelp("", view.model.errorCode) }
                }
                LsText {
                    id: refusalText
                    x: refusalCode.x + refusalCode.implicitWidth + 12 * Theme.dp
                    y: 7 * Theme.dp
                    width: parent.width - x - 14 * Theme.dp
                    text: view.model.errorMessage + (view.model.errorHint !== "" ? ". " + view.model.errorHint : "")
                    font: Theme.exact(Theme.body)
                    wrapMode: Text.Wrap
                }
            }
            Row {
                id: row
                y: refusal.height
                width: parent.width
                height: parent.height - y
                /// Shared memory needs the room most.
                readonly property var weights: ({ "gmem": 0.55, "smem-a": 1.5, "smem-b": 1.5, "tmem": 1, "registers": 0.8 })
                readonly property real total: view.shownParts.reduce((sum, id) => sum + weights[id], 0)
                Repeater {
                    id: repeater
                    model: view.shownParts
                    TmemPicturePane {
                        id: picture
                        required property string modelData
                        required property int index
                        width: Math.floor(row.width * row.weights[modelData] / row.total)
                        height: row.height
                        focus: index === 0
                        app: view.app
                        model: view.model
                        part: modelData
                        onExploreAsked: text => view.app.newLayout(text)
                        Rectangle {
                            visible: picture.index > 0
                            width: 1
                            height: parent.height
                            color: Theme.line
                        }
                    }
                }
            }
        }
        // The edge between pictures and workbench: 1 px drawn, 9 px to grab.
        Item {
            y: pictures.height - 5 * Theme.dp
            z: 2
            width: parent.width
            height: 9 * Theme.dp
            visible: !view.benchFolded
            HoverHandler { cursorShape: Qt.SplitVCursor }
            DragHandler {
                target: null
                property real start: 0
                onActiveChanged: if (active) start = body.benchHeight
                onActiveTranslationChanged: if (active) view.app.settings.setPanel(view.low ? "tmem/bench-low" : "tmem/bench", (start - activeTranslation.y) / Theme.dp)
            }
        }
        // The workbench.
        FocusScope {
            id: bench
            y: pictures.height
            width: parent.width - (view.wide ? side.width : 0)
            height: parent.height - y
            Rectangle {
                anchors.fill: parent
                color: Theme.panel
            }
            LsPanelHeader {
                id: benchHead
                width: parent.width
                // Where there is little room the tabs say enough.
                title: view.logicalWidth >= 1000 ? qsTr("Descriptor workbench") : ""
                subtitle: view.wide ? qsTr("derived from the layout and region; paste a word or flip a bit to decode") : ""
                LsSegment {
                    visible: !view.wide
                    label: qsTr("Panel")
                    readonly property var ids: ["words", "steps", "banks", "why", "text"]
                    model: [qsTr("Words"), qsTr("Steps"), qsTr("Banks"), qsTr("Why"), qsTr("Text")]
                    currentIndex: ids.indexOf(view.benchTab)
                    onChosen: index => { view.benchTab = ids[index]; view.benchFolded = false }
                }
                LsSegment {
                    visible: view.wide || view.benchTab === "words"
                    label: qsTr("Operand")
                    model: ["A", "B"]
                    currentIndex: view.model.ofB ? 1 : 0
                    onChosen: index => view.model.ofB = index === 1
                }
                LsSegment {
                    visible: view.wide || view.benchTab === "words"
                    label: qsTr("Generation")
                    model: matrix.kinds
                    currentIndex: matrix.kind
                    onChosen: index => matrix.kind = index
                }
                LsSegment {
                    visible: view.wide || view.benchTab === "words" || view.benchTab === "steps"
                    label: qsTr("Unit")
                    model: view.wide ? [qsTr("16 B units"), qsTr("Bytes"), qsTr("Elements")] : [qsTr("16 B"), qsTr("Bytes"), qsTr("Elems")]
                    currentIndex: view.model.unit
                    onChosen: index => view.model.unit = index
                }
                LsButton {
                    visible: view.low || !view.wide
                    kind: "flat"
                    glyph: view.benchFolded ? "chevron-up" : "chevron-down"
                    tip: view.benchFolded ? qsTr("Show the workbench") : qsTr("Put the workbench away")
                    keys: "Ctrl J"
                    onClicked: view.toggleDrawer()
                }
            }
            Flickable {
                id: words
                y: benchHead.height
                width: parent.width
                height: view.wide ? Math.min(contentHeight, parent.height - y - 110 * Theme.dp) : parent.height - y
                visible: !view.benchFolded && (view.wide || view.benchTab === "words")
                contentHeight: wordColumn.implicitHeight + 6 * Theme.dp
                clip: true
                boundsBehavior: Flickable.StopAtBounds
                ScrollBar.vertical: LsScrollBar {}
                Column {
                    id: wordColumn
                    width: parent.width
                    TmemWordPane {
                        id: matrixPane
                        width: parent.width
                        height: implicitHeight
                        model: view.model
                        word: matrix
                    }
                    TmemWordPane {
                        id: instructionPane
                        width: parent.width
                        height: implicitHeight
                        model: view.model
                        word: instruction
                    }
                }
            }
            TmemStepsPane {
                id: steps
                y: view.wide ? words.y + words.height : benchHead.height
                width: parent.width
                height: parent.height - y
                visible: !view.benchFolded && (view.wide || view.benchTab === "steps")
                bench: view.model
                Rectangle { width: parent.width; height: 1; color: Theme.line; visible: view.wide }
            }
            Item {
                id: tabPlace
                y: benchHead.height
                width: parent.width
                height: parent.height - y
                visible: !view.wide && !view.benchFolded
            }
        }
        FocusScope {
            id: side
            x: parent.width - width
            y: pictures.height
            width: view.wide ? 480 * Theme.dp : 0
            height: parent.height - y
            visible: view.wide && !view.benchFolded
            Rectangle {
                anchors.fill: parent
                color: Theme.panel
            }
            Rectangle { width: 1; height: parent.height; color: Theme.line }
            LsPanelHeader {
                id: sideHead
                x: 1
                width: parent.width - 1
                title: view.sideTab === "text" ? qsTr("Text") : qsTr("Banks")
                subtitle: view.sideTab === "text" ? "" : qsTr("4 B each, 32 in a line of 128 B")
                LsButton {
                    visible: view.sideTab === "text"
                    glyph: "copy"
                    tip: qsTr("Copy the text")
                    onClicked: view.model.copyText()
                }
                LsSegment {
                    label: qsTr("Panel")
                    model: [qsTr("Banks and why"), qsTr("Text")]
                    currentIndex: view.sideTab === "text" ? 1 : 0
                    onChosen: index => view.sideTab = index === 1 ? "text" : "why"
                }
            }
            Item {
                id: banksPlace
                x: 1
                y: sideHead.height
                width: parent.width - 1
                height: Math.min(parent.height - y - 120 * Theme.dp, 72 * Theme.dp + banks.picture.height * Theme.dp)
                visible: view.sideTab === "why"
            }
            LsSection {
                id: whyHead
                x: 1
                y: banksPlace.y + banksPlace.height
                width: parent.width - 1
                visible: view.sideTab === "why"
                title: qsTr("Why this descriptor")
                detail: qsTr("planner trace of %1").arg(view.model.ofB ? "B" : "A")
            }
            Item {
                id: whyPlace
                x: 1
                y: whyHead.y + whyHead.height
                width: parent.width - 1
                height: parent.height - y
                visible: view.sideTab === "why"
            }
            Item {
                id: textPlace
                x: 1
                y: sideHead.height
                width: parent.width - 1
                height: parent.height - y
                visible: view.sideTab === "text"
            }
        }
        TmemBanksPane {
            id: banksPane
            parent: view.wide ? banksPlace : tabPlace
            anchors.fill: parent
            visible: view.wide || view.benchTab === "banks"
            model: view.model
            banks: banks
        }
        TmemWhyPane {
            parent: view.wide ? whyPlace : tabPlace
            anchors.fill: parent
            visible: view.wide || view.benchTab === "why"
            app: view.app
            model: view.model
        }
        DocumentTextPane {
            parent: view.wide ? textPlace : tabPlace
            anchors.fill: parent
            visible: view.wide || view.benchTab === "text"
            model: view.model
            fieldName: "tmemText"
            fieldTitle: qsTr("Text of the call")
            onUndoAsked: view.app.documents.undo()
            onRedoAsked: view.app.documents.redo()
        }
    }
    TmemGallery {
        id: gallery
        anchors.fill: parent
        visible: !view.working
        app: view.app
        offersExample: !view.model.open
        onCloseAsked: view.galleryOpen = false
    }
}
