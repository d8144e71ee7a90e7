#include "core/codegen/pto_text/print.h"

#include <map>
#include <set>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/codegen/kernel/kernel.h"
#include "core/codegen/line_writer.h"

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

class Printer {
public:
    Printer(const Kernel& kernel, LineWriter& out) : k_(kernel), out_(out) {}

    void print() {
        collect(k_.body);
        std::vector<std::string> arguments;
        for (const TensorArgument& t : k_.tensors) arguments.push_back(fmt::format("%arg{}: !pto.ptr<{}>", t.position, info(t.dtype).pto));
        for (const ScalarArgument& s : k_.scalars) arguments.push_back(fmt::format("%{}: {}", s.name, info(s.dtype).pto));
        for (const std::string& dim : k_.dynamic_dims) arguments.push_back(fmt::format("%{}: index", dim));
        if (k_.uses_block_index) {
            arguments.emplace_back("%__pypto_spmd_block_idx: i32");
            arguments.emplace_back("%__pypto_spmd_block_num: i32");
        }
        if (k_.uses_subblock_index) arguments.emplace_back("%__pypto_spmd_subblock_idx: i32");
        const std::string_view kind = k_.kind == KernelKind::Cube     ? " attributes {pto.kernel_kind = #pto.kernel_kind<cube>}"
                                      : k_.kind == KernelKind::Vector ? " attributes {pto.kernel_kind = #pto.kernel_kind<vector>}"
                                                                      : "";
        out_.line(fmt::format("func.func @{}({}){} {{", k_.name, fmt::join(arguments, ", "), kind), k_.origin);
        out_.open();
        for (const std::int64_t value : addresses_) out_.line(fmt::format("%c{0}_i64 = arith.constant {0} : i64", value));
        for (const std::int64_t value : constants_) out_.line(fmt::format("{} = arith.constant {} : index", constant_name(value), value));
        for (const TensorArgument& t : k_.tensors) {
            if (t.used) print_view(t);
        }
        print_body(k_.body);
        out_.line("return", k_.origin);
        out_.close();
        out_.line("}");
    }

private:
    static std::string constant_name(std::int64_t value) {
        return value < 0 ? fmt::format("%cm{}_index", -value) : fmt::format("%c{}_index", value);
    }
    static std::string name(const Scalar& scalar) { return scalar.value ? constant_name(*scalar.value) : "%" + scalar.name; }
    static std::string names(const std::vector<Scalar>& scalars) {
        std::vector<std::string> all;
        all.reserve(scalars.size());
        for (const Scalar& s : scalars) all.push_back(name(s));
        return fmt::format("[{}]", fmt::join(all, ", "));
    }

    void need(const Scalar& scalar) {
        if (scalar.value) constants_.insert(*scalar.value);
    }
    void need(const std::vector<Scalar>& scalars) {
        for (const Scalar& s : scalars) need(s);
    }

    /// Constants are defined once, before anything uses them.
    void collect(const Body& body) {
        for (const TensorArgument& t : k_.tensors) {
            if (!t.used) continue;
            need(t.shape);
            need(t.strides);
        }
        for (const Tile& t : k_.tiles) {
            if (t.address_bytes) addresses_.insert(*t.address_bytes);
        }
        for (const Instruction& one : body) {
            std::visit(
                [this](const auto& what) {
                    using T = std::decay_t<decltype(what)>;
                    if constexpr (std::is_same_v<T, Alloc>) {
                        need(k_.tiles[what.tile].valid_rows);
                        need(k_.tiles[what.tile].valid_cols);
                    } else if constexpr (std::is_same_v<T, Compute>) {
                        need(what.operands);
                    } else if constexpr (std::is_same_v<T, Load> || std::is_same_v<T, Store>) {
                        need(what.window.offsets);
                        need(what.window.sizes);
                    } else if constexpr (std::is_same_v<T, Extract>) {
                        need(what.row);
                        need(what.col);
                    } else if constexpr (std::is_same_v<T, TileOp>) {
                        need(what.scalars);
                    } else if constexpr (std::is_same_v<T, Loop>) {
                        need(what.start);
                        need(what.stop);
                        need(what.step);
                        collect(*what.body);
                    } else if constexpr (std::is_same_v<T, Branch>) {
                        need(what.condition);
                        collect(*what.then_body);
                        collect(*what.else_body);
                    }
                },
                one.what);
        }
    }

