#include "core/codegen/kernel/lower_pto.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "core/codegen/kernel/addresses.h"
#include "core/codegen/kernel/names.h"
#include "core/codegen/kernel/scalars.h"
#include "core/codegen/kernel/tile_ops.h"

namespace ls::codegen {

namespace {

using ir::BinaryOp;

/// arith's name of an operator; empty when it has none.
std::string_view operation(BinaryOp op, bool floating) {
    using Row = std::tuple<BinaryOp, std::string_view, std::string_view>;
    static constexpr std::array table{
        Row{BinaryOp::Add, "addi", "addf"},       Row{BinaryOp::Sub, "subi", "subf"},     Row{BinaryOp::Mul, "muli", "mulf"},
        Row{BinaryOp::Div, "", "divf"},           Row{BinaryOp::FloorDiv, "floordivsi", ""}, Row{BinaryOp::Min, "minsi", "minimumf"},
        Row{BinaryOp::Max, "maxsi", "maximumf"},  Row{BinaryOp::BitAnd, "andi", ""},      Row{BinaryOp::BitOr, "ori", ""},
        Row{BinaryOp::BitXor, "xori", ""},        Row{BinaryOp::Shl, "shli", ""},         Row{BinaryOp::Shr, "shrsi", ""},
        Row{BinaryOp::Eq, "cmpi eq", ""},         Row{BinaryOp::Ne, "cmpi ne", ""},       Row{BinaryOp::Lt, "cmpi slt", ""},
        Row{BinaryOp::Le, "cmpi sle", ""},        Row{BinaryOp::Gt, "cmpi sgt", ""},      Row{BinaryOp::Ge, "cmpi sge", ""}};
    for (const auto& [row, integer, real] : table) {
        if (row == op) return floating ? real : integer;
    }
    return {};
}

/// The word of an attribute such as #pto<round_mode ROUND> or #pto.st_phase<final>: what stands last in its brackets.
std::string attribute_word(const ir::ExprNode* value) {
    const auto* text = ir::as<ir::SymbolNode>(value);
    if (text == nullptr) return {};
    std::string_view word = text->name;
    if (!word.empty() && word.back() == '>') word.remove_suffix(1);
    return std::string(word.substr(word.find_last_of("< ") + 1));
}

class PtoLowering {
public:
    PtoLowering(const ir::Function& function, const ExportOptions& options) : function_(function), options_(options) {}

    Result<Kernel> run() {
        kernel_.name = function_->name;
        kernel_.chip = options_.chip;
        kernel_.origin = function_;
        current_ = function_;
        for (const ir::KeyValue& attr : function_->attrs) {
            if (attr.key != "pto.kernel_kind") continue;
            kernel_.kind = attribute_word(attr.value.get()) == "cube" ? KernelKind::Cube : KernelKind::Vector;
        }
        LS_CHECK(arguments());
        LS_CHECK(body(function_->body, kernel_.body));
        const auto placed = std::count_if(kernel_.tiles.begin(), kernel_.tiles.end(), [](const Tile& t) { return t.address_bytes.has_value(); });
        if (placed == 0) {
            LS_CHECK(assign_addresses(kernel_, *function_, options_.memory));
        } else if (static_cast<std::size_t>(placed) != kernel_.tiles.size()) {
            return at(*function_, "CG_TYPE", fmt::format("{} of {} tiles have an address", placed, kernel_.tiles.size()), "give all of them one, or none");
        }
        return std::move(kernel_);
    }

private:
    // ------------------------------------------------------------------ arguments

