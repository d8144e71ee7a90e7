// The small part of SVG that our icons use: <path d> with M L H V C Z (absolute), <rect x y width height rx>, <circle>.
#pragma once

#include <QtCore/QByteArray>
#include <QtGui/QPainterPath>

namespace ls::ui {

/// The outline of an icon in its own units (20 × 20). Elements and commands outside the subset are left out.
QPainterPath outline_of_svg(const QByteArray& svg);

} // namespace ls::ui
