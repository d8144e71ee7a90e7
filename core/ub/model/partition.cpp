#include "core/ub/model/partition.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/ub/model/model_checks.h"
#include "core/ub/model/placing.h"

namespace ls::ub {

namespace {

/// Bytes of [0, used) that no view covers.
std::int64_t uncovered(const std::vector<PlacedView>& views, std::int64_t used) {
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    ranges.reserve(views.size());
    for (const PlacedView& view : views) ranges.emplace_back(view.off, view.end);
    std::sort(ranges.begin(), ranges.end());
    std::int64_t gaps = 0, reached = 0;
    for (const auto& [off, end] : ranges) {
        gaps += std::max<std::int64_t>(0, off - reached);
        reached = std::max(reached, end);
    }
    return gaps + std::max<std::int64_t>(0, used - reached);
}

PlacedAlloc dress(const Alloc& alloc, const AllocNumbers& numbers, std::span<const ViewNumbers> views) {
    PlacedAlloc placed_alloc;
    placed_alloc.name = alloc.name;
    placed_alloc.kind = alloc.kind;
    placed_alloc.position = alloc.position;
    placed_alloc.ub_base = numbers.base;
    placed_alloc.num = numbers.num;
    placed_alloc.requested_len = numbers.requested;
    placed_alloc.len = numbers.len;
    placed_alloc.total = numbers.num * numbers.len;
    placed_alloc.used = numbers.used;
    placed_alloc.slack = numbers.len - numbers.used;
    placed_alloc.cursor_final = numbers.cursor;
    placed_alloc.views.reserve(views.size());
    for (std::size_t i = 0; i < views.size(); ++i) {
        const View& view = alloc.views[i];
        const ViewNumbers& v = views[i];
        placed_alloc.views.push_back(
            {view.name, view.dtype, v.elems, v.bytes, v.off, v.end, v.advance, !view.off, view.alias_group, view.live});
    }
    placed_alloc.gaps = uncovered(placed_alloc.views, placed_alloc.used);
    return placed_alloc;
}

Footprint footprint(const Model& model, const Numbers& numbers) {
    Footprint measured;
    measured.ub_used = numbers.ub_used;
    measured.host_tmp = numbers.host_tmp;
    measured.ub_fits = numbers.ub_used <= model.platform.ub_bytes;
    for (std::size_t i = 0; i < model.allocs.size(); ++i) {
        if (model.allocs[i].kind != AllocKind::TBuf) continue;
        measured.device_used += numbers.allocs[i].used;
        measured.views_fit = measured.views_fit && numbers.allocs[i].used <= numbers.allocs[i].len;
    }
    return measured;
}

Diagnostic wrong_count(std::size_t given, std::size_t wanted) {
    return error("MODEL_VALUE", fmt::format("{} parameter values for {} parameters", given, wanted));
}

} // namespace

const PlacedAlloc* Partition::find(std::string_view alloc) const {
    const auto at =
        std::find_if(allocs.begin(), allocs.end(), [&](const PlacedAlloc& each) { return each.name == alloc; });
    return at == allocs.end() ? nullptr : &*at;
}

Result<CompiledModel> CompiledModel::compile(Model model) {
    // Bound sizes point at the texts of the model beside them, so the model moves in before they are made.
    auto bound = std::make_shared<BoundModel>();
    bound->model = std::move(model);
    LS_CHECK(bound->bind_all());
    CompiledModel compiled;
    compiled.bound_ = std::move(bound);
    return compiled;
}

const Model& CompiledModel::model() const { return bound_->model; }

std::vector<std::int64_t> CompiledModel::parameter_values() const {
    std::vector<std::int64_t> values;
    for (const Parameter& param : bound_->model.params) values.push_back(param.value);
    return values;
}

std::optional<std::size_t> CompiledModel::parameter_index(std::string_view name) const {
    const Parameter* param = bound_->model.find_param(name);
    if (param == nullptr) return {};
    return static_cast<std::size_t>(param - bound_->model.params.data());
}

Result<Partition> CompiledModel::evaluate(std::span<const std::int64_t> values) const {
    const Model& model = bound_->model;
    if (values.size() != model.params.size()) return wrong_count(values.size(), model.params.size());
    Numbers numbers;
    LS_CHECK(bound_->place(values, numbers));
    Partition partition;
    partition.ub_bytes = model.platform.ub_bytes;
    partition.ub_used = numbers.ub_used;
    partition.ub_free = model.platform.ub_bytes - numbers.ub_used;
    partition.host_tmp = numbers.host_tmp;
    for (std::size_t i = 0; i < model.derived.size(); ++i) {
        partition.derived.emplace_back(model.derived[i].name, numbers.values[model.params.size() + i]);
    }
    partition.allocs.reserve(model.allocs.size());
    for (std::size_t i = 0; i < model.allocs.size(); ++i) {
        const AllocNumbers& alloc = numbers.allocs[i];
        const std::span<const ViewNumbers> views(numbers.views.data() + alloc.first_view, model.allocs[i].views.size());
        partition.allocs.push_back(dress(model.allocs[i], alloc, views));
        partition.buffer_count += alloc.num;
        if (model.allocs[i].kind == AllocKind::TBuf) partition.device_used += alloc.used;
    }
    partition.findings = check_partition(model, partition);
    return partition;
}

Result<Footprint> CompiledModel::measure(std::span<const std::int64_t> values) const {
    if (values.size() != bound_->model.params.size()) return wrong_count(values.size(), bound_->model.params.size());
    Numbers numbers;
    LS_CHECK(bound_->place(values, numbers));
    return footprint(bound_->model, numbers);
}

void CompiledModel::measure_all(std::size_t rows,
                                const std::function<std::span<const std::int64_t>(std::size_t)>& values,
                                const std::function<void(std::size_t, const Footprint*)>& visit) const {
    Numbers numbers;
    for (std::size_t row = 0; row < rows; ++row) {
        const auto given = values(row);
        if (given.size() != bound_->model.params.size() || !bound_->place(given, numbers).ok()) {
            visit(row, nullptr);
            continue;
        }
        const Footprint measured = footprint(bound_->model, numbers);
        visit(row, &measured);
    }
}

} // namespace ls::ub