    Status arguments() {
        for (const ir::Param& param : function_->params) {
            const ir::VarNode& var = *param.var;
            if (const auto* pointer = ir::as<ir::PtrTypeNode>(var.type); pointer != nullptr && pointer->pointee) {
                if (!kernel_.scalars.empty()) return at(var, "CG_OP", fmt::format("the address %{} stands behind numbers", var.name), "put the addresses first");
                TensorArgument tensor;
                tensor.name = names_.take(var.name);
                tensor.position = kernel_.tensors.size();
                tensor.dtype = *pointer->pointee;
                arguments_[&var] = kernel_.tensors.size();
                kernel_.tensors.push_back(std::move(tensor));
            } else if (const auto* scalar = ir::as<ir::ScalarTypeNode>(var.type)) {
                const std::string name = names_.take(var.name);
                kernel_.scalars.push_back({var.name, name, scalar->dtype});
                scalars_[&var] = {name, {}, {}, scalar->dtype, false};
            } else {
                return at(var, "CG_TYPE", fmt::format("the argument %{} is neither an address nor a number", var.name), "pass !pto.ptr<T> and make a view of it");
            }
        }
        return ok_status();
    }

    // ------------------------------------------------------------------ scalars

    Result<Scalar> scalar(const ir::Expr& expr) {
        if (const auto value = ir::constant(expr)) return constant_scalar(*value);
        const auto* var = ir::as<ir::VarNode>(expr);
        const auto found = var == nullptr ? scalars_.end() : scalars_.find(var);
        if (found != scalars_.end()) return found->second;
        return at(*current_, "CG_SCALAR", fmt::format("%{} is no number of this kernel", var == nullptr ? "?" : var->name), "define it with arith operations, or pass it");
    }
    Result<std::vector<Scalar>> scalars(const std::vector<ir::Expr>& exprs) {
        std::vector<Scalar> out;
        for (const ir::Expr& e : exprs) {
            LS_TRY(Scalar one, scalar(e));
            out.push_back(std::move(one));
        }
        return out;
    }
    Result<std::vector<Scalar>> scalar_list(const ir::Expr& tuple) {
        const auto* list = ir::as<ir::TupleNode>(tuple);
        if (list == nullptr) return at(*current_, "CG_TYPE", "a list of numbers is missing", "write [%a, %b]");
        return scalars(list->elements);
    }

    Status compute(const ir::VarNode& target, std::string op, std::vector<Scalar> operands, Body& out) {
        const bool compares = op.rfind("cmp", 0) == 0;
        const DType dtype = operands[op == "select" ? 1 : 0].dtype;
        const std::string name = names_.take(target.name);
        const bool non_negative = op == "maxsi" && std::any_of(operands.begin(), operands.end(), [](const Scalar& s) { return s.value && *s.value >= 0; });
        out.push_back({Compute{name, std::move(op), std::move(operands), dtype}, current_});
        scalars_[&target] = {name, {}, {}, compares ? DType::Bool : dtype, non_negative};
        return ok_status();
    }

    Status convert(const ir::VarNode& target, const std::string& op, const ir::Expr& from, Body& out) {
        const auto* type = ir::as<ir::ScalarTypeNode>(target.type);
        LS_TRY(const Scalar value, scalar(from));
        if (type == nullptr) return at(*current_, "CG_TYPE", fmt::format("the type of %{} is no number", target.name), "write the type");
        const std::string name = names_.take(target.name);
        out.push_back({Convert{name, op, value, type->dtype}, current_});
        scalars_[&target] = {name, {}, {}, type->dtype, false};
        return ok_status();
    }

