// The memory map: address across, phases down. Wheel zooms, edges and blocks are dragged, arrows move what is selected.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Models
import Layoutscope.Ui
import Layoutscope.Views

FocusScope {
    id: pane
    required property UbModel model
    required property UbWorkModel work
    required property UbMapModel map
    readonly property alias canvas: canvas
    property real stripWidth: 0
    signal helpAsked(string code)

    LsPanelHeader {
        id: head
        width: parent.width
        title: qsTr("Unified buffer")
        subtitle: pane.map.zoomed ? pane.map.rangeText : pane.map.subtitle
        LsPill {
            anchors.verticalCenter: parent.verticalCenter
            visible: pane.map.dragging || pane.map.conflicts > 0
            text: pane.map.dragging ? pane.map.dragText : pane.map.conflicts === 1 ? qsTr("1 conflict") : qsTr("%1 conflicts").arg(pane.map.conflicts)
            tone: pane.map.conflicts > 0 ? "finding" : "accent"
        }
        LsSegment {
            label: qsTr("What runs down")
            model: [qsTr("Lifetimes"), qsTr("Addresses only")]
            currentIndex: pane.map.lifetimes ? 0 : 1
            onChosen: index => pane.map.lifetimes = index === 0
        }
        UbWhatIf {
            model: pane.model
            work: pane.work
        }
        LsButton {
            glyph: "fit"
            tip: qsTr("The whole buffer")
            keys: "F"
            enabled: pane.map.zoomed
            onClicked: pane.map.fit()
        }
    }
    Rectangle {
        y: head.height
        width: parent.width
        height: parent.height - y - formula.height
        color: Theme.canvas
        clip: true
        PictureCanvas {
            id: canvas
            objectName: "ubMap"
            anchors.fill: parent
            dp: Theme.dp
            dark: Theme.dark
            focus: true
            activeFocusOnTab: true
            opacity: pane.model.refused ? 0.48 : 1
            picture: pane.map.picture
            selectedId: pane.map.selected >= 0 ? pane.map.selected : NaN
            highlightedId: pane.map.hovered >= 0 ? pane.map.hovered : NaN
            onHoveredChanged: pane.map.hovered = hovered ? hoveredId : -1
            onWidthChanged: resized.restart()
            onHeightChanged: resized.restart()
            onRegionClicked: id => pane.map.selected = id
            onRegionActivated: id => {
                pane.map.selected = id
                pane.map.zoomToSelected()
            }
            readonly property bool scrolls: pane.map.picture.height * Theme.dp > height + 1
            // A size of the figure, not of the item: drawn anew once the layout has settled.
            function takeSize() {
                pane.map.width = Math.floor(width / Theme.dp)
                pane.map.height = Math.floor(height / Theme.dp)
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
                const step = event.modifiers & Qt.ShiftModifier ? 256 : 32
                const edge = (event.modifiers & Qt.AltModifier) !== 0
                if (event.key === Qt.Key_Plus || event.key === Qt.Key_Equal) pane.map.zoomAt(width / Theme.dp / 2, 1.5)
                else if (event.key === Qt.Key_Minus) pane.map.zoomAt(width / Theme.dp / 2, 1 / 1.5)
                else if (pane.map.selected < 0) return
                else if (event.key === Qt.Key_Left) pane.map.nudge(-step, edge)
                else if (event.key === Qt.Key_Right) pane.map.nudge(step, edge)
                else if (event.key === Qt.Key_Up) pane.map.selectNext(-1)
                else if (event.key === Qt.Key_Down) pane.map.selectNext(1)
                else if (event.key === Qt.Key_Z) pane.map.zoomToSelected()
                else return
                event.accepted = true
            }
            HoverHandler {
                id: over
                readonly property point at: canvas.toPicture(point.position)
                readonly property string handle: hovered && !dragger.active ? pane.map.handleAt(at.x, at.y) : ""
                cursorShape: dragger.moving ? Qt.ClosedHandCursor : handle === "begin" || handle === "end" ? Qt.SplitHCursor
                           : handle === "block" ? Qt.OpenHandCursor : Qt.ArrowCursor
            }
            DragHandler {
                id: dragger
                target: null
                acceptedButtons: Qt.LeftButton
                dragThreshold: 4
                property bool moving: false
                property real lastX: 0
                onActiveChanged: {
                    if (active) {
                        const from = canvas.toPicture(centroid.pressPosition)
                        moving = pane.map.beginDrag(from.x, from.y)
                        lastX = centroid.pressPosition.x
                        follow()
                    } else {
                        pane.map.endDrag()
                        moving = false
                    }
                }
                onCentroidChanged: if (active) follow()
                function follow() {
                    const at = canvas.toPicture(centroid.position)
                    if (moving) pane.map.dragTo(at.x, (centroid.modifiers & Qt.ControlModifier) !== 0)
                    else pane.map.pan((centroid.position.x - lastX) / Theme.dp)
                    lastX = centroid.position.x
                }
            }
            // Where all rows are in sight the wheel zooms; else it scrolls, and Ctrl zooms.
            WheelHandler {
                acceptedModifiers: canvas.scrolls ? Qt.ControlModifier : Qt.NoModifier
                onWheel: event => pane.map.zoomAt(canvas.toPicture(Qt.point(event.x, event.y)).x, Math.pow(1.25, event.angleDelta.y / 120))
            }
            WheelHandler {
                acceptedModifiers: Qt.ShiftModifier
                onWheel: event => pane.map.pan((event.angleDelta.y + event.angleDelta.x) / 2)
            }
            LsFocusRing { visible: canvas.activeFocus; offset: -3 }
        }
        LsEmptyState {
            anchors.fill: parent
            visible: pane.model.valid && !pane.map.picture.valid && !pane.model.refused && canvas.width > 100
            glyph: "cross"
            title: qsTr("No V step fits")
            sentence: qsTr("Candidates on the right say by how much each one fell. Take a smaller head or chunk, or a chip with more unified buffer.")
        }
        Rectangle {
            visible: pane.model.refused
            width: parent.width
            height: refusal.implicitHeight + 16 * Theme.dp
            color: Theme.findingTint
            Column {
                id: refusal
                x: 14 * Theme.dp
                y: 8 * Theme.dp
                width: parent.width - 28 * Theme.dp
                spacing: 2 * Theme.dp
                Row {
                    spacing: 10 * Theme.dp
                    LsIcon { anchors.verticalCenter: parent.verticalCenter; name: "cross"; color: Theme.finding; size: 14 }
                    LsCode {
                        text: pane.model.errorCode
                        color: Theme.finding
                        HoverHandler { cursorShape: Qt.PointingHandCursor }
                        TapHandler { onTapped: pane.helpAsked(pane.model.errorCode) }
                    }
                    LsText {
                        visible: pane.model.errorLine > 0
                        text: qsTr("line %1 of the text").arg(pane.model.errorLine)
                        font: Theme.small
                        color: Theme.text2
                    }
                }
                LsText {
                    width: parent.width
                    text: pane.model.errorMessage + (pane.model.errorHint !== "" ? ". " + pane.model.errorHint : "")
                    font: Theme.exact(Theme.body)
                    wrapMode: Text.Wrap
                }
            }
        }
    }
    Rectangle {
        id: formula
        y: parent.height - height
        width: parent.width
        height: 28 * Theme.dp
        color: Theme.panel
        clip: true
        Rectangle {
            width: parent.width
            height: 1
            color: Theme.line
        }
        LsCode {
            objectName: "ubFormula"
            x: 14 * Theme.dp
            width: parent.width - 28 * Theme.dp
            height: parent.height
            text: pane.map.formula !== "" ? pane.map.formula
                : pane.map.hovered < -1 ? pane.map.hoverText
                : qsTr("Point at a view: its size and address with the numbers put in. Drag an edge or a block; arrows move by 32 B, Shift by 256 B, Alt resizes.")
            color: pane.map.formula !== "" ? Theme.text : Theme.text3
            elide: Text.ElideRight
        }
    }
}
