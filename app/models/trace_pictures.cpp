#include "app/models/trace_pictures.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/figure/l0_candidates.h"
#include "core/figure/tile_memory.h"
#include "core/ir/walk.h"
#include "core/passes/nz/l0_product.h"
#include "core/passes/pipeline.h"
#include "views/paint/paint.h"

namespace ls::models {

namespace {

bool any_addresses(const ir::ModuleNode& module) {
    return std::any_of(module.functions.begin(), module.functions.end(),
                       [](const ir::Function& f) { return tile_lifetimes(*f).has_addresses; });
}

std::string shown(const ir::Expr& operand) {
    const auto* var = ir::as<ir::VarNode>(operand);
    return var != nullptr ? figure::short_tile_name(var->name) : std::string("…");
}

/// Equal products are chosen once, so they are shown once.
std::vector<TraceProduct> products_of(const ir::ModuleNode& module) {
    std::vector<TraceProduct> list;
    ir::for_each_stmt(module, [&](const ir::StmtNode& stmt) {
        const auto* assign = ir::as<ir::AssignNode>(&stmt);
        const auto* call = assign != nullptr ? ir::as<ir::CallNode>(assign->value) : nullptr;
        if (call == nullptr || !(call->is_op("tile.matmul") || call->is_op("tile.matmul_acc") || call->is_op("tile.matmul_bias")))
            return;
        const std::size_t first = call->is_op("tile.matmul_acc") ? 1 : 0;
        if (call->args.size() < first + 2) return;
        const auto* a = nz::tile_of(call->args[first]);
        const auto* b = nz::tile_of(call->args[first + 1]);
        const auto left = nz::static_extents(a, {ir::TileSpace::Mat, ir::TileSpace::Vec});
        const auto right = nz::static_extents(b, {ir::TileSpace::Mat});
        if (!left || !right || assign->targets.empty()) return;
        const auto* c = nz::tile_of(assign->targets.front());
        TraceProduct one;
        one.m = left->rows;
        one.k = left->cols;
        one.n = right->cols;
        one.operand = a->dtype;
        one.accumulator = c != nullptr ? c->dtype : DType::Fp32;
        one.text = fmt::format("{} = {} · {}, [{}, {}] · [{}, {}] {}", figure::short_tile_name(assign->targets.front()->name),
                               shown(call->args[first]), shown(call->args[first + 1]), one.m, one.k, one.k, one.n, info(one.operand).pypto);
        const bool known = std::any_of(list.begin(), list.end(), [&](const TraceProduct& other) {
            return other.m == one.m && other.n == one.n && other.k == one.k && other.operand == one.operand;
        });
        if (!known) list.push_back(std::move(one));
    });
    return list;
}

} // namespace

TracePictures::TracePictures(std::shared_ptr<const Trace> trace) : trace_(std::move(trace)) {
    const ir::ModuleNode* before = nullptr;
    bool found = false;
    for (std::size_t s = 0; s < trace_->snapshots.size() && !found; ++s) {
        const ir::ModuleNode* module = trace_->snapshots[s].module.get();
        if (module != before) found = any_addresses(*module);
        before = module;
        if (found) first_with_addresses_ = static_cast<int>(s);
    }
    // As AutoTileMatmulL0 was given them; where it did not run, as the program stands at the end.
    const Snapshot* given = &trace_->last();
    for (std::size_t s = 1; s < trace_->snapshots.size(); ++s) {
        if (trace_->snapshots[s].name == "AutoTileMatmulL0") given = &trace_->snapshots[s - 1];
    }
    products_ = products_of(*given->module);
}

scene::Picture TracePictures::memory(int snapshot, const std::string& chip, double width) const {
    const Hardware* hardware = find_hardware(chip);
    if (hardware == nullptr || !has_addresses(snapshot)) return {};
    const auto at = std::min(static_cast<std::size_t>(snapshot), trace_->snapshots.size() - 1);
    std::vector<TileLifetimes> functions;
    for (const ir::Function& f : trace_->snapshots[at].module->functions) {
        TileLifetimes lifetimes = tile_lifetimes(*f);
        if (!lifetimes.buffers.empty()) functions.push_back(std::move(lifetimes));
    }
    if (functions.empty()) return {};
    return figure::tile_memory_picture(functions, *hardware, {width, false}, *paint::text_measure());
}

scene::Picture TracePictures::search(int product, const std::string& chip, double width, std::string& why) const {
    const Hardware* hardware = find_hardware(chip);
    if (hardware == nullptr || product < 0 || product >= static_cast<int>(products_.size())) return {};
    const TraceProduct& one = products_[static_cast<std::size_t>(product)];
    const nz::L0Problem problem =
        nz::l0_problem(one.m, one.n, one.k, one.operand, one.operand, one.accumulator, *hardware);
    const auto space = figure::l0_space(problem, one.operand, *hardware);
    if (!space.ok()) {
        why = space.error().message;
        return {};
    }
    return figure::draw_l0_space(*space, width, *paint::text_measure());
}

} // namespace ls::models
