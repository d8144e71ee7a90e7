// The exported sources, one tab a file; a line leads back to the statement that it came from.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Dialogs
import Layoutscope.Models
import Layoutscope.Ui

FocusScope {
    id: pane
    required property TraceModel trace
    readonly property var one: trace.kernel < trace.kernels.length ? trace.kernels[trace.kernel] : null
    readonly property bool shown: one !== null && !one.refused
    signal lineChosen(int sourceLine)

    Row {
        id: bar
        x: 12 * Theme.dp
        y: 8 * Theme.dp
        height: 26 * Theme.dp
        spacing: 8 * Theme.dp
        visible: pane.trace.kernels.length > 0
        LsSegment {
            label: qsTr("Target")
            model: Array.from(pane.trace.kernels).map(one => one.file !== "" ? one.file : one.title)
            currentIndex: pane.trace.kernel
            onChosen: index => pane.trace.kernel = index
        }
        LsButton {
            glyph: "copy"
            tip: qsTr("Copy the source")
            enabled: pane.shown
            onClicked: pane.trace.copyKernel()
        }
        LsButton {
            glyph: "save"
            tip: qsTr("Save the source…")
            enabled: pane.shown
            onClicked: dialog.open()
        }
    }
    LsDiffView {
        id: text
        y: bar.y + bar.height + 4 * Theme.dp
        width: parent.width
        height: parent.height - y
        visible: pane.shown
        focus: true
        model: pane.trace.kernelText
        longest: pane.trace.kernelText.longest
        single: true
        onLineChosen: row => pane.lineChosen(pane.trace.sourceLineOfKernel(row))
    }
    LsEmptyState {
        anchors.fill: parent
        visible: !pane.shown
        glyph: "code"
        title: qsTr("No kernel source")
        sentence: pane.one ? pane.one.why : qsTr("Only a program that every pass accepted can be exported.")
    }
    FileDialog {
        id: dialog
        title: qsTr("Save kernel source")
        fileMode: FileDialog.SaveFile
        onAccepted: pane.trace.saveKernel(selectedFile)
    }
}
