// nz/load_rewrite, nz/slice_reshape, nz/store_rewrite, nz/gm_gap: accesses through BlockNzTensorViews.
#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "app/conformance/run_nz_case.h"
#include "core/machine/nz_transfer.h"
#include "core/passes/nz/block_nz_tensor_views.h"
#include "core/passes/nz/blocked_shape.h"

namespace ls::conformance {

using namespace ir;

namespace {

PassContext context_of(const Json& test_case) {
    PassContext context;
    context.hardware = &hardware_of(test_case);
    return context;
}

std::vector<Expr> last_two(const std::vector<Expr>& shape) {
    return shape.size() <= 2 ? shape : std::vector<Expr>(shape.end() - 2, shape.end());
}

Json bindings(const Json& test_case) { return test_case.value("bindings", Json::object()); }

std::vector<Expr> tensor_of(const CallNode& call, std::size_t index) {
    return as<TensorTypeNode>(as<VarNode>(call.args[index])->type)->shape;
}

Outcome first_failure(std::initializer_list<Outcome> outcomes) {
    for (const Outcome& o : outcomes) {
        if (o.kind != Outcome::Kind::Passed) return o;
    }
    return passed();
}

/// A refusal must name the axis and the value that the case says.
Outcome refusal_of(const Json& test_case, const PassResult& result) {
    Outcome outcome = refused_with(test_case.at("reason"), result);
    if (outcome.kind != Outcome::Kind::Passed || !test_case.contains("info")) return outcome;
    const Json& info = test_case["info"];
    const std::string& message = result.error().message;
    if (info.contains("axis") && message.find(nz::axis_name(info["axis"].get<int>())) == std::string::npos)
        return failed("the axis is not named: " + message);
    if (info.contains("got") && info["got"].is_number() && message.find(info["got"].dump()) == std::string::npos)
        return failed("the value is not named: " + message);
    return outcome;
}

struct LoadProgram {
    NzCase program;
    PassResult result;

