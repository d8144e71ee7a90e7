// Hardware layouts by family: picture, text, what each is for. A card opens in Explore.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Models
import Layoutscope.Ui
import Layoutscope.Views

FocusScope {
    id: gallery
    required property var app
    property bool offersExample: true
    signal closeAsked()
    readonly property alias model: layouts

    ExamplesModel {
        id: layouts
        source: "gallery.json"
    }
    Rectangle {
        anchors.fill: parent
        color: Theme.window
    }
    Flickable {
        id: flick
        anchors.fill: parent
        contentHeight: column.implicitHeight + 40 * Theme.dp
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: LsScrollBar {}
        Column {
            id: column
            x: 24 * Theme.dp
            y: 20 * Theme.dp
            width: parent.width - 48 * Theme.dp
            spacing: 14 * Theme.dp
            readonly property int across: Math.max(1, Math.floor((width + 16 * Theme.dp) / (266 * Theme.dp)))
            readonly property real cardWidth: (width - (across - 1) * 16 * Theme.dp) / across
            Item {
                width: parent.width
                height: 52 * Theme.dp
                LsText {
                    id: title
                    text: qsTr("What the instructions read")
                    font: Theme.title
                }
                LsText {
                    y: 26 * Theme.dp
                    width: Math.min(parent.width - actions.width - 20 * Theme.dp, 720 * Theme.dp)
                    text: qsTr("What tensor cores, tensor memory and register fragments ask for. Each opens in Explore, ready to hover and edit.")
                    font: Theme.exact(Theme.body)
                    color: Theme.text2
                    elide: Text.ElideRight
                }
                Row {
                    id: actions
                    anchors.right: parent.right
                    anchors.verticalCenter: parent.verticalCenter
                    spacing: 8 * Theme.dp
                    LsButton {
                        objectName: "tmemWorked"
                        visible: gallery.offersExample
                        kind: "primary"
                        text: qsTr("Open the worked gemm_async")
                        onClicked: gallery.app.openGemm()
                    }
                    LsButton {
                        visible: !gallery.offersExample
                        text: qsTr("Back to the call")
                        keys: "Esc"
                        onClicked: gallery.closeAsked()
                    }
                }
            }
            Repeater {
                model: layouts.families
                Column {
                    id: family
                    required property string modelData
                    width: column.width
                    spacing: 10 * Theme.dp
                    LsText {
                        text: family.modelData
                        font: Theme.bodyStrong
                        color: Theme.text2
                    }
                    Flow {
                        width: parent.width
                        spacing: 16 * Theme.dp
                        Repeater {
                            model: layouts.rowsOf(family.modelData)
                            LsCard {
                                id: card
                                required property int modelData
                                readonly property var one: layouts.get(modelData)
                                width: column.cardWidth
                                height: 124 * Theme.dp + 118 * Theme.dp
                                pictureHeight: 124 * Theme.dp
                                title: one.title
                                code: one.text
                                sentence: one.sentence
                                onClicked: gallery.app.newLayout(one.text)
                                GridCanvas {
                                    // As wide as the grid is, so that it stands in the middle.
                                    readonly property real ratio: scene.rows > 0 ? scene.columns / scene.rows : 1
                                    anchors.centerIn: parent
                                    height: parent.height - 20 * Theme.dp
                                    width: Math.min(parent.width - 24 * Theme.dp, height * Math.max(0.5, ratio))
                                    scene: card.one.picture
                                    dark: Theme.dark
                                    dp: Theme.dp
                                    patterns: Theme.patterns
                                    axes: false
                                    legend: false
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
