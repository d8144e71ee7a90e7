// What the program in front is compiled for: kept with the document, every change a step that can be undone.
#include <algorithm>
#include <array>

#include "app/models/text.h"
#include "app/models/trace_model.h"

namespace ls::models {

namespace {

/// Assemblers up to 0.60 inferred layouts, from 0.61 an attribute holds; spec/nz.md E.2.
struct Assembler {
    int minor;
    const char* name;
};
constexpr std::array<Assembler, 3> kAssemblers{{{27, "PTOAS 0.27"}, {60, "PTOAS 0.60"}, {61, "PTOAS 0.61"}}};

} // namespace

TraceOptions TraceModel::options() const {
    TraceOptions options;
    const session::Document* document = documents_ ? documents_->current() : nullptr;
    if (!document) return options;
    const nlohmann::json& view = document->state().view;
    if (view.is_object()) {
        if (const auto chip = view.find("chip"); chip != view.end() && chip->is_string())
            options.chip = chip->get<std::string>();
        if (const auto ptoas = view.find("ptoas_minor"); ptoas != view.end() && ptoas->is_number_integer())
            options.ptoas_minor = ptoas->get<int>();
        if (const auto dumps = view.find("dump_directory"); dumps != view.end() && dumps->is_string())
            options.dump_directory = dumps->get<std::string>();
    }
    options.file_name = document->path() ? document->path()->filename().string() : document->title();
    return options;
}

void TraceModel::storeOption(const QString& step, const char* key, nlohmann::json value) {
    if (!documents_ || !documents_->current()) return;
    session::DocumentState next = documents_->current()->state();
    if (!next.view.is_object()) next.view = nlohmann::json::object();
    next.view[key] = std::move(value);
    documents_->edit(step, std::move(next));
}

QVariantList TraceModel::chips() const {
    QVariantList list;
    for (const TraceChip& one : trace_chips()) list << QVariantMap{{"text", to_q(one.title)}, {"value", to_q(one.id)}};
    return list;
}

int TraceModel::chip() const {
    const auto chips = trace_chips();
    const auto shown =
        std::find_if(chips.begin(), chips.end(), [&](const TraceChip& one) { return one.id == running_options_.chip; });
    return shown == chips.end() ? 0 : static_cast<int>(shown - chips.begin());
}

void TraceModel::setChip(int index) {
    const auto all = trace_chips();
    if (index < 0 || index >= static_cast<int>(all.size()) || index == chip()) return;
    const TraceChip& one = all[static_cast<std::size_t>(index)];
    storeOption(tr("Compile for %1").arg(to_q(one.title)), "chip", one.id);
}

QStringList TraceModel::assemblers() const {
    QStringList list;
    for (const Assembler& one : kAssemblers) list << QLatin1String(one.name);
    return list;
}

int TraceModel::assembler() const {
    int at = 0;
    for (int i = 0; i < static_cast<int>(kAssemblers.size()); ++i) {
        if (kAssemblers[static_cast<std::size_t>(i)].minor <= running_options_.ptoas_minor) at = i;
    }
    return at;
}

void TraceModel::setAssembler(int index) {
    if (index < 0 || index >= static_cast<int>(kAssemblers.size()) || index == assembler()) return;
    const Assembler& one = kAssemblers[static_cast<std::size_t>(index)];
    storeOption(tr("Assemble with %1").arg(QLatin1String(one.name)), "ptoas_minor", one.minor);
}

} // namespace ls::models
