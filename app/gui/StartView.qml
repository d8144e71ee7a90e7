// The first minute: one sentence, one field, files to drop, what was open before, and examples that open ready to hover.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Models
import Layoutscope.Ui
import Layoutscope.Views

FocusScope {
    id: start
    required property var app
    readonly property real logicalWidth: width / Theme.dp
    /// With less room the cards come below, in one scroll.
    readonly property bool stacked: logicalWidth < 860
    readonly property string findingText: qsTr("Ready")
    readonly property string findingTone: "neutral"
    readonly property var statusLeft: []
    readonly property var statusRight: [app.recent.count === 0 ? qsTr("no recent documents") : app.recent.count === 1 ? qsTr("1 recent document") : qsTr("%1 recent documents").arg(app.recent.count),
                                        "Layoutscope " + Qt.application.version]

    function focusField() { field.take(true) }
    function panels(): var { return [field, recentList, cardArea] }
    function openField() {
        if (check.text.trim() === "") {
            start.app.newLayout("nz(256, 512, i8)")
            return
        }
        if (check.refused) return
        start.app.newLayout(check.text)
        check.text = ""
    }

    Explorer { id: check }

    Rectangle {
        id: side
        width: start.stacked ? start.width : 460 * Theme.dp
        height: start.stacked ? Math.min(start.height * 0.55, sideColumn.implicitHeight + 60 * Theme.dp) : start.height
        color: Theme.panel

        Flickable {
            anchors.fill: parent
            contentHeight: sideColumn.implicitHeight + 70 * Theme.dp
            clip: true
            boundsBehavior: Flickable.StopAtBounds
            interactive: contentHeight > height
            T.ScrollBar.vertical: LsScrollBar {}

            Column {
                id: sideColumn
                x: 36 * Theme.dp
                y: 34 * Theme.dp
                width: parent.width - 72 * Theme.dp
                spacing: 0

                LsText {
                    width: parent.width
                    text: qsTr("Where does every element live?")
                    font: Theme.start
                    wrapMode: Text.Wrap
                }
                Item { width: 1; height: 8 * Theme.dp }
                LsText {
                    width: parent.width
                    text: qsTr("Type a layout, or open a kernel program.")
                    font: Theme.large
                    color: Theme.text2
                    wrapMode: Text.Wrap
                }
                Item { width: 1; height: 20 * Theme.dp }
                LayoutField {
                    id: field
                    objectName: "startField"
                    width: parent.width
                    height: 42 * Theme.dp
                    explorer: check
                    facts: false
                    placeholder: "nz(256, 512, i8)"
                    keyHint: qsTr("Enter")
                    focus: true
                    onAccepted: start.openField()
                    onLeftByEscape: check.text = ""
                }
                Item { width: 1; height: 8 * Theme.dp }
                // The place is kept, so that nothing below moves while one types.
                Item {
                    width: parent.width
                    height: Math.max(chips.implicitHeight, refusal.visible ? refusal.implicitHeight : 0, 30 * Theme.dp)
                    Flow {
                        id: chips
                        width: parent.width
                        spacing: 8 * Theme.dp
                        visible: check.text === ""
                        Repeater {
                            model: ["S[(8, 64):(64, 1)]", "((4,2),8):((1,16),4)", "Sw<3,4,3> o (8,64):(64,1)"]
                            T.AbstractButton {
                                id: chip
                                required property string modelData
                                implicitWidth: chipText.implicitWidth + 22 * Theme.dp
                                implicitHeight: 25 * Theme.dp
                                hoverEnabled: true
                                focusPolicy: Qt.TabFocus
                                Accessible.role: Accessible.Button
                                Accessible.name: modelData
                                Keys.onReturnPressed: clicked()
                                onClicked: start.app.newLayout(modelData)
                                background: Rectangle {
                                    radius: height / 2
                                    color: chip.hovered ? Theme.accentTint : Theme.sunken
                                    LsFocusRing { visible: chip.visualFocus; radius: height / 2 }
                                }
                                LsCode {
                                    id: chipText
                                    anchors.centerIn: parent
                                    text: chip.modelData
                                    color: chip.hovered ? Theme.accent : Theme.text2
                                }
                            }
                        }
                    }
                    RefusalLine {
                        id: refusal
                        width: parent.width
                        visible: field.refused
                        explorer: check
                        onHelpAsked: code => start.app.openHelp("", code)
                    }
                    Flow {
                        visible: check.text !== "" && !field.refused && check.valid
                        width: parent.width
                        spacing: 8 * Theme.dp
                        LsPill { text: check.verdict; tone: check.verdictTone }
                        LsPill { text: check.elementsText }
                        LsPill { text: check.sizeText }
                    }
                }
                Item { width: 1; height: 22 * Theme.dp }
                Item {
                    width: parent.width
                    height: 136 * Theme.dp
                    LsFrame {
                        anchors.fill: parent
                        dashed: true
                        radius: 6 * Theme.dp
                        edge: Theme.line2
                        fill: Theme.canvas
                    }
                    Column {
                        anchors.centerIn: parent
                        spacing: 7 * Theme.dp
                        LsIcon {
                            anchors.horizontalCenter: parent.horizontalCenter
                            name: "drop"
                            color: Theme.text2
                            size: 28
                        }
                        LsText {
                            anchors.horizontalCenter: parent.horizontalCenter
                            text: qsTr("Drop a file")
                            font: Theme.large
                        }
                        LsText {
                            anchors.horizontalCenter: parent.horizontalCenter
                            text: ".py  .pto  .txt  .json  .lsc"
                            font: Theme.exact(Theme.small)
                            color: Theme.text2
                        }
                        LsButton {
                            anchors.horizontalCenter: parent.horizontalCenter
                            text: qsTr("Open…")
                            keys: "Ctrl O"
                            onClicked: start.app.askOpen()
                        }
                    }
                }
                Item { width: 1; height: 24 * Theme.dp }
                Item {
                    width: parent.width
                    height: 26 * Theme.dp
                    LsText {
                        height: parent.height
                        text: qsTr("Recent")
                        font: Theme.bodyStrong
                    }
                    LsButton {
                        visible: start.app.recent.count > 0
                        anchors.right: parent.right
                        kind: "flat"
                        text: qsTr("Clear")
                        ink: Theme.accent
                        onClicked: start.app.recent.clear()
                    }
                }
                LsText {
                    visible: start.app.recent.count === 0
                    width: parent.width
                    topPadding: 6 * Theme.dp
                    text: qsTr("What you open will be listed here.")
                    font: Theme.small
                    color: Theme.text2
                    wrapMode: Text.Wrap
                }
                ListView {
                    id: recentList
                    x: -10 * Theme.dp
                    width: parent.width + 20 * Theme.dp
                    height: contentHeight
                    interactive: false
                    model: start.app.recent
                    activeFocusOnTab: count > 0
                    currentIndex: -1
                    onActiveFocusChanged: if (activeFocus && currentIndex < 0) currentIndex = 0
                    Keys.onReturnPressed: start.app.openRecent(currentIndex)
                    delegate: Rectangle {
                        id: row
                        required property int index
                        required property string title
                        required property string detail
                        required property string when
                        required property string glyph
                        readonly property bool lit: over.hovered || (ListView.isCurrentItem && recentList.activeFocus)
                        width: recentList.width
                        height: 46 * Theme.dp
                        radius: 6 * Theme.dp
                        color: lit ? Theme.accentTint : "transparent"
                        Accessible.role: Accessible.ListItem
                        Accessible.name: row.title + ", " + row.detail + ", " + row.when
                        HoverHandler { id: over }
                        TapHandler { onTapped: start.app.openRecent(row.index) }
                        LsIcon {
                            x: 10 * Theme.dp
                            anchors.verticalCenter: parent.verticalCenter
                            name: row.glyph
                            color: row.lit ? Theme.accent : Theme.text2
                            size: 18
                        }
                        LsText {
                            x: 40 * Theme.dp
                            y: 5 * Theme.dp
                            width: whenText.x - x - 8
                            text: row.title
                            font: Theme.exact(Theme.body)
                            elide: Text.ElideRight
                        }
                        LsText {
                            x: 40 * Theme.dp
                            y: 24 * Theme.dp
                            width: whenText.x - x - 8
                            text: row.detail
                            font: Theme.exact(Theme.small)
                            color: Theme.text2
                            elide: Text.ElideMiddle
                        }
                        LsText {
                            id: whenText
                            anchors.right: parent.right
                            anchors.rightMargin: 10 * Theme.dp
                            height: parent.height
                            text: row.when
                            font: Theme.small
                            color: Theme.text2
                        }
                    }
                }
            }
        }
        Rectangle {
            x: start.stacked ? 0 : parent.width - 1
            y: start.stacked ? parent.height - 1 : 0
            width: start.stacked ? parent.width : 1
            height: start.stacked ? 1 : parent.height
            color: Theme.line
        }
    }

    Flickable {
        id: cardArea
        x: start.stacked ? 0 : side.width
        y: start.stacked ? side.height : 0
        width: start.width - x
        height: start.height - y
        contentHeight: families.implicitHeight + 48 * Theme.dp
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        interactive: contentHeight > height
        T.ScrollBar.vertical: LsScrollBar {}

        readonly property real pad: 40 * Theme.dp
        readonly property int columns: Math.max(1, Math.floor((width - 2 * pad + 16 * Theme.dp) / (300 * Theme.dp)))
        readonly property real cardWidth: Math.min(360 * Theme.dp, (width - 2 * pad - (columns - 1) * 16 * Theme.dp) / columns)

        Column {
            id: families
            x: cardArea.pad
            y: 24 * Theme.dp
            width: parent.width - 2 * cardArea.pad
            spacing: 18 * Theme.dp

            Row {
                spacing: 9 * Theme.dp
                LsText {
                    text: qsTr("Examples from real work")
                    font: Theme.title
                }
                LsText {
                    anchors.baseline: (parent as Row).children[0].baseline
                    text: qsTr("each opens ready to hover and edit")
                    color: Theme.text2
                }
            }
            Repeater {
                model: start.app.examples.families
                Column {
                    id: family
                    required property string modelData
                    width: families.width
                    spacing: 10 * Theme.dp
                    LsText {
                        text: family.modelData
                        font: Theme.smallStrong
                        color: Theme.text2
                    }
                    Flow {
                        width: parent.width
                        spacing: 16 * Theme.dp
                        Repeater {
                            model: start.app.examples.rowsOf(family.modelData)
                            LsCard {
                                id: card
                                required property int modelData
                                readonly property var one: start.app.examples.get(modelData)
                                width: cardArea.cardWidth
                                height: implicitHeight
                                title: one.title
                                code: one.caption
                                sentence: one.sentence
                                onClicked: start.app.openExample(modelData)
                                GridCanvas {
                                    // As wide as the grid is, so that it stands in the middle.
                                    readonly property real ratio: scene.rows > 0 ? scene.columns / scene.rows : 1
                                    anchors.centerIn: parent
                                    height: parent.height - 28 * Theme.dp
                                    width: Math.min(parent.width - 40 * Theme.dp, height * Math.max(0.5, ratio))
                                    visible: card.one.kind !== "ub" && card.one.kind !== "gemm"
                                    scene: card.one.picture
                                    dark: Theme.dark
                                    dp: Theme.dp
                                    patterns: Theme.patterns
                                    axes: false
                                    legend: false
                                    enabled: false
                                }
                                PictureCanvas {
                                    anchors.centerIn: parent
                                    visible: card.one.kind === "ub" || card.one.kind === "gemm"
                                    width: parent.width - 20 * Theme.dp
                                    height: parent.height - 16 * Theme.dp
                                    fit: PictureCanvas.FitAll
                                    picture: card.one.map
                                    dark: Theme.dark
                                    dp: Theme.dp
                                    enabled: false
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