    /// Numbers; answers false when the value is something else.
    Result<bool> number(const ir::VarNode& target, const ir::Expr& value, Body& out) {
        const auto* type = ir::as<ir::ScalarTypeNode>(target.type);
        if (const auto* i = ir::as<ir::ConstIntNode>(value)) {
            scalars_[&target] = constant_scalar(i->value, i->dtype);
        } else if (const auto* truth = ir::as<ir::ConstBoolNode>(value)) {
            scalars_[&target] = constant_scalar(truth->value ? 1 : 0, DType::Bool);
        } else if (const auto* f = ir::as<ir::ConstFloatNode>(value)) {
            scalars_[&target] = {"", {}, f->value, f->dtype.value_or(DType::Fp32), false};
        } else if (const auto* cast = ir::as<ir::CastNode>(value)) {
            LS_CHECK(convert(target, "index_cast", cast->value, out));
        } else if (const auto* choice = ir::as<ir::SelectNode>(value)) {
            LS_TRY(std::vector<Scalar> operands, scalars({choice->condition, choice->on_true, choice->on_false}));
            LS_CHECK(compute(target, "select", std::move(operands), out));
        } else if (const auto* both = ir::as<ir::BinaryNode>(value)) {
            const std::string_view op = operation(both->op, type != nullptr && is_float(type->dtype));
            if (op.empty()) return at(*current_, "CG_SCALAR", fmt::format("'{}' has no instruction here", ir::spelling(both->op)), "use another operation");
            LS_TRY(std::vector<Scalar> operands, scalars({both->lhs, both->rhs}));
            LS_CHECK(compute(target, std::string(op), std::move(operands), out));
        } else {
            return false;
        }
        return true;
    }

    // ------------------------------------------------------------------ views and tiles

    Status view(const ir::VarNode& target, const ir::CallNode& call) {
        const auto* pointer = ir::as<ir::VarNode>(call.args.empty() ? ir::Expr{} : call.args[0]);
        const auto argument = pointer == nullptr ? arguments_.end() : arguments_.find(pointer);
        const auto* type = ir::as<ir::TensorTypeNode>(target.type);
        if (argument == arguments_.end() || type == nullptr || call.args.size() != 3) {
            return at(call, "CG_TENSOR", fmt::format("the view %{} is not one of an argument", target.name), "make it of a !pto.ptr argument");
        }
        TensorArgument& tensor = kernel_.tensors[argument->second];
        if (!tensor.shape.empty()) {
            return at(call, "CG_TENSOR", fmt::format("%{} is a second view of %{}", target.name, pointer->name), "pass the address twice, once for each view");
        }
        LS_TRY(tensor.shape, scalar_list(call.args[1]));
        LS_TRY(tensor.strides, scalar_list(call.args[2]));
        tensor.order = type->view ? type->view->order : ir::TensorOrder::ND;
        tensor.view = names_.take(target.name);
        views_[&target] = argument->second;
        return ok_status();
    }

    Status partition(const ir::VarNode& target, const ir::CallNode& call) {
        const auto* parent = ir::as<ir::VarNode>(call.args.empty() ? ir::Expr{} : call.args[0]);
        const auto found = parent == nullptr ? views_.end() : views_.find(parent);
        const auto* type = ir::as<ir::TensorTypeNode>(target.type);
        if (found == views_.end() || type == nullptr || call.args.size() != 3) {
            return at(call, "CG_TENSOR", fmt::format("the window %{} is not one of a view of an argument", target.name), "take it of a make_tensor_view");
        }
        Window window;
        window.tensor = found->second;
        LS_TRY(window.offsets, scalar_list(call.args[1]));
        LS_TRY(window.sizes, scalars(type->shape));
        const std::size_t rank = kernel_.tensors[window.tensor].shape.size();
        if (window.offsets.size() != rank || window.sizes.size() != rank) {
            return at(call, "CG_TYPE", fmt::format("{} offsets and {} sizes for a view of rank {}", window.offsets.size(), window.sizes.size(), rank), "give one for each dimension");
        }
        kernel_.tensors[window.tensor].used = true;
        windows_[&target] = {std::move(window), names_.take(target.name)};
        return ok_status();
    }

