// C++ over pto-isa's headers, from a kernel (spec/nz.md E.3).
#include "core/codegen/pto_isa/print.h"

#include <map>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/codegen/host/pack.h"
#include "core/codegen/kernel/kernel.h"
#include "core/codegen/line_writer.h"
#include "core/codegen/pto_isa/flags.h"
#include "core/codegen/pto_isa/pipes.h"
#include "core/codegen/pto_isa/spelling.h"
#include "core/support/checked.h"

namespace ls::codegen {

namespace {

class Printer {
public:
    using Origin = ir::Ref<ir::Node>;

    Printer(const Kernel& kernel, LineWriter& out) : k_(kernel), out_(out), waits_(find_waits(kernel)) {}

    void print() {
        std::vector<std::string> arguments, notes;
        for (const TensorArgument& t : k_.tensors) {
            tensors_.push_back(fresh());
            arguments.push_back(fmt::format("__gm__ {}* {}", info(t.dtype).cpp, tensors_.back()));
            notes.push_back(fmt::format("{}: {}", tensors_.back(), t.name));
        }
        for (const ScalarArgument& s : k_.scalars) {
            arguments.push_back(fmt::format("{} {}", cpp_scalar_type(s.dtype), define(s.value)));
            notes.push_back(fmt::format("{}: {}", names_.at(s.value), s.name));
        }
        if (k_.uses_block_index) {
            arguments.push_back(fmt::format("int32_t {}", define("__pypto_spmd_block_idx")));
            arguments.push_back(fmt::format("int32_t {}", define("__pypto_spmd_block_num")));
        }
        if (k_.uses_subblock_index) arguments.push_back(fmt::format("int32_t {}", define("__pypto_spmd_subblock_idx")));
        if (!notes.empty()) out_.line(fmt::format("// {}", fmt::join(notes, ", ")), k_.origin);
        // C++ keeps this name for itself.
        const std::string_view name = k_.name == "main" ? "main_kernel" : std::string_view(k_.name);
        out_.line(fmt::format("__global__ AICORE void {}({}) {{", name, fmt::join(arguments, ", ")), k_.origin);
        out_.open();
        print_body(k_.body);
        out_.line("pipe_barrier(PIPE_ALL);", k_.origin);
        out_.line("return;", k_.origin);
        out_.close();
        out_.line("}");
    }

private:
    std::string fresh() { return fmt::format("v{}", ++last_); }
    std::string define(const std::string& name) { return names_[name] = fresh(); }
    std::string text(const Scalar& scalar) const { return scalar.is_constant() ? cpp_constant(scalar) : names_.at(scalar.name); }

    void print_body(const Body& body) {
        for (const Instruction& one : body) {
            if (const auto waits = waits_.find(&one); waits != waits_.end()) {
                for (const auto& [from, to] : waits->second) {
                    for (const std::string& line : flags_.wait(from, to)) out_.line(line, one.origin);
                }
            }
            std::visit([&](const auto& what) { print_one(what, one.origin); }, one.what);
        }
    }

    /// Declares a tile and gives its name. Dynamic valid extents go to the constructor, rows first.
    std::string declare(TileId tile, const Tile& as, const Origin& origin) {
        std::vector<std::string> dynamic;
        for (const Scalar* valid : {&as.valid_rows, &as.valid_cols}) {
            if (!valid->value) dynamic.push_back(text(*valid));
        }
        const std::string id = fresh();
        tiles_[tile] = id;
        out_.line(fmt::format("{} {}{}; // {}", cpp_tile_type(as, k_.chip), id, dynamic.empty() ? std::string() : fmt::format("({})", fmt::join(dynamic, ", ")), as.name), origin);
        return id;
    }

    void print_one(const Alloc& what, const Origin& origin) {
        const Tile& t = k_.tiles[what.tile];
        const std::string id = declare(what.tile, t, origin);
        out_.line(fmt::format("TASSIGN({}, {});", id, t.address_bytes.value_or(0)), origin);
    }

