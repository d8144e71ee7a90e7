// A batch over cores: units as blocks in order, quota, idle time and makespan; replay unit by unit; another rule beside.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Models
import Layoutscope.Ui
import Layoutscope.Views

FocusScope {
    id: pane
    required property UbWorkModel work
    /// Only the head is shown.
    property bool folded: false
    property bool foldable: false
    readonly property alias canvas: canvas
    readonly property alias head: head
    signal foldAsked()
    signal sequencesAsked()

    LsPanelHeader {
        id: head
        width: parent.width
        title: qsTr("Cores")
        subtitle: pane.work.subtitle
        Row {
            anchors.verticalCenter: parent.verticalCenter
            spacing: 6 * Theme.dp
            Repeater {
                model: pane.work.pills
                LsPill {
                    required property var modelData
                    required property int index
                    visible: index < (pane.width > 900 * Theme.dp ? 3 : 2)
                    text: modelData.text
                    tone: modelData.tone
                    glyph: ""
                    mono: true
                }
            }
        }
        LsButton {
            objectName: "ubSequences"
            visible: pane.width > 560 * Theme.dp
            text: "seqLens = [" + (pane.work.lengthsShort.length > 28 ? qsTr("%1 sequences").arg(pane.work.sequences) : pane.work.lengthsShort) + "]"
            font: Theme.code
            tip: qsTr("Type, paste or generate sequences")
            onClicked: pane.sequencesAsked()
        }
        LsDropButton {
            visible: !pane.folded && pane.width > 760 * Theme.dp
            text: pane.work.other > 0 ? pane.work.others[pane.work.other] : qsTr("Beside…")
            model: pane.work.others
            currentIndex: pane.work.other
            onChosen: index => pane.work.other = index
        }
        Row {
            anchors.verticalCenter: parent.verticalCenter
            visible: !pane.folded
            spacing: 4 * Theme.dp
            LsButton {
                glyph: "back"
                tip: qsTr("One unit back")
                keys: ","
                enabled: pane.work.step !== 0
                onClicked: pane.stepBy(-1)
            }
            LsButton {
                glyph: "play"
                tip: qsTr("One unit forward")
                keys: "."
                enabled: pane.work.step >= 0
                onClicked: pane.stepBy(1)
            }
        }
        LsButton {
            visible: pane.foldable
            glyph: pane.folded ? "chevron-up" : "chevron-down"
            tip: pane.folded ? qsTr("Open the drawer") : qsTr("Close the drawer")
            keys: "Ctrl J"
            onClicked: pane.foldAsked()
        }
    }
    function stepBy(by: int) {
        const at = work.step < 0 ? work.units : work.step
        work.step = Math.max(0, at + by)
    }

    Rectangle {
        y: head.height
        width: parent.width
        height: parent.height - y
        visible: !pane.folded
        color: Theme.canvas
        clip: true

        component Timeline: PictureCanvas {
            id: timeline
            dp: Theme.dp
            dark: Theme.dark
            activeFocusOnTab: true
            readonly property bool scrolls: pictureHeight * Theme.dp > height + 1
            property real pictureHeight: 0
            WheelHandler {
                acceptedModifiers: timeline.scrolls ? Qt.ControlModifier : Qt.NoModifier
                onWheel: event => pane.work.zoomAt(timeline.toPicture(Qt.point(event.x, event.y)).x, Math.pow(1.25, event.angleDelta.y / 120))
            }
            WheelHandler {
                acceptedModifiers: Qt.ShiftModifier
                onWheel: event => pane.work.pan((event.angleDelta.y + event.angleDelta.x) / 2)
            }
            DragHandler {
                target: null
                dragThreshold: 4
                property real lastX: 0
                onActiveChanged: lastX = centroid.pressPosition.x
                onCentroidChanged: {
                    if (!active) return
                    pane.work.pan((centroid.position.x - lastX) / Theme.dp)
                    lastX = centroid.position.x
                }
            }
            LsFocusRing { visible: timeline.activeFocus; offset: -3 }
        }
        Timeline {
            id: canvas
            objectName: "ubTimeline"
            width: pane.work.otherPicture.valid ? Math.floor((parent.width - 1) / 2) : parent.width
            height: parent.height - foot.height
            focus: true
            picture: pane.work.picture
            pictureHeight: pane.work.picture.height
            onHoveredChanged: pane.work.lit = hovered && hoveredId >= 0 ? hoveredId : -1
            onRegionClicked: id => { if (id >= 0) pane.work.step = id + 1 }
            onWidthChanged: resized.restart()
            onHeightChanged: resized.restart()
            Keys.onPressed: event => {
                if (event.key === Qt.Key_Plus || event.key === Qt.Key_Equal) pane.work.zoomAt(width / Theme.dp / 2, 1.5)
                else if (event.key === Qt.Key_Minus) pane.work.zoomAt(width / Theme.dp / 2, 1 / 1.5)
                else return
                event.accepted = true
            }
            function takeSize() {
                if (pane.folded) return
                pane.work.width = Math.floor(width / Theme.dp)
                pane.work.height = Math.floor(height / Theme.dp)
            }
            Timer {
                id: resized
                interval: 0
                onTriggered: canvas.takeSize()
            }
            Component.onCompleted: resized.restart()
        }
        Rectangle {
            x: canvas.width
            width: 1
            height: parent.height - foot.height
            visible: other.visible
            color: Theme.line
        }
        Timeline {
            id: other
            objectName: "ubTimelineOther"
            x: canvas.width + 1
            width: parent.width - x
            height: canvas.height
            visible: pane.work.otherPicture.valid
            picture: pane.work.otherPicture
            pictureHeight: pane.work.otherPicture.height
        }
        LsEmptyState {
            anchors.fill: parent
            visible: !pane.work.valid
            glyph: "passes"
            title: qsTr("No sequences")
            sentence: pane.work.lengthsError !== "" ? pane.work.lengthsError : qsTr("Type lengths, paste them or generate a batch.")
            action: qsTr("Sequences…")
            onActed: pane.sequencesAsked()
        }
        Item {
            id: foot
            y: parent.height - height
            width: parent.width
            height: pane.work.valid ? 26 * Theme.dp : 0
            LsText {
                x: 14 * Theme.dp
                height: parent.height
                width: parent.width - 28 * Theme.dp
                text: pane.work.hoverText !== "" ? pane.work.hoverText : pane.work.otherText !== "" ? pane.work.stepText + "   ·   " + pane.work.otherText : pane.work.stepText
                font: Theme.exact(Theme.small)
                color: Theme.text2
                elide: Text.ElideRight
            }
        }
    }
}
