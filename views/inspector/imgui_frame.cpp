#include "views/inspector/imgui_frame.h"

#include <imgui.h>

#include <algorithm>
#include <cstring>

namespace ls::views {

static_assert(sizeof(ImGuiVertex) == sizeof(ImDrawVert) && sizeof(ImDrawVert) == 20, "vertices are copied as bytes");
static_assert(sizeof(ImDrawIdx) == 2, "indices are copied as bytes");

bool ImGuiFrame::Command::operator==(const Command& o) const {
    return std::equal(clip, clip + 4, o.clip) && first_index == o.first_index && index_count == o.index_count &&
           first_vertex == o.first_vertex && list == o.list && image == o.image;
}

void ImGuiFrame::clear() {
    lists.clear();
    commands.clear();
    images.clear();
}

void ImGuiFrame::capture(const ImDrawData& data) {
    lists.clear();
    commands.clear();
    for (int i = 0; i < data.CmdListsCount; ++i) capture(*data.CmdLists[i]);
}

void ImGuiFrame::capture(const ImDrawList& list) {
    const auto number = static_cast<qint32>(lists.size());
    List& copy = lists.emplace_back();
    copy.vertices.resize(static_cast<std::size_t>(list.VtxBuffer.Size));
    if (!copy.vertices.empty())
        std::memcpy(copy.vertices.data(), list.VtxBuffer.Data, copy.vertices.size() * sizeof(ImGuiVertex));
    copy.indices.assign(list.IdxBuffer.begin(), list.IdxBuffer.end());
    for (const ImDrawCmd& command : list.CmdBuffer) {
        const ImVec4& clip = command.ClipRect;
        if (command.UserCallback || command.ElemCount == 0 || clip.z <= clip.x || clip.w <= clip.y) continue;
        const auto texture = reinterpret_cast<std::size_t>(command.GetTexID());
        commands.push_back({{clip.x, clip.y, clip.z, clip.w},
                            command.IdxOffset,
                            command.ElemCount,
                            command.VtxOffset,
                            number,
                            static_cast<qint32>(texture) - 1});
    }
}

bool ImGuiFrame::same_as(const ImGuiFrame& other) const {
    if (atlas != other.atlas || dpr != other.dpr || commands != other.commands || lists.size() != other.lists.size() ||
        images.size() != other.images.size())
        return false;
    for (std::size_t i = 0; i < lists.size(); ++i) {
        const List &a = lists[i], &b = other.lists[i];
        if (a.indices != b.indices || a.vertices.size() != b.vertices.size()) return false;
        if (!a.vertices.empty() &&
            std::memcmp(a.vertices.data(), b.vertices.data(), a.vertices.size() * sizeof(ImGuiVertex)) != 0)
            return false;
    }
    return std::equal(images.begin(), images.end(), other.images.begin(),
                      [](const QImage& a, const QImage& b) { return a.cacheKey() == b.cacheKey(); });
}

} // namespace ls::views