    void print_one(const Compute& what, const Origin& origin) {
        std::vector<std::string> operands;
        for (const Scalar& s : what.operands) operands.push_back(text(s));
        const std::string value = cpp_value(what, operands);
        const std::string_view type = what.op.rfind("cmp", 0) == 0 ? "bool" : cpp_scalar_type(what.dtype);
        out_.line(fmt::format("{} {} = {};", type, define(what.result), value), origin);
    }

    void print_one(const Convert& what, const Origin& origin) {
        const std::string from = text(what.from);
        if (what.op == "bridge" || what.op == "unbridge") {
            names_[what.result] = from; // C++ knows the sign by the type
            return;
        }
        const std::string_view type = cpp_scalar_type(what.to);
        out_.line(fmt::format("{} {} = ({}){};", type, define(what.result), type, from), origin);
    }

    void print_one(const LoadScalar& what, const Origin& origin) {
        const std::string index = text(what.index);
        out_.line(fmt::format("{} {} = {}[{}];", info(k_.tensors[what.tensor].dtype).cpp, define(what.result), tensors_[what.tensor], index), origin);
    }
    void print_one(const StoreScalar& what, const Origin& origin) {
        out_.line(fmt::format("{}[{}] = {};", tensors_[what.tensor], text(what.index), text(what.value)), origin);
    }

    // ------------------------------------------------------------------ global memory

    std::string print_window(const Window& window, const Origin& origin) {
        const TensorArgument& t = k_.tensors[window.tensor];
        // pto-isa's views have five dimensions; lower ranks stand at the right.
        const std::size_t missing = 5 - t.shape.size();
        std::vector<Scalar> sizes(missing, constant_scalar(1));
        sizes.insert(sizes.end(), window.sizes.begin(), window.sizes.end());
        std::vector<Scalar> strides = t.strides;
        std::vector<Scalar> parent = t.shape;
        for (std::size_t i = 0; i < missing; ++i) {
            const Scalar& extent = parent.front();
            const Scalar& stride = strides.front();
            const CheckedInt outer = extent.value && stride.value ? checked_mul(*extent.value, *stride.value) : CheckedInt{};
            strides.insert(strides.begin(), outer ? constant_scalar(*outer) : stride);
            parent.insert(parent.begin(), constant_scalar(1));
        }
        std::string base = tensors_[window.tensor];
        std::int64_t constant_offset = 0;
        for (std::size_t d = 0; d < window.offsets.size(); ++d) {
            const Scalar& offset = window.offsets[d];
            const Scalar& stride = t.strides[d];
            if (offset.value == 0) continue;
            const CheckedInt term = offset.value && stride.value ? checked_mul(*offset.value, *stride.value) : CheckedInt{};
            const CheckedInt sum = term ? checked_add(constant_offset, *term) : CheckedInt{};
            if (sum) {
                constant_offset = *sum;
            } else {
                base += fmt::format(" + (unsigned){} * {}", text(offset), stride.value ? fmt::format("{}u", *stride.value) : "(unsigned)" + text(stride));
            }
        }
        if (constant_offset != 0) base += fmt::format(" + {}", constant_offset);
        const std::string shape = dimensions("pto::Shape", sizes);
        const std::string stride = dimensions("pto::Stride", strides);
        const std::string layout(ir::name(t.order));
        const std::string id = fresh();
        out_.line(fmt::format("GlobalTensor<{}, {}, {}, pto::Layout::{}> {}({}, {}, {}); // {}", info(t.dtype).cpp, shape, stride, layout, id, base,
                              shape + arguments(sizes), stride + arguments(strides), t.name),
                  origin);
        return id;
    }
    std::string dimensions(std::string_view what, const std::vector<Scalar>& values) const {
        std::vector<std::string> all;
        for (const Scalar& v : values) all.push_back(v.value ? fmt::format("{}", *v.value) : "-1");
        return fmt::format("{}<{}>", what, fmt::join(all, ", "));
    }
    std::string arguments(const std::vector<Scalar>& values) const {
        std::vector<std::string> dynamic;
        for (const Scalar& v : values) {
            if (!v.value) dynamic.push_back(text(v));
        }
        return fmt::format("({})", fmt::join(dynamic, ", "));
    }

