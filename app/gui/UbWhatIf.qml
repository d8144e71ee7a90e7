// What if: known mistakes as switches, on the partition and on the distribution; the pictures show the damage.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Models
import Layoutscope.Ui

LsButton {
    id: control
    required property UbModel model
    required property UbWorkModel work
    readonly property int on: model.tried + work.hazardCount

    text: on > 0 ? qsTr("What if %1").arg(on) : qsTr("What if")
    drops: true
    checked: on > 0
    enabled: model.valid && !model.refused
    onClicked: sheet.visible ? sheet.close() : sheet.open()

    T.Popup {
        id: sheet
        y: control.height + 4
        x: control.width - width
        width: 440 * Theme.dp
        height: Math.min(implicitHeight, 560 * Theme.dp, control.Window.height - 160 * Theme.dp)
        implicitHeight: list.contentHeight + topPadding + bottomPadding
        padding: 12 * Theme.dp
        margins: 8
        focus: true
        closePolicy: T.Popup.CloseOnEscape | T.Popup.CloseOnPressOutsideParent
        background: Rectangle {
            radius: 8 * Theme.dp
            color: Theme.raised
            border.color: Theme.line2
            LsShadow { radius: 8 * Theme.dp }
        }
        contentItem: FocusScope { focus: true }
        Flickable {
            id: list
            anchors.fill: parent
            contentHeight: column.implicitHeight
            clip: true
            boundsBehavior: Flickable.StopAtBounds
            T.ScrollBar.vertical: LsScrollBar {}
            Column {
                id: column
                width: list.width - 10 * Theme.dp
                spacing: 2 * Theme.dp
                LsText {
                    visible: control.model.isOperator
                    height: 26 * Theme.dp
                    text: qsTr("Partition: what if …")
                    font: Theme.bodyStrong
                }
                Repeater {
                    model: control.model.whatIfs.length
                    Item {
                        id: change
                        required property int index
                        readonly property var one: index < control.model.whatIfs.length ? control.model.whatIfs[index] : ({})
                        readonly property bool counted: one.on === true && one.value !== undefined
                        width: column.width
                        height: check.implicitHeight + (counted ? 32 * Theme.dp : 0)
                        LsCheck {
                            id: check
                            width: parent.width
                            objectName: "whatIf-" + change.one.id
                            text: change.one.question || ""
                            checked: change.one.on === true
                            onToggled: {
                                control.model.toggleWhatIf(change.one.id)
                                checked = Qt.binding(() => change.one.on === true)
                            }
                        }
                        UbNumber {
                            visible: change.counted
                            x: 26 * Theme.dp
                            y: check.implicitHeight + 2 * Theme.dp
                            label: change.one.takes || ""
                            value: change.counted ? change.one.value : 0
                            low: 1
                            onEdited: value => control.model.setWhatIfValue(change.one.id, value)
                        }
                    }
                }
                LsText {
                    height: 30 * Theme.dp
                    text: qsTr("Distribution: what if …")
                    font: Theme.bodyStrong
                }
                Repeater {
                    model: control.work.hazards.length
                    LsCheck {
                        required property int index
                        readonly property var one: index < control.work.hazards.length ? control.work.hazards[index] : ({})
                        width: column.width
                        objectName: "hazard-" + one.id
                        text: one.question || ""
                        checked: one.on === true
                        onToggled: {
                            control.work.toggleHazard(one.id)
                            checked = Qt.binding(() => one.on === true)
                        }
                    }
                }
                LsButton {
                    visible: control.on > 0
                    text: qsTr("Take all back")
                    onClicked: {
                        if (control.model.tried > 0) control.model.clearWhatIfs()
                        if (control.work.hazardCount > 0) control.work.clearHazards()
                    }
                }
            }
        }
    }
}
