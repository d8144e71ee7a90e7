// Why an offset may be divided, or why it may not: both questions as trees, what a negative offset would have read, and
// the rules.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls
import Layoutscope.Models
import Layoutscope.Ui
import Layoutscope.Views

FocusScope {
    id: pane
    required property TraceModel trace
    readonly property ProofModel proofs: trace.proofs
    readonly property bool some: proofs.coordinates.length > 0
    readonly property bool wide: width > 760 * Theme.dp
    readonly property real ruleWidth: wide ? 292 * Theme.dp : 0

    Row {
        id: head
        x: 12 * Theme.dp
        y: 8 * Theme.dp
        height: 26 * Theme.dp
        spacing: 8 * Theme.dp
        visible: pane.some
        LsDropButton {
            text: pane.some ? pane.proofs.coordinates[pane.proofs.current].place : ""
            font: Theme.code
            model: Array.from(pane.proofs.coordinates).map(one => ({ text: (one.proven ? "✓ " : "✗ ") + one.place, detail: one.subject }))
            currentIndex: pane.proofs.current
            onChosen: index => pane.proofs.current = index
        }
        LsText {
            height: parent.height
            visible: head.x + x + implicitWidth < pane.width - 60 * Theme.dp
            text: qsTr("visited left to right, stops at the first answer")
            font: Theme.small
            color: Theme.text3
        }
    }
    LsButton {
        anchors.right: parent.right
        anchors.rightMargin: 12 * Theme.dp
        y: head.y
        visible: pane.some
        glyph: "copy"
        tip: qsTr("Copy the proof as text")
        onClicked: pane.trace.copyProof()
    }
    Flickable {
        id: trees
        x: 12 * Theme.dp
        y: head.y + head.height + 8 * Theme.dp
        width: parent.width - pane.ruleWidth - 24 * Theme.dp
        height: parent.height - y
        visible: pane.some
        clip: true
        contentWidth: questions.width
        contentHeight: questions.height
        boundsBehavior: Flickable.StopAtBounds
        ScrollBar.vertical: LsScrollBar {}
        ScrollBar.horizontal: LsScrollBar {}
        Row {
            id: questions
            spacing: 28 * Theme.dp
            Repeater {
                model: pane.proofs.questions
                Column {
                    id: one
                    required property var modelData
                    readonly property bool clamped: pane.proofs.clamps && !modelData.proven
                    spacing: 4 * Theme.dp
                    Row {
                        height: 22 * Theme.dp
                        spacing: 8 * Theme.dp
                        LsText {
                            height: parent.height
                            text: one.modelData.question
                            font: Theme.bodyStrong
                            color: one.modelData.proven ? Theme.fine : Theme.finding
                        }
                        LsText {
                            height: parent.height
                            text: one.modelData.verdict
                            font: Theme.exact(Theme.small)
                            color: Theme.text2
                        }
                    }
                    PictureCanvas {
                        width: implicitWidth
                        height: implicitHeight
                        picture: one.modelData.tree
                        dark: Theme.dark
                        dp: Theme.dp
                    }
                    LsText {
                        width: Math.max(260 * Theme.dp, one.width)
                        visible: text !== ""
                        text: one.modelData.sentence
                        font: Theme.exact(Theme.small)
                        color: Theme.text2
                        wrapMode: Text.Wrap
                    }
                    PictureCanvas {
                        visible: one.clamped
                        width: implicitWidth
                        height: visible ? implicitHeight : 0
                        picture: pane.proofs.clampPicture(one.clamped ? 310 : 0)
                        dark: Theme.dark
                        dp: Theme.dp
                        Accessible.name: qsTr("What the first block asked for, and what the hardware reads")
                    }
                    LsText {
                        visible: one.clamped
                        width: 310 * Theme.dp
                        text: qsTr("The emitted code clamps an offset below 0 to 0: other rows are read than were asked for, silently.")
                        font: Theme.exact(Theme.small)
                        color: Theme.text2
                        wrapMode: Text.Wrap
                    }
                }
            }
        }
    }
    Rectangle {
        visible: pane.some && pane.wide
        x: pane.width - pane.ruleWidth
        y: trees.y
        width: 1
        height: parent.height - y
        color: Theme.line
    }
    Column {
        id: rules
        visible: pane.some && pane.wide
        x: pane.width - pane.ruleWidth + 14 * Theme.dp
        y: trees.y
        width: pane.ruleWidth - 28 * Theme.dp
        component Line: Row {
            id: line
            property string form
            property string multiple
            property string sign
            property bool title: false
            height: 19 * Theme.dp
            LsCode {
                width: rules.width * 0.36
                height: parent.height
                text: line.form
                font: line.title ? Theme.smallStrong : Theme.codeMicro
                color: line.title ? Theme.text2 : Theme.text
            }
            Repeater {
                model: [line.multiple, line.sign]
                LsText {
                    required property string modelData
                    width: rules.width * 0.32
                    height: line.height
                    text: modelData
                    font: line.title ? Theme.smallStrong : Theme.micro
                    color: line.title ? Theme.text2 : modelData === "never" ? Theme.finding : Theme.text
                    elide: Text.ElideRight
                }
            }
        }
        Line { form: qsTr("rule"); multiple: qsTr("multiple"); sign: qsTr("not negative"); title: true }
        Repeater {
            model: pane.proofs.rules
            Line {
                required property var modelData
                form: modelData.form
                multiple: modelData.multiple
                sign: modelData.sign
            }
        }
    }
    LsEmptyState {
        anchors.fill: parent
        visible: !pane.some
        glyph: "check"
        title: qsTr("Nothing was to be proven here")
        sentence: qsTr("Offsets that are constants are divided as they are; a pass that moves a window by a variable must prove that it lands on whole fractals.")
    }
}