    void print_one(const Load& what, const Origin& origin) {
        const std::string window = print_window(what.window, origin);
        out_.line(fmt::format("TLOAD({}, {});", tiles_.at(what.tile), window), origin);
    }
    void print_one(const Store& what, const Origin& origin) {
        const std::string window = print_window(what.window, origin);
        const std::string& tile = tiles_.at(what.tile);
        std::vector<std::string> choices;
        if (!what.phase.empty()) choices.push_back(what.phase == "final" ? "STPhase::Final" : "STPhase::Partial");
        if (!what.atomic.empty() || what.relu) {
            choices.push_back(fmt::format("decltype({})", tile));
            choices.push_back(fmt::format("decltype({})", window));
            choices.emplace_back(what.atomic.empty() ? "AtomicType::AtomicNone" : "AtomicType::AtomicAdd");
            if (what.relu) choices.emplace_back("ReluPreMode::NormalRelu");
        }
        const std::string quant = what.pre_quant ? fmt::format(", (uint64_t){}", text(*what.pre_quant)) : std::string();
        out_.line(fmt::format("TSTORE{}({}, {}{});", choices.empty() ? std::string() : fmt::format("<{}>", fmt::join(choices, ", ")), window, tile, quant), origin);
    }

    // ------------------------------------------------------------------ tiles

    void print_one(const Move& what, const Origin& origin) {
        out_.line(fmt::format("TMOV({}, {});", tiles_.at(what.to), tiles_.at(what.from)), origin);
    }
    void print_one(const Extract& what, const Origin& origin) {
        out_.line(fmt::format("TEXTRACT({}, {}, {}, {});", tiles_.at(what.to), tiles_.at(what.from), text(what.row), text(what.col)), origin);
    }
    void print_one(const Insert& what, const Origin& origin) {
        out_.line(fmt::format("TINSERT({}, {}, {}, {});", tiles_.at(what.to), tiles_.at(what.from), text(what.row), text(what.col)), origin);
    }
    /// A window has its tile's extents, so that its rows are as far apart, begins where the window does, and is valid as far
    /// as the window goes.
    void print_one(const Subview& what, const Origin& origin) {
        const Tile& of = k_.tiles[what.of];
        Tile as = of;
        as.name = k_.tiles[what.view].name;
        as.valid_rows = k_.tiles[what.view].valid_rows;
        as.valid_cols = k_.tiles[what.view].valid_cols;
        const std::string id = declare(what.view, as, origin);
        const std::int64_t bytes = whole_bytes(of.dtype);
        std::string place;
        if (of.slayout != ir::TileOrder::NoneBox) { // column blocks of whole rows, one box wide; boxes go down the rows
            const std::int64_t box_cols = of.fractal_bytes == 1024 ? 16 : 32 / bytes;
            place = fmt::format("({}) * {} + ({}) * {}", text(what.col), of.rows * bytes, text(what.row), box_cols * bytes);
        } else if (of.blayout == ir::TileOrder::ColMajor) {
            place = fmt::format("({}) * {} + ({}) * {}", text(what.col), of.rows * bytes, text(what.row), bytes);
        } else {
            place = fmt::format("({}) * {} + ({}) * {}", text(what.row), of.cols * bytes, text(what.col), bytes);
        }
        out_.line(fmt::format("TASSIGN({}, {} + {});", id, of.address_bytes.value_or(0), place), origin);
    }
    void print_one(const Matmul& what, const Origin& origin) {
        std::vector<std::string> operands{tiles_.at(what.out)};
        if (what.accumulate) operands.push_back(tiles_.at(*what.accumulate));
        operands.push_back(tiles_.at(what.left));
        operands.push_back(tiles_.at(what.right));
        if (what.bias) operands.push_back(tiles_.at(*what.bias));
        const std::string phase = what.phase.empty() ? std::string() : what.phase == "final" ? "<AccPhase::Final>" : "<AccPhase::Partial>";
        out_.line(fmt::format("{}{}{}({});", what.gemv ? "TGEMV" : "TMATMUL", what.accumulate ? "_ACC" : what.bias ? "_BIAS" : "", phase, fmt::join(operands, ", ")), origin);
    }
    void print_one(const TileOp& what, const Origin& origin) {
        std::vector<std::string> operands{tiles_.at(what.out)};
        for (const Operand& operand : what.in) operands.push_back(operand.tile ? tiles_.at(*operand.tile) : text(operand.scalar));
        if (const std::string mode = cpp_mode_argument(what.mode); !mode.empty()) operands.push_back(mode);
        std::string op = upper_case(what.op);
        if (what.op == "tfillpad" && k_.tiles[*what.in.front().tile].address_bytes == k_.tiles[what.out].address_bytes) op = "TFILLPAD_INPLACE";
        if (what.mode.kind == OpMode::Kind::HighPrecision) {
            std::string algorithm = what.op.substr(1);
            algorithm.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(algorithm.front())));
            op += fmt::format("<{}Algorithm::HIGH_PRECISION>", algorithm);
        }
        if (what.mode.kind == OpMode::Kind::Descending) {
            op += fmt::format("<decltype({}), {}, {}>", operands.front(), info(k_.tiles[what.out].dtype).cpp, what.mode.value == "true" ? 1 : 0);
        }
        out_.line(fmt::format("{}({});", op, fmt::join(operands, ", ")), origin);
    }

