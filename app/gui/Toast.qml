// A short note at the foot: what was done, or why something was refused. Refusals stay until they are read away.
import QtQuick
import Layoutscope.Ui

Rectangle {
    id: toast
    property string words
    property string more
    property string tone: "neutral"
    property string code
    signal helpAsked(string code)

    function show(what: string, about: string, colour: string, finding: string) {
        words = what
        more = about
        tone = colour
        code = finding
        visible = true
        hide.restart()
    }

    visible: false
    z: 200
    width: Math.min(row.implicitWidth + 28 * Theme.dp, parent ? parent.width - 40 : 600)
    height: Math.max(36 * Theme.dp, column.implicitHeight + 16 * Theme.dp)
    radius: 8 * Theme.dp
    color: Theme.raised
    border.color: tone === "finding" ? Theme.finding : Theme.line2
    Accessible.role: Accessible.AlertMessage
    Accessible.name: words + " " + more

    LsShadow { radius: 8 * Theme.dp }
    Timer {
        id: hide
        interval: toast.tone === "finding" ? 12000 : 3000
        onTriggered: toast.visible = false
    }
    Row {
        id: row
        anchors.centerIn: parent
        spacing: 10 * Theme.dp
        LsIcon {
            anchors.verticalCenter: parent.verticalCenter
            visible: toast.tone !== "neutral"
            name: toast.tone === "finding" ? "cross" : "check"
            color: toast.tone === "finding" ? Theme.finding : Theme.fine
            size: 15
        }
        Column {
            id: column
            anchors.verticalCenter: parent.verticalCenter
            spacing: 2
            LsCode {
                visible: toast.code !== ""
                text: toast.code
                color: Theme.finding
                TapHandler { onTapped: toast.helpAsked(toast.code) }
            }
            LsText {
                width: Math.min(implicitWidth, (toast.parent ? toast.parent.width : 800) - 120)
                text: toast.words
                font: Theme.exact(Theme.body)
                wrapMode: Text.Wrap
            }
            LsText {
                visible: text !== ""
                width: Math.min(implicitWidth, (toast.parent ? toast.parent.width : 800) - 120)
                text: toast.more
                font: Theme.exact(Theme.small)
                color: Theme.text2
                wrapMode: Text.Wrap
            }
        }
        LsButton {
            anchors.verticalCenter: parent.verticalCenter
            visible: toast.tone === "finding"
            kind: "flat"
            glyph: "cross"
            tip: qsTr("Close")
            onClicked: toast.visible = false
        }
    }
}
