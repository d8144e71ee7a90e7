// Draws a captured ImGui frame on the processor, for the software backend of the scene graph.
#pragma once

class QImage;

namespace ls::views {

struct ImGuiFrame;

/// Blends `frame` over `target` (ARGB32_Premultiplied, one pixel a device pixel).
void rasterize(const ImGuiFrame& frame, QImage& target);

} // namespace ls::views
