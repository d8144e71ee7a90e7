#include "app/models/ub_tables.h"

#include <fmt/format.h>

#include "core/ub/model/fit.h"
#include "core/ub/report_json.h"

namespace ls::models {

namespace {

std::string number(std::int64_t value) { return value < 0 ? fmt::format("−{}", -value) : fmt::format("{}", value); }

} // namespace

scene::Cell ub_cell(figure::UbTarget target) {
    return {static_cast<std::int64_t>(target.alloc), target.view ? static_cast<std::int64_t>(*target.view) + 1 : 0};
}

std::optional<figure::UbTarget> ub_target_of(scene::Cell cell) {
    if (!cell.valid()) return {};
    figure::UbTarget target{static_cast<std::size_t>(cell.row), {}};
    if (cell.col > 0) target.view = static_cast<std::size_t>(cell.col - 1);
    return target;
}

TablePtr ub_views_table(const UbPlan& plan) {
    auto table = std::make_shared<RowsTable>(std::initializer_list<std::string_view>{"<view|14", "offset|7", "bytes|7", "UB from|7", "<live|12", "elems|7", "<type|5"});
    for (const UbRow& row : ub_rows(plan)) {
        if (row.target.view)
            table->add({"  " + std::string(figure::shown_name(row.name)), number(row.off), number(row.bytes), number(row.begin), row.live, number(row.elems), row.type}, ub_cell(row.target));
        else
            table->add({row.name, "", number(row.bytes), number(row.begin), row.live, "", ""}, ub_cell(row.target));
    }
    return table;
}

TablePtr ub_books_table(const UbPlan& plan) {
    auto table = std::make_shared<RowsTable>(std::initializer_list<std::string_view>{"<view|16", "host|9", "device|9", "<|2"});
    if (plan.report) {
        std::int64_t id = 0;
        for (const ub::cgdr::BookRow& row : plan.report->books.rows)
            table->add({row.term, number(row.host_bytes), number(row.device_bytes), row.differs() ? "≠" : "="}, scene::Cell{id++, 0});
        return table;
    }
    if (!plan.partition) return table;
    std::int64_t id = 0;
    for (const ub::PlacedAlloc& alloc : plan.partition->allocs) {
        for (const ub::PlacedView& view : alloc.views) table->add({std::string(figure::shown_name(view.name)), "", number(view.bytes), ""}, scene::Cell{id++, 0});
    }
    if (plan.partition->host_tmp)
        table->add({"total", number(*plan.partition->host_tmp), number(plan.partition->device_used), *plan.partition->host_tmp == plan.partition->device_used ? "=" : "≠"}, scene::Cell{id, 0});
    return table;
}

TablePtr ub_candidates_table(const UbPlan& plan) {
    auto table = std::make_shared<RowsTable>(std::initializer_list<std::string_view>{"<|2", "vStep|5", "needs|8", "over|8", "<why|34"});
    if (!plan.host) return table;
    std::int64_t id = 0;
    for (const ub::cgdr::Candidate& c : plan.host->search.tried)
        table->add({c.fits() ? "✓" : "✗", number(c.v_step), number(c.required_bytes()), c.fits() ? "" : number(c.over_bytes), explain_branch(c, plan.file->input)}, scene::Cell{id++, 0});
    return table;
}

TablePtr ub_record_table(const UbPlan& plan) {
    auto table = std::make_shared<RowsTable>(std::initializer_list<std::string_view>{"off|4", "<field|15", "value|12", "<bytes|12", "<read|8"});
    if (!plan.host || !plan.host->search.ok) return table;
    const ub::ReportJson json = ub::to_json(ub::cgdr::tiling_record(*plan.host, false, 1.0F));
    std::int64_t id = 0;
    for (const auto& field : json["fields"])
        table->add({fmt::format("{}", field["offset"].get<int>()), field["name"].get<std::string>(), field["value"].dump(), field["hex"].get<std::string>(), field["reader"].get<std::string>()}, scene::Cell{id++, 0});
    return table;
}

TablePtr ub_culprits_table(const UbPlan& plan) {
    auto table = std::make_shared<RowsTable>(std::initializer_list<std::string_view>{"<who takes it|18", "bytes|9", "of UB|7"});
    if (!plan.model || !plan.partition) return table;
    const ub::FitReport report = ub::fit_report(plan.model->model(), *plan.partition);
    std::int64_t id = 0;
    const auto add = [&](const ub::Culprit& one) {
        const std::string name = (one.owner.empty() ? "" : "  ") + std::string(figure::shown_name(one.name));
        table->add({name, number(one.bytes), fmt::format("{:.1f} %", 100 * one.share)}, scene::Cell{id++, 0});
    };
    for (const ub::Culprit& buffer : report.buffers) {
        add(buffer);
        for (const ub::Culprit& view : report.views)
            if (view.owner == buffer.name) add(view);
    }
    return table;
}

} // namespace ls::models
