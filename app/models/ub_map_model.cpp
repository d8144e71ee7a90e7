#include "app/models/ub_map_model.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <QtCore/QFileInfo>
#include <QtCore/QUrl>

#include "app/models/cached_measure.h"
#include "app/models/text.h"
#include "app/models/ub_tables.h"
#include "core/ub/model/model_edit.h"
#include "core/ub/model/model_json.h"
#include "views/paint/paint.h"

namespace ls::models {

namespace {

constexpr std::int64_t kSnap = 32; // bytes: what every operand must be aligned to
constexpr double kGrabPoints = 5;
constexpr std::int64_t kSmallestWindow = 128;

/// The same map without time: one row, every block in it.
void drop_rows(figure::MemoryMap& map) {
    map.subtitle = "address across";
    map.rows = {{"all phases", 0, false, {}}};
    for (figure::MemoryBlock& block : map.blocks) block.live = {{0, 0}};
    for (figure::MemoryConflict& conflict : map.conflicts) conflict.rows = {0, 0};
}

std::int64_t snapped(std::int64_t byte) { return (byte + kSnap / 2) / kSnap * kSnap; }

} // namespace

UbMapModel::UbMapModel(QObject* parent) : QObject(parent) {}

void UbMapModel::setModel(UbModel* model) {
    if (model == model_) return;
    if (model_) model_->disconnect(this);
    model_ = model;
    if (model_) connect(model_, &UbModel::planChanged, this, &UbMapModel::planChanged);
    planChanged();
    emit modelChanged();
}

void UbMapModel::setWidth(double width) {
    if (width == width_) return;
    width_ = width;
    redrawKept();
    emit sizeChanged();
}
void UbMapModel::setHeight(double height) {
    if (height == height_) return;
    height_ = height;
    redrawKept();
    emit sizeChanged();
}
void UbMapModel::setLifetimes(bool on) {
    if (on == lifetimes_) return;
    lifetimes_ = on;
    redraw();
}

void UbMapModel::planChanged() {
    redraw();
    if (selected_ >= 0 && !row(selected_)) {
        selected_ = -1;
        emit selectedChanged();
    }
    emit formulaChanged();
}

void UbMapModel::redraw() {
    const auto start = std::chrono::steady_clock::now();
    const UbPlan* plan = model_ ? model_->plan() : nullptr;
    map_ = {};
    rows_.clear();
    if (plan && plan->drawn()) {
        map_ = plan->map();
        rows_ = ub_rows(*plan);
        if (!lifetimes_) drop_rows(map_);
    }
    redrawKept();
    last_milliseconds_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void UbMapModel::redrawKept() {
    conflicts_ = static_cast<int>(map_.conflicts.size());
    if (map_.rows.empty() || width_ < 80 || height_ < 40) {
        picture_ = {};
        subtitle_.clear();
    } else {
        map_.lens = !zoomed();
        figure::MemoryMapOptions options;
        options.width = width_;
        options.height = std::max(height_, 150.0);
        // Rows stay tall enough for their names; a taller picture scrolls.
        const double wanted = 15.0 * static_cast<double>(map_.rows.size()) + 200;
        options.height = std::max(options.height, std::min(wanted, 1400.0));
        options.begin_byte = begin_;
        options.end_byte = end_;
        auto drawn = figure::draw_memory_map(map_, options, window_measure());
        geometry_ = drawn.geometry;
        subtitle_ = to_q(drawn.picture.subtitle);
        picture_ = views::PictureHandle(std::move(drawn.picture));
    }
    emit pictureChanged();
}

QString UbMapModel::rangeText() const {
    if (!zoomed()) return {};
    return tr("bytes %1–%2").arg(begin_).arg(end_ - 1);
}

const UbRow* UbMapModel::row(std::int64_t id) const {
    const auto target = figure::ub_target(id);
    if (!target) return nullptr;
    const auto at = std::find_if(rows_.begin(), rows_.end(), [&](const UbRow& one) { return one.target == *target; });
    return at == rows_.end() ? nullptr : &*at;
}

// --- hover and selection

void UbMapModel::setHovered(double id) {
    const auto wanted = static_cast<std::int64_t>(id);
    if (wanted == hovered_) return;
    hovered_ = wanted;
    emit hoverChanged();
    emit formulaChanged();
}

views::GridCell UbMapModel::hoverCell() const {
    const auto target = figure::ub_target(hovered_);
    return target ? views::GridCell(ub_cell(*target)) : views::GridCell();
}

void UbMapModel::setHoverCell(const views::GridCell& cell) {
    const auto target = ub_target_of(cell.cell());
    setHovered(target ? static_cast<double>(figure::ub_target_id(*target)) : -1);
}

void UbMapModel::setSelected(double id) {
    const auto wanted = static_cast<std::int64_t>(id);
    if (wanted == selected_) return;
    selected_ = row(wanted) ? wanted : -1;
    emit selectedChanged();
    emit formulaChanged();
}

QList<views::GridCell> UbMapModel::selectedCells() const {
    const auto target = figure::ub_target(selected_);
    return target ? QList<views::GridCell>{views::GridCell(ub_cell(*target))} : QList<views::GridCell>();
}

QString UbMapModel::selectedName() const {
    const UbRow* one = row(selected_);
    return one ? to_q(figure::shown_name(one->name)) : QString();
}

QString UbMapModel::formula() const {
    if (const UbRow* one = row(hovered_)) return to_q(ub_formula(*one));
    if (const UbRow* one = row(selected_)) return to_q(ub_formula(*one));
    return {};
}

QString UbMapModel::hoverText() const {
    if (const UbRow* one = row(hovered_))
        return tr("%1 · %2 B at %3").arg(to_q(figure::shown_name(one->name))).arg(one->bytes).arg(one->begin);
    if (hovered_ <= figure::kMemoryRowHit) {
        const auto index = static_cast<std::size_t>(figure::kMemoryRowHit - hovered_);
        if (index < map_.rows.size()) return to_q(map_.rows[index].describe);
    }
    for (const figure::MemoryConflict& one : map_.conflicts)
        if (one.id == hovered_) return tr("%1 and %2 clash in bytes %3–%4").arg(to_q(one.first), to_q(one.second)).arg(one.begin_byte).arg(one.end_byte - 1);
    return {};
}

void UbMapModel::selectNext(int step) {
    if (rows_.empty()) return;
    int at = step > 0 ? -1 : static_cast<int>(rows_.size());
    for (int i = 0; i < static_cast<int>(rows_.size()); ++i)
        if (figure::ub_target_id(rows_[static_cast<std::size_t>(i)].target) == selected_) at = i;
    at = (at + step + static_cast<int>(rows_.size())) % static_cast<int>(rows_.size());
    setSelected(static_cast<double>(figure::ub_target_id(rows_[static_cast<std::size_t>(at)].target)));
}

// --- which bytes are in view

void UbMapModel::zoomAt(double x, double factor) {
    if (!picture_.valid()) return;
    const std::int64_t from = geometry_.begin_byte, to = geometry_.end_byte;
    const std::int64_t fixed = std::clamp(geometry_.byte_at(x), from, to);
    const double share = static_cast<double>(fixed - from) / static_cast<double>(std::max<std::int64_t>(1, to - from));
    const auto length = static_cast<std::int64_t>(std::llround(static_cast<double>(to - from) / factor));
    std::int64_t whole = std::max<std::int64_t>(1, map_.capacity_bytes);
    for (const figure::MemoryBlock& block : map_.blocks) whole = std::max(whole, block.end_byte);
    if (length >= whole) return fit();
    const std::int64_t kept = std::max(kSmallestWindow, length);
    begin_ = std::clamp<std::int64_t>(fixed - static_cast<std::int64_t>(share * static_cast<double>(kept)), 0, std::max<std::int64_t>(0, whole - kept));
    end_ = begin_ + kept;
    redrawKept();
}

void UbMapModel::pan(double dx) {
    if (!zoomed() || geometry_.plot.w <= 0) return;
    std::int64_t whole = std::max<std::int64_t>(1, map_.capacity_bytes);
    for (const figure::MemoryBlock& block : map_.blocks) whole = std::max(whole, block.end_byte);
    const std::int64_t length = end_ - begin_;
    const auto by = static_cast<std::int64_t>(std::llround(dx / geometry_.plot.w * static_cast<double>(length)));
    begin_ = std::clamp<std::int64_t>(begin_ - by, 0, std::max<std::int64_t>(0, whole - length));
    end_ = begin_ + length;
    redrawKept();
}

void UbMapModel::fit() {
    if (!zoomed()) return;
    begin_ = end_ = 0;
    redrawKept();
}

void UbMapModel::zoomToSelected() {
    const UbRow* one = row(selected_) ? row(selected_) : row(hovered_);
    if (!one) return;
    const std::int64_t size = std::max(kSmallestWindow / 3, one->end - one->begin);
    begin_ = std::max<std::int64_t>(0, one->begin - size);
    end_ = begin_ + 3 * size;
    redrawKept();
}

// --- editing by hand

UbMapModel::Grab UbMapModel::grab(double x, double y) const {
    const UbPlan* plan = model_ ? model_->plan() : nullptr;
    if (!plan || !plan->model || !plan->partition || plan->tweaked() || model_->refused() || !picture_.valid()) return {};
    if (x < geometry_.plot.x - kGrabPoints || x > geometry_.plot.right() + kGrabPoints) return {}; // the lens has another scale
    const auto& hits = picture_.picture()->hits;
    for (std::size_t i = hits.size(); i-- > 0;) {
        const scene::HitRegion& hit = hits[i];
        const scene::Rect wide{hit.rect.x - kGrabPoints, hit.rect.y, hit.rect.w + 2 * kGrabPoints, hit.rect.h};
        if (!wide.contains({x, y})) continue;
        const auto target = figure::ub_target(hit.id);
        const UbRow* one = target ? row(hit.id) : nullptr;
        if (!one) continue;
        const bool inside = hit.rect.contains({x, y});
        // Narrow blocks keep a middle that moves them.
        const double reach = std::min(kGrabPoints, hit.rect.w / 3);
        Grab made{Edge::None, *target, one->begin, one->end};
        if (std::abs(x - hit.rect.right()) <= (inside ? reach : kGrabPoints)) made.edge = Edge::End;
        else if (target->view && std::abs(x - hit.rect.x) <= (inside ? reach : kGrabPoints)) made.edge = Edge::Begin;
        else if (target->view && inside) made.edge = Edge::Block;
        if (!target->view && plan->model->model().allocs.size() > target->alloc && plan->model->model().allocs[target->alloc].rest) made.edge = Edge::None;
        if (made.edge != Edge::None) return made;
        if (inside) return {};
    }
    return {};
}

QString UbMapModel::handleAt(double x, double y) const {
    switch (grab(x, y).edge) {
    case Edge::Begin: return QStringLiteral("begin");
    case Edge::End: return QStringLiteral("end");
    case Edge::Block: return QStringLiteral("block");
    case Edge::None: break;
    }
    return {};
}

bool UbMapModel::beginDrag(double x, double y) {
    drag_ = grab(x, y);
    if (drag_.edge == Edge::None) return false;
    drag_from_ = geometry_.byte_at(x);
    drag_text_start_ = model_->modelText();
    ++drag_number_;
    setSelected(static_cast<double>(figure::ub_target_id(drag_.target)));
    emit draggingChanged();
    return true;
}

void UbMapModel::dragTo(double x, bool free) {
    if (drag_.edge == Edge::None) return;
    const std::int64_t by = geometry_.byte_at(x) - drag_from_;
    const std::int64_t old = drag_.edge == Edge::End ? drag_.end : drag_.begin;
    const std::int64_t wanted = std::max<std::int64_t>(0, free ? old + by : snapped(old + by));
    apply(drag_, wanted - old, "ub/drag/" + std::to_string(drag_number_));
    emit draggingChanged();
}

void UbMapModel::endDrag() {
    if (drag_.edge == Edge::None) return;
    drag_ = {};
    drag_text_start_.clear();
    drag_text_.clear();
    emit draggingChanged();
}

bool UbMapModel::nudge(double bytes, bool edge) {
    const UbPlan* plan = model_ ? model_->plan() : nullptr;
    const UbRow* one = row(selected_);
    if (!plan || !one || !plan->model || plan->tweaked() || model_->refused()) return false;
    if (!one->target.view && !edge) return false;
    drag_text_start_ = model_->modelText();
    const Grab what{edge ? Edge::End : Edge::Block, one->target, one->begin, one->end};
    const bool done = apply(what, static_cast<std::int64_t>(bytes), "ub/nudge/" + std::to_string(selected_) + (edge ? "/end" : ""));
    drag_text_start_.clear();
    drag_text_.clear();
    return done;
}

bool UbMapModel::apply(const Grab& what, std::int64_t by, const std::string& merge_key) {
    // From the text as it was when the drag began: a move back undoes itself.
    auto file = ub::read_model(drag_text_start_);
    if (!file.ok()) return false;
    auto compiled = ub::CompiledModel::compile(std::move(file->model));
    if (!compiled.ok()) return false;
    const auto placed = compiled->evaluate();
    if (!placed.ok() || what.target.alloc >= placed->allocs.size()) return false;
    const ub::PlacedAlloc& alloc = placed->allocs[what.target.alloc];
    const QString name = to_q(figure::shown_name(what.target.view ? alloc.views[*what.target.view].name : alloc.name));
    Result<std::string> text = std::string();
    QString step;
    if (!what.target.view) {
        const std::int64_t length = std::max<std::int64_t>(kSnap, alloc.len + by / std::max<std::int64_t>(1, alloc.num));
        text = ub::resize_alloc(drag_text_start_, *placed, what.target.alloc, length);
        step = tr("Resize %1").arg(name);
        drag_text_ = tr("%1: %2 B").arg(name).arg(length);
    } else {
        const ub::PlacedView& view = alloc.views[*what.target.view];
        const ub::ViewPlace at{what.target.alloc, *what.target.view};
        if (what.edge == Edge::Block) {
            const std::int64_t off = std::max<std::int64_t>(0, view.off + by);
            text = ub::move_view(drag_text_start_, *placed, at, off);
            step = tr("Move %1").arg(name);
            drag_text_ = tr("%1 at %2").arg(name).arg(off);
        } else if (what.edge == Edge::End) {
            const std::int64_t bytes = std::max<std::int64_t>(kSnap, view.bytes + by);
            text = ub::resize_view(drag_text_start_, *placed, at, bytes);
            step = tr("Resize %1").arg(name);
            drag_text_ = tr("%1: %2 B").arg(name).arg(bytes);
        } else {
            const std::int64_t off = std::clamp<std::int64_t>(view.off + by, 0, view.end - kSnap);
            text = ub::move_view_begin(drag_text_start_, *placed, at, off);
            step = tr("Move the begin of %1").arg(name);
            drag_text_ = tr("%1 from %2").arg(name).arg(off);
        }
    }
    if (!text.ok()) return false;
    if (by != 0 || *text != model_->modelText()) model_->edit(step, std::move(text).value(), merge_key);
    return true;
}

bool UbMapModel::exportTo(const QUrl& file, bool dark) {
    if (!picture_.valid()) return false;
    const QString path = file.isLocalFile() ? file.toLocalFile() : file.toString();
    const QString ending = QFileInfo(path).suffix().toLower();
    const scene::Theme& theme = scene::Theme::builtin(dark ? scene::Theme::Kind::Dark : scene::Theme::Kind::Light);
    figure::MemoryMapOptions options;
    options.width = 1400;
    options.begin_byte = begin_;
    options.end_byte = end_;
    const scene::Picture picture = figure::draw_memory_map(map_, options, window_measure()).picture;
    paint::PaintOptions painting;
    painting.title = to_std(model_->name());
    painting.scale = ending == QLatin1String("png") ? 2 : 1;
    const auto bytes = ending == QLatin1String("png")   ? paint::paint_png(picture.list, theme, painting)
                       : ending == QLatin1String("pdf") ? paint::paint_pdf(picture.list, theme, painting)
                       : ending == QLatin1String("svg") ? paint::paint_svg(picture, theme, painting)
                                                        : Result<std::string>(error("EXP_ENDING", "a picture cannot be written as ." + to_std(ending), "name the file .svg, .png or .pdf"));
    const Status written = bytes.ok() ? session::write_file_atomically(std::filesystem::path(to_std(path)), *bytes) : Status(bytes.error());
    if (!written.ok()) emit model_->failed(to_q(written.error().code), to_q(written.error().message), to_q(written.error().hint));
    return written.ok();
}

} // namespace ls::models