    // ------------------------------------------------------------------ control flow

    void print_one(const Loop& what, const Origin& origin) {
        const std::string start = text(what.start), stop = text(what.stop), step = text(what.step);
        for (const Carried& c : what.carried) {
            const std::string init = text(c.init);
            names_[c.result] = define(c.name);
            out_.line(fmt::format("{} {} = {}; // {}", cpp_scalar_type(c.init.dtype), names_.at(c.name), init, c.name), origin);
        }
        const std::string i = define(what.variable);
        out_.line(fmt::format("for (int32_t {0} = {1}; {0} < {2}; {0} += {3}) {{ // {4}", i, start, stop, step, what.variable), origin);
        out_.open();
        flags_.enter();
        print_body(*what.body);
        flags_.leave();
        // All next values are read before one of them is written: they may be each other's old values.
        std::vector<std::string> next;
        for (const Carried& c : what.carried) {
            next.push_back(text(c.next));
            if (what.carried.size() == 1 || c.next.is_constant()) continue;
            next.back() = fresh();
            out_.line(fmt::format("{} {} = {};", cpp_scalar_type(c.init.dtype), next.back(), text(c.next)), origin);
        }
        for (std::size_t c = 0; c < next.size(); ++c) out_.line(fmt::format("{} = {};", names_.at(what.carried[c].name), next[c]), origin);
        out_.close();
        out_.line("}");
    }
    void print_one(const Branch& what, const Origin& origin) {
        for (const Chosen& c : what.results) out_.line(fmt::format("{} {}; // {}", cpp_scalar_type(c.dtype), define(c.result), c.result), origin);
        const auto side = [&](const Body& body, const Scalar Chosen::*given) {
            out_.open();
            flags_.enter();
            print_body(body);
            flags_.leave();
            for (const Chosen& c : what.results) out_.line(fmt::format("{} = {};", names_.at(c.result), text(c.*given)), origin);
            out_.close();
        };
        out_.line(fmt::format("if ({}) {{", text(what.condition)), origin);
        side(*what.then_body, &Chosen::on_true);
        if (!what.else_body->empty() || !what.results.empty()) {
            out_.line("} else {");
            side(*what.else_body, &Chosen::on_false);
        }
        out_.line("}");
    }

    // ------------------------------------------------------------------ between cores

