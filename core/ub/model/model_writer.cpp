#include <nlohmann/json.hpp>

#include "core/ub/model/model_json.h"

namespace ls::ub {

namespace {

using Json = nlohmann::ordered_json;

void put_live(Json& object, const std::optional<std::vector<LiveRange>>& live) {
    if (!live) return;
    object["live"] = Json::array();
    for (const LiveRange& range : *live) object["live"].push_back({range.first, range.last});
}

Json view_json(const View& view) {
    Json object{{"name", view.name}, {"dtype", std::string(dtype_text(view.dtype))}, {"elems", view.elems.text}};
    if (view.off) object["off"] = view.off->text;
    if (view.advance) object["advance"] = view.advance->text;
    if (!view.alias_group.empty()) object["aliasGroup"] = view.alias_group;
    put_live(object, view.live);
    return object;
}

Json alloc_json(const Alloc& alloc) {
    Json object{{"name", alloc.name},
                {"kind", alloc.kind == AllocKind::Queue ? "queue" : "tbuf"},
                {"pos", std::string(name(alloc.position))}};
    if (alloc.kind == AllocKind::Queue) {
        object["depth"] = alloc.depth;
        object["num"] = alloc.num.text;
    }
    object["len"] = alloc.rest ? std::string("rest") : alloc.len.text;
    put_live(object, alloc.live);
    if (alloc.kind == AllocKind::TBuf) {
        object["views"] = Json::array();
        for (const View& view : alloc.views) object["views"].push_back(view_json(view));
    }
    return object;
}

} // namespace

std::string write_model(const Model& model) {
    Json file{{"schema", "ub-model/1"},
              {"platform",
               {{"name", model.platform.name},
                {"ubBytes", model.platform.ub_bytes},
                {"reservedTailBytes", model.platform.reserved_tail_bytes},
                {"maxQueueBuffersPerPosition", model.platform.queue_buffers_per_position}}},
              {"params", Json::object()}};
    for (const Parameter& param : model.params) file["params"][param.name] = param.value;
    if (!model.derived.empty()) file["derived"] = Json::array();
    for (const DerivedValue& derived : model.derived) file["derived"].push_back({derived.name, derived.value.text});
    if (!model.phases.empty()) file["phases"] = model.phases;
    file["allocs"] = Json::array();
    for (const Alloc& alloc : model.allocs) file["allocs"].push_back(alloc_json(alloc));
    if (model.host_tmp) file["host"] = {{"tmp", model.host_tmp->text}};
    // Invalid UTF-8 in a name is replaced rather than thrown at.
    return file.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace ls::ub
