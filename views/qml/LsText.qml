// Plain text in a type role: `font: Theme.small`. Wrap the font in Theme.exact() when the text may hold hex or code.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Ui

Text {
    color: Theme.text
    font: Theme.body
    textFormat: Text.PlainText
    verticalAlignment: Text.AlignVCenter
}
