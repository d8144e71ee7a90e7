#include "core/notation/triton_convert.h"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/layout/operations.h"
#include "core/support/checked.h"

namespace ls::triton {

namespace {

struct AxisName {
    std::string_view in;
    Axis axis;
};
std::span<const AxisName> axis_names() {
    static const std::array<AxisName, 7> names{{{"register", axes::m},
                                                {"lane", axes::laneid},
                                                {"warp", axes::warpid},
                                                {"block", axes::cbx},
                                                {"offset", axes::m},
                                                {"row", axes::TLane},
                                                {"col", axes::TCol}}};
    return names;
}
Axis axis_of(std::string_view in) {
    for (const AxisName& n : axis_names()) {
        if (n.in == in) return n.axis;
    }
    return Axis::named(in);
}

Diagnostic not_tile(std::string why) {
    return error("TRITON_NOT_TILE", std::move(why),
                 "it stays a linear layout; a tile needs every base to be one bit of one dimension");
}

/// Fuses (2, s), (2, s') pairs that walk on evenly on one axis.
void push_bit(std::vector<Iter>& iters, std::size_t begin, std::int64_t stride, Axis axis, bool descending) {
    if (iters.size() > begin && iters.back().axis == axis) {
        Iter& last = iters.back();
        const std::int64_t low = last.stride.value(), extent = last.extent.value();
        if (descending && low == 2 * stride) {
            last = {extent * 2, stride, axis};
            return;
        }
        if (!descending && low * extent == stride) {
            last = {extent * 2, low, axis};
            return;
        }
    }
    iters.push_back({2, stride, axis});
}

/// For every bit of every out dimension: where it lies. Bits of dimension d start at first[d].
struct BitMap {
    std::vector<std::size_t> first;
    std::vector<std::int64_t> stride; ///< 0 while nothing was found
    std::vector<Axis> axis;
};

BitMap empty_bits(const LinearLayout& linear) {
    BitMap bits;
    std::size_t count = 0;
    for (const OutDim& dim : linear.out()) {
        bits.first.push_back(count);
        count += static_cast<std::size_t>(log2_exact(dim.size));
    }
    bits.first.push_back(count);
    bits.stride.assign(count, 0);
    bits.axis.assign(count, axes::m);
    return bits;
}

Layout tile_from_bits(const BitMap& bits, std::vector<Iter> replica) {
    TileLayout tile;
    for (std::size_t d = 0; d + 1 < bits.first.size(); ++d) {
        const std::size_t begin = tile.shard.size();
        for (std::size_t bit = bits.first[d + 1]; bit-- > bits.first[d];)
            push_bit(tile.shard, begin, bits.stride[bit], bits.axis[bit], true);
    }
    if (tile.shard.empty()) tile.shard.push_back({1, 1, axes::m});
    tile.replica = std::move(replica);
    return tile;
}

/// Bit positions of the out coordinate that a base sets.
std::vector<std::size_t> bits_of(const Basis& basis, const BitMap& bits) {
    std::vector<std::size_t> out;
    for (std::size_t d = 0; d < basis.size(); ++d) {
        for (std::int64_t rest = basis[d]; rest != 0; rest &= rest - 1) {
            out.push_back(bits.first[d] + static_cast<std::size_t>(std::countr_zero(static_cast<std::uint64_t>(rest))));
        }
    }
    return out;
}

/// Inverse over GF(2) of the offset bases: the offset of every out bit. Empty when it is not a bijection.
std::optional<std::vector<std::int64_t>> offsets_of_bits(const LinearLayout& linear, const BitMap& bits) {
    const std::vector<Basis>& bases = linear.in("offset").bases;
    const std::size_t n = bits.stride.size();
    if (bases.size() != n || n > 62) return {};
    // Gauss-Jordan on rows (coordinate bits | offset bit).
    std::vector<std::uint64_t> coordinate(n, 0), offset(n);
    for (std::size_t i = 0; i < n; ++i) {
        for (const std::size_t bit : bits_of(bases[i], bits)) coordinate[i] |= std::uint64_t{1} << bit;
        offset[i] = std::uint64_t{1} << i;
    }
    for (std::size_t bit = 0; bit < n; ++bit) {
        std::size_t pivot = bit;
        while (pivot < n && ((coordinate[pivot] >> bit) & 1U) == 0) ++pivot;
        if (pivot == n) return {};
        std::swap(coordinate[bit], coordinate[pivot]);
        std::swap(offset[bit], offset[pivot]);
        for (std::size_t other = 0; other < n; ++other) {
            if (other == bit || ((coordinate[other] >> bit) & 1U) == 0) continue;
            coordinate[other] ^= coordinate[bit];
            offset[other] ^= offset[bit];
        }
    }
    return std::vector<std::int64_t>(offset.begin(), offset.end());
}

struct SwizzleParameters {
    int per_element, swizzle_len, atom_len;
};

/// What the encoding's own keys say about its swizzle.
std::optional<SwizzleParameters> own_swizzle(const Attribute& attribute, const LinearLayout& linear) {
    if (attribute.name == "swizzled_shared" || attribute.name == "shared") {
        const auto vec = attribute.integer("vec"), per_phase = attribute.integer("perPhase"),
                   max_phase = attribute.integer("maxPhase");
        const auto order = attribute.integers("order");
        if (!vec || !per_phase || !max_phase || !order || order->empty()) return {};
        const std::int64_t columns = linear.out_size(dim_name(static_cast<std::size_t>(order->front())));
        const std::int64_t phases = std::min(*max_phase, columns / *vec);
        const int per_element = log2_exact(*vec);
        return SwizzleParameters{per_element, phases < 1 ? 0 : log2_exact(phases),
                                 log2_exact(*per_phase * columns) - per_element};
    }
    if (attribute.name == "nvmma_shared") {
        const auto width = attribute.integer("swizzlingByteWidth"), bits = attribute.integer("elementBitWidth");
        if (!width || !bits || *width < 32) return {};
        return SwizzleParameters{log2_exact(128 / *bits), log2_exact(*width / 16), 3};
    }
    return {};
}

Diagnostic cannot(std::string why) { return error("TXT_CANNOT_SAY", std::move(why), "TIRx text can say every layout"); }

} // namespace

Result<Layout> tile_of(const LinearLayout& linear) {
    BitMap bits = empty_bits(linear);
    std::vector<Iter> replica;
    for (const InDim& dim : linear.in()) {
        const Axis axis = axis_of(dim.name);
        const std::size_t begin = replica.size();
        for (std::size_t i = 0; i < dim.bases.size(); ++i) {
            const std::int64_t value = std::int64_t{1} << i;
            const std::vector<std::size_t> set = bits_of(dim.bases[i], bits);
            if (set.empty()) {
                push_bit(replica, begin, value, axis, false);
            } else if (set.size() > 1) {
                return not_tile(fmt::format("basis {}={} has several bits (xor)", dim.name, value));
            } else if (bits.stride[set[0]] != 0) {
                return not_tile(fmt::format("basis {}={} names a bit that another base has named", dim.name, value));
            } else {
                bits.stride[set[0]] = value;
                bits.axis[set[0]] = axis;
            }
        }
    }
    for (std::size_t d = 0; d + 1 < bits.first.size(); ++d) {
        for (std::size_t bit = bits.first[d]; bit < bits.first[d + 1]; ++bit) {
            if (bits.stride[bit] == 0)
                return not_tile(
                    fmt::format("bit {} of {} is named by no base", bit - bits.first[d], linear.out()[d].name));
        }
    }
    return tile_from_bits(bits, std::move(replica));
}

Result<Layout> compose_of(const LinearLayout& linear, int per_element, int swizzle_len, int atom_len) {
    const auto refuse = [](std::string why) { return error("TRITON_NOT_COMPOSE", std::move(why)); };
    if (!linear.has_in("offset") || linear.in().size() > 2 ||
        (linear.has_in("block") && !linear.in("block").bases.empty())) {
        return refuse("only shared memory of one CTA is a swizzled tile");
    }
    LS_TRY(const Layout probe, make_layout(ComposeLayout{per_element, swizzle_len, atom_len, TileLayout{}, true}));
    BitMap bits = empty_bits(linear);
    const auto offsets = offsets_of_bits(linear, bits);
    if (!offsets) return refuse("the offsets do not determine the coordinates");
    // A tile of single bits is linear over XOR as the swizzle is, so agreeing on every bit is agreeing everywhere.
    for (std::size_t bit = 0; bit < offsets->size(); ++bit) {
        const std::int64_t plain = swizzle((*offsets)[bit], *probe.compose());
        if (!is_power_of_two(plain))
            return refuse(fmt::format("offset {} does not unswizzle to a single stride", (*offsets)[bit]));
        bits.stride[bit] = plain;
    }
    std::vector<std::int64_t> sorted = bits.stride;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
        return refuse("two bits would have one stride");
    return make_layout(ComposeLayout{per_element, swizzle_len, atom_len, tile_from_bits(bits, {}).tile(), true});
}

Result<Layout> layout_of(const Attribute& attribute, const LinearLayout& linear) {
    Result<Layout> tile = tile_of(linear);
    if (tile || !linear.has_in("offset")) return tile;
    if (const auto own = own_swizzle(attribute, linear)) {
        Result<Layout> compose = compose_of(linear, own->per_element, own->swizzle_len, own->atom_len);
        if (compose) return compose;
        return tile;
    }
    const int bits = static_cast<int>(linear.in("offset").bases.size());
    for (int len = 1; len <= bits / 2; ++len) {
        for (int low = 0; low + 2 * len <= bits; ++low) {
            for (int atom = len; low + len + atom <= bits; ++atom) {
                Result<Layout> compose = compose_of(linear, low, len, atom);
                if (compose) return compose;
            }
        }
    }
    return tile;
}

Result<TensorLayout> to_tensor(const Attribute& attribute, std::span<const std::int64_t> shape) {
    TensorLayout out;
    out.shape.assign(shape.begin(), shape.end());
    if (attribute.name == "padded_shared") {
        LS_TRY(const PaddedLayout padded, padded_shared(attribute, shape));
        // Every bit of the index moves by its own padding; intervals are powers of two, so the bits add up.
        LS_TRY(const Layout plain, tile_of(padded.linear));
        TileLayout tile;
        for (const Iter& iter : plain.tile().shard) {
            if (iter.axis != axes::m) {
                tile.shard.push_back(iter);
                continue;
            }
            const std::size_t begin = tile.shard.size();
            for (std::int64_t bit = iter.extent.value() / 2; bit >= 1; bit /= 2) {
                push_bit(tile.shard, begin, padded.padded(bit * iter.stride.value()), axes::m, true);
            }
        }
        if (tile.shard.empty()) tile.shard.push_back({1, 1, axes::m});
        LS_TRY(out.layout, make_layout(std::move(tile)));
        out.space = MemorySpace::Smem;
        return out;
    }
    LS_TRY(const LinearLayout linear, to_linear(attribute, shape));
    Result<Layout> layout = layout_of(attribute, linear);
    if (!layout) {
        layout.error().span = attribute.span;
        return layout.error();
    }
    out.layout = std::move(layout).value();
    out.space = linear.has_in("offset") ? MemorySpace::Smem
                : linear.has_in("row")  ? MemorySpace::Tmem
                                        : MemorySpace::Registers;
    return out;
}

Result<LinearLayout> from_tensor(const TensorLayout& tensor) {
    if (!tensor.layout.is_constant()) return cannot("the layout has names without a value");
    const std::vector<Dim> shape(tensor.shape.begin(), tensor.shape.end());
    const Result<Grouped> grouped = group(tensor.layout.tile(), shape);
    if (!grouped) return cannot(fmt::format("the shape [{}] does not group the iters", fmt::join(tensor.shape, ", ")));
    for (const auto& [axis, amount] : tensor.layout.tile().offset) {
        if (!amount.is(0))
            return cannot(fmt::format("a linear layout maps 0 to 0, this one has an offset on {}", axis.name()));
    }
    // Which family: memory, tensor memory or registers.
    const TileLayout& tile = grouped->layout;
    std::vector<const Iter*> all;
    for (const std::vector<Iter>* list : {&tile.shard, &tile.replica}) {
        for (const Iter& iter : *list) {
            if (!iter.extent.is(1)) all.push_back(&iter);
        }
    }
    const auto uses = [&](Axis axis) {
        return std::any_of(all.begin(), all.end(), [&](const Iter* i) { return i->axis == axis; });
    };
    std::vector<std::string_view> ins;
    if (uses(axes::TLane) || uses(axes::TCol))
        ins = {"row", "col", "block"};
    else if (uses(axes::laneid) || uses(axes::warpid))
        ins = {"register", "lane", "warp", "block"};
    else
        ins = {"offset", "block"};
    const auto in_of = [&](Axis axis) {
        const auto found =
            std::find_if(ins.begin(), ins.end(), [&](std::string_view in) { return axis_of(in) == axis; });
        return found == ins.end() ? std::optional<std::size_t>{}
                                  : std::optional(static_cast<std::size_t>(found - ins.begin()));
    };
    // Bits of every in-dimension; empty basis: nobody uses the bit.
    std::vector<std::vector<std::optional<Basis>>> bases(ins.size());
    const auto place = [&](const Iter& iter, std::int64_t inner, std::optional<std::size_t> dim) -> Status {
        const auto in = in_of(iter.axis);
        if (!in) return cannot(fmt::format("Triton has no dimension for axis {}", iter.axis.name()));
        const std::int64_t extent = iter.extent.value(), stride = iter.stride.value();
        if (!is_power_of_two(extent) || !is_power_of_two(stride) || stride > (std::int64_t{1} << 40)) {
            return cannot(fmt::format("{} with stride {} is no power of two", extent, stride));
        }
        for (int bit = 0; bit < log2_exact(extent); ++bit) {
            const auto at = static_cast<std::size_t>(log2_exact(stride) + bit);
            if (bases[*in].size() <= at) bases[*in].resize(at + 1);
            if (bases[*in][at]) return cannot(fmt::format("two elements share bit {} of {}", at, ins[*in]));
            Basis basis(tensor.shape.size(), 0);
            if (dim) basis[*dim] = inner << bit;
            bases[*in][at] = std::move(basis);
        }
        return ok_status();
    };
    for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
        std::int64_t inner = 1; // elements of the dimension that one digit counts
        for (std::size_t i = grouped->separators[d + 1]; i-- > grouped->separators[d];) {
            if (tile.shard[i].extent.is(1)) continue;
            LS_CHECK(place(tile.shard[i], inner, d));
            inner *= tile.shard[i].extent.value();
        }
    }
    for (const Iter& iter : tile.replica) {
        if (!iter.extent.is(1)) LS_CHECK(place(iter, 1, std::nullopt));
    }
    std::vector<InDim> in_dims;
    for (std::size_t i = 0; i < ins.size(); ++i) {
        InDim dim{std::string(ins[i]), {}};
        for (std::size_t bit = 0; bit < bases[i].size(); ++bit) {
            if (!bases[i][bit]) return cannot(fmt::format("bit {} of {} is used by no element", bit, ins[i]));
            dim.bases.push_back(*bases[i][bit]);
        }
        in_dims.push_back(std::move(dim));
    }
    if (const ComposeLayout* c = tensor.layout.compose()) {
        // Base of offset bit i: what lies at the unswizzled place of 2^i.
        const std::vector<Basis> plain = in_dims[0].bases;
        for (std::size_t i = 0; i < plain.size(); ++i) {
            std::int64_t rest = swizzle(std::int64_t{1} << i, *c);
            Basis sum(tensor.shape.size(), 0);
            for (; rest != 0; rest &= rest - 1) {
                const auto bit = static_cast<std::size_t>(std::countr_zero(static_cast<std::uint64_t>(rest)));
                if (bit >= plain.size()) return cannot("the swizzle reaches beyond the tile");
                for (std::size_t d = 0; d < sum.size(); ++d) sum[d] ^= plain[bit][d];
            }
            in_dims[0].bases[i] = std::move(sum);
        }
    }
    std::vector<OutDim> outs;
    for (std::size_t d = 0; d < tensor.shape.size(); ++d) outs.push_back({dim_name(d), tensor.shape[d]});
    return LinearLayout(std::move(in_dims), std::move(outs));
}

Result<std::string> print_attribute(const LinearLayout& linear) {
    const auto list = [&](std::string_view name) {
        std::string out;
        for (const Basis& basis : linear.in(name).bases)
            out += fmt::format("{}[{}]", out.empty() ? "" : ", ", fmt::join(basis, ", "));
        return fmt::format("{} = [{}]", name, out);
    };
    if (linear.has_in("register")) {
        return fmt::format("#ttg.linear<{{{}, {}, {}, {}}}>", list("register"), list("lane"), list("warp"),
                           list("block"));
    }
    if (linear.has_in("offset")) {
        const bool one = linear.in("block").bases.empty();
        return fmt::format("#ttg.shared_linear<{{{}{}}}, alignment = 16>", list("offset"),
                           one ? std::string() : ", " + list("block"));
    }
    return cannot("Triton writes linear layouts of registers and of shared memory only");
}

} // namespace ls::triton
