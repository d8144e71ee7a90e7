// AscendC sources: one tab a file; pointing at a line lights the view that it carves.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Dialogs
import Layoutscope.Models
import Layoutscope.Ui

FocusScope {
    id: pane
    required property UbExportModel source
    required property UbMapModel map

    Row {
        id: bar
        x: 12 * Theme.dp
        y: 8 * Theme.dp
        height: 26 * Theme.dp
        spacing: 6 * Theme.dp
        visible: pane.source.files.length > 0
        LsDropButton {
            text: pane.source.file
            font: Theme.code
            model: pane.source.files
            currentIndex: pane.source.current
            onChosen: index => pane.source.current = index
        }
        LsButton {
            glyph: "copy"
            tip: qsTr("Copy the source")
            onClicked: pane.source.copy()
        }
        LsButton {
            glyph: "save"
            tip: qsTr("Save this file…")
            onClicked: dialog.open()
        }
        LsButton {
            glyph: "folder"
            tip: qsTr("Save all files into a folder…")
            onClicked: folder.open()
        }
    }
    LsDiffView {
        y: bar.y + bar.height + 4 * Theme.dp
        width: parent.width
        height: parent.height - y
        visible: pane.source.files.length > 0
        focus: true
        model: pane.source.text
        longest: pane.source.text.longest
        single: true
        onLineChosen: row => {
            const target = pane.source.targetOfLine(row)
            if (target >= 0) pane.map.selected = target
        }
    }
    LsEmptyState {
        anchors.fill: parent
        visible: pane.source.files.length === 0
        glyph: "code"
        title: qsTr("No source")
        sentence: pane.source.why
    }
    FileDialog {
        id: dialog
        title: qsTr("Save AscendC source")
        fileMode: FileDialog.SaveFile
        nameFilters: [qsTr("C++ source (*.h *.cpp)"), qsTr("All files (*)")]
        onAccepted: pane.source.save(selectedFile)
    }
    FolderDialog {
        id: folder
        title: qsTr("Save all files into")
        onAccepted: pane.source.saveAll(selectedFolder)
    }
}
