// The logical picture and the physical one, linked.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls
import Layoutscope.Models
import Layoutscope.Ui
import Layoutscope.Views

Item {
    id: pair
    required property var app
    required property Explorer explorer
    /// One picture at a time, with tabs, where two would be too small.
    readonly property bool tabbed: width / Theme.dp < 640
    property int tab: 0
    readonly property var rowChoices: Array.from(explorer.rowChoices)
    property gridCell none
    property bool linked: true
    property bool camerasLinked: false
    property bool legends: true
    readonly property alias logical: logical
    readonly property alias physical: physical

    function fit() {
        logical.fit()
        physical.fit()
    }
    function actualSize() {
        logical.resetZoom()
        physical.resetZoom()
    }

    // Cameras: the element in the middle of one picture stands in the middle of the other, at the same zoom.
    property bool steering: false
    function follow(leader: GridCanvas, follower: GridCanvas, cell: gridCell) {
        if (!camerasLinked || steering || !cell.valid) return
        steering = true
        const size = follower.cellRect(cell)
        const next = follower.camera
        next.zoom = leader.zoom
        const aspect = size.height > 0 ? size.width / size.height : 1
        next.originRow = cell.row + 0.5 - follower.height / 2 / next.zoom
        next.originColumn = cell.column + 0.5 - follower.width / 2 / (next.zoom * aspect)
        follower.camera = next
        steering = false
    }
    onCamerasLinkedChanged: if (camerasLinked) follow(logical, physical, explorer.physicalOfLogical(logical.cellAt(Qt.point(logical.width / 2, logical.height / 2))))

    component Choices: LsDropButton {
        property string name
        property var names: []
        visible: names.length > 1
        text: name + (currentIndex >= 0 && currentIndex < names.length ? names[currentIndex] : "")
        model: names
    }

    LsSplit {
        anchors.fill: parent
        orientation: Qt.Horizontal

        Item {
            visible: !pair.tabbed || pair.tab === 0
            SplitView.fillWidth: true
            SplitView.preferredWidth: (pair.width - 1) / 2
            SplitView.minimumWidth: pair.tabbed ? 0 : 300 * Theme.dp
            LsPanelHeader {
                id: logicalHead
                width: parent.width
                title: pair.tabbed ? "" : qsTr("Logical")
                subtitle: pair.tabbed ? "" : pair.explorer.logical.subtitle
                LsSegment {
                    visible: pair.tabbed
                    label: qsTr("Picture")
                    model: [qsTr("Logical"), qsTr("Physical")]
                    currentIndex: pair.tab
                    onChosen: index => pair.tab = index
                }
                LsSegment {
                    id: labelSegment
                    objectName: "labelSegment"
                    visible: pair.explorer.labels.length > 1 && pair.explorer.labels.length <= 3 && logicalHead.width > implicitWidth + 150 * Theme.dp
                    label: qsTr("Label")
                    model: pair.explorer.labels
                    currentIndex: pair.explorer.labelIndex
                    onChosen: index => pair.explorer.labelIndex = index
                }
                Choices {
                    visible: names.length > 1 && !labelSegment.visible
                    name: qsTr("Label: ")
                    names: pair.explorer.labels
                    currentIndex: pair.explorer.labelIndex
                    onChosen: index => pair.explorer.labelIndex = index
                }
                LsButton {
                    glyph: "fit"
                    tip: qsTr("Fit pictures")
                    keys: "F"
                    onClicked: pair.fit()
                }
            }
            GridCanvas {
                id: logical
                objectName: "logicalCanvas"
                y: logicalHead.height
                width: parent.width
                height: parent.height - y
                scene: pair.explorer.logical
                dark: Theme.dark
                dp: Theme.dp
                patterns: Theme.patterns
                reduceMotion: Theme.reduceMotion
                legend: pair.legends
                label: pair.explorer.label
                pins: pair.explorer.logicalPins
                selection: pair.explorer.logicalSelected
                opacity: pair.explorer.refused ? 0.48 : 1
                Behavior on opacity { NumberAnimation { duration: Theme.fadeMs } }
                onHoverCellChanged: if (hoverCell.valid || !physical.hoverCell.valid) pair.explorer.hoverLogical(hoverCell)
                onCellClicked: cell => pair.explorer.selectLogical(cell)
                onPinRequested: cell => pair.explorer.pinLogical(cell)
                onClearRequested: pair.explorer.clearSelection()
                onContextMenuRequested: (cell, position) => { pair.explorer.hoverLogical(cell); menu.popup(logical, position.x, position.y) }
                onCameraChanged: pair.follow(logical, physical, pair.explorer.physicalOfLogical(cellAt(Qt.point(width / 2, height / 2))))
            }
        }
        Item {
            visible: !pair.tabbed || pair.tab === 1
            SplitView.fillWidth: pair.tabbed
            SplitView.preferredWidth: (pair.width - 1) / 2
            SplitView.minimumWidth: pair.tabbed ? 0 : 300 * Theme.dp
            LsPanelHeader {
                id: physicalHead
                width: parent.width
                title: pair.tabbed ? "" : qsTr("Physical")
                subtitle: pair.tabbed ? "" : pair.explorer.physical.subtitle
                LsSegment {
                    visible: pair.tabbed
                    label: qsTr("Picture")
                    model: [qsTr("Logical"), qsTr("Physical")]
                    currentIndex: pair.tab
                    onChosen: index => pair.tab = index
                }
                LsDropButton {
                    visible: model.length > 1
                    kind: "flat"
                    ink: Theme.text2
                    text: qsTr("Row %1 B").arg(pair.explorer.rowBytes)
                    model: pair.rowChoices.map(bytes => qsTr("%1 B").arg(bytes))
                    currentIndex: pair.rowChoices.indexOf(pair.explorer.rowBytes)
                    onChosen: index => pair.explorer.rowBytes = pair.rowChoices[index]
                }
                Choices {
                    name: physicalHead.width / Theme.dp > 420 ? qsTr("Colour: ") : ""
                    names: pair.explorer.colors
                    currentIndex: pair.explorer.colorIndex
                    onChosen: index => pair.explorer.colorIndex = index
                }
                LsButton {
                    visible: pair.explorer.hasSwizzle
                    text: "S"
                    checked: pair.explorer.showSwizzle
                    tip: pair.explorer.showSwizzle ? qsTr("Swizzle off") : qsTr("Swizzle on")
                    onClicked: pair.explorer.showSwizzle = !pair.explorer.showSwizzle
                }
                LsButton {
                    visible: !pair.tabbed
                    glyph: "camera-link"
                    checked: pair.camerasLinked
                    tip: qsTr("Link the pictures' cameras")
                    keys: "Shift L"
                    onClicked: pair.camerasLinked = !pair.camerasLinked
                }
                LsButton {
                    visible: !pair.tabbed
                    glyph: "link"
                    checked: pair.linked
                    tip: qsTr("Show the link between the pictures")
                    keys: "L"
                    onClicked: pair.linked = !pair.linked
                }
            }
            GridCanvas {
                id: physical
                objectName: "physicalCanvas"
                y: physicalHead.height
                width: parent.width
                height: parent.height - y
                scene: pair.explorer.physical
                dark: Theme.dark
                dp: Theme.dp
                patterns: Theme.patterns
                reduceMotion: Theme.reduceMotion
                legend: pair.legends
                pins: pair.explorer.physicalPins
                selection: pair.explorer.physicalSelected
                opacity: pair.explorer.refused ? 0.48 : 1
                Behavior on opacity { NumberAnimation { duration: Theme.fadeMs } }
                onHoverCellChanged: if (hoverCell.valid || !logical.hoverCell.valid) pair.explorer.hoverPhysical(hoverCell)
                onCellClicked: cell => pair.explorer.selectPhysical(cell)
                onPinRequested: cell => pair.explorer.pinPhysical(cell)
                onClearRequested: pair.explorer.clearSelection()
                onContextMenuRequested: (cell, position) => { pair.explorer.hoverPhysical(cell); menu.popup(physical, position.x, position.y) }
                onCameraChanged: pair.follow(physical, logical, pair.explorer.logicalOfPhysical(cellAt(Qt.point(width / 2, height / 2))))
            }
        }
    }
    LinkOverlay {
        anchors.fill: parent
        from: logical
        to: physical
        active: pair.linked && !pair.tabbed
        dark: Theme.dark
        dp: Theme.dp
        opacity: pair.explorer.refused ? 0.48 : 1
    }
    Connections {
        target: pair.explorer
        function onCentreAsked(inLogical, inPhysical) {
            // A picture that is seen whole stays as it is.
            physical.hoverCell = pair.none
            logical.hoverCell = inLogical
            if (inLogical.valid && !logical.fitted) logical.centreOn(inLogical)
            if (inPhysical.valid && !physical.fitted) physical.centreOn(inPhysical)
        }
    }
    LsMenu {
        id: menu
        LsMenuItem {
            text: pair.explorer.hasFormula ? qsTr("Copy %1").arg(pair.explorer.formulaCoordinate) : qsTr("Copy coordinate")
            enabled: pair.explorer.hasFormula
            glyph: "copy"
            onTriggered: pair.explorer.copy(pair.explorer.formulaCoordinate)
        }
        LsMenuItem {
            text: pair.explorer.hasFormula ? qsTr("Copy %1").arg(pair.explorer.formulaAddress) : qsTr("Copy address")
            enabled: pair.explorer.hasFormula
            glyph: "copy"
            onTriggered: pair.explorer.copy(pair.explorer.formulaAddress)
        }
        LsMenuItem {
            text: qsTr("Copy formula")
            enabled: pair.explorer.hasFormula
            glyph: "copy"
            keys: "Ctrl Shift C"
            onTriggered: pair.explorer.copyFormula()
        }
        LsMenuLine {}
        LsMenuItem {
            text: qsTr("Pin")
            enabled: pair.explorer.hasFormula
            glyph: "pin"
            keys: "P"
            onTriggered: pair.explorer.togglePin()
        }
        LsMenuItem {
            text: qsTr("Go to…")
            glyph: "target"
            keys: "G"
            onTriggered: pair.app.askFind("0x")
        }
        LsMenuLine {}
        LsMenuItem {
            text: qsTr("Fit pictures")
            glyph: "fit"
            keys: "F"
            onTriggered: pair.fit()
        }
    }
}
