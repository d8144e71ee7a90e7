import QtQuick
import Layoutscope.Models
import Layoutscope.Ui

Sheet {
    id: sheet
    required property Settings settings

    title: qsTr("Settings")
    wantedWidth: 480 * Theme.dp
    wantedHeight: column.implicitHeight + 84 * Theme.dp

    Flickable {
        anchors.fill: parent
        contentHeight: column.implicitHeight + 40 * Theme.dp
        clip: true
        Column {
            id: column
            x: 20 * Theme.dp
            y: 18 * Theme.dp
            width: parent.width - 40 * Theme.dp
            spacing: 14 * Theme.dp

            Item {
                width: parent.width
                height: 28 * Theme.dp
                LsText { height: parent.height; text: qsTr("Theme") }
                LsSegment {
                    anchors.right: parent.right
                    label: qsTr("Theme")
                    model: [qsTr("Light"), qsTr("Dark")]
                    currentIndex: sheet.settings.dark ? 1 : 0
                    onChosen: index => sheet.settings.dark = index === 1
                }
            }
            Item {
                width: parent.width
                height: 28 * Theme.dp
                LsText { height: parent.height; text: qsTr("Size of text") }
                LsSegment {
                    anchors.right: parent.right
                    label: qsTr("Size")
                    model: ["100 %", "125 %", "150 %", "175 %", "200 %"]
                    currentIndex: Math.round((sheet.settings.scale - 1) * 4)
                    onChosen: index => sheet.settings.scale = 1 + index * 0.25
                }
            }
            LsCheck {
                width: parent.width
                text: qsTr("Colour-blind help")
                detail: qsTr("Patterns stand beside the colours of categories.")
                checked: sheet.settings.patterns
                onToggled: sheet.settings.patterns = checked
            }
            LsCheck {
                width: parent.width
                text: qsTr("Reduce motion")
                detail: qsTr("Nothing fades, glides or cross-fades.")
                checked: sheet.settings.reduceMotion
                onToggled: sheet.settings.reduceMotion = checked
            }
        }
    }
}