    Status alloc(const ir::VarNode& target, const ir::CallNode& call, Body& out) {
        const auto* type = ir::as<ir::TileTypeNode>(target.type);
        const auto shape = type == nullptr ? std::nullopt : ir::constant_dims(type->shape);
        if (!shape || shape->size() != 2) return at(call, "CG_TYPE", fmt::format("the type of %{} is no tile that is known here", target.name), "use !pto.tile_buf<loc=..., ...>");
        const ir::TileView view = ir::effective_view(*type);
        Tile tile;
        tile.name = names_.take(target.name);
        tile.space = type->space.value_or(ir::TileSpace::Vec);
        tile.dtype = type->dtype;
        tile.rows = (*shape)[0];
        tile.cols = (*shape)[1];
        LS_TRY(tile.valid_rows, scalar(view.valid_shape[0]));
        LS_TRY(tile.valid_cols, scalar(view.valid_shape[1]));
        tile.blayout = *view.blayout;
        tile.slayout = *view.slayout;
        tile.fractal_bytes = *view.fractal_bytes;
        tile.pad = view.pad.value_or(ir::PadValue::Null);
        tile.compact = view.compact;
        if (type->memref && type->memref->byte_offset != nullptr) {
            LS_TRY(const Scalar address, scalar(type->memref->byte_offset));
            if (!address.value) return at(call, "CG_TYPE", fmt::format("the address of %{} is no constant", target.name), "give it a constant address");
            tile.address_bytes = address.value;
        }
        // Tiles that begin at the same byte are the same buffer, seen in several ways.
        const auto key = std::pair(tile.space, tile.address_bytes);
        const auto known = tile.address_bytes ? buffers_.find(key) : buffers_.end();
        tile.buffer = known != buffers_.end() ? known->second : next_buffer_++;
        if (tile.address_bytes) buffers_.emplace(key, tile.buffer);
        tiles_[&target] = kernel_.tiles.size();
        out.push_back({Alloc{kernel_.tiles.size()}, current_});
        kernel_.tiles.push_back(std::move(tile));
        return ok_status();
    }

    Result<TileId> tile(const ir::CallNode& call, std::size_t index) const {
        const auto* var = index < call.args.size() ? ir::as<ir::VarNode>(call.args[index]) : nullptr;
        const auto found = var == nullptr ? tiles_.end() : tiles_.find(var);
        if (found != tiles_.end()) return found->second;
        return at(call, "CG_TYPE", fmt::format("operand {} of {} is no tile that this kernel allocates", index, call.op), "use the result of a pto.alloc_tile");
    }

    Result<std::pair<Window, std::string>> window(const ir::CallNode& call, std::size_t index) const {
        const auto* var = index < call.args.size() ? ir::as<ir::VarNode>(call.args[index]) : nullptr;
        const auto found = var == nullptr ? windows_.end() : windows_.find(var);
        if (found != windows_.end()) return found->second;
        return at(call, "CG_TENSOR", fmt::format("operand {} of {} is no window of an argument", index, call.op), "use the result of a pto.partition_view");
    }

    // ------------------------------------------------------------------ operations

    Status transfer(const ir::CallNode& call, Body& out) {
        if (call.op == "pto.tload") {
            LS_TRY(auto from, window(call, 0));
            LS_TRY(const TileId to, tile(call, call.args.size() - 1));
            out.push_back({Load{std::move(from.first), to, std::move(from.second)}, current_});
            return ok_status();
        }
        LS_TRY(const TileId from, tile(call, 0));
        LS_TRY(auto to, window(call, call.args.size() - 1));
        kernel_.tensors[to.first.tensor].written = true;
        Store store{from, std::move(to.first), std::move(to.second), {}, {}, false, {}};
        if (call.args.size() == 3) {
            LS_TRY(store.pre_quant, scalar(call.args[1]));
        }
        for (const ir::KeyValue& kw : call.kwargs) {
            const std::string word = attribute_word(kw.value.get());
            if (kw.key == "stPhase") {
                store.phase = word == "unspecified" ? std::string() : word;
            } else if (kw.key == "atomicType") {
                store.atomic = word == "atomic_add" ? "add" : "";
            } else if (kw.key == "reluPreMode") {
                store.relu = word == "normal_relu";
            } else if (kw.key != "layout") {
                return at(call, "CG_OP", fmt::format("the attribute {} of a store has no place here", kw.key), "leave it out");
            }
        }
        out.push_back({std::move(store), current_});
        return ok_status();
    }