    explicit LoadProgram(const Json& test_case) : program(bindings(test_case)) {
        const DType dtype = dtype_of(test_case.at("dtype"));
        const std::vector<Expr> shapes = program.exprs(test_case.at("shapes"));
        const Var w = program.param("w", nz_tensor(program.exprs(test_case.at("tensor_shape")), dtype));
        const Json offsets =
            test_case.contains("offsets") ? test_case["offsets"] : Json(std::vector<int>(shapes.size(), 0));
        std::vector<Expr> args{w, program.list(offsets), tuple(shapes)};
        if (test_case.contains("valid_shape") && !test_case["valid_shape"].is_null())
            args.push_back(program.list(test_case["valid_shape"]));
        std::vector<KeyValue> kwargs;
        const Json target = test_case.value("target_memory", Json("Mat"));
        if (target.is_string()) kwargs.push_back({"target_memory", symbol("pl.Mem." + target.get<std::string>())});
        program.define("t", tile_type(last_two(shapes), dtype, TileSpace::Mat),
                       call("tile.load", std::move(args), std::move(kwargs)));
        result = nz::block_nz_tensor_views(program.module(), context_of(test_case));
    }
    const CallNode& load() const { return *as<CallNode>(find_assign(*result.module, "t")->value); }
    std::vector<Expr> partition() const { return operand(load(), load().args.size() > 3 ? 3 : 2); }
};

} // namespace

bool looks_like_nz_load_rewrite(const Json& c) {
    return c.contains("tensor_shape") && c.contains("shapes") && c.contains("target_memory");
}

Outcome run_nz_load_rewrite(const Json& test_case, const Json&) {
    LoadProgram p(test_case);
    if (!test_case.at("accept").get<bool>()) return refusal_of(test_case, p.result);
    if (!p.result.ok()) return failed("refused: " + p.result.error().code + " " + p.result.error().message);
    const Json& expect = test_case.at("expect");
    const CallNode& load = p.load();
    const auto* tile = as<TileTypeNode>(find_assign(*p.result.module, "t")->targets[0]->type);
    if (tile == nullptr || tile->shape.size() != 2) return failed("the tile did not stay two-dimensional");
    const Json valid = expect.value("valid_shape", Json());
    if (valid.is_null() != (load.args.size() <= 3)) return failed("valid_shape appeared or vanished");
    const auto gap = nz::gm_gap(tensor_of(load, 0), p.partition());
    if (expect.contains("gm_gap_blocks") && expect["gm_gap_blocks"].is_number() &&
        (!gap || expect["gm_gap_blocks"] != gap->blocks())) {
        return failed(
            fmt::format("gap: expected {}, got {}", expect["gm_gap_blocks"].dump(), gap ? gap->blocks() : -1));
    }
    return first_failure({same_exprs(p.program, "tensor", expect.at("tensor"), tensor_of(load, 0)),
                          same_exprs(p.program, "offsets", expect.at("offsets"), operand(load, 1)),
                          same_exprs(p.program, "shapes", expect.at("shapes"), operand(load, 2)),
                          valid.is_null() ? passed() : same_exprs(p.program, "valid_shape", valid, operand(load, 3))});
}

bool looks_like_nz_gm_gap(const Json& c) { return c.contains("gap_blocks"); }

Outcome run_nz_gm_gap(const Json& test_case, const Json&) {
    NzCase names(bindings(test_case));
    const DType dtype = dtype_of(test_case.at("dtype"));
    const auto tensor = nz::block_shape(names.exprs(test_case.at("tensor_shape")), dtype);
    const bool narrowed = test_case.contains("valid_shape") && !test_case["valid_shape"].is_null();
    const Module module = names.module();
    const OffsetFacts facts(*module->functions[0]);
    std::vector<nz::AskedProof> asked;
    const auto partition =
        nz::block_valid_shape(names.exprs(test_case.at(narrowed ? "valid_shape" : "shapes")), dtype, facts, asked);
    if (!tensor.ok() || !partition.ok())
        return failed("refused: " + (tensor.ok() ? partition.error().message : tensor.error().message));
    const auto gap = nz::gm_gap(*tensor, *partition);
    if (!gap || test_case.at("gap_blocks") != gap->blocks())
        return failed(
            fmt::format("gap: expected {}, got {}", test_case["gap_blocks"].dump(), gap ? gap->blocks() : -1));
    if (test_case.contains("bursts") && test_case["bursts"] != gap->bursts)
        return failed(fmt::format("bursts: got {}", gap->bursts));
    if (test_case.contains("exempt") && test_case["exempt"] != (gap->bursts <= 1))
        return failed("exempt: got the other");
    const NzLoadLimits& limits = hardware_of(test_case).nz_load;
    if (test_case.contains("hw_gap16") && test_case["hw_gap16"] != nz_gap_in_field(gap->blocks(), limits))
        return failed("hw_gap16 differs");
    const auto step = nz_burst(gap->whole_rows, gap->loaded_rows, 1, limits);
    if (!step) return failed("the bursts cannot be counted");
    if (test_case.contains("hw_burst_step_blocks") && test_case["hw_burst_step_blocks"] != step->reached_block)
        return failed(fmt::format("burst step: got {}", step->reached_block));
    if (test_case.contains("true_burst_step_blocks") && test_case["true_burst_step_blocks"] != step->meant_block)
        return failed(fmt::format("true step: got {}", step->meant_block));
    for (const Json& b : test_case.value("burst_start_block", Json::array())) {
        const auto at = nz_burst(gap->whole_rows, gap->loaded_rows, b.at("burst").get<std::int64_t>(), limits);
        if (!at || b.at("true") != at->meant_block || b.at("hw_wrapped") != at->reached_block)
            return failed("burst " + b.dump() + " differs");
    }
    const LoadProgram p(test_case);
    if (test_case.at("accept").get<bool>())
        return p.result.ok() ? passed() : failed("refused: " + p.result.error().message);
    return refused_with(test_case.at("reason"), p.result);
}

bool looks_like_nz_slice_reshape(const Json& c) {
    const std::string op = c.value("op", "");
    return op == "tensor.slice" || op == "tensor.reshape";
}

Outcome run_nz_slice_reshape(const Json& test_case, const Json&) {
    NzCase program(bindings(test_case));
    const DType dtype = dtype_of(test_case.at("dtype"));
    const Var w = program.param("w", nz_tensor(program.exprs(test_case.at("tensor_shape")), dtype));
    const std::string op = test_case.at("op").get<std::string>();
    const bool reshape = op == "tensor.reshape";
    std::vector<Expr> args{w};
    Type type;
    if (reshape) {
        const std::vector<Expr> shape = program.exprs(test_case.at("target_shape"));
        args.push_back(tuple(shape));
        type = tensor_type(shape, dtype);
    } else {
        const std::vector<Expr> shapes = program.exprs(test_case.at("shapes"));
        args.push_back(tuple(shapes));
        args.push_back(program.list(test_case.at("offsets")));
        const Json valid = test_case.value("valid_shape", Json()), drop = test_case.value("drop_dims", Json());
        if (!valid.is_null() || !drop.is_null()) args.push_back(valid.is_null() ? tuple({}) : program.list(valid));
        std::vector<Expr> kept = shapes;
        if (!drop.is_null()) {
            args.push_back(program.list(drop));
            for (std::size_t i = drop.size(); i-- > 0;) {
                const auto axis = drop[i].get<std::size_t>();
                if (axis < kept.size()) kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(axis));
            }
        }
        type = nz_tensor(kept, dtype);
    }
    const std::size_t given = args.size();
    program.define("s", type, call(op, std::move(args)));
    const PassResult result = nz::block_nz_tensor_views(program.module(), context_of(test_case));
    if (!test_case.at("accept").get<bool>()) return refused_with(test_case.at("reason"), result);
    if (!result.ok()) return failed("refused: " + result.error().code + " " + result.error().message);
    const AssignNode* s = find_assign(*result.module, "s");
    const auto& after = *as<CallNode>(s->value);
    const auto* answer = as<TensorTypeNode>(s->targets[0]->type);
    const Json& expect = test_case.at("expect");
    if (reshape) {
        if (after.args.size() != given || shown(operand(after, 1)) != shown(program.exprs(test_case["target_shape"])))
            return failed("the arguments changed");
        return answer->view && answer->view->order != TensorOrder::ND ? failed("the result is not ND") : passed();
    }
    if (test_case.value("expect_drop_dims_removed", false) && after.args.size() > 4)
        return failed("drop_dims is still there");
    if (!nz::is_nz(s->targets[0]->type) || !nz::is_blocked_shape(answer->shape, dtype))
        return failed("the result is no blocked NZ tensor");
    return first_failure({same_exprs(program, "shapes", expect.at("shapes"), operand(after, 1)),
                          same_exprs(program, "offsets", expect.at("offsets"), operand(after, 2))});
}

