// The layout field: coloured while it is typed, checked with every key, the mistake underlined where it stands.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Models
import Layoutscope.Ui

FocusScope {
    id: field
    required property Explorer explorer
    property string placeholder: "nz(64, 64, f16)"
    /// Canonical form and facts at the right, as far as they fit.
    property bool facts: true
    property string keyHint
    signal accepted()
    signal undoAsked()
    signal redoAsked()
    signal leftByEscape()

    readonly property bool refused: explorer.refused && edit.text !== ""
    readonly property alias edit: edit
    implicitHeight: 36 * Theme.dp

    function take(all: bool) {
        edit.forceActiveFocus(Qt.ShortcutFocusReason)
        if (all) edit.selectAll()
        else edit.cursorPosition = edit.length
    }

    Rectangle {
        anchors.fill: parent
        radius: 6 * Theme.dp
        color: Theme.panel
        border.width: edit.activeFocus || field.refused ? 1.5 : 1
        border.color: field.refused ? Theme.finding : edit.activeFocus ? Theme.accent : Theme.field
    }
    Item {
        id: view
        x: 11 * Theme.dp
        width: Math.max(60, (factRow.shown > 0 ? factRow.x : field.width) - x - 12 * Theme.dp)
        height: parent.height
        clip: true

        TextEdit {
            id: edit
            x: 0
            y: Math.round((view.height - contentHeight) / 2)
            width: Math.max(view.width, contentWidth + 4)
            focus: true
            activeFocusOnTab: true
            font: Theme.input
            color: Theme.text
            wrapMode: TextEdit.NoWrap
            textFormat: TextEdit.PlainText
            selectByMouse: true
            selectionColor: Theme.accent
            selectedTextColor: Theme.onAccent
            inputMethodHints: Qt.ImhNoPredictiveText
            Accessible.role: Accessible.EditableText
            Accessible.name: qsTr("Layout")
            Accessible.description: field.refused ? field.explorer.errorCode + ": " + field.explorer.errorMessage : field.explorer.verdict

            onTextChanged: {
                if (/[\n\r\u2028\u2029]/.test(text)) {
                    // One line: what was pasted over several is joined.
                    const at = cursorPosition
                    text = text.replace(/[\n\r\u2028\u2029]+/g, " ")
                    cursorPosition = Math.min(at, length)
                    return
                }
                field.explorer.text = text
            }
            onCursorRectangleChanged: {
                const left = cursorRectangle.x + x
                if (left < 0) x = -Math.max(0, cursorRectangle.x - 20)
                else if (left > view.width - 3) x = view.width - 3 - cursorRectangle.x
                if (contentWidth < view.width) x = 0
            }
            Keys.onReturnPressed: field.accepted()
            Keys.onEnterPressed: field.accepted()
            Keys.onTabPressed: nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)
            Keys.onBacktabPressed: nextItemInFocusChain(false).forceActiveFocus(Qt.BacktabFocusReason)
            Keys.onEscapePressed: field.leftByEscape()
            Keys.onPressed: event => {
                // The document's own history, so that typing and pins are undone in one order.
                if (event.matches(StandardKey.Undo)) field.undoAsked()
                else if (event.matches(StandardKey.Redo)) field.redoAsked()
                else return
                event.accepted = true
            }

            LsSyntax {
                document: edit.textDocument
                language: "layout"
            }
            Connections {
                target: field.explorer
                function onTextChanged() {
                    if (edit.text === field.explorer.text) return
                    const at = edit.cursorPosition
                    edit.text = field.explorer.text
                    edit.cursorPosition = Math.min(at, edit.length)
                }
            }
            Component.onCompleted: text = field.explorer.text

            LsSquiggle {
                readonly property int begin: Math.min(field.explorer.errorBegin, edit.length)
                readonly property int end: Math.min(Math.max(field.explorer.errorEnd, begin), edit.length)
                // A mistake at the very end has no character to stand under.
                readonly property rect from: { edit.contentWidth; return edit.positionToRectangle(Math.min(begin, edit.length)) }
                readonly property rect to: { edit.contentWidth; return edit.positionToRectangle(Math.min(end, edit.length)) }
                visible: field.refused
                x: from.x
                y: from.y + from.height - 3
                width: Math.max(8, to.x - from.x)
                height: 4
                color: Theme.finding
            }
        }
        LsCode {
            height: parent.height
            visible: edit.text === ""
            text: field.placeholder
            font: Theme.input
            color: Theme.text3
        }
    }
    Row {
        id: factRow
        // Facts give way to the text, the longest first.
        readonly property real room: field.width - edit.contentWidth - 40 * Theme.dp
        readonly property real verdictWidth: verdictPill.visible ? verdictPill.implicitWidth + 8 * Theme.dp : 0
        readonly property real countsWidth: counts.implicitWidth + bytes.implicitWidth + 20 * Theme.dp
        readonly property bool showVerdict: field.facts && field.explorer.valid && !field.refused && room > verdictPill.implicitWidth + 20
        readonly property bool showCounts: showVerdict && room > verdictPill.implicitWidth + countsWidth + 20
        readonly property bool showCanonical: showCounts && field.explorer.canonical !== edit.text && room > verdictPill.implicitWidth + countsWidth + canonical.implicitWidth + 60
        readonly property int shown: (showVerdict ? 1 : 0) + (keyHint.visible ? 1 : 0) + (busyMark.visible ? 1 : 0)
        anchors.right: parent.right
        anchors.rightMargin: 8 * Theme.dp
        height: parent.height
        spacing: 8 * Theme.dp
        LsCode {
            id: canonical
            visible: factRow.showCanonical
            height: parent.height
            rightPadding: 2
            text: field.explorer.canonical
            color: Theme.text3
        }
        LsPill {
            id: verdictPill
            objectName: "verdictPill"
            visible: factRow.showVerdict
            anchors.verticalCenter: parent.verticalCenter
            text: field.explorer.verdict
            tone: field.explorer.verdictTone
        }
        LsPill {
            id: counts
            objectName: "countsPill"
            visible: factRow.showCounts
            anchors.verticalCenter: parent.verticalCenter
            text: field.explorer.elementsText
        }
        LsPill {
            id: bytes
            visible: factRow.showCounts
            anchors.verticalCenter: parent.verticalCenter
            text: field.explorer.sizeText
        }
        LsText {
            id: busyMark
            visible: field.explorer.busy
            height: parent.height
            text: qsTr("checking…")
            font: Theme.small
            color: Theme.text3
        }
        LsKey {
            id: keyHint
            visible: field.keyHint !== ""
            anchors.verticalCenter: parent.verticalCenter
            text: field.keyHint
        }
    }
}
