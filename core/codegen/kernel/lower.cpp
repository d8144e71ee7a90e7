// Statements of a program to instructions of a kernel (spec/nz.md E.1).
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/codegen/kernel/addresses.h"
#include "core/codegen/kernel/kernel.h"
#include "core/codegen/kernel/scalars.h"
#include "core/codegen/kernel/tile_buffers.h"
#include "core/codegen/kernel/tile_ops.h"
#include "core/ir/walk.h"
#include "core/layout/catalogue/nz.h"
#include "core/support/checked.h"

namespace ls::codegen {

namespace {

std::vector<ir::Expr> elements_of(const ir::Expr& expr) {
    const auto* tuple = ir::as<ir::TupleNode>(expr);
    return tuple == nullptr ? std::vector<ir::Expr>{} : tuple->elements;
}

class Lowering {
public:
    Lowering(const ir::Function& function, const ExportOptions& options)
        : function_(function), options_(options), buffers_(*function), scalars_(kernel_, current_) {}

    Result<Kernel> run() {
        kernel_.name = function_->name;
        kernel_.chip = options_.chip;
        kernel_.origin = function_;
        LS_CHECK(arguments());
        LS_CHECK(body(function_->body, kernel_.body));
        kernel_.kind = kind();
        if (!has_addresses_) LS_CHECK(assign_addresses(kernel_, *function_, options_.memory));
        return std::move(kernel_);
    }

private:
    // ------------------------------------------------------------------ arguments

    Status arguments() {
        std::set<std::string> dims;
        for (const ir::Param& param : function_->params) {
            if (const auto* tensor = ir::as<ir::TensorTypeNode>(param.var->type)) {
                LS_CHECK(tensor_argument(param, *tensor, dims));
            } else if (const auto* scalar = ir::as<ir::ScalarTypeNode>(param.var->type)) {
                kernel_.scalars.push_back({param.var->name, scalar->dtype});
                scalars_.bind(*param.var, {param.var->name, {}, scalar->dtype == DType::Bool});
            }
        }
        kernel_.dynamic_dims.assign(dims.begin(), dims.end());
        return ok_status();
    }

    Status tensor_argument(const ir::Param& param, const ir::TensorTypeNode& type, std::set<std::string>& dims) {
        TensorArgument argument;
        argument.name = param.var->name;
        argument.position = kernel_.tensors.size();
        argument.dtype = type.dtype;
        argument.order = type.view ? type.view->order : ir::TensorOrder::ND;
        argument.written = param.direction != ir::Direction::In;
        for (const ir::Expr& extent : type.shape) {
            if (const auto* var = ir::as<ir::VarNode>(extent)) {
                dims.insert(var->name);
                scalars_.bind(*var, {var->name, {}, false});
                argument.shape.push_back({var->name, {}, false});
            } else if (const auto value = ir::constant(extent)) {
                argument.shape.push_back(constant_scalar(*value));
            } else {
                return at(*param.var, "CG_TYPE", fmt::format("an extent of {} is neither a number nor a name", param.var->name), "give it a constant or a pl.dynamic name");
            }
        }
        if (argument.order == ir::TensorOrder::NZ) {
            const auto c0 = catalogue::c0_elements(type.dtype);
            const std::size_t rank = argument.shape.size();
            if (!c0.ok() || rank != 5 || argument.shape[3].value != catalogue::kFractalRows || argument.shape[4].value != *c0) {
                return at(*param.var, "CG_BLOCKED", fmt::format("the NZ tensor {} is still logical, rank {}", param.var->name, rank),
                          "run BlockNzTensorViews before exporting");
            }
        }
        LS_CHECK(strides(param, type, argument));
        tensors_[param.var.get()] = kernel_.tensors.size();
        kernel_.tensors.push_back(std::move(argument));
        return ok_status();
    }

    Status strides(const ir::Param& param, const ir::TensorTypeNode& type, TensorArgument& argument) {
        const std::size_t rank = argument.shape.size();
        if (type.view && type.view->stride.size() == rank) {
            for (const ir::Expr& stride : type.view->stride) {
                LS_TRY(Scalar value, scalars_.lower(stride, kernel_.body));
                argument.strides.push_back(std::move(value));
            }
            return ok_status();
        }
        // Packed: row-major, and with the last two exchanged for DN.
        std::vector<std::size_t> order(rank);
        for (std::size_t d = 0; d < rank; ++d) order[d] = d;
        if (argument.order == ir::TensorOrder::DN && rank >= 2) std::swap(order[rank - 1], order[rank - 2]);
        argument.strides.assign(rank, constant_scalar(1));
        Scalar running = constant_scalar(1);
        for (std::size_t i = rank; i-- > 0;) {
            argument.strides[order[i]] = running;
            if (i == 0) break;
            LS_TRY(running, multiply(running, argument.shape[order[i]], *param.var));
        }
        return ok_status();
    }

