#include "core/codegen/pto_text/print.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/codegen/host/pack.h"
#include "core/codegen/kernel/kernel.h"
#include "core/codegen/line_writer.h"
#include "core/codegen/pto_text/constants.h"

namespace ls::codegen {

namespace {

std::string_view location(ir::TileSpace space) {
    switch (space) {
    case ir::TileSpace::DDR: return "gm";
    case ir::TileSpace::Vec: return "vec";
    case ir::TileSpace::Mat: return "mat";
    case ir::TileSpace::Left: return "left";
    case ir::TileSpace::Right: return "right";
    case ir::TileSpace::Acc: return "acc";
    case ir::TileSpace::Bias: return "bias";
    case ir::TileSpace::LeftScale:
    case ir::TileSpace::RightScale: return "scaling";
    case ir::TileSpace::ScalarLocal: break;
    }
    return "scalar";
}

std::string order_attribute(ir::TensorOrder order) {
    std::string text(ir::name(order));
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

std::string view_type(const TensorArgument& t) {
    std::string text = "!pto.tensor_view<";
    for (std::size_t d = 0; d < t.shape.size(); ++d) text += "?x";
    return fmt::format("{}{}>", text, info(t.dtype).pto);
}

/// Where a type stands for the values of a list: "f32, index".
std::string joined(const std::vector<std::string>& all) { return fmt::format("{}", fmt::join(all, ", ")); }

class Printer {
public:
    using Origin = ir::Ref<ir::Node>;

    Printer(const Kernel& kernel, LineWriter& out) : k_(kernel), out_(out), constants_(kernel) {
        for (const Tile& tile : kernel.tiles) tile_types_.push_back(type_of(tile)); // each is written many times
    }

    void print() {
        std::vector<std::string> arguments;
        for (const TensorArgument& t : k_.tensors) arguments.push_back(fmt::format("%arg{}: !pto.ptr<{}>", t.position, info(t.dtype).pto));
        for (const ScalarArgument& s : k_.scalars) arguments.push_back(fmt::format("%{}: {}", s.value, info(s.dtype).pto));
        if (k_.uses_block_index) {
            arguments.emplace_back("%__pypto_spmd_block_idx: i32");
            arguments.emplace_back("%__pypto_spmd_block_num: i32");
        }
        if (k_.uses_subblock_index) arguments.emplace_back("%__pypto_spmd_subblock_idx: i32");
        const std::string_view kind = k_.kind == KernelKind::Cube     ? " attributes {pto.kernel_kind = #pto.kernel_kind<cube>}"
                                      : k_.kind == KernelKind::Vector ? " attributes {pto.kernel_kind = #pto.kernel_kind<vector>}"
                                                                      : "";
        out_.line(fmt::format("func.func @{}({}){} {{", k_.name, joined(arguments), kind), k_.origin);
        out_.open();
        for (const std::string& line : constants_.definitions()) out_.line(line);
        // What the shapes need comes first: it was lowered with the arguments.
        std::size_t first = 0;
        while (first < k_.body.size() && k_.body[first].origin == k_.origin) ++first;
        print_range(k_.body, 0, first);
        for (const TensorArgument& t : k_.tensors) {
            if (t.used) print_view(t);
        }
        print_range(k_.body, first, k_.body.size());
        out_.line("return", k_.origin);
        out_.close();
        out_.line("}");
    }

private:
    std::string name(const Scalar& scalar) const { return scalar.is_constant() ? constants_.name(scalar) : "%" + scalar.name; }
    std::string names(const std::vector<Scalar>& scalars) const {
        std::vector<std::string> all;
        all.reserve(scalars.size());
        for (const Scalar& s : scalars) all.push_back(name(s));
        return "[" + joined(all) + "]";
    }
    std::string partition_type(const Window& window) const {
        std::string text = "!pto.partition_tensor_view<";
        for (const Scalar& size : window.sizes) text += size.value ? fmt::format("{}x", *size.value) : "?x";
        return text + fmt::format("{}>", info(k_.tensors[window.tensor].dtype).pto);
    }
    std::string pointer(std::size_t tensor) const { return fmt::format("%arg{}", k_.tensors[tensor].position); }
    std::string pointer_type(std::size_t tensor) const { return fmt::format("!pto.ptr<{}>", info(k_.tensors[tensor].dtype).pto); }
    const std::string& tile_type(TileId id) const { return tile_types_[id]; }
    static std::string type_of(const Tile& t) {
        // A window's valid part is in its type; everything else says it where it is allocated.
        const auto valid = [&](const Scalar& scalar) { return t.window && scalar.value ? fmt::to_string(*scalar.value) : std::string("?"); };
        std::string text = fmt::format("!pto.tile_buf<loc={}, dtype={}, rows={}, cols={}, v_row={}, v_col={}, blayout={}, slayout={}, fractal={}, pad={}",
                                       location(t.space), info(t.dtype).pto, t.rows, t.cols, valid(t.valid_rows), valid(t.valid_cols), ir::name(t.blayout),
                                       ir::name(t.slayout), t.fractal_bytes, static_cast<int>(t.pad));
        if (t.compact && *t.compact != ir::CompactMode::Null) text += fmt::format(", compact={}", static_cast<int>(*t.compact));
        return text + ">";
    }
    std::string tile_name(TileId id) const { return "%" + k_.tiles[id].name; }
    std::string outs(TileId id) const { return fmt::format("outs({} : {})", tile_name(id), tile_type(id)); }

    void print_view(const TensorArgument& t) {
        out_.line(fmt::format("%{} = pto.make_tensor_view %arg{}, shape = {}, strides = {} {{layout = #pto.layout<{}>}} : {}", t.view, t.position,
                              names(t.shape), names(t.strides), order_attribute(t.order), view_type(t)),
                  k_.origin);
    }

    std::string print_partition(const Window& window, const std::string& as, const Origin& origin) {
        const TensorArgument& t = k_.tensors[window.tensor];
        out_.line(fmt::format("%{} = pto.partition_view %{}, offsets = {}, sizes = {} : {} -> {}", as, t.view, names(window.offsets), names(window.sizes),
                              view_type(t), partition_type(window)),
                  origin);
        return "%" + as;
    }

    void print_body(const Body& body) { print_range(body, 0, body.size()); }
    void print_range(const Body& body, std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            std::visit([&](const auto& what) { print_one(what, body[i].origin); }, body[i].what);
        }
    }

    void print_one(const Alloc& what, const Origin& origin) {
        const Tile& t = k_.tiles[what.tile];
        const std::string address = t.address_bytes ? fmt::format(" addr = {}", constants_.address(*t.address_bytes)) : "";
        out_.line(fmt::format("{} = pto.alloc_tile{} valid_row = {} valid_col = {} : {}", tile_name(what.tile), address, name(t.valid_rows), name(t.valid_cols),
                              tile_type(what.tile)),
                  origin);
    }
    void print_one(const Compute& what, const Origin& origin) {
        std::vector<std::string> operands;
        for (const Scalar& s : what.operands) operands.push_back(name(s));
        const bool compares = what.op.rfind("cmp", 0) == 0;
        out_.line(fmt::format("%{} = arith.{}{} {} : {}", what.result, what.op, compares ? "," : "", joined(operands), text_type(what.dtype)), origin);
    }
    void print_one(const Convert& what, const Origin& origin) {
        if (what.op == "bridge" || what.op == "unbridge") {
            const std::string with_sign(info(what.to).pto), without = text_type(what.to);
            const bool into = what.op == "bridge";
            out_.line(fmt::format("%{} = builtin.unrealized_conversion_cast {} : {} to {}", what.result, name(what.from), into ? with_sign : without, into ? without : with_sign), origin);
            return;
        }
        out_.line(fmt::format("%{} = arith.{} {} : {} to {}", what.result, what.op, name(what.from), text_type(what.from.dtype), text_type(what.to)), origin);
    }
    void print_one(const LoadScalar& what, const Origin& origin) {
        out_.line(fmt::format("%{} = pto.load_scalar {}[{}] : {} -> {}", what.result, pointer(what.tensor), name(what.index), pointer_type(what.tensor),
                              info(k_.tensors[what.tensor].dtype).pto),
                  origin);
    }
    void print_one(const StoreScalar& what, const Origin& origin) {
        out_.line(fmt::format("pto.store_scalar {}, {}[{}] : {}, {}", name(what.value), pointer(what.tensor), name(what.index), pointer_type(what.tensor),
                              info(k_.tensors[what.tensor].dtype).pto),
                  origin);
    }
    void print_one(const Load& what, const Origin& origin) {
        const std::string part = print_partition(what.window, what.name, origin);
        out_.line(fmt::format("pto.tload ins({} : {}) {}", part, partition_type(what.window), outs(what.tile)), origin);
    }
    void print_one(const Store& what, const Origin& origin) {
        const std::string part = print_partition(what.window, what.name, origin);
        std::vector<std::string> attributes;
        if (!what.phase.empty()) attributes.push_back(fmt::format("stPhase = #pto<st_phase {}>", what.phase));
        if (!what.atomic.empty()) attributes.push_back(fmt::format("atomicType = #pto<atomic_type atomic_{}>", what.atomic));
        if (what.relu) attributes.emplace_back("reluPreMode = #pto<relu_pre_mode normal_relu>");
        std::string from = tile_name(what.tile), types = tile_type(what.tile);
        if (what.pre_quant) {
            from += ", " + name(*what.pre_quant);
            types += ", i64";
        }
        out_.line(fmt::format("pto.tstore ins({} : {}) outs({} : {}){}", from, types, part, partition_type(what.window),
                              attributes.empty() ? std::string() : fmt::format(" {{{}}}", joined(attributes))),
                  origin);
    }
    void print_one(const Move& what, const Origin& origin) {
        out_.line(fmt::format("pto.tmov ins({} : {}) {}", tile_name(what.from), tile_type(what.from), outs(what.to)), origin);
    }
    void print_one(const Extract& what, const Origin& origin) { print_at("textract", what.from, what.row, what.col, what.to, origin); }
    void print_one(const Insert& what, const Origin& origin) { print_at("tinsert", what.from, what.row, what.col, what.to, origin); }
    void print_at(std::string_view op, TileId from, const Scalar& row, const Scalar& col, TileId to, const Origin& origin) {
        out_.line(fmt::format("pto.{} ins({}, {}, {} : {}, index, index) {}", op, tile_name(from), name(row), name(col), tile_type(from), outs(to)), origin);
    }
    void print_one(const Subview& what, const Origin& origin) {
        const Tile& view = k_.tiles[what.view];
        const std::string valid = what.states_valid ? fmt::format(" valid [{}, {}]", name(view.valid_rows), name(view.valid_cols)) : std::string();
        out_.line(fmt::format("{} = pto.subview {}[{}, {}] sizes [{}, {}]{} : {} -> {}", tile_name(what.view), tile_name(what.of), name(what.row), name(what.col),
                              view.rows, view.cols, valid, tile_type(what.of), tile_type(what.view)),
                  origin);
    }
    void print_one(const Matmul& what, const Origin& origin) {
        std::vector<std::string> operands, types;
        for (const std::optional<TileId>& id : {what.accumulate, std::optional(what.left), std::optional(what.right), what.bias}) {
            if (!id) continue;
            operands.push_back(tile_name(*id));
            types.push_back(tile_type(*id));
        }
        const std::string phase = what.phase.empty() ? std::string() : fmt::format(" {{accPhase = #pto<acc_phase {}>}}", what.phase);
        out_.line(fmt::format("pto.{}{} ins({} : {}) {}{}", what.gemv ? "tgemv" : "tmatmul", what.accumulate ? ".acc" : what.bias ? ".bias" : "", joined(operands),
                              joined(types), outs(what.out), phase),
                  origin);
    }
    void print_one(const TileOp& what, const Origin& origin) {
        std::vector<std::string> operands, types;
        for (const Operand& operand : what.in) {
            operands.push_back(operand.tile ? tile_name(*operand.tile) : name(operand.scalar));
            types.push_back(operand.tile ? tile_type(*operand.tile) : std::string(info(operand.scalar.dtype).pto));
        }
        std::string inside, behind;
        switch (what.mode.kind) {
        case OpMode::Kind::Round: inside = fmt::format(" {{rmode = #pto<round_mode {}>}}", what.mode.value); break;
        case OpMode::Kind::Compare: inside = fmt::format(" {{cmpMode = #pto<cmp {}>}}", what.mode.value); break;
        case OpMode::Kind::Binary: inside = fmt::format(" {{isBinary = {}}}", what.mode.value); break;
        case OpMode::Kind::Descending: behind = fmt::format(" {{descending = {}}}", what.mode.value); break;
        case OpMode::Kind::HighPrecision: behind = fmt::format(" {{precisionType = #pto<{}_precision high_precision>}}", what.op.substr(1)); break;
        case OpMode::Kind::None: break;
        }
        out_.line(fmt::format("pto.{} ins({}{} : {}) {}{}", what.op, joined(operands), inside, joined(types), outs(what.out), behind), origin);
    }
    void print_one(const Loop& what, const Origin& origin) {
        std::vector<std::string> results, carried, types, next;
        for (const Carried& c : what.carried) {
            results.push_back("%" + c.result);
            carried.push_back(fmt::format("%{} = {}", c.name, name(c.init)));
            types.push_back(text_type(c.init.dtype));
            next.push_back(name(c.next));
        }
        const bool carries = !carried.empty();
        out_.line(fmt::format("{}scf.for %{} = {} to {} step {}{} {{", carries ? joined(results) + " = " : "", what.variable, name(what.start), name(what.stop),
                              name(what.step), carries ? fmt::format(" iter_args({}) -> ({})", joined(carried), joined(types)) : std::string()),
                  origin);
        out_.open();
        print_body(*what.body);
        if (carries) out_.line(fmt::format("scf.yield {} : {}", joined(next), joined(types)), origin);
        out_.close();
        out_.line("}");
    }
    void print_one(const Branch& what, const Origin& origin) {
        std::vector<std::string> results, types, on_true, on_false;
        for (const Chosen& c : what.results) {
            results.push_back("%" + c.result);
            types.push_back(text_type(c.dtype));
            on_true.push_back(name(c.on_true));
            on_false.push_back(name(c.on_false));
        }
        const bool gives = !results.empty();
        out_.line(fmt::format("{}scf.if {}{} {{", gives ? joined(results) + " = " : "", name(what.condition), gives ? fmt::format(" -> ({})", joined(types)) : std::string()), origin);
        out_.open();
        print_body(*what.then_body);
        if (gives) out_.line(fmt::format("scf.yield {} : {}", joined(on_true), joined(types)), origin);
        out_.close();
        if (gives || !what.else_body->empty()) {
            out_.line("} else {");
            out_.open();
            print_body(*what.else_body);
            if (gives) out_.line(fmt::format("scf.yield {} : {}", joined(on_false), joined(types)), origin);
            out_.close();
        }
        out_.line("}");
    }
    void print_one(const SlotBuffer& what, const Origin& origin) {
        const std::string text = what.size_bytes ? fmt::format("pto.reserve_buffer {{name = \"{}\", size = {}, location = #pto.address_space<{}>, auto = false, base = {}}}", what.name,
                                                               *what.size_bytes, k_.kind == KernelKind::Cube ? "mat" : "vec", *what.base)
                                                 : fmt::format("pto.import_reserved_buffer {{name = \"{}\", peer_func = @{}}}", what.name, what.peer);
        out_.line(fmt::format("%{} = {} -> i32", what.result, text), origin);
    }
    void print_one(const OpenPipe& what, const Origin& origin) {
        const std::string memory = what.memory ? fmt::format("gm_slot_buffer = {} : {}, ", pointer(*what.memory), pointer_type(*what.memory)) : std::string();
        out_.line(fmt::format("pto.{}_initialize_pipe {{dir_mask = {}, slot_size = {}, slot_num = {}}} ({}c2v_consumer_buf = {} : i32, v2c_consumer_buf = {} : i32)",
                              what.on_cube ? "aic" : "aiv", what.direction, what.slot_bytes, what.slots, memory, name(what.to_vector), name(what.to_cube)),
                  origin);
    }
    void print_one(const Push& what, const Origin& origin) {
        out_.line(fmt::format("pto.tpush_to_{}({} : {}) {{split = {}}}", what.to_vector ? "aiv" : "aic", tile_name(what.tile), tile_type(what.tile), what.split), origin);
    }
    void print_one(const Pop& what, const Origin& origin) {
        const Tile& t = k_.tiles[what.tile];
        const bool whole = t.valid_rows.value == t.rows && t.valid_cols.value == t.cols;
        out_.line(fmt::format("{} = pto.tpop_from_{}{} {{split = {}}} -> {}", tile_name(what.tile), what.from_cube ? "aic" : "aiv",
                              whole ? std::string() : fmt::format("({}, {})", name(t.valid_rows), name(t.valid_cols)), what.split, tile_type(what.tile)),
                  origin);
    }
    void print_one(const FreeSlot& what, const Origin& origin) {
        out_.line(fmt::format("pto.tfree_from_{} {{split = {}}}", what.from_cube ? "aic" : "aiv", what.split), origin);
    }
    void print_one(const Fence& what, const Origin& origin) {
        out_.line(what.memory ? "pto.fence.barrier_all #pto.fence_scope<gm>" : "pto.barrier <PIPE_ALL>", origin);
    }

    const Kernel& k_;
    LineWriter& out_;
    Constants constants_;
    std::vector<std::string> tile_types_;
};

} // namespace

Result<Exported> export_pto_text(const ir::Module& module, const ExportOptions& options) {
    LS_TRY(const auto functions, kernel_functions(*module, options.function));
    Exported out;
    std::vector<SourceFile> beside;
    LineWriter writer(functions.front()->name + ".pto");
    writer.line(fmt::format("module attributes {{pto.target_arch = \"{}\"}} {{", options.chip));
    writer.open();
    for (const ir::Function& function : functions) {
        LS_TRY(const Kernel kernel, lower_kernel(function, options));
        Printer(kernel, writer).print();
        for (SourceFile& file : host_packers(kernel)) beside.push_back(std::move(file));
    }
    writer.close();
    writer.line("}");
    out.files.push_back(writer.take());
    for (SourceFile& file : beside) out.files.push_back(std::move(file));
    return out;
}

} // namespace ls::codegen
