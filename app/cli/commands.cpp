#include "app/cli/command.h"

#include <array>

namespace ls::cli {

std::span<const AddCommand> commands() {
    static constexpr std::array table{
        add_show,
        add_map,
        add_convert,
        add_desc,
        add_passes,
        add_export,
        add_l0,
        add_memory,
        add_render,
        add_ub,
        add_conformance,
        add_gui,
    };
    return table;
}

} // namespace ls::cli