    Status move_window(const ir::CallNode& call, Body& out) {
        if (call.args.size() != 4) return at(call, "CG_OP", fmt::format("{} has {} operands instead of 4", call.op, call.args.size()), "write a tile, a row, a column and a tile");
        LS_TRY(const TileId from, tile(call, 0));
        LS_TRY(const TileId to, tile(call, 3));
        LS_TRY(const Scalar row, scalar(call.args[1]));
        LS_TRY(const Scalar col, scalar(call.args[2]));
        if (call.op == "pto.textract") {
            out.push_back({Extract{from, row, col, to}, current_});
        } else {
            out.push_back({Insert{from, row, col, to}, current_});
        }
        return ok_status();
    }

    Status matmul(const ir::CallNode& call, Body& out) {
        const bool accumulates = call.op == "pto.tmatmul.acc", biased = call.op == "pto.tmatmul.bias";
        const std::size_t first = accumulates ? 1 : 0;
        if (call.args.size() != (accumulates || biased ? 4U : 3U)) return at(call, "CG_OP", fmt::format("{} has {} operands", call.op, call.args.size()), "see its usual form");
        Matmul made;
        if (accumulates) {
            LS_TRY(made.accumulate, tile(call, 0));
        }
        LS_TRY(made.left, tile(call, first));
        LS_TRY(made.right, tile(call, first + 1));
        if (biased) {
            LS_TRY(made.bias, tile(call, 2));
        }
        LS_TRY(made.out, tile(call, call.args.size() - 1));
        out.push_back({std::move(made), current_});
        return ok_status();
    }

    Status tile_op(const ir::CallNode& call, Body& out) {
        const TileOpInfo* info = find_tile_instruction(std::string_view(call.op).substr(4));
        if (info == nullptr || call.args.size() < 2) {
            return at(call, "CG_OP", fmt::format("{} has no place in a kernel here", call.op), "show and passes work on it; export the other functions");
        }
        TileOp made{std::string(info->pto), {}, 0, {}};
        for (std::size_t i = 0; i + 1 < call.args.size(); ++i) {
            const auto* var = ir::as<ir::VarNode>(call.args[i]);
            if (const auto known = var == nullptr ? tiles_.end() : tiles_.find(var); known != tiles_.end()) {
                made.in.push_back({known->second, {}});
                continue;
            }
            LS_TRY(Scalar value, scalar(call.args[i]));
            made.in.push_back({{}, std::move(value)});
        }
        LS_TRY(made.out, tile(call, call.args.size() - 1));
        for (const ir::KeyValue& kw : call.kwargs) {
            if (info->mode != OpMode::Kind::Round || kw.key != "rmode") {
                return at(call, "CG_OP", fmt::format("the attribute {} of {} has no place here", kw.key, call.op), "leave it out");
            }
            made.mode = {OpMode::Kind::Round, attribute_word(kw.value.get())};
        }
        out.push_back({std::move(made), current_});
        return ok_status();
    }