    void print_one(const SlotBuffer& what, const Origin& origin) {
        // The consumer's buffer lies where it reserved it; the producer writes to global memory and does not use it.
        out_.line(fmt::format("int32_t {} = {}; // {}", define(what.result), what.base.value_or(0), what.name), origin);
    }
    void print_one(const OpenPipe& what, const Origin& origin) {
        const std::string_view direction = what.direction == 3 ? "DIR_BOTH" : what.direction == 2 ? "DIR_V2C" : "DIR_C2V";
        pipe_type_ = fmt::format("TPipe<0, Direction::{}, {}, {}, {}, {}>", direction, what.slot_bytes, what.slots, what.slots, what.no_split);
        pipe_ = fresh();
        out_.line(fmt::format("auto {} = {}((__gm__ void*){}, {}, {});", pipe_, pipe_type_, what.memory ? tensors_[*what.memory] : std::string("nullptr"), text(what.to_vector),
                              text(what.to_cube)),
                  origin);
    }
    static std::string_view split_name(std::int64_t split) {
        static constexpr std::string_view names[]{"TILE_NO_SPLIT", "TILE_UP_DOWN", "TILE_LEFT_RIGHT"};
        return names[split >= 0 && split < 3 ? split : 0];
    }
    void print_one(const Push& what, const Origin& origin) {
        const std::string& tile = tiles_.at(what.tile);
        out_.line(fmt::format("TPUSH<{}, decltype({}), TileSplitAxis::{}>({}, {});", pipe_type_, tile, split_name(what.split), pipe_, tile), origin);
    }
    void print_one(const Pop& what, const Origin& origin) {
        const std::string tile = declare(what.tile, k_.tiles[what.tile], origin);
        out_.line(fmt::format("TPOP<{}, decltype({}), TileSplitAxis::{}>({}, {});", pipe_type_, tile, split_name(what.split), pipe_, tile), origin);
    }
    void print_one(const FreeSlot& what, const Origin& origin) {
        out_.line(fmt::format("TFREE<{}, TileSplitAxis::{}>({});", pipe_type_, split_name(what.split), pipe_), origin);
    }
    void print_one(const Fence& what, const Origin& origin) {
        out_.line("pipe_barrier(PIPE_ALL);", origin);
        if (what.memory) out_.line("dsb((mem_dsb_t)0);", origin);
    }

    const Kernel& k_;
    LineWriter& out_;
    Waits waits_;
    Flags flags_;
    std::vector<std::string> tensors_;
    std::map<std::string, std::string> names_;
    std::map<TileId, std::string> tiles_;
    std::string pipe_, pipe_type_;
    int last_ = 0;
};

/// What the text can say and C++ for one core cannot.
Status check(const Kernel& kernel, const ir::FunctionNode& function) {
    for (const TensorArgument& t : kernel.tensors) {
        if (t.shape.size() > 5) {
            return error_at(function.span, "CG_TYPE", fmt::format("{} has rank {}, but a view has at most five dimensions", t.name, t.shape.size()), "fold leading dimensions");
        }
    }
    bool cube = false, vector = false;
    for (const Tile& t : kernel.tiles) {
        cube = cube || t.space == ir::TileSpace::Acc || t.space == ir::TileSpace::Left || t.space == ir::TileSpace::Right;
        vector = vector || t.space == ir::TileSpace::Vec;
        if (whole_bytes(t.dtype) == 0 && t.window) return error_at(function.span, "CG_TYPE", fmt::format("a window of {} begins inside a byte", t.name), "use a whole-byte type");
        if (info(t.dtype).cpp.empty()) return error_at(function.span, "CG_TYPE", fmt::format("{} of {} has no C++ type", info(t.dtype).pypto, t.name), "cast it");
    }
    if (cube && vector) {
        return error_at(function.span, "CG_MIXED", fmt::format("{} uses L0 and UB, which are on different cores", function.name),
                        "run ExpandMixedKernel, which makes one function for each core, with a pipe between them");
    }
    return ok_status();
}

} // namespace

Result<Exported> export_pto_isa(const ir::Module& module, const ExportOptions& options) {
    LS_TRY(const auto functions, kernel_functions(*module, options.function));
    Exported out;
    std::vector<SourceFile> beside;
    LineWriter writer(functions.front()->name + ".cpp");
    writer.line("#include <cstdint>");
    writer.line("#include \"pto/pto-inst.hpp\"");
    writer.line("using namespace pto;");
    for (const ir::Function& function : functions) {
        LS_TRY(const Kernel kernel, lower_kernel(function, options));
        LS_CHECK(check(kernel, *function));
        writer.line("");
        Printer(kernel, writer).print();
        for (SourceFile& file : host_packers(kernel)) beside.push_back(std::move(file));
    }
    out.files.push_back(writer.take());
    for (SourceFile& file : beside) out.files.push_back(std::move(file));
    return out;
}

} // namespace ls::codegen