bool looks_like_nz_store_rewrite(const Json& c) { return c.contains("tile_shape") && c.contains("src_space"); }

Outcome run_nz_store_rewrite(const Json& test_case, const Json&) {
    NzCase program(bindings(test_case));
    const DType dtype = dtype_of(test_case.at("dtype")), source = dtype_of(test_case.at("src_dtype"));
    const Type tensor = nz_tensor(program.exprs(test_case.at("tensor_shape")), dtype);
    const Var out = program.param("out", tensor, Direction::Out);
    TileView view;
    if (test_case.contains("tile_valid_shape") && !test_case["tile_valid_shape"].is_null())
        view.valid_shape = program.exprs(test_case["tile_valid_shape"]);
    const Var acc = program.define("acc",
                                   tile_type(program.exprs(test_case.at("tile_shape")), source,
                                             tile_space_from_name(test_case.at("src_space").get<std::string>()), view),
                                   call("tile.matmul", {}));
    std::vector<Expr> args{acc, program.list(test_case.at("offsets")), out};
    if (test_case.contains("shapes_arg") && !test_case["shapes_arg"].is_null())
        args.push_back(program.list(test_case["shapes_arg"]));
    std::vector<KeyValue> kwargs;
    const Json attrs = test_case.value("attrs", Json::object());
    for (const auto& [key, value] : attrs.items()) {
        kwargs.push_back({key, value.is_number_integer() ? const_int(value.get<std::int64_t>())
                               : value.is_boolean()      ? const_bool(value.get<bool>())
                                                         : symbol("pl.STPhase." + value.get<std::string>())});
    }
    program.define("done", tensor, call("tile.store", std::move(args), kwargs));
    const PassResult result = nz::block_nz_tensor_views(program.module(), context_of(test_case));
    if (!test_case.at("accept").get<bool>()) return refused_with(test_case.at("reason"), result);
    if (!result.ok()) return failed("refused: " + result.error().code + " " + result.error().message);
    const AssignNode* done = find_assign(*result.module, "done");
    const auto& store = *as<CallNode>(done->value);
    if (store.kwargs.size() != kwargs.size()) return failed("keyword arguments changed");
    if (!nz::is_blocked_shape(as<TensorTypeNode>(done->targets[0]->type)->shape, dtype))
        return failed("the store's result is not blocked");
    const Json& expect = test_case.at("expect");
    return first_failure({same_exprs(program, "tensor", expect.at("tensor"), tensor_of(store, 2)),
                          same_exprs(program, "offsets", expect.at("offsets"), operand(store, 1)),
                          same_exprs(program, "partition", expect.at("partition"), operand(store, 3))});
}

} // namespace ls::conformance
