// The batch: typed or pasted, or generated; heads, cores and tiles where no launch says them.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Models
import Layoutscope.Ui

Sheet {
    id: sheet
    required property UbWorkModel work

    title: qsTr("Sequences")
    wantedWidth: 560 * Theme.dp
    wantedHeight: 44 * Theme.dp + body.implicitHeight + 36 * Theme.dp
    onOpened: {
        text.text = work.lengths
        text.forceActiveFocus(Qt.OtherFocusReason)
        text.selectAll()
    }

    Column {
        id: body
        x: 20 * Theme.dp
        y: 16 * Theme.dp
        width: parent.width - 40 * Theme.dp
        spacing: 12 * Theme.dp

        LsText {
            width: parent.width
            text: qsTr("Rows of each sequence, in the order of the batch. 512x8 stands for eight sequences of 512.")
            color: Theme.text2
            wrapMode: Text.Wrap
        }
        Rectangle {
            width: parent.width
            height: 128 * Theme.dp
            radius: 5 * Theme.dp
            color: Theme.panel
            border.color: sheet.work.lengthsError !== "" ? Theme.finding : text.activeFocus ? Theme.accent : Theme.field
            Flickable {
                anchors.fill: parent
                anchors.margins: 8 * Theme.dp
                contentHeight: text.contentHeight
                clip: true
                T.ScrollBar.vertical: LsScrollBar {}
                TextEdit {
                    id: text
                    objectName: "ubLengths"
                    width: parent.width
                    font: Theme.code
                    color: Theme.text
                    wrapMode: TextEdit.Wrap
                    textFormat: TextEdit.PlainText
                    selectByMouse: true
                    selectionColor: Theme.accent
                    selectedTextColor: Theme.onAccent
                    Accessible.role: Accessible.EditableText
                    Accessible.name: qsTr("Lengths of the sequences")
                    Keys.onPressed: event => {
                        if (event.key === Qt.Key_Tab) { event.accepted = false; return }
                        if ((event.key === Qt.Key_Return || event.key === Qt.Key_Enter) && event.modifiers & Qt.ControlModifier) {
                            sheet.take()
                            event.accepted = true
                        }
                    }
                }
            }
        }
        LsText {
            width: parent.width
            visible: sheet.work.lengthsError !== ""
            text: sheet.work.lengthsError
            font: Theme.exact(Theme.small)
            color: Theme.finding
            wrapMode: Text.Wrap
        }
        Row {
            spacing: 8 * Theme.dp
            LsDropButton {
                id: kind
                property var ids: ["uniform", "long-tail", "equal", "one-long"]
                property int choice: 0
                text: model[choice]
                model: [qsTr("Evenly mixed"), qsTr("Many short, few long"), qsTr("All equal"), qsTr("One long")]
                currentIndex: choice
                onChosen: index => choice = index
            }
            UbNumber { id: count; label: qsTr("sequences"); value: 64; low: 1; high: 1000000; onEdited: value => count.value = value }
            UbNumber { id: longest; label: qsTr("longest"); value: 2048; low: 1; high: 1048576; onEdited: value => longest.value = value }
            LsButton {
                text: qsTr("Generate")
                onClicked: {
                    sheet.work.generate(kind.ids[kind.choice], count.value, longest.value)
                    text.text = sheet.work.lengths
                }
            }
        }
        Row {
            visible: sheet.work.free
            spacing: 8 * Theme.dp
            UbNumber { label: qsTr("heads"); value: sheet.work.heads; low: 1; high: 65536; onEdited: value => sheet.work.setHeads(value) }
            UbNumber { label: qsTr("V tiles"); value: sheet.work.tiles; low: 1; high: 4096; onEdited: value => sheet.work.setTiles(value) }
            UbNumber { label: qsTr("cores"); value: sheet.work.cores; low: 1; high: 4096; onEdited: value => sheet.work.setCores(value) }
        }
        LsText {
            width: parent.width
            visible: !sheet.work.free
            text: qsTr("Heads, V tiles and cores are those of the launch: %1.").arg(sheet.work.subtitle)
            font: Theme.small
            color: Theme.text2
            wrapMode: Text.Wrap
        }
        Row {
            anchors.right: parent.right
            spacing: 8 * Theme.dp
            LsButton { text: qsTr("Cancel"); onClicked: sheet.close() }
            LsButton { text: qsTr("Distribute"); keys: "Ctrl ↵"; onClicked: sheet.take() }
        }
    }
    function take() { if (work.setLengths(text.text)) close() }
}
