// What the chosen load or store reads or writes: its window in the tensor, and the bytes of it in memory.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Models
import Layoutscope.Ui
import Layoutscope.Views

Rectangle {
    id: pane
    required property TraceModel trace
    property bool sideBySide: false
    color: Theme.canvas

    LsPanelHeader {
        id: head
        width: parent.width
        title: qsTr("Access")
        subtitle: pane.trace.accesses.length > 3 ? "" : pane.trace.pictureTensor
        LsDropButton {
            text: pane.trace.access < pane.trace.accesses.length ? pane.trace.accesses[pane.trace.access] : ""
            font: Theme.code
            model: pane.trace.accesses
            currentIndex: pane.trace.access
            onChosen: index => pane.trace.access = index
        }
    }
    /// Looks at the rows around what is read; the axes take about 80 × 50 points.
    function frame() {
        const region = trace.region
        if (!region.valid || memory.height < 80) return
        const next = memory.camera
        next.zoom = Math.max(0.0003, Math.min((memory.height - 50 * Theme.dp) / region.rows, (memory.width - 90 * Theme.dp) / (region.rows * 2)))
        next.originRow = region.row
        next.originColumn = 0
        memory.camera = next
    }
    Timer {
        id: later
        interval: 0 // when scene and size have both arrived
        onTriggered: pane.frame()
    }
    Connections {
        target: pane.trace
        function onPictureChanged() { later.restart() }
    }
    onWidthChanged: later.restart()
    onHeightChanged: later.restart()
    onVisibleChanged: later.restart()

    /// Name and fact side by side where they fit, else below each other.
    component Caption: Item {
        id: caption
        property string title
        property string detail
        readonly property bool beside: name.implicitWidth + fact.implicitWidth + 50 * Theme.dp < width
        height: (beside || detail === "" ? 26 : 44) * Theme.dp
        LsText {
            id: name
            x: 14 * Theme.dp
            height: 26 * Theme.dp
            text: caption.title
            font: Theme.smallStrong
        }
        LsText {
            id: fact
            x: caption.beside ? caption.width - implicitWidth - 14 * Theme.dp : 14 * Theme.dp
            y: caption.beside ? 0 : 21 * Theme.dp
            width: Math.min(implicitWidth, caption.width - 28 * Theme.dp)
            height: caption.beside ? 26 * Theme.dp : 18 * Theme.dp
            text: caption.detail
            font: Theme.exact(Theme.small)
            color: Theme.text2
            elide: Text.ElideRight
        }
    }
    Item {
        id: body
        y: head.height
        width: parent.width
        height: parent.height - y
        visible: pane.trace.pictureWhy === ""
        readonly property real half: pane.sideBySide ? Math.floor(width / 2) : width
        readonly property real tall: pane.sideBySide ? height : Math.floor(height / 2)
        Item {
            width: body.half
            height: body.tall
            Caption {
                id: logicalCaption
                width: parent.width
                title: qsTr("In the tensor")
                detail: pane.trace.pictureWindow
            }
            GridCanvas {
                y: logicalCaption.height
                width: parent.width
                height: parent.height - y
                scene: pane.trace.logical
                dark: Theme.dark
                dp: Theme.dp
                patterns: Theme.patterns
                reduceMotion: Theme.reduceMotion
                legend: false
            }
        }
        Item {
            x: pane.sideBySide ? body.half : 0
            y: pane.sideBySide ? 0 : body.tall
            width: body.half
            height: body.tall
            Caption {
                id: physicalCaption
                width: parent.width
                title: qsTr("In memory")
                detail: pane.trace.pictureBursts
            }
            GridCanvas {
                id: memory
                y: physicalCaption.height
                width: parent.width
                height: parent.height - y
                scene: pane.trace.physical
                dark: Theme.dark
                dp: Theme.dp
                patterns: Theme.patterns
                reduceMotion: Theme.reduceMotion
                legend: false
            }
        }
    }
    LsEmptyState {
        anchors.fill: body
        visible: !body.visible
        glyph: "explore"
        title: qsTr("No picture of this access")
        sentence: pane.trace.pictureWhy
    }
}
