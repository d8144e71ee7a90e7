// Every command of the window, once: title, menu, key, and what it does. Menus, keys and the palette are made of this list.
import QtQuick
import Layoutscope.Models

CommandRegistry {
    id: registry
    /// The window; it knows what is in front and how to reach it.
    required property var app

    // --- File
    LsCommand { name: "file.new"; title: qsTr("New layout"); menu: "File"; glyph: "plus"; keys: ["Ctrl+N"]; onTriggered: registry.app.newLayout("") }
    LsCommand { name: "file.open"; title: qsTr("Open…"); menu: "File"; glyph: "folder"; keys: ["Ctrl+O"]; onTriggered: registry.app.askOpen() }
    LsCommand { name: "file.openDumps"; title: qsTr("Open pass dumps…"); menu: "File"; glyph: "folder"; keys: ["Ctrl+Shift+O"]; onTriggered: registry.app.askOpenDumps() }
    LsCommand { name: "file.save"; title: qsTr("Save"); menu: "File"; parted: true; glyph: "save"; keys: ["Ctrl+S"]; enabled: registry.app.documents.count > 0; onTriggered: registry.app.save() }
    LsCommand { name: "file.saveAs"; title: qsTr("Save as…"); menu: "File"; glyph: "save"; keys: ["Ctrl+Shift+S"]; enabled: registry.app.documents.count > 0; onTriggered: registry.app.askSaveAs() }
    LsCommand { name: "file.export"; title: qsTr("Export picture…"); menu: "File"; glyph: "export"; keys: ["Ctrl+E"]; enabled: registry.app.canExport; onTriggered: registry.app.askExport() }
    LsCommand { name: "file.close"; title: qsTr("Close document"); menu: "File"; parted: true; glyph: "cross"; keys: ["Ctrl+W"]; enabled: registry.app.documents.count > 0; onTriggered: registry.app.closeDocument(registry.app.documents.currentIndex) }
    LsCommand { name: "file.reopen"; title: qsTr("Reopen closed document"); menu: "File"; glyph: "undo"; keys: ["Ctrl+Shift+T"]; enabled: registry.app.documents.canReopen; onTriggered: registry.app.documents.reopen() }
    LsCommand { name: "file.clearRecent"; title: qsTr("Clear recent documents"); menu: "File"; enabled: registry.app.recent.count > 0; onTriggered: registry.app.recent.clear() }
    LsCommand { name: "file.quit"; title: qsTr("Quit"); menu: "File"; parted: true; keys: ["Ctrl+Q"]; onTriggered: registry.app.close() }

    // --- Edit
    LsCommand { name: "edit.undo"; title: registry.app.documents.undoName === "" ? qsTr("Undo") : qsTr("Undo: %1").arg(registry.app.documents.undoName); menu: "Edit"; glyph: "undo"; keys: ["Ctrl+Z"]; enabled: registry.app.documents.canUndo; onTriggered: registry.app.documents.undo() }
    LsCommand { name: "edit.redo"; title: registry.app.documents.redoName === "" ? qsTr("Redo") : qsTr("Redo: %1").arg(registry.app.documents.redoName); menu: "Edit"; glyph: "redo"; keys: ["Ctrl+Shift+Z", "Ctrl+Y"]; enabled: registry.app.documents.canRedo; onTriggered: registry.app.documents.redo() }
    LsCommand { name: "edit.find"; title: qsTr("Find element, offset or address"); menu: "Edit"; parted: true; glyph: "search"; keys: ["Ctrl+F"]; enabled: registry.app.exploring; onTriggered: registry.app.askFind("") }
    LsCommand { name: "edit.goto"; title: qsTr("Go to address"); menu: "Edit"; glyph: "target"; keys: ["G"]; enabled: registry.app.exploring; onTriggered: registry.app.askFind("0x") }
    LsCommand { name: "edit.copyFormula"; title: qsTr("Copy formula"); menu: "Edit"; parted: true; glyph: "copy"; keys: ["Ctrl+Shift+C"]; enabled: registry.app.exploring && registry.app.explorer.hasFormula; onTriggered: registry.app.explorer.copyFormula() }
    LsCommand { name: "edit.copyLayout"; title: qsTr("Copy layout as TIRx"); menu: "Edit"; glyph: "copy"; enabled: registry.app.exploring && registry.app.explorer.valid; onTriggered: registry.app.explorer.copy(registry.app.explorer.canonical) }
    LsCommand { name: "edit.copyLogical"; title: qsTr("Copy logical picture as text"); menu: "Edit"; glyph: "copy"; enabled: registry.app.exploring && registry.app.explorer.valid; onTriggered: registry.app.explorer.copy(registry.app.explorer.asText(false)) }
    LsCommand { name: "edit.copyPhysical"; title: qsTr("Copy physical picture as text"); menu: "Edit"; glyph: "copy"; enabled: registry.app.exploring && registry.app.explorer.valid; onTriggered: registry.app.explorer.copy(registry.app.explorer.asText(true)) }
    LsCommand { name: "edit.settings"; title: qsTr("Settings…"); menu: "Edit"; parted: true; glyph: "settings"; keys: ["Ctrl+,"]; onTriggered: registry.app.openSettings() }

    // --- View
    LsCommand { name: "view.palette"; title: qsTr("Command palette"); menu: "View"; glyph: "palette"; keys: ["Ctrl+K"]; onTriggered: registry.app.openPalette() }
    LsCommand { name: "view.theme"; title: registry.app.dark ? qsTr("Light theme") : qsTr("Dark theme"); menu: "View"; parted: true; glyph: registry.app.dark ? "sun" : "moon"; keys: ["Ctrl+D"]; onTriggered: registry.app.toggleTheme() }
    LsCommand { name: "view.patterns"; title: qsTr("Patterns beside colours"); menu: "View"; glyph: "layers"; checkable: true; checked: registry.app.settings.patterns; onTriggered: registry.app.settings.patterns = !registry.app.settings.patterns }
    LsCommand { name: "view.motion"; title: qsTr("Reduce motion"); menu: "View"; checkable: true; checked: registry.app.settings.reduceMotion; onTriggered: registry.app.settings.reduceMotion = !registry.app.settings.reduceMotion }
    LsCommand { name: "view.larger"; title: qsTr("Larger text"); menu: "View"; parted: true; glyph: "plus"; keys: ["Ctrl+=", "Ctrl++"]; enabled: registry.app.settings.scale < 2; onTriggered: registry.app.settings.scale = Math.min(2, registry.app.settings.scale + 0.25) }
    LsCommand { name: "view.smaller"; title: qsTr("Smaller text"); menu: "View"; glyph: "minus"; keys: ["Ctrl+-"]; enabled: registry.app.settings.scale > 1; onTriggered: registry.app.settings.scale = Math.max(1, registry.app.settings.scale - 0.25) }
    LsCommand { name: "view.normal"; title: qsTr("Normal text size"); menu: "View"; keys: ["Ctrl+0"]; onTriggered: registry.app.settings.scale = 1 }
    LsCommand { name: "view.fit"; title: qsTr("Fit pictures"); menu: "View"; parted: true; glyph: "fit"; keys: ["F"]; enabled: registry.app.exploring || registry.app.partitioning; onTriggered: registry.app.callView("fit") }
    LsCommand { name: "view.actual"; title: qsTr("Pictures at 100 %"); menu: "View"; keys: ["0"]; enabled: registry.app.exploring; onTriggered: registry.app.callView("actualSize") }
    LsCommand { name: "view.drawer"; title: qsTr("Show or hide the drawer"); menu: "View"; keys: ["Ctrl+J"]; enabled: registry.app.exploring || registry.app.partitioning || registry.app.describing; onTriggered: registry.app.callView("toggleDrawer") }
    LsCommand { name: "view.inspector"; title: qsTr("Show or hide the inspector"); menu: "View"; keys: ["Ctrl+I"]; enabled: registry.app.exploring || registry.app.partitioning; onTriggered: registry.app.callView("toggleInspector") }
    LsCommand { name: "view.nextPanel"; title: qsTr("Next panel"); menu: "View"; parted: true; keys: ["F6"]; onTriggered: registry.app.nextPanel(1) }
    LsCommand { name: "view.lastPanel"; title: qsTr("Previous panel"); menu: "View"; keys: ["Shift+F6"]; onTriggered: registry.app.nextPanel(-1) }
    LsCommand { name: "view.nextTab"; title: qsTr("Next document"); keys: ["Ctrl+Tab"]; group: "View"; enabled: registry.app.documents.count > 1; onTriggered: registry.app.stepDocument(1) }
    LsCommand { name: "view.lastTab"; title: qsTr("Previous document"); keys: ["Ctrl+Shift+Tab"]; group: "View"; enabled: registry.app.documents.count > 1; onTriggered: registry.app.stepDocument(-1) }

    // --- Layout
    LsCommand { name: "layout.field"; title: qsTr("Edit layout text"); menu: "Layout"; glyph: "explore"; keys: ["Ctrl+L"]; onTriggered: registry.app.focusField() }
    LsCommand { name: "layout.compare"; title: qsTr("Compare with another layout…"); menu: "Layout"; glyph: "compare"; keys: ["Ctrl+Shift+D"]; enabled: registry.app.exploring; onTriggered: registry.app.callView("startCompare") }
    LsCommand { name: "layout.swizzle"; title: (registry.app.describing ? registry.app.tmem.swizzled : registry.app.explorer.showSwizzle) ? qsTr("Swizzle off") : qsTr("Swizzle on"); menu: "Layout"; parted: true; glyph: "explore"; keys: ["S"]; enabled: registry.app.describing || (registry.app.exploring && registry.app.explorer.hasSwizzle); onTriggered: registry.app.callView("toggleSwizzle") }
    LsCommand { name: "layout.colour"; title: qsTr("Next colouring"); menu: "Layout"; glyph: "colour"; keys: ["C"]; enabled: registry.app.exploring && registry.app.explorer.colors.length > 1; onTriggered: registry.app.explorer.colorIndex = (registry.app.explorer.colorIndex + 1) % registry.app.explorer.colors.length }
    LsCommand { name: "layout.label"; title: qsTr("Next label"); menu: "Layout"; glyph: "label"; keys: ["V"]; enabled: registry.app.exploring && registry.app.explorer.labels.length > 1; onTriggered: registry.app.explorer.labelIndex = (registry.app.explorer.labelIndex + 1) % registry.app.explorer.labels.length }
    LsCommand { name: "layout.link"; title: qsTr("Link the pictures' hover"); menu: "Layout"; glyph: "link"; keys: ["L"]; enabled: registry.app.exploring; onTriggered: registry.app.callView("toggleLink") }
    LsCommand { name: "layout.cameraLink"; title: qsTr("Link the pictures' cameras"); menu: "Layout"; glyph: "camera-link"; keys: ["Shift+L"]; enabled: registry.app.exploring; onTriggered: registry.app.callView("toggleCameraLink") }
    LsCommand { name: "layout.pin"; title: qsTr("Pin element"); menu: "Layout"; parted: true; glyph: "pin"; keys: ["P"]; enabled: registry.app.exploring && registry.app.explorer.hasFormula; onTriggered: registry.app.explorer.togglePin() }
    LsCommand { name: "layout.clearPins"; title: qsTr("Take all pins off"); menu: "Layout"; glyph: "pin"; enabled: registry.app.exploring && registry.app.explorer.pins.length > 0; onTriggered: registry.app.explorer.clearPins() }
    LsCommand { name: "layout.pin1"; title: qsTr("Go to pin %1").arg(1); keys: ["1"]; group: "Layout"; enabled: registry.app.exploring && registry.app.explorer.pins.length >= 1; onTriggered: registry.app.explorer.goToPin(1) }
    LsCommand { name: "layout.pin2"; title: qsTr("Go to pin %1").arg(2); keys: ["2"]; group: "Layout"; enabled: registry.app.exploring && registry.app.explorer.pins.length >= 2; onTriggered: registry.app.explorer.goToPin(2) }
    LsCommand { name: "layout.pin3"; title: qsTr("Go to pin %1").arg(3); keys: ["3"]; group: "Layout"; enabled: registry.app.exploring && registry.app.explorer.pins.length >= 3; onTriggered: registry.app.explorer.goToPin(3) }
    LsCommand { name: "layout.pin4"; title: qsTr("Go to pin %1").arg(4); keys: ["4"]; group: "Layout"; enabled: registry.app.exploring && registry.app.explorer.pins.length >= 4; onTriggered: registry.app.explorer.goToPin(4) }
    LsCommand { name: "layout.pin5"; title: qsTr("Go to pin %1").arg(5); keys: ["5"]; group: "Layout"; enabled: registry.app.exploring && registry.app.explorer.pins.length >= 5; onTriggered: registry.app.explorer.goToPin(5) }
    LsCommand { name: "layout.pin6"; title: qsTr("Go to pin %1").arg(6); keys: ["6"]; group: "Layout"; enabled: registry.app.exploring && registry.app.explorer.pins.length >= 6; onTriggered: registry.app.explorer.goToPin(6) }
    LsCommand { name: "layout.pin7"; title: qsTr("Go to pin %1").arg(7); keys: ["7"]; group: "Layout"; enabled: registry.app.exploring && registry.app.explorer.pins.length >= 7; onTriggered: registry.app.explorer.goToPin(7) }
    LsCommand { name: "layout.pin8"; title: qsTr("Go to pin %1").arg(8); keys: ["8"]; group: "Layout"; enabled: registry.app.exploring && registry.app.explorer.pins.length >= 8; onTriggered: registry.app.explorer.goToPin(8) }
    LsCommand { name: "layout.pin9"; title: qsTr("Go to pin %1").arg(9); keys: ["9"]; group: "Layout"; enabled: registry.app.exploring && registry.app.explorer.pins.length >= 9; onTriggered: registry.app.explorer.goToPin(9) }

    // --- Run
    LsCommand { name: "run.back"; title: qsTr("One pass back"); menu: "Run"; glyph: "back"; keys: ["["]; enabled: registry.app.stepping; onTriggered: registry.app.callView("back") }
    LsCommand { name: "run.forward"; title: qsTr("One pass forward"); menu: "Run"; glyph: "play"; keys: ["]"]; enabled: registry.app.stepping; onTriggered: registry.app.callView("forward") }
    LsCommand { name: "run.first"; title: qsTr("First pass"); menu: "Run"; keys: ["Shift+["]; enabled: registry.app.stepping; onTriggered: registry.app.callView("first") }
    LsCommand { name: "run.last"; title: qsTr("Last pass"); menu: "Run"; keys: ["Shift+]"]; enabled: registry.app.stepping; onTriggered: registry.app.callView("last") }
    LsCommand { name: "run.diff"; title: qsTr("Diff on or off"); menu: "Run"; parted: true; glyph: "compare"; keys: ["D"]; enabled: registry.app.stepping; onTriggered: registry.app.callView("toggleDiff") }
    LsCommand { name: "run.nextFinding"; title: qsTr("Next finding"); menu: "Run"; parted: true; glyph: "warning"; keys: ["F8"]; enabled: registry.app.findings > 0; onTriggered: registry.app.callView("nextFinding") }
    LsCommand { name: "run.lastFinding"; title: qsTr("Previous finding"); menu: "Run"; glyph: "warning"; keys: ["Shift+F8"]; enabled: registry.app.findings > 0; onTriggered: registry.app.callView("previousFinding") }

    // --- Unified buffer
    LsCommand { name: "ub.books"; title: qsTr("Books: host against device"); group: "Unified buffer"; glyph: "table"; enabled: registry.app.partitioning; onTriggered: registry.app.callView("showBooks") }
    LsCommand { name: "ub.views"; title: qsTr("Table of views"); group: "Unified buffer"; glyph: "table"; enabled: registry.app.partitioning; onTriggered: registry.app.callView("showViews") }
    LsCommand { name: "ub.fits"; title: qsTr("What fits, and safe overlays"); group: "Unified buffer"; glyph: "ub"; enabled: registry.app.partitioning; onTriggered: registry.app.callView("showFits") }
    LsCommand { name: "ub.text"; title: qsTr("Text of the partition"); group: "Unified buffer"; glyph: "code"; enabled: registry.app.page === "ub"; onTriggered: registry.app.callView("showText") }
    LsCommand { name: "ub.export"; title: qsTr("Export AscendC"); group: "Unified buffer"; glyph: "export"; enabled: registry.app.partitioning; onTriggered: registry.app.callView("showExport") }
    LsCommand { name: "ub.sequences"; title: qsTr("Sequences of the batch…"); group: "Unified buffer"; glyph: "passes"; enabled: registry.app.partitioning; onTriggered: registry.app.callView("editSequences") }
    LsCommand { name: "ub.lifetimes"; title: qsTr("Lifetimes or addresses only"); group: "Unified buffer"; glyph: "layers"; enabled: registry.app.partitioning; onTriggered: registry.app.callView("toggleLifetimes") }
    LsCommand { name: "ub.zoom"; title: qsTr("Zoom to the selected view"); group: "Unified buffer"; glyph: "target"; keys: ["Z"]; enabled: registry.app.partitioning; onTriggered: registry.app.callView("zoomToSelected") }
    LsCommand { name: "ub.model"; title: qsTr("Write the launch as a model"); group: "Unified buffer"; glyph: "file"; enabled: registry.app.partitioning && registry.app.ub.isOperator; onTriggered: registry.app.callView("writeAsModel") }
    LsCommand { name: "ub.back"; title: registry.app.describing ? qsTr("One instruction back") : qsTr("One unit of work back"); group: registry.app.describing ? "TMEM" : "Unified buffer"; glyph: "back"; keys: [","]; enabled: registry.app.partitioning || registry.app.describing; onTriggered: registry.app.callView("unitBack") }
    LsCommand { name: "ub.forward"; title: registry.app.describing ? qsTr("One instruction forward") : qsTr("One unit of work forward"); group: registry.app.describing ? "TMEM" : "Unified buffer"; glyph: "play"; keys: ["."]; enabled: registry.app.partitioning || registry.app.describing; onTriggered: registry.app.callView("unitForward") }

    // --- TMEM
    LsCommand { name: "tmem.operand"; title: registry.app.tmem.ofB ? qsTr("Descriptor of A") : qsTr("Descriptor of B"); group: "TMEM"; glyph: "compare"; keys: ["Alt+B"]; enabled: registry.app.describing; onTriggered: registry.app.callView("toggleOperand") }
    LsCommand { name: "tmem.unit"; title: qsTr("Next unit: 16 bytes, bytes, elements"); group: "TMEM"; glyph: "label"; keys: ["Alt+U"]; enabled: registry.app.describing; onTriggered: registry.app.callView("nextUnit") }
    LsCommand { name: "tmem.trip"; title: qsTr("The tile's trip: global, shared, tensor memory, registers"); group: "TMEM"; glyph: "layers"; enabled: registry.app.describing; onTriggered: registry.app.callView("showTrip") }
    LsCommand { name: "tmem.gallery"; title: qsTr("Gallery of hardware layouts"); group: "TMEM"; glyph: "layers"; keys: ["Alt+G"]; enabled: registry.app.page === "tmem"; onTriggered: registry.app.callView("showGallery") }
    LsCommand { name: "tmem.banks"; title: qsTr("Bank conflicts of an access"); group: "TMEM"; glyph: "table"; enabled: registry.app.describing; onTriggered: registry.app.callView("showBanks") }
    LsCommand { name: "tmem.why"; title: qsTr("Why this descriptor"); group: "TMEM"; glyph: "note"; enabled: registry.app.describing; onTriggered: registry.app.callView("showWhy") }
    LsCommand { name: "tmem.text"; title: qsTr("Text of the call"); group: "TMEM"; glyph: "code"; enabled: registry.app.page === "tmem"; onTriggered: registry.app.callView("showText") }
    LsCommand { name: "tmem.copyTable"; title: qsTr("Copy the table of instructions"); group: "TMEM"; glyph: "copy"; enabled: registry.app.describing; onTriggered: registry.app.callView("copyTable") }
    LsCommand { name: "tmem.worked"; title: qsTr("Open the worked gemm_async"); group: "TMEM"; glyph: "tmem"; onTriggered: registry.app.openGemm() }

    // --- Go to views
    LsCommand { name: "go.start"; title: qsTr("Start"); group: "Go"; glyph: "start"; keys: ["Ctrl+1"]; onTriggered: registry.app.goTo("start") }
    LsCommand { name: "go.explore"; title: qsTr("Explore a layout"); group: "Go"; glyph: "explore"; keys: ["Ctrl+2"]; onTriggered: registry.app.goTo("explore") }
    LsCommand { name: "go.passes"; title: qsTr("Step through passes"); group: "Go"; glyph: "passes"; keys: ["Ctrl+3"]; onTriggered: registry.app.goTo("passes") }
    LsCommand { name: "go.tmem"; title: qsTr("Descriptors and tensor memory"); group: "Go"; glyph: "tmem"; keys: ["Ctrl+4"]; onTriggered: registry.app.goTo("tmem") }
    LsCommand { name: "go.ub"; title: qsTr("Unified buffer and cores"); group: "Go"; glyph: "ub"; keys: ["Ctrl+5"]; onTriggered: registry.app.goTo("ub") }

    // --- Help
    LsCommand { name: "help.here"; title: qsTr("Help on this view"); menu: "Help"; glyph: "help"; keys: ["F1"]; onTriggered: registry.app.helpHere() }
    LsCommand { name: "help.contents"; title: qsTr("Contents"); menu: "Help"; glyph: "learn"; onTriggered: registry.app.openHelp("", "") }
    LsCommand { name: "help.keys"; title: qsTr("Keys"); menu: "Help"; glyph: "palette"; onTriggered: registry.app.openKeys() }
    LsCommand { name: "help.about"; title: qsTr("About Layoutscope"); menu: "Help"; parted: true; glyph: "note"; onTriggered: registry.app.openAbout() }
}