    static std::string view_type(const TensorArgument& t) {
        std::vector<std::string> dims(t.shape.size(), "?");
        return fmt::format("!pto.tensor_view<{}x{}>", fmt::join(dims, "x"), info(t.dtype).pto);
    }
    std::string partition_type(const Window& window) const {
        std::string text = "!pto.partition_tensor_view<";
        for (const Scalar& size : window.sizes) text += size.value ? fmt::format("{}x", *size.value) : "?x";
        return text + fmt::format("{}>", info(k_.tensors[window.tensor].dtype).pto);
    }
    std::string tile_type(TileId id) const {
        const Tile& t = k_.tiles[id];
        std::string text = fmt::format("!pto.tile_buf<loc={}, dtype={}, rows={}, cols={}, v_row=?, v_col=?, blayout={}, slayout={}, fractal={}, pad={}",
                                       location(t.space), info(t.dtype).pto, t.rows, t.cols, ir::name(t.blayout), ir::name(t.slayout), t.fractal_bytes,
                                       static_cast<int>(t.pad));
        if (t.compact && *t.compact != ir::CompactMode::Null) text += fmt::format(", compact={}", static_cast<int>(*t.compact));
        return text + ">";
    }
    std::string tile_name(TileId id) const { return "%" + k_.tiles[id].name; }
    static std::string view_name(const TensorArgument& t) { return fmt::format("%{}_view", t.name); }

    void print_view(const TensorArgument& t) {
        out_.line(fmt::format("{} = pto.make_tensor_view %arg{}, shape = {}, strides = {} {{layout = #pto.layout<{}>}} : {}", view_name(t), t.position,
                              names(t.shape), names(t.strides), order_attribute(t.order), view_type(t)),
                  k_.origin);
    }

    std::string print_partition(const Window& window, const std::string& as, const ir::Ref<ir::Node>& origin) {
        const TensorArgument& t = k_.tensors[window.tensor];
        out_.line(fmt::format("%{} = pto.partition_view {}, offsets = {}, sizes = {} : {} -> {}", as, view_name(t), names(window.offsets), names(window.sizes),
                              view_type(t), partition_type(window)),
                  origin);
        return "%" + as;
    }

    void print_body(const Body& body) {
        for (const Instruction& one : body) {
            std::visit([&](const auto& what) { print_one(what, one.origin); }, one.what);
        }
    }