    Result<Scalar> multiply(const Scalar& a, const Scalar& b, const ir::Node& place) {
        if (a.value && b.value) {
            const CheckedInt product = checked_mul(*a.value, *b.value);
            if (!product) return at(place, "CG_OVERFLOW", fmt::format("{} times {} does not fit 64 bits", *a.value, *b.value), "check the extents");
            return constant_scalar(*product);
        }
        if (a.value == 1) return b;
        if (b.value == 1) return a;
        return scalars_.compute("muli", {a, b}, kernel_.body);
    }

    // ------------------------------------------------------------------ tiles

    Result<TileId> tile(const ir::Expr& expr, Body& out) {
        const auto* var = ir::as<ir::VarNode>(expr);
        if (var == nullptr) {
            const auto* call = ir::as<ir::CallNode>(expr);
            return at(*expr, "CG_OP", fmt::format("an operand is itself {}", call != nullptr ? "a call of " + call->op : "an expression"),
                      "run FlattenCallExpr first, or give it a name");
        }
        const auto known = tiles_.find(var);
        if (known != tiles_.end()) return known->second;
        return make_tile(*var, out);
    }

    Result<TileId> make_tile(const ir::VarNode& var, Body& out) {
        const auto* type = ir::as<ir::TileTypeNode>(var.type);
        if (type == nullptr) return at(var, "CG_TYPE", fmt::format("{} is not known to be a tile", var.name), "annotate it with its pl.Tile type");
        const auto shape = ir::constant_dims(type->shape);
        if (!shape || shape->empty() || shape->size() > 2) {
            return at(var, "CG_TYPE", fmt::format("the tile {} needs one or two constant extents", var.name), "run FlattenTileNdTo2D first");
        }
        const ir::TileView view = ir::effective_view(*type);
        Tile made;
        made.name = var.name;
        made.space = type->space.value_or(ir::TileSpace::Vec);
        made.dtype = type->dtype;
        made.rows = shape->size() == 2 ? shape->front() : 1;
        made.cols = shape->back();
        LS_TRY(made.valid_rows, view.valid_shape.size() == 2 ? scalars_.lower(view.valid_shape[0], out) : Result<Scalar>(constant_scalar(made.rows)));
        LS_TRY(made.valid_cols, view.valid_shape.empty() ? Result<Scalar>(constant_scalar(made.cols)) : scalars_.lower(view.valid_shape.back(), out));
        made.blayout = *view.blayout;
        made.slayout = *view.slayout;
        made.fractal_bytes = *view.fractal_bytes;
        made.pad = view.pad.value_or(ir::PadValue::Null);
        made.compact = view.compact;
        made.buffer = buffers_.buffer(var);
        if (type->memref && type->memref->byte_offset != nullptr) {
            made.address_bytes = ir::constant(type->memref->byte_offset);
            has_addresses_ = has_addresses_ || made.address_bytes.has_value();
        }
        // One buffer seen in the same way is one tile, whatever the program calls it.
        for (TileId id = 0; id < kernel_.tiles.size(); ++id) {
            const Tile& other = kernel_.tiles[id];
            if (other.buffer == made.buffer && same_view(other, made)) {
                tiles_[&var] = id;
                return id;
            }
        }
        const TileId id = kernel_.tiles.size();
        kernel_.tiles.push_back(std::move(made));
        tiles_[&var] = id;
        allocate(id, out);
        return id;
    }

    static bool same_view(const Tile& a, const Tile& b) {
        return a.space == b.space && a.dtype == b.dtype && a.rows == b.rows && a.cols == b.cols && a.valid_rows == b.valid_rows &&
               a.valid_cols == b.valid_cols && a.blayout == b.blayout && a.slayout == b.slayout && a.fractal_bytes == b.fractal_bytes &&
               a.pad == b.pad && a.compact == b.compact && a.address_bytes == b.address_bytes;
    }

    /// Puts the allocation where every use can see it: into the body that is around them all.
    void allocate(TileId id, Body& out) {
        const ir::SeqNode* home = buffers_.home(kernel_.tiles[id].buffer);
        for (auto open = open_.rbegin(); open != open_.rend(); ++open) {
            if (open->body != home) continue;
            if (open->out == &out) break;
            open->out->push_back({Alloc{id}, current_});
            return;
        }
        out.push_back({Alloc{id}, current_});
    }

    // ------------------------------------------------------------------ statements

