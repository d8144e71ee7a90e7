// The window: what is open, which view is in front, and the way there. Views are a table; adding one is a line.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls
import QtQuick.Dialogs
import Layoutscope.Models
import Layoutscope.Ui

ApplicationWindow {
    id: main
    width: 1600
    height: 1000
    minimumWidth: 720
    minimumHeight: 480
    visible: false
    title: documents.count > 0 && page !== "start" ? documents.title + " — Layoutscope" : "Layoutscope"
    color: Theme.window

    property string page: "start"
    /// What the rail shows: id, title, glyph; `kind`: the documents that it shows, empty for none. Each has a Loader below.
    readonly property var pages: [
        { id: "start", title: qsTr("Start"), glyph: "start", kind: "" },
        { id: "explore", title: qsTr("Explore"), glyph: "explore", kind: "layout" },
        { id: "passes", title: qsTr("Passes"), glyph: "passes", kind: "program" },
        { id: "tmem", title: qsTr("TMEM"), glyph: "tmem", kind: "gemm" },
        { id: "ub", title: qsTr("UB"), glyph: "ub", kind: "ub" }
    ]
    /// The view in front; what it offers is in its own file.
    readonly property var view: stack.current
    readonly property bool dark: Theme.dark
    readonly property bool exploring: page === "explore" && explorer.valid
    readonly property bool stepping: page === "passes" && trace.count > 0
    readonly property bool partitioning: page === "ub" && ub.valid
    readonly property bool describing: page === "tmem" && tmem.valid
    readonly property bool canExport: exploring || partitioning || describing
    readonly property int findings: page === "ub" ? ub.diagnostics.count : page === "tmem" ? tmem.diagnostics.count : page === "passes" ? trace.findings : page === "explore" && explorer.refused ? 1 : 0
    /// Logical size: what 100 % would have.
    readonly property real logicalWidth: width / Theme.dp
    readonly property real logicalHeight: height / Theme.dp
    readonly property bool wide: logicalWidth >= 1440

    property alias documents: documents
    property alias explorer: explorer
    property alias trace: trace
    property alias tmem: tmem
    property alias ub: ub
    property alias settings: settings
    property alias recent: recent
    property alias examples: examples
    property alias commands: commands
    property alias commandSheet: commandSheet
    property alias paletteModel: paletteModel
    property alias help: help

    Settings { id: settings }
    DocumentsModel {
        id: documents
        onOpened: (title, path, text, kind) => { if (path !== "" || text !== "") recent.add(title, path, text, kind) }
        onRefused: (code, message, hint) => main.say(message, hint, "finding", code)
        onCurrentChanged: main.followDocument()
    }
    Explorer {
        id: explorer
        documents: main.documents
        onSaid: what => main.say(what, "", "neutral", "")
        onFailed: (code, message, hint) => main.say(message, hint, "finding", code)
    }
    TraceModel {
        id: trace
        documents: main.documents
        onSaid: what => main.say(what, "", "neutral", "")
    }
    UbModel {
        id: ub
        documents: main.documents
        onSaid: what => main.say(what, "", "neutral", "")
        onFailed: (code, message, hint) => main.say(message, hint, "finding", code)
    }
    TmemModel {
        id: tmem
        documents: main.documents
        onSaid: what => main.say(what, "", "neutral", "")
        onFailed: (code, message, hint) => main.say(message, hint, "finding", code)
    }
    ExamplesModel { id: examples }
    RecentModel { id: recent }
    HelpModel { id: helpPages }
    AppCommands {
        id: commands
        app: main
    }
    PaletteModel {
        id: paletteModel
        commands: main.commands
        examples: main.examples
        recent: main.recent
        help: helpPages
        explorer: main.explorer
        onExampleChosen: row => main.openExample(row)
        onRecentChosen: row => main.openRecent(row)
        onHelpChosen: (page, anchor) => main.openHelp(page, anchor)
        onElementChosen: text => { main.goTo("explore"); explorer.find(text) }
    }
    Binding { target: Theme; property: "dark"; value: settings.dark }
    Binding { target: Theme; property: "scale"; value: settings.scale }
    Binding { target: Theme; property: "patterns"; value: settings.patterns }
    Binding { target: Theme; property: "reduceMotion"; value: settings.reduceMotion }

    // What is left of Fusion (file dialogs) follows the same colours.
    palette {
        window: Theme.window
        windowText: Theme.text
        base: Theme.panel
        alternateBase: Theme.sunken
        text: Theme.text
        button: Theme.panel
        buttonText: Theme.text
        highlight: Theme.accent
        highlightedText: Theme.onAccent
        placeholderText: Theme.text3
        mid: Theme.line2
        light: Theme.raised
        dark: Theme.line2
        shadow: Theme.shadow
        toolTipBase: Theme.raised
        toolTipText: Theme.text
        link: Theme.accent
    }

    // --- going about

    function goTo(id: string) {
        const wanted = pages.find(one => one.id === id)
        if (!wanted) return
        if (wanted.kind !== "" && documents.kind !== wanted.kind) {
            const latest = documents.latestOf(wanted.kind)
            if (latest >= 0) documents.currentIndex = latest
            else if (wanted.kind === "layout") documents.openText("layout", "", qsTr("untitled"))
        }
        page = id
    }
    function followDocument() {
        if (documents.count === 0) {
            page = "start"
            return
        }
        const wanted = pages.find(one => one.kind === documents.kind)
        if (wanted) page = wanted.id
    }
    function showDocument(index: int) {
        documents.currentIndex = index
        followDocument()
    }
    function stepDocument(step: int) {
        if (documents.count === 0) return
        showDocument((documents.currentIndex + step + documents.count) % documents.count)
    }
    function callView(name: string) {
        if (view && typeof view[name] === "function") view[name]()
    }
    function showPanel(name: string) {
        if (view && typeof view.showPanel === "function") view.showPanel(name)
    }
    function nextPanel(step: int) {
        const panels = [topBar, rail].concat(view && view.panels ? view.panels() : []).concat([statusBar]).filter(one => one && one.visible)
        let at = panels.findIndex(one => main.holdsFocus(one))
        at = at < 0 ? (step > 0 ? 0 : panels.length - 1) : (at + step + panels.length) % panels.length
        for (let i = 0; i < panels.length; ++i) {
            const target = panels[(at + i * step + panels.length * 2) % panels.length]
            target.forceActiveFocus(Qt.TabFocusReason)
            if (main.holdsFocus(target)) {
                if (activeFocusItem === target && !target.activeFocusOnTab) {
                    const inside = target.nextItemInFocusChain(true)
                    if (inside) inside.forceActiveFocus(Qt.TabFocusReason)
                }
                return
            }
        }
    }
    function holdsFocus(item: Item): bool {
        for (let one = activeFocusItem; one; one = one.parent) {
            if (one === item) return true
        }
        return false
    }

    // --- documents

    function newLayout(text: string) {
        documents.openText("layout", text, text === "" ? qsTr("untitled") : text)
        goTo("explore")
        focusField()
    }
    function openExample(row: int) {
        const { file, text, title, kind } = examples.get(row)
        if (file !== "") documents.openText(kind, examples.program(file), file.replace(/\.gemm\.json$/, ""))
        else documents.openText("layout", text, title)
    }
    /// The worked example of the descriptor workbench.
    function openGemm() {
        for (let i = 0; i < examples.count; ++i) {
            if (examples.get(i).kind === "gemm") return openExample(i)
        }
    }
    function openRecent(row: int) {
        const { path, text, title, kind } = recent.get(row)
        if (path !== "") documents.openFile("file://" + path)
        else documents.openText(kind || "layout", text, title)
    }
    function openFiles(urls: var) {
        for (const one of urls) documents.openFile(one)
    }
    function askOpen() { openDialog.open() }
    function askOpenDumps() { dumpsDialog.open() }
    function save() {
        if (documents.path === "") askSaveAs()
        else if (documents.save()) say(qsTr("Saved %1").arg(documents.title), "", "fine", "")
    }
    function askSaveAs() {
        saveDialog.defaultSuffix = documents.kind === "layout" ? "lsc" : documents.kind === "ub" ? "json" : documents.kind === "gemm" ? "gemm.json" : ""
        saveDialog.open()
    }
    function askExport() { exportDialog.open() }
    function closeDocument(index: int) {
        if (index < 0) return
        if (documents.hasFile(index) && documents.modifiedAt(index)) {
            leaveDialog.index = index
            leaveDialog.open()
            return
        }
        documents.close(index)
    }

    // --- sheets

    function openPalette() { commandSheet.open() }
    function openSettings() { settingsSheet.open() }
    function openHelp(page: string, anchor: string) { help.show(page, anchor) }
    function helpHere() {
        const wanted = page === "explore" ? "explorer" : page === "ub" ? "unified-buffer" : page === "tmem" ? "workbench" : page
        help.show(helpPages.has(wanted) ? wanted : helpPages.pageAbout(wanted), "")
    }
    function openKeys() { keysSheet.open() }
    function openAbout() { aboutSheet.open() }
    function toggleTheme() { settings.dark = !settings.dark }
    function focusField() {
        if (page !== "explore" && page !== "start") goTo("explore")
        callView("focusField")
    }
    function askFind(start: string) {
        if (view && view.askFind) view.askFind(start)
    }
    function say(what: string, more: string, tone: string, code: string) { toast.show(what, more, tone, code) }

    // --- keys

    /// A sheet, menu or tip lies over the window.
    readonly property bool sheetOpen: overlay !== null && overlay.visible
    readonly property Item overlay: contentItem.Overlay.overlay

    readonly property bool typing: {
        const item = activeFocusItem
        return item !== null && (item instanceof TextInput || item instanceof TextEdit || item["wantTextInput"] === true)
    }
    Instantiator {
        model: commands.keyed
        Shortcut {
            required property LsCommand modelData
            sequences: Array.from(modelData.keys)
            context: Qt.WindowShortcut
            // Single letters belong to whoever is being typed into.
            enabled: modelData.enabled && !(modelData.bareKey && (main.typing || main.sheetOpen))
            onActivated: modelData.trigger()
        }
    }
    Shortcut {
        sequence: "Esc"
        // Sheets and menus close themselves first.
        enabled: !main.sheetOpen
        onActivated: {
            if (help.visible) help.hide()
            else main.callView("stepOut")
        }
    }

    // --- the frame

    TopBar {
        id: topBar
        width: parent.width
        app: main
        documents: main.documents
        commands: main.commands
    }
    Rail {
        id: rail
        y: topBar.height
        height: parent.height - y - statusBar.height
        app: main
        pages: main.pages
        current: main.page
    }
    DiskBar {
        id: diskBar
        x: rail.width
        y: topBar.height
        width: parent.width - x
        documents: main.documents
        visible: documents.changedOnDisk && main.page !== "start"
    }
    Item {
        id: stack
        property Item current: null
        x: rail.width
        y: topBar.height + (diskBar.visible ? diskBar.height : 0)
        width: parent.width - x
        height: parent.height - y - statusBar.height

        // A view is made when it is first shown, then kept.
        readonly property var slots: ({ start: startSlot, explore: exploreSlot, passes: passesSlot, tmem: tmemSlot, ub: ubSlot })
        function take() {
            const slot = slots[main.page] as Loader
            if (slot.status === Loader.Null) {
                if (main.page === "start") slot.setSource("StartView.qml", { app: main })
                else if (main.page === "explore") slot.setSource("ExploreView.qml", { app: main, explorer: explorer })
                else if (main.page === "tmem") slot.setSource("TmemView.qml", { app: main, model: tmem })
                else if (main.page === "ub") slot.setSource("UbView.qml", { app: main, model: ub })
                else slot.setSource("PassesView.qml", { app: main, trace: trace })
            }
            if (slot.item) current = slot.item as Item
        }
        Connections {
            target: main
            function onPageChanged() { stack.take() }
        }
        Component.onCompleted: take()

        Loader {
            id: startSlot
            anchors.fill: parent
            visible: main.page === "start"
            onLoaded: stack.take()
        }
        Loader {
            id: exploreSlot
            anchors.fill: parent
            visible: main.page === "explore"
            onLoaded: stack.take()
        }
        Loader {
            id: passesSlot
            anchors.fill: parent
            visible: main.page === "passes"
            onLoaded: stack.take()
        }
        Loader {
            id: tmemSlot
            anchors.fill: parent
            visible: main.page === "tmem"
            onLoaded: stack.take()
        }
        Loader {
            id: ubSlot
            anchors.fill: parent
            visible: main.page === "ub"
            onLoaded: stack.take()
        }
    }
    StatusBar {
        id: statusBar
        width: parent.width
        y: parent.height - height
        findingText: main.view && main.view["findingText"] !== undefined ? main.view["findingText"] : qsTr("Ready")
        tone: main.view && main.view["findingTone"] !== undefined ? main.view["findingTone"] : "neutral"
        leftFacts: main.view && main.view["statusLeft"] !== undefined ? main.view["statusLeft"] : []
        rightFacts: main.view && main.view["statusRight"] !== undefined ? main.view["statusRight"] : []
        onFindingsAsked: main.callView("showFindings")
    }

    DropLayer {
        anchors.fill: parent
        onFilesDropped: urls => main.openFiles(urls)
    }
    Toast {
        id: toast
        anchors.horizontalCenter: parent.horizontalCenter
        y: parent.height - statusBar.height - height - 14
        onHelpAsked: code => main.openHelp(helpPages.pageAbout(code), code)
    }

    LsCommandPalette {
        id: commandSheet
        parent: main.overlay
        model: paletteModel
        onRan: (index, keepOpen) => {
            if (!keepOpen) commandSheet.close()
            paletteModel.run(index)
        }
    }
    HelpSheet {
        id: help
        parent: main.overlay
        pages: helpPages
    }
    SettingsSheet {
        id: settingsSheet
        parent: main.overlay
        settings: main.settings
    }
    KeysSheet {
        id: keysSheet
        parent: main.overlay
        commands: main.commands
    }
    AboutSheet {
        id: aboutSheet
        parent: main.overlay
    }

    FileDialog {
        id: openDialog
        title: qsTr("Open")
        fileMode: FileDialog.OpenFiles
        nameFilters: [qsTr("Layouts, programs and projects (*.lsc *.py *.pto *.txt *.json *.mlir)"), qsTr("All files (*)")]
        onAccepted: main.openFiles(selectedFiles)
    }
    FolderDialog {
        id: dumpsDialog
        title: qsTr("Open pass dumps")
        onAccepted: main.openFiles([selectedFolder])
    }
    FileDialog {
        id: saveDialog
        title: qsTr("Save as")
        fileMode: FileDialog.SaveFile
        nameFilters: documents.kind === "layout" ? [qsTr("Layoutscope project (*.lsc)"), qsTr("Text (*.txt)")]
                   : documents.kind === "gemm" ? [qsTr("gemm_async call (*.gemm.json)"), qsTr("Layoutscope project (*.lsc)"), qsTr("All files (*)")]
                   : documents.kind === "ub" ? [qsTr("Partition (*.json)"), qsTr("Layoutscope project (*.lsc)"), qsTr("All files (*)")] : [qsTr("Program (*.py *.pto)"), qsTr("Layoutscope project (*.lsc)"), qsTr("All files (*)")]
        onAccepted: if (documents.saveAs(selectedFile)) main.say(qsTr("Saved %1").arg(documents.title), "", "fine", "")
    }
    FileDialog {
        id: exportDialog
        title: qsTr("Export picture")
        fileMode: FileDialog.SaveFile
        defaultSuffix: "svg"
        nameFilters: [qsTr("SVG picture (*.svg)"), qsTr("PNG picture (*.png)"), qsTr("PDF page (*.pdf)"), qsTr("Text (*.txt)")]
        onAccepted: main.callExport(selectedFile)
    }
    function callExport(file: url) {
        if (view && view.exportTo) view.exportTo(file)
    }
    LeaveSheet {
        id: leaveDialog
        parent: main.overlay
        property int index: -1
        title: index >= 0 ? qsTr("Save changes to %1?").arg(documents.data(documents.index(index, 0), 0)) : ""
        onSaved: {
            documents.currentIndex = index
            if (documents.save()) documents.close(index)
        }
        onDiscarded: documents.close(index)
    }

    onClosing: {
        settings.maximized = visibility === Window.Maximized
        if (visibility === Window.Windowed) settings.geometry = Qt.rect(x, y, width, height)
        documents.flush()
    }
}