    Status operation_stmt(const ir::CallNode& call, const ir::VarNode* target, Body& out) {
        if (target == nullptr) {
            if (call.op == "pto.tload" || call.op == "pto.tstore") return transfer(call, out);
            if (call.op == "pto.textract" || call.op == "pto.tinsert") return move_window(call, out);
            if (call.op.rfind("pto.tmatmul", 0) == 0 && call.op.rfind("pto.tmatmul.mx", 0) != 0) return matmul(call, out);
            if (call.op == "pto.tmov" && call.args.size() == 2 && call.kwargs.empty()) {
                LS_TRY(const TileId from, tile(call, 0));
                LS_TRY(const TileId to, tile(call, 1));
                out.push_back({Move{from, to}, current_});
                return ok_status();
            }
            if (call.op == "pto.barrier") {
                out.push_back({Fence{}, current_});
                return ok_status();
            }
            return tile_op(call, out);
        }
        if (call.op == "pto.make_tensor_view") return view(*target, call);
        if (call.op == "pto.partition_view") return partition(*target, call);
        if (call.op == "pto.alloc_tile") return alloc(*target, call, out);
        if (call.op == "pto.load_scalar" && call.args.size() == 2) return load_scalar(*target, call, out);
        if ((call.op == "arith.divsi" || call.op == "arith.remsi" || call.op == "arith.shrui") && call.args.size() == 2) {
            LS_TRY(std::vector<Scalar> operands, scalars(call.args));
            return compute(*target, call.op.substr(6), std::move(operands), out);
        }
        if ((call.op == "arith.extsi" || call.op == "arith.trunci") && call.args.size() == 1) return convert(*target, call.op.substr(6), call.args[0], out);
        return at(call, "CG_OP", fmt::format("{} has no place in a kernel here", call.op), "show and passes work on it; export the other functions");
    }

    Status load_scalar(const ir::VarNode& target, const ir::CallNode& call, Body& out) {
        const auto* pointer = ir::as<ir::VarNode>(call.args[0]);
        const auto found = pointer == nullptr ? arguments_.end() : arguments_.find(pointer);
        if (found == arguments_.end()) return at(call, "CG_TENSOR", "the address is not an argument", "load from a !pto.ptr argument");
        LS_TRY(const std::vector<Scalar> index, scalar_list(call.args[1]));
        if (index.size() != 1) return at(call, "CG_OP", fmt::format("{} indices of one address", index.size()), "write one");
        const std::string name = names_.take(target.name);
        out.push_back({LoadScalar{name, found->second, index[0]}, current_});
        scalars_[&target] = {name, {}, {}, kernel_.tensors[found->second].dtype, false};
        return ok_status();
    }

    // ------------------------------------------------------------------ control flow

    Status body(const ir::Seq& seq, Body& out) {
        if (seq == nullptr) return ok_status();
        for (const ir::Stmt& stmt : seq->stmts) {
            current_ = stmt;
            LS_CHECK(statement(*stmt, out));
        }
        return ok_status();
    }

    Status statement(const ir::StmtNode& stmt, Body& out) {
        if (const auto* assign = ir::as<ir::AssignNode>(&stmt)) {
            if (assign->targets.size() != 1) return at(stmt, "CG_OP", "several results at once have no place in a kernel here", "use one at a time");
            const ir::VarNode& target = *assign->targets[0];
            LS_TRY(const bool is_number, number(target, assign->value, out));
            if (is_number) return ok_status();
            const auto* call = ir::as<ir::CallNode>(assign->value);
            if (call != nullptr) return operation_stmt(*call, &target, out);
        } else if (const auto* eval = ir::as<ir::EvalNode>(&stmt)) {
            const auto* call = ir::as<ir::CallNode>(eval->value);
            if (call != nullptr) return operation_stmt(*call, nullptr, out);
        } else if (const auto* loop = ir::as<ir::ForNode>(&stmt)) {
            return for_loop(*loop, out);
        } else if (const auto* choice = ir::as<ir::IfNode>(&stmt)) {
            return branch(*choice, out);
        } else if (const auto* section = ir::as<ir::WithNode>(&stmt)) {
            const auto* scope = ir::as<ir::CallNode>(section->scope);
            if (scope != nullptr && scope->op.rfind("pto.section.", 0) == 0) return body(section->body, out);
        } else if (stmt.kind == ir::NodeKind::Comment || stmt.kind == ir::NodeKind::Return || stmt.kind == ir::NodeKind::Yield) {
            return ok_status();
        }
        return at(stmt, "CG_OP", "this operation has no place in a kernel here", "a kernel holds arith, scf.for, scf.if and pto operations");
    }

