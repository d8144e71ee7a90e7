// The pages of the manual, beside the work: a list at the left, the page at the right.
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Layoutscope.Models
import Layoutscope.Ui

Sheet {
    id: sheet
    required property HelpModel pages
    property string page

    function show(wanted: string, anchor: string) {
        page = pages.has(wanted) ? wanted : pages.count > 0 ? pages.data(pages.index(0, 0), Qt.UserRole + 1) : ""
        open()
        if (anchor !== "") scrollTo(anchor)
        else flick.contentY = 0
    }
    function hide() { close() }
    function scrollTo(anchor: string) {
        const plain = text.getText(0, text.length)
        const at = plain.toLowerCase().indexOf(anchor.toLowerCase())
        if (at < 0) return
        flick.contentY = Math.max(0, Math.min(flick.contentHeight - flick.height, text.positionToRectangle(at).y - 12))
    }

    title: qsTr("Help")
    wantedWidth: 980 * Theme.dp
    wantedHeight: 760 * Theme.dp

    ListView {
        id: list
        width: Math.min(210 * Theme.dp, parent.width / 3)
        height: parent.height
        topMargin: 8 * Theme.dp
        model: sheet.pages
        clip: true
        focus: true
        activeFocusOnTab: true
        T.ScrollBar.vertical: LsScrollBar {}
        Keys.onReturnPressed: if (currentItem) (currentItem as PageRow).chosen()
        component PageRow: Rectangle {
            id: row
            property string page
            property string title
            signal chosen()
            width: ListView.view ? ListView.view.width : 0
            height: words.implicitHeight + 12 * Theme.dp
            color: page === sheet.page ? Theme.accentTint : "transparent"
            onChosen: {
                sheet.page = page
                flick.contentY = 0
            }
            LsText {
                id: words
                x: 14 * Theme.dp
                y: 6 * Theme.dp
                width: parent.width - 24 * Theme.dp
                wrapMode: Text.Wrap
                text: row.title
                color: row.page === sheet.page ? Theme.accent : Theme.text
            }
            TapHandler { onTapped: row.chosen() }
        }
        delegate: PageRow {
            required page
            required title
        }
    }
    Rectangle {
        x: list.width
        width: 1
        height: parent.height
        color: Theme.line
    }
    Flickable {
        id: flick
        x: list.width + 1
        width: parent.width - x
        height: parent.height
        contentHeight: text.height + 40 * Theme.dp
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: LsScrollBar {}
        TextEdit {
            id: text
            x: 24 * Theme.dp
            y: 16 * Theme.dp
            width: flick.width - 48 * Theme.dp
            readOnly: true
            selectByMouse: true
            wrapMode: TextEdit.Wrap
            textFormat: TextEdit.RichText
            text: sheet.pages.html(sheet.page, Theme.accent, Theme.sunken)
            font: Theme.exact(Theme.body)
            color: Theme.text
            selectionColor: Theme.accent
            selectedTextColor: Theme.onAccent
            onLinkActivated: link => {
                const local = link.replace(/\.md(#.*)?$/, "").replace(/^\.\//, "")
                if (sheet.pages.has(local)) sheet.show(local, "")
                else if (/^https?:/.test(link)) Qt.openUrlExternally(link)
            }
        }
    }
    LsEmptyState {
        anchors.fill: parent
        visible: sheet.pages.count === 0
        title: qsTr("This build carries no help pages.")
    }
}
