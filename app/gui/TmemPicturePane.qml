// One picture of the tile's trip with its head. Pointing lights the same element in all of them; a press chooses its K step.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Models
import Layoutscope.Ui
import Layoutscope.Views

FocusScope {
    id: pane
    required property var app
    required property TmemModel model
    required property string part
    readonly property bool shared: part === "smem-a" || part === "smem-b"
    readonly property alias canvas: canvas
    readonly property alias shown: shown
    signal exploreAsked(string text)
    property bool headless: false

    TmemPicture {
        id: shown
        model: pane.model
        part: pane.part
    }
    LsPanelHeader {
        id: head
        width: parent.width
        height: pane.headless ? 0 : implicitHeight
        visible: !pane.headless
        title: shown.title
        subtitle: shown.subtitle
        LsText {
            anchors.verticalCenter: parent.verticalCenter
            visible: pane.shared && steps.visible
            text: qsTr("K step")
            color: Theme.text2
        }
        LsSegment {
            id: steps
            visible: pane.shared && pane.model.kSteps > 1 && pane.model.kSteps <= 8 && pane.width > 470 * Theme.dp
            label: qsTr("K step")
            readonly property bool dark: Theme.dark // what a category looks like depends on it
            model: Array.from({ length: pane.shared ? Math.min(8, pane.model.kSteps) : 0 }, (_, i) => ({ text: String(i), swatch: Theme.category(steps.dark ? pane.model.kCategory(i) : pane.model.kCategory(i)) }))
            currentIndex: pane.model.kStep
            onChosen: index => pane.model.kStep = index
        }
        LsButton {
            visible: pane.shared
            checkable: false
            checked: !pane.model.swizzled
            text: pane.model.swizzled ? "" : qsTr("before the XOR")
            glyph: "explore"
            tip: pane.model.swizzled ? qsTr("Take the swizzle off") : qsTr("Put the swizzle on")
            keys: "S"
            onClicked: pane.model.swizzled = !pane.model.swizzled
        }
        LsButton {
            visible: pane.part !== "gmem"
            glyph: "target"
            tip: qsTr("Open this layout in Explore")
            enabled: pane.model.valid && shown.subtitle !== ""
            onClicked: pane.exploreAsked(pane.model.layoutText(pane.part))
        }
    }
    Rectangle {
        y: head.height
        width: parent.width
        height: parent.height - y
        color: Theme.canvas
        clip: true
        PictureCanvas {
            id: canvas
            objectName: "tmemPicture-" + pane.part
            anchors.fill: parent
            dp: Theme.dp
            dark: Theme.dark
            focus: true
            activeFocusOnTab: true
            opacity: pane.model.refused ? 0.48 : 1
            picture: shown.picture
            onWidthChanged: resized.restart()
            onHeightChanged: resized.restart()
            function takeSize() {
                shown.width = Math.floor(width / Theme.dp)
                shown.height = Math.floor(height / Theme.dp)
            }
            Timer {
                id: resized
                interval: 0
                onTriggered: canvas.takeSize()
            }
            Connections {
                target: Theme
                function onScaleChanged() { resized.restart() }
            }
            Component.onCompleted: takeSize()

            Keys.onPressed: event => {
                const far = event.modifiers & Qt.ShiftModifier ? 8 : 1
                if (event.key === Qt.Key_Up) shown.moveLook(-far, 0)
                else if (event.key === Qt.Key_Down) shown.moveLook(far, 0)
                else if (event.key === Qt.Key_Left) shown.moveLook(0, -far)
                else if (event.key === Qt.Key_Right) shown.moveLook(0, far)
                else if (event.key === Qt.Key_PageUp) shown.scrollBy(-2)
                else if (event.key === Qt.Key_PageDown) shown.scrollBy(2)
                else return
                event.accepted = true
            }
            HoverHandler {
                onPointChanged: if (hovered) {
                    const at = canvas.toPicture(point.position)
                    shown.hoverAt(at.x, at.y)
                }
                onHoveredChanged: if (!hovered) pane.model.clearLook()
            }
            TapHandler {
                gesturePolicy: TapHandler.ReleaseWithinBounds
                onTapped: point => {
                    const at = canvas.toPicture(point.position)
                    shown.pressAt(at.x, at.y)
                }
            }
            WheelHandler {
                enabled: shown.scrolls
                acceptedModifiers: Qt.NoModifier
                onWheel: event => shown.scrollBy(event.angleDelta.y > 0 ? -1 : 1)
            }
            LsFocusRing { visible: canvas.activeFocus; offset: -3 }
        }
        LsEmptyState {
            anchors.fill: parent
            visible: !shown.picture.valid && shown.absence !== "" && canvas.width > 100
            glyph: "cross"
            title: pane.part === "registers" ? qsTr("Nothing is read back") : qsTr("Nothing to draw")
            sentence: shown.absence
        }
    }
}
