// The document's text, editable; what is done in the pictures changes it, and what is wrong is underlined where it stands.
// `model` has text, setText, errorBegin, errorEnd, errorLine, refused and the signal planChanged.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Ui

FocusScope {
    id: pane
    required property var model
    /// Of the text itself, for tests and screen readers.
    property string fieldName: "ubText"
    property string fieldTitle: qsTr("Text of the partition")
    signal undoAsked()
    signal redoAsked()

    /// Selects a stretch and brings it into sight.
    function reveal(begin: int, end: int) {
        edit.forceActiveFocus(Qt.OtherFocusReason)
        edit.select(Math.min(begin, edit.length), Math.min(end, edit.length))
        flick.show(edit.positionToRectangle(Math.min(begin, edit.length)))
    }

    Rectangle {
        anchors.fill: parent
        color: Theme.panel
    }
    Flickable {
        id: flick
        anchors.fill: parent
        contentWidth: Math.max(width, edit.x + edit.contentWidth + 14 * Theme.dp)
        contentHeight: edit.contentHeight + 16 * Theme.dp
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: LsScrollBar {}
        T.ScrollBar.horizontal: LsScrollBar {}
        function show(r: rect) {
            if (r.y < contentY || r.y + r.height > contentY + height - 30 * Theme.dp)
                contentY = Math.max(0, Math.min(contentHeight - height, r.y - height / 3))
            if (edit.x + r.x < contentX) contentX = Math.max(0, edit.x + r.x - 20 * Theme.dp)
            else if (edit.x + r.x > contentX + width - 20 * Theme.dp) contentX = edit.x + r.x - width + 40 * Theme.dp
        }
        // Line numbers, as many as there are lines in sight.
        Repeater {
            model: Math.min(edit.lineCount, Math.ceil(flick.height / edit.lineHeight) + 2)
            LsCode {
                required property int index
                readonly property int line: index + Math.floor(flick.contentY / edit.lineHeight)
                visible: line < edit.lineCount
                x: flick.contentX
                y: edit.y + line * edit.lineHeight
                width: 36 * Theme.dp
                height: edit.lineHeight
                horizontalAlignment: Text.AlignRight
                text: line + 1
                color: line + 1 === pane.model.errorLine ? Theme.finding : Theme.text3
            }
        }
        TextEdit {
            id: edit
            objectName: pane.fieldName
            readonly property real lineHeight: lineCount > 0 && contentHeight > 0 ? contentHeight / lineCount : 18
            x: 46 * Theme.dp
            y: 8 * Theme.dp
            focus: true
            activeFocusOnTab: true
            font: Theme.code
            color: Theme.text
            textFormat: TextEdit.PlainText
            wrapMode: TextEdit.NoWrap
            selectByMouse: true
            selectionColor: Theme.accent
            selectedTextColor: Theme.onAccent
            inputMethodHints: Qt.ImhNoPredictiveText
            Accessible.role: Accessible.EditableText
            Accessible.name: pane.fieldTitle
            /// What stands here by no hand: colouring words anew also counts as a change of the text.
            property string taken
            property bool taking: false
            onTextChanged: {
                if (taking || text === taken) return
                taken = text
                pane.model.setText(text)
            }
            onCursorRectangleChanged: if (activeFocus) flick.show(cursorRectangle)
            // The document's own undo, so that drags and words are one history.
            Keys.onShortcutOverride: event => {
                if (event.matches(StandardKey.Undo) || event.matches(StandardKey.Redo)) event.accepted = true
            }
            Keys.onPressed: event => {
                if (event.matches(StandardKey.Undo)) { pane.undoAsked(); event.accepted = true }
                else if (event.matches(StandardKey.Redo)) { pane.redoAsked(); event.accepted = true }
            }
            Keys.onTabPressed: edit.nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)
            Keys.onBacktabPressed: edit.nextItemInFocusChain(false).forceActiveFocus(Qt.BacktabFocusReason)
            function take() {
                if (text === pane.model.text || taken === pane.model.text) return
                taking = true
                const at = cursorPosition
                text = pane.model.text
                cursorPosition = Math.min(at, length)
                taken = text
                taking = false
            }
            Connections {
                target: pane.model
                function onPlanChanged() { edit.take() }
            }
            Component.onCompleted: take()
            LsSyntax {
                document: edit.textDocument
                language: "python"
            }
        }
        LsSquiggle {
            readonly property int begin: Math.min(pane.model.errorBegin, edit.length)
            readonly property int end: Math.min(Math.max(pane.model.errorEnd, begin), edit.length)
            readonly property rect from: { edit.contentWidth; return edit.positionToRectangle(begin) }
            readonly property rect to: { edit.contentWidth; return edit.positionToRectangle(end) }
            visible: pane.model.refused
            x: edit.x + from.x
            y: edit.y + from.y + from.height - 3
            width: to.y === from.y ? Math.max(8, to.x - from.x) : Math.max(8, edit.contentWidth - from.x)
            height: 4
            color: Theme.finding
        }
    }
}