    static const ir::YieldNode* yield_of(const ir::Seq& seq) {
        for (auto s = seq == nullptr ? std::vector<ir::Stmt>::const_reverse_iterator{} : seq->stmts.rbegin(); seq != nullptr && s != seq->stmts.rend(); ++s) {
            if (const auto* yield = ir::as<ir::YieldNode>(*s)) return yield;
        }
        return nullptr;
    }
    Result<Scalar> yielded(const ir::Seq& seq, std::size_t index) {
        const ir::YieldNode* yield = yield_of(seq);
        if (yield == nullptr || index >= yield->values.size()) return at(*current_, "CG_OP", "a body gives too few values", "end it with scf.yield");
        return scalar(yield->values[index]);
    }

    Status for_loop(const ir::ForNode& loop, Body& out) {
        const ir::Ref<ir::Node> own = current_;
        Loop made;
        LS_TRY(made.start, scalar(loop.start));
        LS_TRY(made.stop, scalar(loop.stop));
        LS_TRY(made.step, scalar(loop.step));
        made.variable = names_.take(loop.var->name);
        scalars_[loop.var.get()] = {made.variable, {}, {}, made.start.dtype, made.start.value && *made.start.value >= 0};
        for (const ir::IterArg& carried : loop.iter_args) {
            LS_TRY(const Scalar init, scalar(carried.init));
            made.carried.push_back({names_.take(carried.var->name), init, {}, {}});
            scalars_[carried.var.get()] = {made.carried.back().name, {}, {}, init.dtype, false};
        }
        made.body = std::make_shared<Body>();
        LS_CHECK(body(loop.body, *made.body));
        for (std::size_t i = 0; i < made.carried.size(); ++i) {
            LS_TRY(made.carried[i].next, yielded(loop.body, i));
            made.carried[i].result = names_.take(loop.results[i]->name);
            scalars_[loop.results[i].get()] = {made.carried[i].result, {}, {}, made.carried[i].init.dtype, false};
        }
        out.push_back({std::move(made), own});
        return ok_status();
    }

    Status branch(const ir::IfNode& choice, Body& out) {
        const ir::Ref<ir::Node> own = current_;
        Branch made{{}, {}, std::make_shared<Body>(), std::make_shared<Body>()};
        LS_TRY(made.condition, scalar(choice.condition));
        LS_CHECK(body(choice.then_body, *made.then_body));
        std::vector<Scalar> on_true;
        for (std::size_t i = 0; i < choice.results.size(); ++i) {
            LS_TRY(Scalar one, yielded(choice.then_body, i));
            on_true.push_back(std::move(one));
        }
        LS_CHECK(body(choice.else_body, *made.else_body));
        for (std::size_t i = 0; i < choice.results.size(); ++i) {
            LS_TRY(const Scalar on_false, yielded(choice.else_body, i));
            const std::string name = names_.take(choice.results[i]->name);
            made.results.push_back({name, on_true[i].dtype, on_true[i], on_false});
            scalars_[choice.results[i].get()] = {name, {}, {}, on_true[i].dtype, false};
        }
        out.push_back({std::move(made), own});
        return ok_status();
    }

    const ir::Function& function_;
    const ExportOptions& options_;
    Kernel kernel_;
    Names names_;
    ir::Ref<ir::Node> current_;
    std::unordered_map<const ir::VarNode*, Scalar> scalars_;
    std::unordered_map<const ir::VarNode*, std::size_t> arguments_; ///< addresses: index of their tensor
    std::unordered_map<const ir::VarNode*, std::size_t> views_;
    std::unordered_map<const ir::VarNode*, std::pair<Window, std::string>> windows_;
    std::unordered_map<const ir::VarNode*, TileId> tiles_;
    std::map<std::pair<ir::TileSpace, std::optional<std::int64_t>>, std::size_t> buffers_;
    std::size_t next_buffer_ = 0;
};

} // namespace

Result<Kernel> lower_pto_kernel(const ir::Function& function, const ExportOptions& options) {
    return PtoLowering(function, options).run();
}

} // namespace ls::codegen
