#include "app/cli/program_listing.h"

#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "core/check/access.h"
#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/ops.h"
#include "core/dialect/tirx/tirx.h"
#include "core/figure/formula.h"
#include "core/ir/walk.h"
#include "core/notation/tirx_text.h"

namespace ls::cli {

namespace {

std::string dim_text(const ir::Expr& dim) {
    if (const auto value = ir::constant(dim)) return fmt::format("{}", *value);
    const auto* var = ir::as<ir::VarNode>(dim);
    return var != nullptr ? var->name : "?";
}

std::vector<std::string> dim_texts(const std::vector<ir::Expr>& dims) {
    std::vector<std::string> out;
    for (const ir::Expr& dim : dims) out.push_back(dim_text(dim));
    return out;
}

/// Every tensor, tile and buffer that a function names, once, in the order in which it names them.
struct Listing {
    std::vector<const ir::VarNode*> tensors, tiles, buffers;
};

Listing list_values(const ir::FunctionNode& function) {
    Listing out;
    std::unordered_set<const ir::VarNode*> seen;
    const auto take = [&](const ir::Var& var) {
        if (!seen.insert(var.get()).second) return;
        if (ir::as<ir::TensorTypeNode>(var->type) != nullptr) out.tensors.push_back(var.get());
        if (ir::as<ir::TileTypeNode>(var->type) != nullptr) out.tiles.push_back(var.get());
        const auto* buffer = ir::as<ir::BufferTypeNode>(var->type);
        if (buffer != nullptr && !tirx::is_scalar_buffer(*buffer)) out.buffers.push_back(var.get());
    };
    for (const ir::Param& param : function.params) take(param.var);
    ir::for_each_stmt(function, [&](const ir::StmtNode& stmt) {
        const auto* assign = ir::as<ir::AssignNode>(&stmt);
        const auto* call = assign == nullptr ? nullptr : ir::as<ir::CallNode>(assign->value);
        // A window is listed with the access that it is for.
        if (assign == nullptr || (call != nullptr && call->is_op("pto.partition_view"))) return;
        for (const ir::Var& target : assign->targets) take(target);
    });
    return out;
}

nlohmann::json tensor_json(const ir::VarNode& var) {
    const auto& type = *ir::as<ir::TensorTypeNode>(var.type);
    nlohmann::json one{{"name", var.name},
                       {"shape", dim_texts(type.shape)},
                       {"dtype", info(type.dtype).brief},
                       {"order", ir::name(type.view ? type.view->order : ir::TensorOrder::ND)}};
    if (type.view && !type.view->stride.empty()) one["strides"] = dim_texts(type.view->stride);
    return one;
}

nlohmann::json tile_json(const ir::VarNode& var) {
    const auto& type = *ir::as<ir::TileTypeNode>(var.type);
    const ir::TileView view = ir::effective_view(type);
    nlohmann::json one{{"name", var.name},
                       {"shape", dim_texts(type.shape)},
                       {"dtype", info(type.dtype).brief},
                       {"valid", dim_texts(view.valid_shape)},
                       {"blayout", ir::name(*view.blayout)},
                       {"slayout", ir::name(*view.slayout)},
                       {"fractal", *view.fractal_bytes}};
    if (type.space) one["space"] = ir::name(*type.space);
    if (type.memref && type.memref->byte_offset) one["address"] = dim_text(type.memref->byte_offset);
    return one;
}

nlohmann::json buffer_json(const ir::VarNode& var) {
    const auto& type = *ir::as<ir::BufferTypeNode>(var.type);
    const auto layout = tirx::layout_of(type);
    return {{"name", var.name},
            {"shape", dim_texts(type.shape)},
            {"dtype", tirx::dtype_text(type)},
            {"scope", type.scope},
            {"layout", layout ? nlohmann::json(notation::print_tirx(*layout)) : nlohmann::json()}};
}

/// Tile primitives in program order, as their text.
std::vector<std::string> tile_calls(const ir::FunctionNode& function) {
    std::vector<std::string> calls;
    ir::for_each_stmt(function, [&](const ir::StmtNode& stmt) {
        if (!tirx::as_tile_call(stmt)) return;
        std::string text = tirx::print(stmt);
        while (!text.empty() && text.back() == '\n') text.pop_back();
        calls.push_back(std::move(text));
    });
    return calls;
}

nlohmann::json access_json(const check::Access& access, const ir::ModuleNode& module) {
    nlohmann::json one{{"access", access.text()}, {"offsets", dim_texts(access.offsets)}, {"sizes", dim_texts(access.sizes)}};
    if (const auto map = check::address_map(access, module); map.ok()) {
        one["first_byte"] = map->byte_of(0, 0);
        one["begin"] = map->begin;
        one["assumed"] = map->assumed;
    } else {
        one["why_not"] = map.error().message;
    }
    return one;
}

std::string joined(const nlohmann::json& list) {
    return fmt::format("[{}]", fmt::join(list.get<std::vector<std::string>>(), ", "));
}

void print_function(const nlohmann::json& f) {
    fmt::print("\n{}\n", f["function"].get<std::string>());
    for (const auto& t : f["tensors"]) {
        fmt::print("  tensor  {:<24} {} {} {}{}\n", t["name"].get<std::string>(), joined(t["shape"]), t["dtype"].get<std::string>(),
                   t["order"].get<std::string>(), t.contains("strides") ? ", strides " + joined(t["strides"]) : "");
    }
    for (const auto& t : f["tiles"]) {
        fmt::print("  tile    {:<24} {} {}{}, {} / {} / {}{}\n", t["name"].get<std::string>(), joined(t["shape"]), t["dtype"].get<std::string>(),
                   t.contains("space") ? " in " + t["space"].get<std::string>() : "", t["blayout"].get<std::string>(),
                   t["slayout"].get<std::string>(), t["fractal"].get<std::int64_t>(),
                   t.contains("address") ? ", at byte " + t["address"].get<std::string>() : "");
    }
    for (const auto& b : f.value("buffers", nlohmann::json::array())) {
        fmt::print("  buffer  {:<24} {} {} in {}{}\n", b["name"].get<std::string>(), joined(b["shape"]), b["dtype"].get<std::string>(),
                   b["scope"].get<std::string>(), b["layout"].is_null() ? ", flat" : ", " + b["layout"].get<std::string>());
    }
    for (const auto& call : f.value("calls", nlohmann::json::array())) fmt::print("  {}\n", call.get<std::string>());
    for (const auto& a : f["accesses"]) {
        fmt::print("  {}: {} + {}, {}\n", a["access"].get<std::string>(), joined(a["offsets"]), joined(a["sizes"]),
                   a.contains("first_byte") ? fmt::format("{}first byte {}", a["assumed"].get<bool>() ? "at first " : "",
                                                          figure::hex_address(a["first_byte"].get<std::int64_t>()))
                                            : a["why_not"].get<std::string>());
    }
}

} // namespace

const dialect::Surface* program_surface(const Input& input) { return dialect::detect(input.text, input.name); }

int show_program(const Input& input, const dialect::Surface& surface, bool json) {
    const dialect::ReadResult read = surface.read(input.text);
    for (const Diagnostic& finding : read.diagnostics) {
        if (finding.severity != Severity::Note) complain(finding, input, kFinding);
    }
    if (!read.ok()) return kFinding;
    const std::vector<check::Access> accesses = check::accesses(*read.module);
    nlohmann::json functions = nlohmann::json::array();
    for (const ir::Function& function : read.module->functions) {
        const Listing values = list_values(*function);
        nlohmann::json one{{"function", function->name},
                           {"tensors", nlohmann::json::array()},
                           {"tiles", nlohmann::json::array()},
                           {"accesses", nlohmann::json::array()}};
        for (const ir::VarNode* tensor : values.tensors) one["tensors"].push_back(tensor_json(*tensor));
        for (const ir::VarNode* tile : values.tiles) one["tiles"].push_back(tile_json(*tile));
        if (read.module->dialect == ir::Dialect::Tirx) {
            one["buffers"] = nlohmann::json::array();
            for (const ir::VarNode* buffer : values.buffers) one["buffers"].push_back(buffer_json(*buffer));
            one["calls"] = tile_calls(*function);
        }
        for (const check::Access& access : accesses) {
            if (access.function == function->name) one["accesses"].push_back(access_json(access, *read.module));
        }
        functions.push_back(std::move(one));
    }
    if (json) {
        const nlohmann::json out{{"program", surface.id}, {"functions", std::move(functions)}};
        fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
        return kFine;
    }
    fmt::print("{} of {} function{}\n", surface.title, functions.size(), functions.size() == 1 ? "" : "s");
    for (const nlohmann::json& one : functions) print_function(one);
    return kFine;
}

int convert_program(const Input& input, const dialect::Surface& surface, const std::string& to) {
    if (to != "all" && to != surface.id) {
        return complain(error("CLI_SURFACE", fmt::format("a {} is not written as {}", surface.title, to),
                              fmt::format("--to {} prints it in its usual spacing; `layoutscope export` writes kernel source", surface.id)),
                        {}, kUsage);
    }
    const dialect::ReadResult read = surface.read(input.text);
    for (const Diagnostic& finding : read.diagnostics) {
        if (finding.severity != Severity::Note) complain(finding, input, kFinding);
    }
    if (!read.ok()) return kFinding;
    fmt::print("{}", surface.print(*read.module).text);
    return kFine;
}

} // namespace ls::cli
