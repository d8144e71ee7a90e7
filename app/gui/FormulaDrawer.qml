// The address of the element in focus, term by term, and the same read outside-in on the ruler. Its height never moves.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Models
import Layoutscope.Ui

Rectangle {
    id: drawer
    required property Explorer explorer
    /// One line; the ruler opens on a button.
    property bool compact: false
    readonly property real logicalWidth: width / Theme.dp

    color: Theme.panel
    Accessible.role: Accessible.Pane
    Accessible.name: explorer.hasFormula ? qsTr("Address of %1: %2").arg(explorer.formulaCoordinate).arg(explorer.formulaAddress) : qsTr("Address formula")

    LsText {
        visible: !drawer.explorer.hasFormula
        anchors.centerIn: parent
        text: qsTr("Point at an element to see where it lives, or press Ctrl F and type an address.")
        color: Theme.text3
    }

    component Head: Row {
        spacing: 9 * Theme.dp
        LsText {
            text: drawer.explorer.formulaCoordinate
            font: Theme.title
        }
        LsText {
            text: "→"
            font: Theme.title
            color: Theme.text3
        }
        LsCode {
            text: drawer.explorer.formulaAddress
            font: Theme.input
        }
    }

    // --- tall
    Item {
        id: left
        visible: !drawer.compact && drawer.explorer.hasFormula
        x: 18 * Theme.dp
        y: 12 * Theme.dp
        width: drawer.logicalWidth < 760 ? parent.width - 2 * x : Math.min(460 * Theme.dp, parent.width * 0.42)
        height: parent.height - y - 6 * Theme.dp

        Row {
            id: head
            spacing: 12 * Theme.dp
            height: 24 * Theme.dp
            Head { anchors.verticalCenter: parent.verticalCenter }
            LsPill {
                anchors.verticalCenter: parent.verticalCenter
                text: drawer.explorer.formulaState
                tone: drawer.explorer.formulaState === qsTr("hovered") ? "hover" : "accent"
            }
        }
        Flickable {
            y: head.height + 8 * Theme.dp
            width: parent.width
            height: (keys.visible ? keys.y : parent.height) - y - 4
            contentHeight: terms.implicitHeight
            clip: true
            boundsBehavior: Flickable.StopAtBounds
            interactive: contentHeight > height
            T.ScrollBar.vertical: LsScrollBar {}
            Column {
                id: terms
                width: parent.width
                spacing: 7 * Theme.dp
                FormulaTerms {
                    width: parent.width
                    rows: drawer.explorer.formulaRows
                }
                Repeater {
                    model: drawer.explorer.formulaNotes
                    LsCode {
                        required property string modelData
                        width: terms.width
                        text: modelData
                        color: Theme.text2
                        wrapMode: Text.Wrap
                    }
                }
            }
        }
        Row {
            id: keys
            y: parent.height - height
            visible: parent.height > 150 * Theme.dp
            spacing: 7 * Theme.dp
            height: 22 * Theme.dp
            LsKey { text: "P"; anchors.verticalCenter: parent.verticalCenter }
            LsText { text: qsTr("pin"); height: parent.height; font: Theme.small; color: Theme.text2; rightPadding: 5 }
            LsKey { text: "Ctrl Shift C"; anchors.verticalCenter: parent.verticalCenter }
            LsText { text: qsTr("copy formula"); height: parent.height; font: Theme.small; color: Theme.text2; rightPadding: 5 }
            LsKey { text: "G"; anchors.verticalCenter: parent.verticalCenter }
            LsText { text: qsTr("go to address"); height: parent.height; font: Theme.small; color: Theme.text2 }
        }
    }
    LsRuler {
        visible: left.visible && drawer.logicalWidth >= 760
        x: left.x + left.width + 16 * Theme.dp
        y: 14 * Theme.dp
        width: parent.width - x - 20 * Theme.dp
        height: parent.height - y - 10 * Theme.dp
        levels: drawer.explorer.ruler
    }

    // --- one line: what does not fit is left out from the right
    Item {
        id: line
        visible: drawer.compact && drawer.explorer.hasFormula
        x: 16 * Theme.dp
        width: rulerButton.x - x - 10 * Theme.dp
        height: parent.height
        readonly property real gap: 20 * Theme.dp
        Column {
            id: place
            anchors.verticalCenter: parent.verticalCenter
            Head {}
            LsText {
                text: qsTr("%1 element").arg(drawer.explorer.formulaState)
                font: Theme.small
                color: Theme.text2
            }
        }
        FormulaTerms {
            id: sum
            readonly property bool fits: drawer.explorer.formulaRows.length === 1 && x + contentWidth < line.width
            x: place.width + line.gap
            anchors.verticalCenter: parent.verticalCenter
            wraps: false
            width: contentWidth
            opacity: fits ? 1 : 0
            rows: drawer.explorer.formulaRows
        }
        LsCode {
            id: note
            x: sum.fits ? sum.x + sum.contentWidth + line.gap : sum.x
            height: parent.height
            visible: text !== "" && x + implicitWidth < line.width
            text: drawer.explorer.formulaNotes.length > 0 ? drawer.explorer.formulaNotes[0] : ""
            color: Theme.text2
        }
        LsText {
            x: note.x + note.implicitWidth + line.gap
            height: parent.height
            visible: note.visible && text !== "" && x + implicitWidth < line.width
            text: drawer.explorer.formulaRoles
            font: Theme.exact(Theme.small)
            color: Theme.text2
        }
    }
    LsButton {
        id: rulerButton
        visible: line.visible
        anchors.right: parent.right
        anchors.rightMargin: 16 * Theme.dp
        anchors.verticalCenter: parent.verticalCenter
        text: qsTr("Ruler")
        drops: true
        onClicked: sheet.visible ? sheet.close() : sheet.open()
        T.Popup {
            id: sheet
            y: -height - 6
            x: rulerButton.width - width
            width: Math.min(760 * Theme.dp, drawer.width - 30 * Theme.dp)
            height: 230 * Theme.dp
            padding: 16 * Theme.dp
            background: Rectangle {
                radius: 10 * Theme.dp
                color: Theme.raised
                border.color: Theme.line2
                LsShadow {}
            }
            contentItem: Item {
                FormulaTerms {
                    width: parent.width
                    rows: drawer.explorer.formulaRows
                    brief: true
                }
                LsRuler {
                    y: 40 * Theme.dp
                    width: parent.width
                    height: parent.height - y
                    levels: drawer.explorer.ruler
                }
            }
        }
    }
    Rectangle {
        width: parent.width
        height: 1
        color: Theme.line
    }
}
