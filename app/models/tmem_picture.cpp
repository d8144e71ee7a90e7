#include "app/models/tmem_picture.h"

#include <algorithm>

#include <QtCore/QFileInfo>

#include "app/models/cached_measure.h"
#include "app/models/text.h"
#include "core/notation/tirx_text.h"
#include "views/paint/paint.h"

namespace ls::models {

namespace {

constexpr double kSmallestWidth = 120, kSmallestHeight = 80;

} // namespace

TmemPicture::TmemPicture(QObject* parent) : QObject(parent) {}

void TmemPicture::setModel(TmemModel* model) {
    if (model == model_) return;
    if (model_) model_->disconnect(this);
    model_ = model;
    if (model_) {
        connect(model_, &TmemModel::planChanged, this, &TmemPicture::planChanged);
        connect(model_, &TmemModel::stepChanged, this, [this] {
            revealStep();
            redraw();
        });
        connect(model_, &TmemModel::swizzledChanged, this, &TmemPicture::redraw);
        connect(model_, &TmemModel::lookChanged, this, [this] {
            reveal();
            redraw();
        });
    }
    redraw();
    emit modelChanged();
}
void TmemPicture::setPart(const QString& part) {
    if (part == part_) return;
    part_ = part;
    redraw();
    emit partChanged();
}
void TmemPicture::setWidth(double width) {
    if (width == width_) return;
    width_ = width;
    settle();
    emit sizeChanged();
}
void TmemPicture::setHeight(double height) {
    if (height == height_) return;
    height_ = height;
    settle();
    emit sizeChanged();
}

QString TmemPicture::title() const {
    if (part_ == QLatin1String("gmem")) return tr("Global memory");
    if (part_ == QLatin1String("smem-a")) return tr("A in shared memory");
    if (part_ == QLatin1String("smem-b")) return tr("B in shared memory");
    if (part_ == QLatin1String("tmem")) return tr("C in tensor memory");
    return tr("C in registers");
}

QString TmemPicture::subtitle() const {
    const TmemBench* bench = model_ ? model_->bench() : nullptr;
    if (!bench) return {};
    if (shared()) return to_q(bench->layout_of(of_b()));
    if (part_ == QLatin1String("tmem") && bench->bench.c.layout) return to_q(notation::print_tirx(*bench->bench.c.layout));
    if (part_ == QLatin1String("registers") && bench->bench.registers) return to_q(notation::print_tirx(bench->bench.registers->layout));
    return {};
}

void TmemPicture::planChanged() {
    first_line_ = 0;
    settle();
}

void TmemPicture::settle() {
    redraw();
    const std::int64_t before = first_line_;
    revealStep();
    if (first_line_ != before) redraw();
}

scene::Picture TmemPicture::draw(double width, double height) {
    const TmemBench& bench = *model_->bench();
    const TmemLook& look = model_->look();
    const bool on_a = look.of == TmemLook::Of::A, on_b = look.of == TmemLook::Of::B, on_c = look.of == TmemLook::Of::C;
    const tirx::GemmStep* step = model_->chosen();
    const std::int64_t mma_k = bench.mma_k();
    if (shared()) {
        const tirx::GemmSide& side = of_b() ? bench.bench.b : bench.bench.a;
        figure::SmemTileOptions options;
        options.width = width;
        options.height = height;
        options.first_line = first_line_;
        options.swizzled = model_->swizzled();
        options.row_letter = of_b() ? 'n' : 'm';
        options.mma_k = mma_k;
        options.note = bench.smem_note(of_b());
        if (step && bench.bench.plan) {
            const auto& plan = *bench.bench.plan;
            const std::int64_t rows = of_b() ? plan.tile.n / plan.cta_group : plan.tile.m;
            options.window_mn = (of_b() ? step->ni : step->mi) * rows;
            options.window_mn_count = rows;
            options.window_k = step->ki * mma_k;
            options.window_k_count = mma_k;
        }
        if (of_b() ? on_b : on_a) options.lit = look.at;
        // An element of the result needs a whole row of each operand: the part that the chosen K step reads is lit.
        if (on_c) options.lit = {of_b() ? look.at.column : look.at.row, step ? step->ki * mma_k : 0};
        auto drawn = figure::draw_smem_tile(side, options, window_measure());
        smem_ = drawn.geometry;
        if (drawn.picture.list.marks.empty()) absence_ = side.refusal ? to_q(side.refusal->message) : tr("Nothing to draw");
        return std::move(drawn.picture);
    }
    if (part_ == QLatin1String("tmem")) {
        figure::TmemMapOptions options;
        options.width = width;
        options.height = height;
        if (step) {
            options.mi = step->mi;
            options.ni = step->ni;
        }
        if (on_c) options.lit = look.at;
        if (on_a) options.lit_row = look.at.row;
        if (on_b) options.lit_column = look.at.row;
        if (on_c && bench.owners) options.owned = bench.owners->held_by(bench.owners->owner(look.at).thread);
        auto drawn = figure::draw_tmem_map(bench.bench, bench.rects, options, window_measure());
        tmem_ = drawn.geometry;
        return std::move(drawn.picture);
    }
    if (part_ == QLatin1String("registers")) {
        if (!bench.owners) {
            absence_ = bench.bench.readback_refusal.empty() ? tr("The call is not planned, so nothing is read back.") : to_q(bench.bench.readback_refusal);
            return {};
        }
        figure::RegisterMapOptions options;
        options.width = width;
        options.height = height;
        if (on_c) options.lit = bench.owners->owner(look.at);
        if (on_a) {
            options.lit = bench.owners->owner({look.at.row, 0});
            options.lit.slot = -1;
        }
        if (bench.bench.readback) options.note = bench.bench.readback->instruction();
        auto drawn = figure::draw_register_map(*bench.owners, options, window_measure());
        registers_ = drawn.geometry;
        return std::move(drawn.picture);
    }
    figure::GmemOptions options;
    options.width = width;
    options.height = height;
    options.mma_k = mma_k;
    options.k_step = step ? step->ki : -1;
    if (on_a) options.lit_a = look.at;
    if (on_b) options.lit_b = look.at;
    if (on_c) {
        options.lit_a = {look.at.row, -1};
        options.lit_b = {look.at.column, -1};
    }
    auto drawn = figure::draw_gmem_operands(bench.bench, options, window_measure());
    gmem_ = drawn.geometry;
    return std::move(drawn.picture);
}

void TmemPicture::redraw() {
    absence_.clear();
    smem_ = {};
    if (!model_ || !model_->bench() || width_ < kSmallestWidth || height_ < kSmallestHeight) {
        picture_ = {};
    } else {
        scene::Picture drawn = draw(width_, height_);
        picture_ = drawn.list.marks.empty() ? views::PictureHandle() : views::PictureHandle(std::move(drawn));
        first_line_ = smem_.first_line;
    }
    emit pictureChanged();
}

/// Scrolls to what another picture looks at.
void TmemPicture::reveal() {
    if (!shared() || !model_ || !model_->bench() || model_->look() == own_look_) return;
    const TmemLook& look = model_->look();
    if (look.of != (of_b() ? TmemLook::Of::B : TmemLook::Of::A) && look.of != TmemLook::Of::C) return;
    const tirx::GemmSide& side = of_b() ? model_->bench()->bench.b : model_->bench()->bench.a;
    const auto& tile = model_->swizzled() ? side.tile : side.plain;
    if (!tile || smem_.lines_shown <= 0) return;
    tirx::MatrixElement at = look.at;
    if (look.of == TmemLook::Of::C) at = {of_b() ? look.at.column : look.at.row, model_->chosen() ? model_->chosen()->ki * model_->bench()->mma_k() : 0};
    if (at.row >= tile->mn || at.column < 0 || at.column >= tile->k) return;
    const auto line = static_cast<std::int64_t>(tile->chunk_of(at.row, at.column)) / 8;
    if (line < smem_.first_line || line >= smem_.first_line + smem_.lines_shown)
        first_line_ = std::max<std::int64_t>(0, line - smem_.lines_shown / 2) / smem_.atom_lines * smem_.atom_lines;
}

void TmemPicture::revealStep() {
    const TmemBench* bench = model_ ? model_->bench() : nullptr;
    const tirx::GemmStep* step = model_ ? model_->chosen() : nullptr;
    if (!shared() || !bench || !step || !bench->bench.plan || smem_.lines_shown <= 0) return;
    const tirx::GemmSide& side = of_b() ? bench->bench.b : bench->bench.a;
    const auto& tile = model_->swizzled() ? side.tile : side.plain;
    if (!tile) return;
    const auto& plan = *bench->bench.plan;
    const std::int64_t rows = of_b() ? plan.tile.n / plan.cta_group : plan.tile.m;
    const std::int64_t mn = (of_b() ? step->ni : step->mi) * rows, k = step->ki * plan.mma_k;
    const auto inside = [&](std::int64_t line) {
        for (std::int64_t c = line * 8; c < line * 8 + 8 && c < static_cast<std::int64_t>(tile->chunks.size()); ++c) {
            const tirx::SmemChunk& one = tile->chunks[static_cast<std::size_t>(c)];
            if (one.elements > 0 && one.mn_first >= mn && one.mn_last < mn + rows && one.k_first >= k && one.k_last < k + plan.mma_k) return true;
        }
        return false;
    };
    for (std::int64_t line = smem_.first_line; line < smem_.first_line + smem_.lines_shown; ++line)
        if (inside(line)) return;
    for (std::int64_t line = 0; line < smem_.lines; ++line) {
        if (!inside(line)) continue;
        first_line_ = line / smem_.atom_lines * smem_.atom_lines;
        return;
    }
}

TmemLook TmemPicture::look_at(scene::Point at) const {
    const TmemBench* bench = model_ ? model_->bench() : nullptr;
    if (!bench || !picture_.valid()) return {};
    if (shared()) {
        const std::int64_t index = smem_.chunk_at(at);
        const tirx::GemmSide& side = of_b() ? bench->bench.b : bench->bench.a;
        const auto& tile = model_->swizzled() ? side.tile : side.plain;
        if (index < 0 || !tile || index >= static_cast<std::int64_t>(tile->chunks.size())) return {};
        const tirx::SmemChunk& chunk = tile->chunks[static_cast<std::size_t>(index)];
        if (chunk.elements == 0) return {};
        // The element under the pointer: its part of the chunk.
        const double inside = std::clamp((at.x - smem_.grid.x) / smem_.chunk_width - static_cast<double>(index % 8), 0.0, 0.999);
        const auto bit = static_cast<std::int64_t>(inside * 128) / tile->element_bits * tile->element_bits;
        for (std::int64_t i = chunk.mn_first; i <= chunk.mn_last; ++i)
            for (std::int64_t j = chunk.k_first; j <= chunk.k_last; ++j)
                if (tile->chunk_of(i, j) == static_cast<std::size_t>(index) && tile->bit_address(i, j) % 128 == bit)
                    return {of_b() ? TmemLook::Of::B : TmemLook::Of::A, {i, j}};
        return {of_b() ? TmemLook::Of::B : TmemLook::Of::A, {chunk.mn_first, chunk.k_first}};
    }
    if (part_ == QLatin1String("tmem")) {
        const auto element = tirx::element_at(bench->rects, tmem_.cell_at(at));
        return element.valid() ? TmemLook{TmemLook::Of::C, element} : TmemLook{};
    }
    if (part_ == QLatin1String("registers")) {
        const auto element = bench->owners ? bench->owners->element(registers_.place_at(at)) : tirx::MatrixElement{};
        return element.valid() ? TmemLook{TmemLook::Of::C, element} : TmemLook{};
    }
    bool b = false;
    const auto element = gmem_.element_at(at, b);
    return element.valid() ? TmemLook{b ? TmemLook::Of::B : TmemLook::Of::A, element} : TmemLook{};
}

void TmemPicture::hoverAt(double x, double y) {
    if (!model_) return;
    own_look_ = look_at({x, y});
    model_->setLook(own_look_);
}

void TmemPicture::pressAt(double x, double y) {
    if (!model_ || !model_->bench()) return;
    if (shared()) {
        if (const std::int64_t line = smem_.minimap_line({x, y}); line >= 0) {
            first_line_ = std::max<std::int64_t>(0, line - smem_.lines_shown / 2) / smem_.atom_lines * smem_.atom_lines;
            return redraw();
        }
    }
    const TmemLook look = look_at({x, y});
    if (look.of == TmemLook::Of::A || look.of == TmemLook::Of::B) {
        model_->setKStep(static_cast<int>(look.at.column / model_->bench()->mma_k()));
        model_->setOfB(look.of == TmemLook::Of::B);
    }
}

void TmemPicture::scrollBy(int lines) {
    if (!scrolls()) return;
    const std::int64_t step = lines * std::max<std::int64_t>(1, std::min<std::int64_t>(smem_.atom_lines, 8));
    const std::int64_t wanted = std::clamp<std::int64_t>(first_line_ + step, 0, smem_.lines - smem_.lines_shown);
    if (wanted == first_line_) return;
    first_line_ = wanted;
    redraw();
}

void TmemPicture::moveLook(int down, int right) {
    const TmemBench* bench = model_ ? model_->bench() : nullptr;
    if (!bench) return;
    TmemLook look = model_->look();
    const bool result = part_ == QLatin1String("tmem") || part_ == QLatin1String("registers");
    const auto own = result ? TmemLook::Of::C : of_b() ? TmemLook::Of::B : TmemLook::Of::A;
    if (look.of != own) {
        look = {own, {0, 0}};
    } else {
        look.at.row += down;
        look.at.column += right;
    }
    const tirx::GemmSubject& s = bench->bench.subject;
    const std::int64_t rows = own == TmemLook::Of::B ? std::max<std::int64_t>(1, s.n / s.cta_group) : s.m, columns = result ? s.n : s.k;
    look.at = {std::clamp<std::int64_t>(look.at.row, 0, rows - 1), std::clamp<std::int64_t>(look.at.column, 0, columns - 1)};
    own_look_ = {};
    model_->setLook(look);
}

bool TmemPicture::exportTo(const QUrl& file, bool dark) {
    if (!picture_.valid()) return false;
    const QString path = file.isLocalFile() ? file.toLocalFile() : file.toString();
    const QString ending = QFileInfo(path).suffix().toLower();
    const scene::Theme& theme = scene::Theme::builtin(dark ? scene::Theme::Kind::Dark : scene::Theme::Kind::Light);
    const scene::Picture& picture = *picture_.picture();
    paint::PaintOptions painting;
    painting.title = to_std(title());
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
