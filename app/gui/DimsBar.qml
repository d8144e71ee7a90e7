// More dimensions than a picture has: which go down, which go right, and where the others stand.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Models
import Layoutscope.Ui

Rectangle {
    id: bar
    required property Explorer explorer

    implicitHeight: flow.implicitHeight + 10 * Theme.dp
    color: Theme.panel

    Flow {
        id: flow
        x: 12 * Theme.dp
        y: 5 * Theme.dp
        width: parent.width - 24 * Theme.dp
        spacing: 18 * Theme.dp
        Repeater {
            model: bar.explorer.dims
            Row {
                id: dim
                required property int index
                required property var modelData
                spacing: 7 * Theme.dp
                height: 26 * Theme.dp
                LsCode {
                    height: parent.height
                    text: dim.modelData.name
                    font: Theme.codeStrong
                }
                LsSegment {
                    label: dim.modelData.name
                    model: [qsTr("down"), qsTr("right"), qsTr("fixed")]
                    currentIndex: dim.modelData.place === "row" ? 0 : dim.modelData.place === "column" ? 1 : 2
                    onChosen: index => {
                        if (index === 0) bar.explorer.putOnRows(dim.index)
                        else if (index === 1) bar.explorer.putOnColumns(dim.index)
                    }
                }
                LsSlider {
                    visible: dim.modelData.place === "fixed" && to > 0
                    anchors.verticalCenter: parent.verticalCenter
                    label: dim.modelData.name
                    from: 0
                    to: dim.modelData.extent - 1
                    value: dim.modelData.value
                    onMoved: bar.explorer.fix(dim.index, value)
                }
                LsCode {
                    height: parent.height
                    text: dim.modelData.place === "fixed" ? dim.modelData.value + " / " + dim.modelData.extent : dim.modelData.extent
                    color: Theme.text2
                }
            }
        }
    }
    Rectangle {
        y: parent.height - 1
        width: parent.width
        height: 1
        color: Theme.line
    }
}
