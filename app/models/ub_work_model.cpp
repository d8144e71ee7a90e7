#include "app/models/ub_work_model.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "app/models/cached_measure.h"
#include "app/models/sequence_text.h"
#include "app/models/text.h"
#include "core/ub/work/balance.h"
#include "core/ub/work/hazards.h"
#include "core/ub/work/work_checks.h"

namespace ls::models {

using namespace ub::work;

namespace {

constexpr std::int64_t kMostCores = 4096;
constexpr std::size_t kShortText = 60; // characters of a batch that are read at a glance

std::int64_t count_of(const nlohmann::json& value, std::int64_t low, std::int64_t high, std::int64_t otherwise) {
    return value.is_number_integer() ? std::clamp(value.get<std::int64_t>(), low, high) : otherwise;
}

bool same(const WorkInput& a, const WorkInput& b) {
    return a.heads == b.heads && a.v_tiles == b.v_tiles && a.cores == b.cores && a.rule == b.rule &&
           a.quota_override == b.quota_override && a.seq_lens == b.seq_lens;
}

QVariantMap fact(const QString& name, const QString& value) { return {{"name", name}, {"value", value}}; }

} // namespace

UbWorkModel::UbWorkModel(QObject* parent) : QObject(parent) {}

void UbWorkModel::setModel(UbModel* model) {
    if (model == model_) return;
    if (model_) model_->disconnect(this);
    model_ = model;
    if (model_) {
        connect(model_, &UbModel::planChanged, this, &UbWorkModel::follow);
        connect(model_, &UbModel::settingsChanged, this, &UbWorkModel::follow);
    }
    follow();
    emit modelChanged();
}

bool UbWorkModel::free() const { return !model_ || !model_->isOperator(); }

void UbWorkModel::follow() {
    const UbPlan* plan = model_ ? model_->plan() : nullptr;
    if (model_ && model_->refused()) return; // what was there stays
    WorkInput input;
    std::int64_t physical = 8;
    const nlohmann::json settings = model_ ? model_->viewSetting("work") : nlohmann::json();
    const auto setting = [&](const char* key) { return settings.is_object() ? settings.value(key, nlohmann::json()) : nlohmann::json(); };
    if (plan && plan->is_operator()) {
        input.seq_lens = plan->file->seq_lens;
        input.heads = plan->file->input.hv;
        physical = std::max<std::int64_t>(1, plan->file->input.aiv);
        if (plan->report) {
            input.cores = plan->report->device.input.block_num;
            const std::int64_t step = std::max<std::int64_t>(1, plan->report->device.input.v_step);
            if (plan->report->device.split_v) input.v_tiles = (plan->file->input.dv + step - 1) / step;
        } else {
            input.cores = physical;
        }
    } else if (plan) {
        input.seq_lens = {512, 8};
        if (const nlohmann::json lengths = setting("seqLens"); lengths.is_string()) {
            if (auto read = read_lengths(lengths.get<std::string>()); read.ok()) input.seq_lens = std::move(read).value();
        }
        input.heads = count_of(setting("heads"), 1, 1 << 16, 8);
        const auto chip = ub::find_platform(plan->model->model().platform.name);
        physical = chip.ok() ? std::max<std::int64_t>(1, chip->planning_cores().value_or(8)) : 8;
        input.cores = count_of(setting("cores"), 1, kMostCores, physical);
        input.v_tiles = count_of(setting("tiles"), 1, 1 << 12, 1);
    }
    const std::vector<std::string> was_tried = std::exchange(tried_, {});
    if (const nlohmann::json list = setting("hazards"); list.is_array()) {
        for (const auto& one : list)
            if (one.is_string() && find_hazard(one.get<std::string>())) tried_.push_back(one.get<std::string>());
    }
    const bool same_as_before = distribution_ && plan && same(input, input_) && tried_ == was_tried;
    input_ = input;
    if (same_as_before) return; // a view was dragged: the batch is what it was
    for (const std::string& id : tried_) find_hazard(id)->apply(input);
    const auto start = std::chrono::steady_clock::now();
    distribution_.reset();
    std::vector<ub::Finding> findings;
    if (plan && !input.seq_lens.empty()) {
        auto made = distribute(input);
        if (made.ok()) {
            distribution_ = std::move(made).value();
            findings = check_work(*distribution_);
            lengths_error_.clear();
        } else {
            lengths_error_ = to_q(made.error().message);
        }
        const auto batches = std::count_if(input.seq_lens.begin(), input.seq_lens.end(), [](std::int32_t len) { return len > 0; });
        batch_aware_cores_ = ub::cgdr::launch_blocks(ub::cgdr::launch_work_items(ub::cgdr::Variant::V1135, batches, input.heads, input.v_tiles, physical), physical);
    }
    last_milliseconds_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    step_ = -1;
    if (model_) model_->showWorkFindings(std::move(findings));
    redraw();
    emit workChanged();
    emit errorChanged();
}

std::vector<UbWorkModel::Other> UbWorkModel::otherInputs() const {
    std::vector<Other> list;
    if (!distribution_) return list;
    const auto plain = [&] {
        WorkInput in = distribution_->input;
        in.rule = Rule::Source;
        in.quota_override.reset();
        return in;
    };
    if (!tried_.empty()) list.push_back({tr("kernel as it is"), tr("without what is tried"), input_});
    WorkInput in = plain();
    in.rule = Rule::Balanced;
    list.push_back({tr("corrected quota"), tr("a core closes before it would exceed the smallest limit that covers everything"), in});
    in = plain();
    in.rule = Rule::CarryOver;
    list.push_back({tr("carried excess"), tr("what exceeds the quota counts for the next core"), in});
    in = plain();
    std::stable_sort(in.seq_lens.begin(), in.seq_lens.end(), std::greater<>());
    list.push_back({tr("longest sequence first"), tr("the kernel's rule on sequences sorted by falling length"), in});
    in = plain();
    in.cores = std::max(batch_aware_cores_, in.cores);
    list.push_back({tr("batch-aware launch"), tr("the kernel's rule on %1 blocks").arg(in.cores), in});
    return list;
}

void UbWorkModel::redraw() {
    picture_ = other_picture_ = bars_ = {};
    other_distribution_.reset();
    const auto inputs = otherInputs();
    if (other_ > static_cast<int>(inputs.size())) other_ = 0;
    if (distribution_ && width_ >= 120) {
        figure::WorkTimelineOptions options;
        options.width = width_;
        options.height = height_;
        options.begin = begin_;
        options.end = end_;
        if (step_ >= 0) options.upto = step_;
        if (lit_ >= 0) options.lit = lit_;
        if (step_ > 0) options.lit = step_ - 1;
        if (other_ > 0) {
            if (auto made = distribute(inputs[static_cast<std::size_t>(other_ - 1)].input); made.ok()) {
                other_distribution_ = std::move(made).value();
                if (!zoomed()) {
                    // One scale for both, or the comparison would lie.
                    options.begin = 0;
                    options.end = 1.06 * static_cast<double>(std::max({distribution_->makespan, other_distribution_->makespan, std::uint64_t{1}}));
                }
            }
        }
        auto drawn = figure::draw_work_timeline(*distribution_, options, window_measure());
        geometry_ = drawn.geometry;
        picture_ = views::PictureHandle(std::move(drawn.picture));
        if (other_distribution_) {
            options.upto.reset();
            options.lit.reset();
            other_picture_ = views::PictureHandle(figure::draw_work_timeline(*other_distribution_, options, window_measure()).picture);
        }
    }
    if (distribution_ && bars_width_ >= 120) {
        const auto rows = alternatives(distribution_->input, batch_aware_cores_);
        if (rows.ok()) bars_ = views::PictureHandle(scene::draw_bars(figure::compare_work(*distribution_, *rows), bars_width_, window_measure()));
    }
    emit pictureChanged();
}

void UbWorkModel::setWidth(double width) {
    if (width == width_) return;
    width_ = width;
    redraw();
    emit sizeChanged();
}
void UbWorkModel::setHeight(double height) {
    if (height == height_) return;
    height_ = height;
    redraw();
    emit sizeChanged();
}
void UbWorkModel::setBarsWidth(double width) {
    if (width == bars_width_) return;
    bars_width_ = width;
    redraw();
    emit sizeChanged();
}

// --- what is said

QString UbWorkModel::lengths() const { return to_q(write_lengths(input_.seq_lens)); }

QString UbWorkModel::lengthsShort() const {
    const std::string all = write_lengths(input_.seq_lens);
    if (all.size() <= kShortText) return to_q(all);
    return tr("%1, … %2 sequences").arg(to_q(all.substr(0, all.rfind(',', kShortText - 20)))).arg(input_.seq_lens.size());
}

QString UbWorkModel::subtitle() const {
    if (!distribution_) return {};
    const WorkInput& in = distribution_->input;
    QString text = (in.cores == 1 ? tr("1 core") : tr("%1 cores").arg(in.cores)) + (in.heads == 1 ? tr(", 1 head") : tr(", %1 heads").arg(in.heads));
    if (in.v_tiles > 1) text += tr(", %1 V tiles").arg(in.v_tiles);
    return text;
}

QVariantList UbWorkModel::pills() const {
    QVariantList list;
    if (!distribution_) return list;
    const auto add = [&](const char* code, const QString& value, const char* tone) {
        list << QVariantMap{{"code", QLatin1String(code)}, {"text", value.isEmpty() ? QString::fromLatin1(code) : QStringLiteral("%1 %2").arg(QLatin1String(code), value)}, {"tone", QLatin1String(tone)}};
    };
    const Distribution& d = *distribution_;
    for (const ub::Finding& one : check_work(d)) {
        QString value;
        if (one.code == "W_IMBALANCE") value = QString::number(d.imbalance(), 'f', 2);
        if (one.code == "W_IDLE_CORES") value = QString::number(d.idle_cores);
        if (one.code == "E_UNASSIGNED") value = QString::number(d.unassigned);
        if (one.code == "E_DUPLICATED") value = QString::number(d.duplicated);
        add(std::string(one.code).c_str(), value, one.severity() == Severity::Error ? "finding" : one.severity() == Severity::Warning ? "warning" : "neutral");
    }
    return list;
}

QString UbWorkModel::whyTitle() const {
    if (!distribution_) return tr("Makespans");
    const double times = distribution_->imbalance();
    if (distribution_->unassigned > 0) return tr("Work is lost");
    return times > 1.75 ? tr("Why it doubles") : times > 1.05 ? tr("Why it takes longer") : tr("Well balanced");
}

QString UbWorkModel::why() const {
    if (!distribution_) return {};
    const Distribution& d = *distribution_;
    const QString idle = d.idle_cores == 0 ? tr("no core stays idle") : d.idle_cores == 1 ? tr("1 core stays idle") : tr("%1 cores stay idle").arg(d.idle_cores);
    if (d.unassigned > 0) return tr("%1 of %2 units have no owner: nobody executes them.").arg(d.unassigned).arg(d.item_count());
    if (d.item_count() == 0) return tr("Every sequence is empty: no core has anything to do.");
    if (d.makespan <= d.lower_bound) return tr("The busiest core carries %1 rows, no more than the even split.").arg(d.makespan);
    // The busiest core and what it took last.
    const auto busiest = std::max_element(d.core_load.begin(), d.core_load.end()) - d.core_load.begin();
    const std::int64_t items = d.core_items[static_cast<std::size_t>(busiest)];
    std::int64_t last_length = 0;
    for (const Run& run : d.runs)
        if (run.core == busiest) last_length = d.item_length(run.first_item + run.count - 1);
    const std::uint64_t before = d.makespan - std::min<std::uint64_t>(d.makespan, static_cast<std::uint64_t>(last_length));
    if (items > 1 && before < d.quota)
        return tr("Core %1 stands at %2, still below the quota of %3, so it takes one unit of %4 more and ends at %5. The excess of %6 is dropped, not carried over; %7.")
            .arg(busiest).arg(before).arg(d.quota).arg(last_length).arg(d.makespan).arg(d.makespan - std::min<std::uint64_t>(d.makespan, d.quota)).arg(idle);
    return tr("The longest unit has %1 rows, more than the even split of %2; %3.").arg(last_length).arg(d.lower_bound).arg(idle);
}

QVariantList UbWorkModel::facts() const {
    QVariantList list;
    if (!distribution_) return list;
    const Distribution& d = *distribution_;
    const WorkInput& in = d.input;
    list << fact(tr("avgload"), d.input.quota_override ? tr("%1, put in by hand").arg(d.quota)
                                                       : QStringLiteral("⌈%1 · %2 · %3 ÷ %4⌉ = %5").arg(d.total_rows).arg(in.heads).arg(in.v_tiles).arg(in.cores).arg(d.quota));
    QStringList items;
    for (std::size_t i = 0; i < std::min<std::size_t>(d.core_items.size(), 8); ++i) items << QString::number(d.core_items[i]);
    if (d.core_items.size() > 8) items << QStringLiteral("…");
    list << fact(tr("units a core"), items.join(", "));
    list << fact(tr("makespan ÷ bound"), QStringLiteral("%1 ÷ %2 = %3").arg(d.makespan).arg(d.lower_bound).arg(d.imbalance(), 0, 'f', 2));
    list << fact(tr("waiting"), tr("%1 core rows").arg(d.idle_time()));
    const ChunkCost chunks = chunk_cost(d, 64);
    list << fact(tr("in chunks of 64"), QStringLiteral("%1 ÷ %2").arg(chunks.makespan).arg(chunks.lower_bound));
    return list;
}

QVariantList UbWorkModel::hazards() const {
    QVariantList list;
    for (const Hazard& one : ub::work::hazards())
        list << QVariantMap{{"id", to_q(one.id)}, {"question", to_q(one.question)}, {"on", std::find(tried_.begin(), tried_.end(), one.id) != tried_.end()}};
    return list;
}

QStringList UbWorkModel::others() const {
    QStringList names{tr("nothing")};
    for (const Other& one : otherInputs()) names << one.name;
    return names;
}

void UbWorkModel::setOther(int index) {
    if (index == other_ || index < 0) return;
    other_ = index;
    redraw();
}

QString UbWorkModel::otherText() const {
    if (!other_distribution_) return {};
    const auto inputs = otherInputs();
    const Other& one = inputs[static_cast<std::size_t>(other_ - 1)];
    return tr("%1: makespan %2 instead of %3 · %4").arg(one.name).arg(other_distribution_->makespan).arg(distribution_->makespan).arg(one.what);
}

// --- replay and hover

void UbWorkModel::setStep(double step) {
    if (!distribution_) return;
    const auto wanted = static_cast<std::int64_t>(std::clamp(step, -1.0, units()));
    if (wanted == step_) return;
    step_ = wanted >= distribution_->item_count() ? -1 : wanted;
    redraw();
}

QString UbWorkModel::stepText() const {
    if (!distribution_) return {};
    const std::int64_t all = distribution_->item_count(), at = step_ < 0 ? all : step_;
    QString text = tr("unit %1 of %2").arg(at).arg(all);
    if (at == 0 || step_ < 0) return text;
    const auto rows = replay(*distribution_, at - 1, 1);
    if (rows.empty()) return text;
    return text + tr(" · load %1, turn %2").arg(rows[0].load).arg(rows[0].turn);
}

void UbWorkModel::setLit(double item) {
    const auto wanted = static_cast<std::int64_t>(item);
    if (wanted == lit_) return;
    lit_ = wanted;
    emit litChanged();
}

QString UbWorkModel::hoverText() const {
    if (!picture_.valid()) return {};
    for (const scene::HitRegion& hit : picture_.picture()->hits)
        if (hit.id == lit_ && lit_ != -1) return to_q(hit.describe);
    return {};
}

// --- changes

void UbWorkModel::store(const QString& step, const char* key, nlohmann::json value, const std::string& merge_key) {
    if (!model_) return;
    nlohmann::json work = model_->viewSetting("work");
    if (!work.is_object()) work = nlohmann::json::object();
    work[key] = std::move(value);
    model_->setViewSetting(step, "work", std::move(work), merge_key);
}

void UbWorkModel::storeLengths(const QString& step, std::vector<std::int32_t> lengths) {
    const UbPlan* plan = model_ ? model_->plan() : nullptr;
    if (!plan) return;
    if (!plan->is_operator()) return store(step, "seqLens", write_lengths(lengths));
    ub::cgdr::OperatorFile file = *plan->file;
    std::int64_t rows = 0;
    for (const std::int32_t len : lengths) rows += std::max(0, len);
    file.seq_lens = std::move(lengths);
    file.input.batch = std::max<std::int64_t>(1, static_cast<std::int64_t>(file.seq_lens.size()));
    file.input.t = rows;
    model_->edit(step, write_operator(file));
}

bool UbWorkModel::setLengths(const QString& text) {
    auto read = read_lengths(to_std(text));
    if (!read.ok()) {
        lengths_error_ = to_q(read.error().message + "; " + read.error().hint);
        emit errorChanged();
        return false;
    }
    lengths_error_.clear();
    emit errorChanged();
    if (*read != input_.seq_lens) storeLengths(tr("Change the sequences"), std::move(read).value());
    return true;
}

void UbWorkModel::generate(const QString& kind, int count, int longest) {
    storeLengths(tr("Generate %1 sequences").arg(count), generate_lengths(to_std(kind), static_cast<std::size_t>(std::max(1, count)), longest));
}

void UbWorkModel::setHeads(double value) { store(tr("Set heads to %1").arg(value), "heads", static_cast<std::int64_t>(value), "ub/heads"); }
void UbWorkModel::setCores(double value) { store(tr("Set cores to %1").arg(value), "cores", static_cast<std::int64_t>(value), "ub/cores"); }
void UbWorkModel::setTiles(double value) { store(tr("Set V tiles to %1").arg(value), "tiles", static_cast<std::int64_t>(value), "ub/tiles"); }

void UbWorkModel::toggleHazard(const QString& id) {
    std::vector<std::string> next = tried_;
    if (std::erase(next, to_std(id)) == 0) next.push_back(to_std(id));
    store(tr("What if: %1").arg(id), "hazards", next);
}

void UbWorkModel::clearHazards() { store(tr("Take all what-ifs back"), "hazards", nlohmann::json::array()); }

// --- what is in view

void UbWorkModel::zoomAt(double x, double factor) {
    if (!picture_.valid()) return;
    const double from = geometry_.begin, to = geometry_.end, fixed = std::clamp(geometry_.load_at(x), from, to);
    const double whole = 1.06 * static_cast<double>(distribution_->makespan);
    const double length = (to - from) / factor;
    if (length >= whole) return fit();
    const double kept = std::max(8.0, length);
    begin_ = std::clamp(fixed - (fixed - from) / (to - from) * kept, 0.0, std::max(0.0, whole - kept));
    end_ = begin_ + kept;
    redraw();
}

void UbWorkModel::pan(double dx) {
    if (!zoomed()) return;
    const double length = end_ - begin_, whole = 1.06 * static_cast<double>(distribution_->makespan);
    begin_ = std::clamp(begin_ - dx / geometry_.plot.w * length, 0.0, std::max(0.0, whole - length));
    end_ = begin_ + length;
    redraw();
}

void UbWorkModel::fit() {
    if (!zoomed()) return;
    begin_ = end_ = 0;
    redraw();
}

} // namespace ls::models
