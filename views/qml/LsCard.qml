// A card that opens something: a picture (default child), a title, a line of code and one sentence.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Ui

T.AbstractButton {
    id: card
    property string title
    property string code
    property string sentence
    property real pictureHeight: 164 * Theme.dp
    default property alias picture: frame.data

    implicitWidth: 322 * Theme.dp
    implicitHeight: pictureHeight + words.implicitHeight + 26 * Theme.dp
    focusPolicy: Qt.StrongFocus
    hoverEnabled: true

    Accessible.role: Accessible.Button
    Accessible.name: card.title
    Accessible.description: card.sentence
    Keys.onReturnPressed: card.clicked()
    Keys.onEnterPressed: card.clicked()

    background: Rectangle {
        radius: 8 * Theme.dp
        color: Theme.panel
        border.width: card.hovered || card.visualFocus ? 2 : 1
        border.color: card.hovered || card.visualFocus ? Theme.accent : Theme.line
    }
    Rectangle {
        id: frame
        x: 2
        y: 2
        width: card.width - 4
        height: card.pictureHeight - 2
        radius: 7 * Theme.dp
        color: Theme.canvas
        clip: true
    }
    Rectangle {
        x: 1
        y: card.pictureHeight
        width: card.width - 2
        height: 1
        color: Theme.line
    }
    Column {
        id: words
        x: 14 * Theme.dp
        y: card.pictureHeight + 12 * Theme.dp
        width: card.width - 28 * Theme.dp
        spacing: 3 * Theme.dp
        LsText {
            width: parent.width
            text: card.title
            font: Theme.bodyStrong
            wrapMode: Text.Wrap
        }
        LsCode {
            width: parent.width
            text: card.code
            color: Theme.text2
            wrapMode: Text.WrapAnywhere
            maximumLineCount: 2
        }
        LsText {
            width: parent.width
            topPadding: 5 * Theme.dp
            text: card.sentence
            font: Theme.exact(Theme.small)
            lineHeight: 1.15
            color: Theme.text2
            wrapMode: Text.Wrap
        }
    }
}
