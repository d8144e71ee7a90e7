#include "views/paint/image_runs.h"

namespace ls::paint {

bool is_whole(const scene::CellImage& image) {
    return image.width > 0 && image.height > 0 &&
           image.pixels.size() == static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
}

std::optional<std::vector<ColorRun>> merged_runs(const scene::CellImage& image, std::size_t most) {
    std::vector<ColorRun> done, open; // open: runs that end at the row above, from left to right
    if (!is_whole(image)) return done;
    for (int y = 0; y < image.height; ++y) {
        const scene::Rgba* row =
            image.pixels.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width);
        std::vector<ColorRun> here;
        std::size_t above = 0;
        for (int x = 0; x < image.width;) {
            int end = x + 1;
            while (end < image.width && row[end] == row[x]) ++end;
            while (above < open.size() && open[above].x < x) done.push_back(open[above++]);
            // A run of the same place, width and colour grows by a row.
            if (above < open.size() && open[above].x == x && open[above].w == end - x && open[above].color == row[x]) {
                here.push_back(open[above++]);
                ++here.back().h;
            } else {
                here.push_back({row[x], x, y, end - x, 1});
            }
            x = end;
        }
        while (above < open.size()) done.push_back(open[above++]);
        open = std::move(here);
        if (done.size() + open.size() > most) return {};
    }
    done.insert(done.end(), open.begin(), open.end());
    return done;
}

} // namespace ls::paint