    Status body(const ir::Seq& seq, Body& out) {
        if (seq == nullptr) return ok_status();
        open_.push_back({seq.get(), &out});
        for (const ir::Stmt& stmt : seq->stmts) {
            current_ = stmt;
            LS_CHECK(statement(*stmt, stmt, out));
        }
        open_.pop_back();
        return ok_status();
    }

    Status statement(const ir::StmtNode& stmt, const ir::Stmt& shared, Body& out) {
        if (const auto* assign = ir::as<ir::AssignNode>(&stmt)) return assignment(*assign, out);
        if (const auto* eval = ir::as<ir::EvalNode>(&stmt)) {
            const auto* call = ir::as<ir::CallNode>(eval->value);
            if (call == nullptr) return ok_status();
            return run_call(*call, nullptr, out);
        }
        if (const auto* loop = ir::as<ir::ForNode>(&stmt)) return for_loop(*loop, shared, out);
        if (const auto* branch = ir::as<ir::IfNode>(&stmt)) {
            LS_TRY(const Scalar condition, scalars_.lower(branch->condition, out));
            Branch made{condition, std::make_shared<Body>(), std::make_shared<Body>()};
            LS_CHECK(body(branch->then_body, *made.then_body));
            LS_CHECK(body(branch->else_body, *made.else_body));
            out.push_back({std::move(made), shared});
            return ok_status();
        }
        if (const auto* scope = ir::as<ir::WithNode>(&stmt)) return body(scope->body, out);
        const ir::NodeKind kind = stmt.kind;
        if (kind == ir::NodeKind::Return || kind == ir::NodeKind::Yield || kind == ir::NodeKind::Comment) return ok_status();
        return at(stmt, "CG_OP", "this statement has no device form", "a kernel holds assignments, loops, branches and tile operations");
    }

    Status for_loop(const ir::ForNode& loop, const ir::Stmt& shared, Body& out) {
        LS_CHECK(check_carried_tiles(loop));
        Loop made;
        made.variable = loop.var->name;
        LS_TRY(made.start, scalars_.lower(loop.start, out));
        LS_TRY(made.stop, scalars_.lower(loop.stop, out));
        LS_TRY(made.step, scalars_.lower(loop.step, out));
        made.body = std::make_shared<Body>();
        scalars_.bind(*loop.var, {loop.var->name, {}, false});
        LS_CHECK(body(loop.body, *made.body));
        out.push_back({std::move(made), shared});
        return ok_status();
    }

    Status assignment(const ir::AssignNode& assign, Body& out) {
        if (assign.targets.size() != 1) return at(assign, "CG_OP", "several results at once have no device form", "assign them one by one");
        const ir::Var& target = assign.targets.front();
        if (const auto* call = ir::as<ir::CallNode>(assign.value); call != nullptr && ir::as<ir::ScalarTypeNode>(target->type) == nullptr) {
            return run_call(*call, target.get(), out);
        }
        if (const auto* source = ir::as<ir::VarNode>(assign.value)) {
            if (ir::as<ir::TileTypeNode>(source->type) != nullptr) return ok_status(); // another name of the same buffer
            if (const auto tensor = tensors_.find(source); tensor != tensors_.end()) {
                tensors_[target.get()] = tensor->second;
                return ok_status();
            }
        }
        LS_TRY(Scalar value, scalars_.lower(assign.value, out, target->name));
        scalars_.bind(*target, std::move(value));
        return ok_status();
    }

    Status run_call(const ir::CallNode& call, const ir::VarNode* target, Body& out) {
        if (call.is_op("tile.alloc") || call.is_op("tile.create")) {
            if (target != nullptr && ir::as<ir::TileTypeNode>(target->type) != nullptr) LS_CHECK(declare(*target, out));
            return ok_status();
        }
        if (call.is_op("tile.load")) return load(call, target, out);
        if (call.is_op("tile.store")) return store(call, target, out);
        if (target == nullptr) return at(call, "CG_OP", fmt::format("{} without a result has no device form", call.op), "assign its result");
        if (call.is_op("tile.move") || call.is_op("tile.extract") || call.is_op("tile.matmul") || call.is_op("tile.matmul_acc")) {
            return cube(call, *target, out);
        }
        if (call.is_op("tile.transpose_view")) {
            LS_CHECK(operand(call, 0, out));
            return declare(*target, out);
        }
        return vector_op(call, *target, out);
    }

    Status declare(const ir::VarNode& target, Body& out) {
        const auto made = make_tile(target, out);
        return made.ok() ? ok_status() : Status(made.error());
    }