    void print_one(const Alloc& what, const ir::Ref<ir::Node>& origin) {
        const Tile& t = k_.tiles[what.tile];
        const std::string address = t.address_bytes ? fmt::format(" addr = %c{}_i64", *t.address_bytes) : "";
        out_.line(fmt::format("{} = pto.alloc_tile{} valid_row = {} valid_col = {} : {}", tile_name(what.tile), address, name(t.valid_rows), name(t.valid_cols),
                              tile_type(what.tile)),
                  origin);
    }
    void print_one(const Compute& what, const ir::Ref<ir::Node>& origin) {
        std::vector<std::string> operands;
        for (const Scalar& s : what.operands) operands.push_back(name(s));
        const bool compares = what.op.rfind("cmpi ", 0) == 0;
        out_.line(fmt::format("%{} = arith.{}{} {} : {}", what.result, what.op, compares ? "," : "", fmt::join(operands, ", "), what.on_conditions ? "i1" : "index"), origin);
    }
    void print_one(const BlockIndex& what, const ir::Ref<ir::Node>& origin) {
        out_.line(fmt::format("%{} = arith.index_cast %{} : i32 to index", what.result, what.argument), origin);
    }
    void print_one(const Load& what, const ir::Ref<ir::Node>& origin) {
        const std::string part = print_partition(what.window, what.name, origin);
        out_.line(fmt::format("pto.tload ins({} : {}) outs({} : {})", part, partition_type(what.window), tile_name(what.tile), tile_type(what.tile)), origin);
    }
    void print_one(const Store& what, const ir::Ref<ir::Node>& origin) {
        const std::string part = print_partition(what.window, what.name, origin);
        std::string attributes;
        for (const auto& [key, value] : what.attributes) {
            attributes += fmt::format("{}{} = #pto<{} {}>", attributes.empty() ? "" : ", ", key, key == "stPhase" ? "st_phase" : "atomic_type", value);
        }
        if (!attributes.empty()) attributes = fmt::format(" {{{}}}", attributes);
        out_.line(fmt::format("pto.tstore ins({} : {}) outs({} : {}){}", tile_name(what.tile), tile_type(what.tile), part, partition_type(what.window), attributes), origin);
    }
    void print_one(const Move& what, const ir::Ref<ir::Node>& origin) {
        out_.line(fmt::format("pto.tmov ins({} : {}) outs({} : {})", tile_name(what.from), tile_type(what.from), tile_name(what.to), tile_type(what.to)), origin);
    }
    void print_one(const Extract& what, const ir::Ref<ir::Node>& origin) {
        out_.line(fmt::format("pto.textract ins({}, {}, {} : {}, index, index) outs({} : {})", tile_name(what.from), name(what.row), name(what.col),
                              tile_type(what.from), tile_name(what.to), tile_type(what.to)),
                  origin);
    }
    void print_one(const Matmul& what, const ir::Ref<ir::Node>& origin) {
        std::vector<std::string> operands, types;
        for (const std::optional<TileId>& id : {what.accumulate, std::optional(what.left), std::optional(what.right)}) {
            if (!id) continue;
            operands.push_back(tile_name(*id));
            types.push_back(tile_type(*id));
        }
        out_.line(fmt::format("pto.tmatmul{} ins({} : {}) outs({} : {})", what.accumulate ? ".acc" : "", fmt::join(operands, ", "), fmt::join(types, ", "),
                              tile_name(what.out), tile_type(what.out)),
                  origin);
    }
    void print_one(const TileOp& what, const ir::Ref<ir::Node>& origin) {
        std::vector<std::string> operands, types;
        for (const TileId id : what.in) {
            operands.push_back(tile_name(id));
            types.push_back(tile_type(id));
        }
        for (const Scalar& s : what.scalars) {
            operands.push_back(name(s));
            types.emplace_back("index");
        }
        out_.line(fmt::format("pto.{} ins({} : {}) outs({} : {})", what.op, fmt::join(operands, ", "), fmt::join(types, ", "), tile_name(what.out), tile_type(what.out)), origin);
    }
    void print_one(const Loop& what, const ir::Ref<ir::Node>& origin) {
        out_.line(fmt::format("scf.for %{} = {} to {} step {} {{", what.variable, name(what.start), name(what.stop), name(what.step)), origin);
        out_.open();
        print_body(*what.body);
        out_.close();
        out_.line("}");
    }
    void print_one(const Branch& what, const ir::Ref<ir::Node>& origin) {
        out_.line(fmt::format("scf.if {} {{", name(what.condition)), origin);
        out_.open();
        print_body(*what.then_body);
        out_.close();
        if (!what.else_body->empty()) {
            out_.line("} else {");
            out_.open();
            print_body(*what.else_body);
            out_.close();
        }
        out_.line("}");
    }

    const Kernel& k_;
    LineWriter& out_;
    std::set<std::int64_t> constants_;
    std::set<std::int64_t> addresses_;
};

} // namespace

Result<Exported> export_pto_text(const ir::Module& module, const ExportOptions& options) {
    LS_TRY(const auto functions, kernel_functions(*module, options.function));
    Exported out;
    LineWriter writer(functions.front()->name + ".pto");
    writer.line(fmt::format("module attributes {{pto.target_arch = \"{}\"}} {{", options.chip));
    writer.open();
    for (const ir::Function& function : functions) {
        LS_TRY(const Kernel kernel, lower_kernel(function, options));
        Printer(kernel, writer).print();
    }
    writer.close();
    writer.line("}");
    out.files.push_back(writer.take());
    return out;
}

} // namespace ls::codegen
