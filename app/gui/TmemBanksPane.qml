// One access of a warp, with and without the swizzle: who waits for whom.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Models
import Layoutscope.Ui
import Layoutscope.Views

FocusScope {
    id: pane
    required property TmemModel model
    required property TmemBanks banks
    readonly property alias canvas: canvas

    LsDropButton {
        id: kinds
        objectName: "tmemAccess"
        x: 14 * Theme.dp
        y: 8 * Theme.dp
        text: pane.banks.kinds[pane.banks.kind]
        model: pane.banks.kinds
        currentIndex: pane.banks.kind
        onChosen: index => pane.banks.kind = index
    }
    LsSegment {
        anchors.right: parent.right
        anchors.rightMargin: 12 * Theme.dp
        y: kinds.y
        label: qsTr("Operand")
        model: ["A", "B"]
        currentIndex: pane.model.ofB ? 1 : 0
        onChosen: index => pane.model.ofB = index === 1
    }
    LsText {
        id: title
        x: 14 * Theme.dp
        y: kinds.y + kinds.height + 8 * Theme.dp
        width: parent.width - 28 * Theme.dp
        text: pane.banks.problem !== "" ? pane.banks.problem : pane.banks.title
        font: Theme.smallStrong
        color: pane.banks.problem !== "" ? Theme.finding : Theme.text
        elide: Text.ElideRight
    }
    Flickable {
        id: flick
        y: title.y + title.implicitHeight + 6 * Theme.dp
        width: parent.width
        height: parent.height - y
        contentHeight: canvas.height
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: LsScrollBar {}
        PictureCanvas {
            id: canvas
            objectName: "tmemBanks"
            width: flick.width
            height: pane.banks.picture.height * Theme.dp
            dp: Theme.dp
            dark: Theme.dark
            activeFocusOnTab: true
            picture: pane.banks.picture
            onWidthChanged: resized.restart()
            Timer {
                id: resized
                interval: 0
                onTriggered: pane.banks.width = Math.floor(canvas.width / Theme.dp)
            }
            Connections {
                target: Theme
                function onScaleChanged() { resized.restart() }
            }
            LsFocusRing { visible: canvas.activeFocus; offset: -3 }
        }
    }
}
