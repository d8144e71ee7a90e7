// A menu as a flat raised sheet.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Ui

T.Menu {
    id: menu
    margins: 6
    padding: 5 * Theme.dp
    overlap: 2
    cascade: true
    readonly property real widest: {
        let widest = 0
        for (let i = 0; i < count; ++i) widest = Math.max(widest, itemAt(i) ? itemAt(i).implicitWidth : 0)
        return widest
    }
    implicitWidth: Math.max(180 * Theme.dp, widest + leftPadding + rightPadding)
    implicitHeight: contentItem.implicitHeight + topPadding + bottomPadding
    delegate: LsMenuItem {}

    contentItem: ListView {
        implicitHeight: contentHeight
        model: menu.contentModel
        interactive: height < contentHeight
        clip: true
        currentIndex: menu.currentIndex
        T.ScrollBar.vertical: LsScrollBar {}
    }
    background: Rectangle {
        radius: 8 * Theme.dp
        color: Theme.raised
        border.color: Theme.line2
        LsShadow { radius: 8 * Theme.dp }
    }
    enter: Transition { NumberAnimation { property: "opacity"; from: 0; to: 1; duration: Theme.fadeMs } }
}
