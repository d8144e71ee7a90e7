#include "core/codegen/kernel/tile_ops.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ls::codegen {

std::string_view pto_op(std::string_view pypto_op) {
    using Pair = std::pair<std::string_view, std::string_view>;
    static constexpr std::array table{
        Pair{"tile.abs", "tabs"},
        Pair{"tile.add", "tadd"},
        Pair{"tile.adds", "tadds"},
        Pair{"tile.col_expand", "tcolexpand"},
        Pair{"tile.col_expand_mul", "tcolexpandmul"},
        Pair{"tile.concat", "tconcat"},
        Pair{"tile.div", "tdiv"},
        Pair{"tile.divs", "tdivs"},
        Pair{"tile.exp", "texp"},
        Pair{"tile.fillpad", "tfillpad"},
        Pair{"tile.log", "tlog"},
        Pair{"tile.maximum", "tmax"},
        Pair{"tile.minimum", "tmin"},
        Pair{"tile.mul", "tmul"},
        Pair{"tile.muls", "tmuls"},
        Pair{"tile.neg", "tneg"},
        Pair{"tile.recip", "trecip"},
        Pair{"tile.relu", "trelu"},
        Pair{"tile.row_expand_div", "trowexpanddiv"},
        Pair{"tile.row_expand_mul", "trowexpandmul"},
        Pair{"tile.row_expand_sub", "trowexpandsub"},
        Pair{"tile.row_max", "trowmax"},
        Pair{"tile.row_min", "trowmin"},
        Pair{"tile.row_sum", "trowsum"},
        Pair{"tile.rsqrt", "trsqrt"},
        Pair{"tile.sqrt", "tsqrt"},
        Pair{"tile.sub", "tsub"},
        Pair{"tile.subs", "tsubs"},
    };
    const auto found = std::find_if(table.begin(), table.end(), [&](const Pair& p) { return p.first == pypto_op; });
    return found == table.end() ? std::string_view{} : found->second;
}

} // namespace ls::codegen
