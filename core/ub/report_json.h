// The answers of this room as JSON, for `layoutscope ub ... --json` and for whoever scripts it. Keys are in
// lowerCamelCase and carry no unit where it is bytes.
#pragma once

#include <span>

#include <nlohmann/json.hpp>

#include "core/ub/cgdr/fit.h"
#include "core/ub/cgdr/scenario.h"
#include "core/ub/finding.h"
#include "core/ub/model/fit.h"
#include "core/ub/model/overlay.h"
#include "core/ub/model/partition.h"
#include "core/ub/platform.h"
#include "core/ub/work/balance.h"
#include "core/ub/work/distribution.h"

namespace ls::ub {

using ReportJson = nlohmann::ordered_json;

ReportJson to_json(const Finding& finding);
ReportJson to_json(std::span<const Finding> findings);
ReportJson to_json(const Platform& platform);

ReportJson to_json(const cgdr::HostPlan& plan);
ReportJson to_json(const cgdr::DevicePartition& device);
ReportJson to_json(const cgdr::Books& books);
ReportJson to_json(const cgdr::ScenarioReport& report);
ReportJson to_json(const cgdr::FitAnswer& answer);
ReportJson to_json(const cgdr::TilingRecord& record);

ReportJson to_json(const Partition& partition);
ReportJson to_json(const FitReport& report);
ReportJson to_json(const OverlayPlan& plan, std::span<const OverlayItem> items);

/// `with_items`: one entry a unit of work; otherwise runs alone.
ReportJson to_json(const work::Distribution& distribution, bool with_items);
ReportJson to_json(std::span<const work::Alternative> alternatives);

} // namespace ls::ub
