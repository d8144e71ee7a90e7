// Text in the code face. Never shaped: ligatures would make operators and hexadecimal numbers lie.
pragma ComponentBehavior: Bound

import QtQuick
import Layoutscope.Ui

Text {
    color: Theme.text
    font: Theme.code
    textFormat: Text.PlainText
    verticalAlignment: Text.AlignVCenter
}
