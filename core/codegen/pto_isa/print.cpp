#include "core/codegen/pto_isa/print.h"

#include <map>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/codegen/kernel/kernel.h"
#include "core/codegen/line_writer.h"
#include "core/codegen/pto_isa/pipes.h"
#include "core/support/checked.h"

namespace ls::codegen {

namespace {

std::string_view tile_type_name(ir::TileSpace space) {
    switch (space) {
    case ir::TileSpace::Mat: return "Mat";
    case ir::TileSpace::Left: return "Left";
    case ir::TileSpace::Right: return "Right";
    case ir::TileSpace::Acc: return "Acc";
    case ir::TileSpace::Bias: return "Bias";
    case ir::TileSpace::LeftScale: return "ScaleLeft";
    case ir::TileSpace::RightScale: return "ScaleRight";
    default: break;
    }
    return "Vec";
}

std::string_view pad_name(ir::PadValue pad) {
    switch (pad) {
    case ir::PadValue::Zero: return "Zero";
    case ir::PadValue::Max: return "Max";
    case ir::PadValue::Min: return "Min";
    case ir::PadValue::Null: break;
    }
    return "Null";
}

std::string_view box_order(ir::TileOrder order) {
    return order == ir::TileOrder::ColMajor ? "ColMajor" : order == ir::TileOrder::NoneBox ? "NoneBox" : "RowMajor";
}

std::string upper(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return out;
}

class Printer {
public:
    Printer(const Kernel& kernel, LineWriter& out) : k_(kernel), out_(out), waits_(find_waits(kernel)) {}

