// One descriptor word: its hex field (paste another to decode it), what it is, and its bits. A press flips a bit.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Models
import Layoutscope.Ui
import Layoutscope.Views

FocusScope {
    id: pane
    required property TmemModel model
    required property TmemWord word
    readonly property alias canvas: canvas
    implicitHeight: top.height + problem.height + canvas.height + 8 * Theme.dp

    Item {
        id: top
        width: parent.width
        height: 38 * Theme.dp
        LsText {
            id: title
            x: 18 * Theme.dp
            height: parent.height
            text: pane.word.title
            font: Theme.bodyStrong
        }
        LsField {
            id: field
            objectName: pane.word.instruction ? "tmemInstructionHex" : "tmemMatrixHex"
            x: title.x + title.implicitWidth + 12 * Theme.dp
            width: (pane.word.instruction ? 118 : 178) * Theme.dp
            anchors.verticalCenter: parent.verticalCenter
            exact: true
            refused: pane.word.problem !== ""
            text: pane.word.hex
            Accessible.name: pane.word.title
            onEditingFinished: {
                pane.word.take(text)
                if (pane.word.problem === "" || pane.word.own) text = Qt.binding(() => pane.word.hex)
            }
        }
        LsButton {
            id: copy
            x: field.x + field.width + 6 * Theme.dp
            anchors.verticalCenter: parent.verticalCenter
            glyph: "copy"
            tip: qsTr("Copy the word")
            onClicked: pane.word.copy()
        }
        LsButton {
            id: fields
            x: copy.x + copy.width + 6 * Theme.dp
            anchors.verticalCenter: parent.verticalCenter
            glyph: "table"
            tip: qsTr("Copy all fields as text")
            onClicked: pane.word.copyFields()
        }
        LsButton {
            id: reset
            x: fields.x + fields.width + 6 * Theme.dp
            anchors.verticalCenter: parent.verticalCenter
            visible: pane.word.own || pane.word.problem !== ""
            glyph: "undo"
            text: qsTr("The call's own")
            onClicked: {
                pane.word.reset()
                field.text = Qt.binding(() => pane.word.hex)
            }
        }
        LsText {
            x: (reset.visible ? reset.x + reset.width : fields.x + fields.width) + 10 * Theme.dp
            width: (kinds.visible ? kinds.x : parent.width) - x - 10 * Theme.dp
            height: parent.height
            visible: implicitWidth <= width
            text: pane.word.note
            font: Theme.exact(Theme.small)
            color: pane.word.own ? Theme.warning : Theme.text2
        }
        LsDropButton {
            id: kinds
            anchors.right: parent.right
            anchors.rightMargin: 12 * Theme.dp
            anchors.verticalCenter: parent.verticalCenter
            visible: pane.word.instruction
            text: pane.word.instruction ? pane.word.kinds[pane.word.kind] : ""
            tip: qsTr("The kind that reads the word")
            model: pane.word.kinds
            currentIndex: pane.word.kind
            onChosen: index => pane.word.kind = index
        }
    }
    LsText {
        id: problem
        x: 18 * Theme.dp
        y: top.height
        width: parent.width - 36 * Theme.dp
        height: visible ? implicitHeight + 6 * Theme.dp : 0
        visible: pane.word.problem !== ""
        text: pane.word.problemCode + " · " + pane.word.problem
        font: Theme.exact(Theme.small)
        color: Theme.finding
        wrapMode: Text.Wrap
    }
    PictureCanvas {
        id: canvas
        objectName: pane.word.instruction ? "tmemInstructionBits" : "tmemMatrixBits"
        x: 18 * Theme.dp
        y: problem.y + problem.height
        width: parent.width - 36 * Theme.dp
        height: pane.word.picture.height * Theme.dp
        dp: Theme.dp
        dark: Theme.dark
        activeFocusOnTab: true
        opacity: pane.word.known ? 1 : 0.48
        picture: pane.word.picture
        onRegionClicked: id => pane.word.flip(id)
        onWidthChanged: resized.restart()
        Timer {
            id: resized
            interval: 0
            onTriggered: pane.word.width = Math.floor(canvas.width / Theme.dp)
        }
        Connections {
            target: Theme
            function onScaleChanged() { resized.restart() }
        }
        LsFocusRing { visible: canvas.activeFocus; offset: 0 }
    }
}
