#include "core/codegen/kernel/tile_ops.h"

#include <algorithm>
#include <array>

namespace ls::codegen {

namespace {

using Mode = OpMode::Kind;

constexpr std::array table{
    TileOpInfo{"tile.abs", "tabs", 1},
    TileOpInfo{"tile.add", "tadd", 2},
    TileOpInfo{"tile.addc", "taddc", 3},
    TileOpInfo{"tile.adds", "tadds", 2},
    TileOpInfo{"tile.addsc", "taddsc", 3},
    TileOpInfo{"tile.and", "tand", 2},
    TileOpInfo{"tile.ands", "tands", 2, 0, "", Mode::None, "", true},
    TileOpInfo{"tile.cast", "tcvt", 1, 0, "", Mode::Round, "mode"},
    TileOpInfo{"tile.ci", "tci", 1, 0, "", Mode::Descending, "descending"},
    TileOpInfo{"tile.cmp", "tcmp", 2, 0, "", Mode::Compare, "cmp_type"},
    TileOpInfo{"tile.cmps", "tcmps", 2, 0, "", Mode::Compare, "cmp_type"},
    TileOpInfo{"tile.col_argmax", "tcolargmax", 2},
    TileOpInfo{"tile.col_argmin", "tcolargmin", 2},
    TileOpInfo{"tile.col_expand", "tcolexpand", 1, 0, "1"},
    TileOpInfo{"tile.col_expand_add", "tcolexpandadd", 2},
    TileOpInfo{"tile.col_expand_div", "tcolexpanddiv", 2},
    TileOpInfo{"tile.col_expand_expdif", "tcolexpandexpdif", 2},
    TileOpInfo{"tile.col_expand_max", "tcolexpandmax", 2},
    TileOpInfo{"tile.col_expand_min", "tcolexpandmin", 2},
    TileOpInfo{"tile.col_expand_mul", "tcolexpandmul", 2},
    TileOpInfo{"tile.col_expand_sub", "tcolexpandsub", 2},
    TileOpInfo{"tile.col_max", "tcolmax", 1},
    TileOpInfo{"tile.col_min", "tcolmin", 1},
    TileOpInfo{"tile.col_prod", "tcolprod", 1},
    TileOpInfo{"tile.col_sum", "tcolsum", 2, 1, "", Mode::Binary, "is_binary"},
    TileOpInfo{"tile.concat", "tconcat", 2},
    TileOpInfo{"tile.div", "tdiv", 2, 0, "", Mode::HighPrecision, "high_precision"},
    TileOpInfo{"tile.divs", "tdivs", 2},
    TileOpInfo{"tile.exp", "texp", 1},
    TileOpInfo{"tile.fillpad", "tfillpad", 1},
    TileOpInfo{"tile.fillpad_expand", "tfillpad_expand", 1},
    TileOpInfo{"tile.fillpad_inplace", "tfillpad", 1},
    TileOpInfo{"tile.fmod", "tfmod", 2},
    TileOpInfo{"tile.fmods", "tfmods", 2},
    TileOpInfo{"tile.full", "texpands", 1, 0, "1"},
    TileOpInfo{"tile.gather", "tgather", 3},
    TileOpInfo{"tile.gatherb", "tgatherb", 2},
    TileOpInfo{"tile.log", "tlog", 1, 0, "", Mode::HighPrecision, "high_precision"},
    TileOpInfo{"tile.lrelu", "tlrelu", 2},
    TileOpInfo{"tile.maximum", "tmax", 2},
    TileOpInfo{"tile.maximums", "tmaxs", 2},
    TileOpInfo{"tile.minimum", "tmin", 2},
    TileOpInfo{"tile.minimums", "tmins", 2},
    TileOpInfo{"tile.mul", "tmul", 2},
    TileOpInfo{"tile.muls", "tmuls", 2},
    TileOpInfo{"tile.neg", "tneg", 1},
    TileOpInfo{"tile.not", "tnot", 1},
    TileOpInfo{"tile.or", "tor", 2},
    TileOpInfo{"tile.ors", "tors", 2, 0, "", Mode::None, "", true},
    TileOpInfo{"tile.part_add", "tpartadd", 2},
    TileOpInfo{"tile.part_max", "tpartmax", 2},
    TileOpInfo{"tile.part_min", "tpartmin", 2},
    TileOpInfo{"tile.part_mul", "tpartmul", 2},
    TileOpInfo{"tile.prelu", "tprelu", 3},
    TileOpInfo{"tile.recip", "trecip", 1, 0, "", Mode::HighPrecision, "high_precision"},
    TileOpInfo{"tile.relu", "trelu", 1},
    TileOpInfo{"tile.rem", "trem", 3},
    TileOpInfo{"tile.rems", "trems", 3},
    TileOpInfo{"tile.row_argmax", "trowargmax", 2},
    TileOpInfo{"tile.row_argmin", "trowargmin", 2},
    TileOpInfo{"tile.row_expand", "trowexpand", 1, 0, "1"},
    TileOpInfo{"tile.row_expand_add", "trowexpandadd", 3, 1},
    TileOpInfo{"tile.row_expand_div", "trowexpanddiv", 2},
    TileOpInfo{"tile.row_expand_expdif", "trowexpandexpdif", 2},
    TileOpInfo{"tile.row_expand_max", "trowexpandmax", 2},
    TileOpInfo{"tile.row_expand_min", "trowexpandmin", 2},
    TileOpInfo{"tile.row_expand_mul", "trowexpandmul", 2},
    TileOpInfo{"tile.row_expand_sub", "trowexpandsub", 2},
    TileOpInfo{"tile.row_max", "trowmax", 2},
    TileOpInfo{"tile.row_min", "trowmin", 2},
    TileOpInfo{"tile.row_prod", "trowprod", 2},
    TileOpInfo{"tile.row_sum", "trowsum", 2},
    TileOpInfo{"tile.rsqrt", "trsqrt", 2, 1},
    TileOpInfo{"tile.sel", "tsel", 4},
    TileOpInfo{"tile.selc", "tselc", 3},
    TileOpInfo{"tile.sels", "tsels", 4},
    TileOpInfo{"tile.shl", "tshl", 2},
    TileOpInfo{"tile.shls", "tshls", 2, 0, "", Mode::None, "", true},
    TileOpInfo{"tile.shr", "tshr", 2},
    TileOpInfo{"tile.shrs", "tshrs", 2, 0, "", Mode::None, "", true},
    TileOpInfo{"tile.sqrt", "tsqrt", 1},
    TileOpInfo{"tile.sub", "tsub", 2},
    TileOpInfo{"tile.subc", "tsubc", 3},
    TileOpInfo{"tile.subs", "tsubs", 2},
    TileOpInfo{"tile.subsc", "tsubsc", 3},
    TileOpInfo{"tile.transpose", "ttrans", 2, 0, "03"},
    TileOpInfo{"tile.xor", "txor", 3},
    TileOpInfo{"tile.xors", "txors", 3, 0, "", Mode::None, "", true},
};
static_assert(std::is_sorted(table.begin(), table.end(), [](const TileOpInfo& a, const TileOpInfo& b) { return a.pypto < b.pypto; }));

} // namespace

const TileOpInfo* find_tile_op(std::string_view pypto_op) {
    const auto found = std::lower_bound(table.begin(), table.end(), pypto_op, [](const TileOpInfo& info, std::string_view op) { return info.pypto < op; });
    return found == table.end() || found->pypto != pypto_op ? nullptr : &*found;
}

const TileOpInfo* find_tile_instruction(std::string_view pto_name) {
    const auto found = std::find_if(table.begin(), table.end(), [&](const TileOpInfo& info) { return info.pto == pto_name; });
    return found == table.end() ? nullptr : &*found;
}

} // namespace ls::codegen