    Result<TileId> operand(const ir::CallNode& call, std::size_t index, Body& out) {
        if (index >= call.args.size()) {
            return at(call, "CG_OP", fmt::format("{} has {} operands, too few", call.op, call.args.size()), "see the operation's help");
        }
        return tile(call.args[index], out);
    }

    Result<Window> window(const ir::CallNode& call, const ir::Expr& tensor, const ir::Expr& offsets, std::vector<ir::Expr> sizes, Body& out) {
        const auto* var = ir::as<ir::VarNode>(tensor);
        const auto found = var == nullptr ? tensors_.end() : tensors_.find(var);
        if (found == tensors_.end()) {
            return at(call, "CG_TENSOR", "the tensor is not a parameter of the kernel", "pass it as a parameter; slices of it are windows of loads and stores");
        }
        Window made;
        made.tensor = found->second;
        kernel_.tensors[made.tensor].used = true;
        const std::size_t rank = kernel_.tensors[made.tensor].shape.size();
        const std::vector<ir::Expr> begins = elements_of(offsets);
        // Leading dimensions that a 2-D partition does not name are taken one by one.
        if (sizes.size() < rank) sizes.insert(sizes.begin(), rank - sizes.size(), ir::const_int(1));
        if (begins.size() != rank || sizes.size() != rank) {
            return at(call, "CG_TYPE", fmt::format("{} offsets and {} sizes for a tensor of rank {}", begins.size(), sizes.size(), rank), "give one for each dimension");
        }
        for (std::size_t d = 0; d < rank; ++d) {
            LS_TRY(Scalar begin, scalars_.clamped(begins[d], out));
            LS_TRY(Scalar size, scalars_.lower(sizes[d], out));
            made.offsets.push_back(std::move(begin));
            made.sizes.push_back(std::move(size));
        }
        return made;
    }

    static ir::Expr argument(const ir::CallNode& call, std::size_t position, std::string_view key) {
        if (position < call.args.size()) return call.args[position];
        for (const ir::KeyValue& kw : call.kwargs) {
            if (kw.key == key) return kw.value;
        }
        return {};
    }

    Status load(const ir::CallNode& call, const ir::VarNode* target, Body& out) {
        if (target == nullptr || call.args.size() < 3) return at(call, "CG_OP", "a load needs a tensor, offsets, shapes and a result", "assign it to a tile");
        const std::vector<ir::Expr> valid = elements_of(argument(call, 3, "valid_shape"));
        LS_TRY(const TileId id, make_tile(*target, out));
        LS_TRY(Window from, window(call, call.args[0], call.args[1], valid.empty() ? elements_of(call.args[2]) : valid, out));
        const std::string tensor = kernel_.tensors[from.tensor].name;
        out.push_back({Load{std::move(from), id, unique(tensor + "_pview")}, current_});
        return ok_status();
    }

    Status store(const ir::CallNode& call, const ir::VarNode* target, Body& out) {
        if (call.args.size() < 3) return at(call, "CG_OP", "a store needs a tile, offsets and a tensor", "see tile.store");
        LS_TRY(const TileId id, operand(call, 0, out));
        std::vector<ir::Expr> sizes = elements_of(argument(call, 3, "shapes"));
        if (sizes.empty()) {
            const auto* var = ir::as<ir::VarNode>(call.args[0]);
            sizes = ir::effective_view(*ir::as<ir::TileTypeNode>(var->type)).valid_shape;
        }
        LS_TRY(Window to, window(call, call.args[2], call.args[1], std::move(sizes), out));
        kernel_.tensors[to.tensor].written = true;
        if (target != nullptr) tensors_[target] = to.tensor;
        const std::string tensor = kernel_.tensors[to.tensor].name;
        Store made{id, std::move(to), unique(tensor + "_pview"), {}};
        if (const auto* phase = ir::as<ir::SymbolNode>(call.kwarg("st_phase"))) made.attributes.emplace_back("stPhase", lower_case(phase->last()));
        if (const auto* atomic = ir::as<ir::SymbolNode>(call.kwarg("atomic"))) made.attributes.emplace_back("atomicType", "atomic_" + lower_case(atomic->last()));
        out.push_back({std::move(made), current_});
        return ok_status();
    }

