// How the L0 tile of a product is chosen: the whole search as a picture, and what rules the others out.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls
import Layoutscope.Models
import Layoutscope.Ui
import Layoutscope.Views

FocusScope {
    id: pane
    required property TraceModel trace
    property int product: 0
    readonly property bool some: trace.products.length > 0
    /// The search runs once for a trace, a product and a width.
    readonly property var search: trace.productSearch(product, some && visible && turn >= 0 ? space.width / Theme.dp : 0)
    readonly property string why: search.why
    property int turn: 0
    Connections {
        target: pane.trace
        function onTraceChanged() {
            pane.product = 0
            ++pane.turn
        }
    }
    LsDropButton {
        id: which
        x: 12 * Theme.dp
        y: 8 * Theme.dp
        visible: pane.some
        text: pane.product < pane.trace.products.length ? pane.trace.products[pane.product] : ""
        font: Theme.code
        model: pane.trace.products
        currentIndex: pane.product
        onChosen: index => pane.product = index
    }
    Flickable {
        id: scroll
        x: 12 * Theme.dp
        y: which.y + which.height + 8 * Theme.dp
        width: parent.width - 24 * Theme.dp
        height: parent.height - y
        visible: pane.some && pane.why === ""
        clip: true
        contentHeight: space.height
        boundsBehavior: Flickable.StopAtBounds
        ScrollBar.vertical: LsScrollBar {}
        PictureCanvas {
            id: space
            width: scroll.width - 12 * Theme.dp
            height: implicitHeight
            picture: pane.search.picture
            dark: Theme.dark
            dp: Theme.dp
        }
    }
    LsEmptyState {
        anchors.fill: parent
        visible: !scroll.visible
        glyph: "explore"
        title: pane.some ? qsTr("No tile for this product") : qsTr("No product to be tiled")
        sentence: pane.some ? pane.why : qsTr("A matmul whose operands lie in L1 (Mat) with constant extents is cut into tiles for L0; this program has none.")
    }
}
