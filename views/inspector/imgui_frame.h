// A deep copy of what Dear ImGui drew: the GUI thread fills it, the render thread reads it while the GUI thread waits.
#pragma once

#include <QtGui/QImage>

#include <memory>
#include <vector>

#include "views/inspector/imgui_fonts.h"

struct ImDrawData;
struct ImDrawList;

namespace ls::views {

/// Same layout as ImDrawVert; colour is R, G, B, A bytes, not premultiplied.
struct ImGuiVertex {
    float x, y, u, v;
    quint8 rgba[4];
};

/// Everything in device pixels of the item.
struct ImGuiFrame {
    struct Command {
        float clip[4]; ///< left, top, right, bottom
        quint32 first_index, index_count, first_vertex;
        qint32 list;
        qint32 image; ///< −1: the glyph atlas; else index into images
        bool operator==(const Command& o) const;
    };
    struct List {
        std::vector<ImGuiVertex> vertices;
        std::vector<quint16> indices;
    };
    std::vector<List> lists;
    std::vector<Command> commands;
    std::vector<QImage> images; ///< ARGB32_Premultiplied, drawn nearest-filtered
    std::shared_ptr<const AtlasImage> atlas;
    double dpr = 1;

    void clear();
    void capture(const ImDrawData& data);
    void capture(const ImDrawList& list);
    /// Nothing on the screen would change.
    bool same_as(const ImGuiFrame& other) const;
};

/// Texture ids in ImDrawCmd: 0 is the atlas, n the (n−1)th image of the frame.
inline void* image_texture_id(std::size_t index) { return reinterpret_cast<void*>(index + 1); }

} // namespace ls::views