    void print() {
        std::vector<std::string> arguments;
        for (const TensorArgument& t : k_.tensors) {
            tensors_.push_back(fresh());
            arguments.push_back(fmt::format("__gm__ {}* {}", info(t.dtype).cpp, tensors_.back()));
        }
        for (const ScalarArgument& s : k_.scalars) arguments.push_back(fmt::format("{} {}", info(s.dtype).cpp, define(s.name)));
        for (const std::string& dim : k_.dynamic_dims) arguments.push_back(fmt::format("int32_t {}", define(dim)));
        if (k_.uses_block_index) {
            arguments.push_back(fmt::format("int32_t {}", define("__pypto_spmd_block_idx")));
            arguments.push_back(fmt::format("int32_t {}", define("__pypto_spmd_block_num")));
        }
        if (k_.uses_subblock_index) arguments.push_back(fmt::format("int32_t {}", define("__pypto_spmd_subblock_idx")));
        out_.line(fmt::format("__global__ AICORE void {}({}) {{", k_.name, fmt::join(arguments, ", ")), k_.origin);
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
    std::string text(const Scalar& scalar) const { return scalar.value ? fmt::format("{}", *scalar.value) : names_.at(scalar.name); }

    void print_body(const Body& body) {
        for (const Instruction& one : body) {
            if (const auto waits = waits_.find(&one); waits != waits_.end()) {
                for (const auto& [from, to] : waits->second) {
                    out_.line(fmt::format("set_flag({}, {}, EVENT_ID0);", ls::codegen::name(from), ls::codegen::name(to)), one.origin);
                    out_.line(fmt::format("wait_flag({}, {}, EVENT_ID0);", ls::codegen::name(from), ls::codegen::name(to)), one.origin);
                }
            }
            std::visit([&](const auto& what) { print_one(what, one.origin); }, one.what);
        }
    }

    void print_one(const Alloc& what, const ir::Ref<ir::Node>& origin) {
        const Tile& t = k_.tiles[what.tile];
        std::vector<std::string> dynamic;
        const auto valid = [&](const Scalar& scalar) {
            if (scalar.value) return fmt::format("{}", *scalar.value);
            dynamic.push_back(text(scalar));
            return std::string("-1");
        };
        const std::string rows = valid(t.valid_rows);
        const std::string cols = valid(t.valid_cols);
        const std::string_view compact = t.compact == ir::CompactMode::Normal ? "Normal" : t.compact == ir::CompactMode::RowPlusOne ? "RowPlusOne" : "Null";
        const std::string id = fresh();
        tiles_[what.tile] = id;
        out_.line(fmt::format("Tile<TileType::{}, {}, {}, {}, BLayout::{}, {}, {}, SLayout::{}, {}, PadValue::{}, CompactMode::{}> {}{}; // {}",
                              tile_type_name(t.space), info(t.dtype).cpp, t.rows, t.cols, box_order(t.blayout), rows, cols, box_order(t.slayout), t.fractal_bytes,
                              pad_name(t.pad), compact, id, dynamic.empty() ? std::string() : fmt::format("({})", fmt::join(dynamic, ", ")), t.name),
                  origin);
        out_.line(fmt::format("TASSIGN({}, {});", id, t.address_bytes.value_or(0)), origin);
    }

    void print_one(const Compute& what, const ir::Ref<ir::Node>& origin) {
        static const std::map<std::string_view, std::string_view> infix{
            {"addi", "+"}, {"subi", "-"}, {"muli", "*"}, {"andi", "&"}, {"ori", "|"}, {"xori", "^"}, {"shli", "<<"}, {"shrsi", ">>"}, {"remsi", "%"},
            {"cmpi eq", "=="}, {"cmpi ne", "!="}, {"cmpi slt", "<"}, {"cmpi sle", "<="}, {"cmpi sgt", ">"}, {"cmpi sge", ">="}};
        const std::string a = text(what.operands[0]);
        const std::string b = text(what.operands[1]);
        std::string value;
        if (const auto found = infix.find(what.op); found != infix.end()) {
            value = fmt::format("{} {} {}", a, found->second, b);
        } else if (what.op == "floordivsi") {
            // C++ rounds towards zero; for a negative dividend the quotient is one lower.
            value = fmt::format("{0} >= 0 ? {0} / {1} : -((-{0} + {1} - 1) / {1})", a, b);
        } else {
            value = fmt::format("{0} {2} {1} ? {0} : {1}", a, b, what.op == "maxsi" ? ">" : "<");
        }
        const bool condition = what.on_conditions || what.op.rfind("cmpi ", 0) == 0;
        out_.line(fmt::format("{} {} = {};", condition ? "bool" : "int32_t", define(what.result), value), origin);
    }

    void print_one(const BlockIndex& what, const ir::Ref<ir::Node>& origin) {
        const std::string from = names_.at(what.argument);
        out_.line(fmt::format("int32_t {} = {};", define(what.result), from), origin);
    }

    /// GlobalTensor over the window: Shape = the window's sizes, Stride = the parent's, base moved to its first element.
    std::string print_window(const Window& window, const ir::Ref<ir::Node>& origin) {
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
            if (offset.value && stride.value) {
                constant_offset += *offset.value * *stride.value;
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

    void print_one(const Load& what, const ir::Ref<ir::Node>& origin) {
        const std::string window = print_window(what.window, origin);
        out_.line(fmt::format("TLOAD({}, {});", tiles_.at(what.tile), window), origin);
    }
    void print_one(const Store& what, const ir::Ref<ir::Node>& origin) {
        const std::string window = print_window(what.window, origin);
        std::string_view phase;
        for (const auto& [key, value] : what.attributes) {
            if (key == "stPhase" && value == "final") phase = "<STPhase::Final>";
        }
        out_.line(fmt::format("TSTORE{}({}, {});", phase, window, tiles_.at(what.tile)), origin);
    }
    void print_one(const Move& what, const ir::Ref<ir::Node>& origin) {
        out_.line(fmt::format("TMOV({}, {});", tiles_.at(what.to), tiles_.at(what.from)), origin);
    }
    void print_one(const Extract& what, const ir::Ref<ir::Node>& origin) {
        out_.line(fmt::format("TEXTRACT({}, {}, {}, {});", tiles_.at(what.to), tiles_.at(what.from), text(what.row), text(what.col)), origin);
    }
    void print_one(const Matmul& what, const ir::Ref<ir::Node>& origin) {
        const std::string& acc = tiles_.at(what.out);
        if (what.accumulate) {
            out_.line(fmt::format("TMATMUL_ACC({}, {}, {}, {});", acc, tiles_.at(*what.accumulate), tiles_.at(what.left), tiles_.at(what.right)), origin);
        } else {
            out_.line(fmt::format("TMATMUL({}, {}, {});", acc, tiles_.at(what.left), tiles_.at(what.right)), origin);
        }
    }
    void print_one(const TileOp& what, const ir::Ref<ir::Node>& origin) {
        std::vector<std::string> operands{tiles_.at(what.out)};
        for (const TileId id : what.in) operands.push_back(tiles_.at(id));
        for (const Scalar& s : what.scalars) operands.push_back(text(s));
        out_.line(fmt::format("{}({});", upper(what.op), fmt::join(operands, ", ")), origin);
    }
    void print_one(const Loop& what, const ir::Ref<ir::Node>& origin) {
        const std::string start = text(what.start), stop = text(what.stop), step = text(what.step);
        const std::string i = define(what.variable);
        out_.line(fmt::format("for (int32_t {0} = {1}; {0} < {2}; {0} += {3}) {{ // {4}", i, start, stop, step, what.variable), origin);
        out_.open();
        print_body(*what.body);
        out_.close();
        out_.line("}");
    }
    void print_one(const Branch& what, const ir::Ref<ir::Node>& origin) {
        out_.line(fmt::format("if ({}) {{", text(what.condition)), origin);
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
    Waits waits_;
    std::vector<std::string> tensors_;
    std::map<std::string, std::string> names_;
    std::map<TileId, std::string> tiles_;
    int last_ = 0;
};

} // namespace

Result<Exported> export_pto_isa(const ir::Module& module, const ExportOptions& options) {
    LS_TRY(const auto functions, kernel_functions(*module, options.function));
    Exported out;
    LineWriter writer(functions.front()->name + ".cpp");
    writer.line("#include <cstdint>");
    writer.line("#include \"pto/pto-inst.hpp\"");
    writer.line("using namespace pto;");
    for (const ir::Function& function : functions) {
        LS_TRY(const Kernel kernel, lower_kernel(function, options));
        for (const TensorArgument& t : kernel.tensors) {
            if (t.shape.size() > 5) return error_at(function->span, "CG_TYPE", fmt::format("{} has rank {}, but a view has at most five dimensions", t.name, t.shape.size()), "fold leading dimensions");
        }
        writer.line("");
        Printer(kernel, writer).print();
    }
    out.files.push_back(writer.take());
    return out;
}

} // namespace ls::codegen