    Status cube(const ir::CallNode& call, const ir::VarNode& target, Body& out) {
        if (call.is_op("tile.matmul_acc")) {
            LS_TRY(const TileId acc, operand(call, 0, out));
            LS_TRY(const TileId left, operand(call, 1, out));
            LS_TRY(const TileId right, operand(call, 2, out));
            LS_TRY(const TileId into, make_tile(target, out));
            LS_CHECK(on_cube(call, left, right, into));
            out.push_back({Matmul{acc, left, right, into}, current_});
            return ok_status();
        }
        LS_TRY(const TileId first, operand(call, 0, out));
        if (call.is_op("tile.matmul")) {
            LS_TRY(const TileId right, operand(call, 1, out));
            LS_TRY(const TileId into, make_tile(target, out));
            LS_CHECK(on_cube(call, first, right, into));
            out.push_back({Matmul{{}, first, right, into}, current_});
            return ok_status();
        }
        if (call.is_op("tile.extract")) {
            if (call.args.size() < 3) return at(call, "CG_OP", "tile.extract needs a row and a column", "see tile.extract");
            LS_TRY(const Scalar row, scalars_.lower(call.args[1], out));
            LS_TRY(const Scalar col, scalars_.lower(call.args[2], out));
            LS_TRY(const TileId into, make_tile(target, out));
            out.push_back({Extract{first, row, col, into}, current_});
            return ok_status();
        }
        LS_TRY(const TileId into, make_tile(target, out));
        out.push_back({Move{first, into}, current_});
        return ok_status();
    }

    /// The cube reads L0A and L0B and writes L0C, nothing else.
    Status on_cube(const ir::CallNode& call, TileId left, TileId right, TileId into) const {
        const auto refuse = [&](TileId id, std::string_view must) -> Status {
            const Tile& tile = kernel_.tiles[id];
            return at(call, "CG_MATMUL_SPACE", fmt::format("{} is in {}, but the cube takes it from {}", tile.name, ir::name(tile.space), must),
                      "run AutoTileMatmulL0, or move the operand with tile.extract or tile.move");
        };
        if (kernel_.tiles[left].space != ir::TileSpace::Left) return refuse(left, "Left (L0A)");
        if (kernel_.tiles[right].space != ir::TileSpace::Right) return refuse(right, "Right (L0B)");
        if (kernel_.tiles[into].space != ir::TileSpace::Acc) return refuse(into, "Acc (L0C)");
        return ok_status();
    }

    Status vector_op(const ir::CallNode& call, const ir::VarNode& target, Body& out) {
        const std::string_view name = pto_op(call.op);
        if (call.callee != ir::CalleeKind::Op || name.empty()) {
            return at(call, "CG_OP", fmt::format("{} has no device instruction here", call.op), "lower it first, or export the other functions");
        }
        TileOp made;
        made.op = name;
        for (const ir::Expr& arg : call.args) {
            const auto* var = ir::as<ir::VarNode>(arg);
            if (var != nullptr && ir::as<ir::TileTypeNode>(var->type) != nullptr) {
                LS_TRY(const TileId id, tile(arg, out));
                made.in.push_back(id);
            } else {
                LS_TRY(Scalar value, scalars_.lower(arg, out));
                made.scalars.push_back(std::move(value));
            }
        }
        LS_TRY(made.out, make_tile(target, out));
        out.push_back({std::move(made), current_});
        return ok_status();
    }

    // ------------------------------------------------------------------ the whole

    KernelKind kind() const {
        if (function_->function == ir::FunctionKind::AIC) return KernelKind::Cube;
        if (function_->function == ir::FunctionKind::AIV) return KernelKind::Vector;
        const auto in = [&](ir::TileSpace space) {
            return std::any_of(kernel_.tiles.begin(), kernel_.tiles.end(), [&](const Tile& t) { return t.space == space; });
        };
        // Before ExpandMixedKernel a function says InCore whatever it runs on; the memories it uses say it better.
        if (in(ir::TileSpace::Acc) && !in(ir::TileSpace::Vec)) return KernelKind::Cube;
        return KernelKind::Plain;
    }

    std::string unique(const std::string& name) {
        const std::size_t count = names_[name]++;
        return count == 0 ? name : fmt::format("{}_{}", name, count);
    }
    static std::string lower_case(std::string_view text) {
        std::string out(text);
        std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        return out;
    }

    struct OpenBody {
        const ir::SeqNode* body;
        Body* out;
    };

    const ir::Function& function_;
    const ExportOptions& options_;
    TileBuffers buffers_;
    Kernel kernel_;
    std::unordered_map<const ir::VarNode*, std::size_t> tensors_;
    ScalarLowering scalars_;
    std::unordered_map<const ir::VarNode*, TileId> tiles_;
    std::map<std::string, std::size_t> names_;
    std::vector<OpenBody> open_;
    ir::Ref<ir::Node> current_;
    bool has_addresses_ = false;
};

} // namespace

Result<Kernel> lower_kernel(const ir::Function& function, const ExportOptions& options) {
    return Lowering(function, options).run();
}

} // namespace ls::codegen
