// Why the text was refused: code, sentence, how to mend it.
import QtQuick
import Layoutscope.Models
import Layoutscope.Ui

Item {
    id: line
    required property Explorer explorer
    signal helpAsked(string code)

    implicitHeight: flow.implicitHeight

    Flow {
        id: flow
        width: parent.width
        spacing: 7 * Theme.dp
        LsIcon {
            name: "cross"
            color: Theme.finding
            size: 15
        }
        LsCode {
            objectName: "refusalCode"
            text: line.explorer.errorCode
            color: Theme.finding
            HoverHandler { cursorShape: Qt.PointingHandCursor }
            TapHandler { onTapped: line.helpAsked(line.explorer.errorCode) }
        }
        LsText {
            width: Math.min(implicitWidth, line.width)
            text: line.explorer.errorMessage
            font: Theme.exact(Theme.small)
            wrapMode: Text.Wrap
        }
        LsText {
            visible: text !== ""
            width: Math.min(implicitWidth, line.width)
            text: line.explorer.errorHint
            font: Theme.exact(Theme.small)
            color: Theme.text2
            wrapMode: Text.Wrap
        }
    }
}
