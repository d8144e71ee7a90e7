#include "app/models/tmem_word.h"

#include <charconv>

#include <fmt/format.h>

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>

#include "app/models/cached_measure.h"
#include "app/models/text.h"
#include "core/figure/descriptor_bits.h"

namespace ls::models {

namespace tc = tensor_core;

namespace {

constexpr int kKinds = static_cast<int>(tc::MmaKind::Mxf8f6f4) + 1;
constexpr double kSmallestWidth = 200;

} // namespace

TmemWord::TmemWord(QObject* parent) : QObject(parent) {}

void TmemWord::setModel(TmemModel* model) {
    if (model == model_) return;
    if (model_) model_->disconnect(this);
    model_ = model;
    if (model_) {
        connect(model_, &TmemModel::planChanged, this, &TmemWord::reset);
        connect(model_, &TmemModel::stepChanged, this, &TmemWord::redraw);
        connect(model_, &TmemModel::unitChanged, this, &TmemWord::redraw);
        connect(model_, &TmemModel::ofBChanged, this, &TmemWord::redraw);
    }
    redraw();
    emit modelChanged();
}
void TmemWord::setInstruction(bool on) {
    if (on == instruction_) return;
    instruction_ = on;
    redraw();
    emit modelChanged();
}
void TmemWord::setWidth(double width) {
    if (width == width_) return;
    width_ = width;
    redraw();
}

QStringList TmemWord::kinds() const {
    if (!instruction_) return {QStringLiteral("Hopper"), QStringLiteral("Blackwell")};
    QStringList names;
    for (int k = 0; k < kKinds; ++k) names << QStringLiteral("kind::%1").arg(to_q(tc::name(static_cast<tc::MmaKind>(k))));
    return names;
}
void TmemWord::setKind(int kind) {
    if (kind == this->kind() || kind < 0 || kind >= (instruction_ ? kKinds : 2)) return;
    if (instruction_) {
        kind_ = kind;
        kind_chosen_ = true;
    } else {
        generation_ = kind;
    }
    redraw();
}

QString TmemWord::title() const {
    if (instruction_) return tr("Instruction descriptor");
    const bool b = model_ && model_->ofB();
    return tr("Matrix descriptor, %1, ki = %2").arg(b ? QStringLiteral("B") : QStringLiteral("A")).arg(model_ ? model_->kStep() : 0);
}
QString TmemWord::hex() const { return to_q(instruction_ ? fmt::format("{:#010x}", word_) : fmt::format("{:#018x}", word_)); }
QString TmemWord::note() const {
    if (own()) return tr("typed, not this call's own");
    if (!derived()) return tr("no word: the call is refused");
    if (instruction_) return tr("= %1, folded at compile time, 32 bits").arg(word_);
    return generation_ == 0 ? tr("the same operand for wgmma") : tr("64 bits, made at run time");
}
QString TmemWord::problemCode() const { return problem_ ? to_q(problem_->code) : QString(); }
QString TmemWord::problem_text() const { return to_q(problem_->message + (problem_->hint.empty() ? "" : " — " + problem_->hint)); }

std::optional<std::uint64_t> TmemWord::derived() const {
    const TmemBench* bench = model_ ? model_->bench() : nullptr;
    if (!bench) return {};
    if (instruction_) return bench->bench.plan ? std::optional<std::uint64_t>(bench->bench.plan->idesc) : std::nullopt;
    const tirx::GemmSide& side = model_->ofB() ? bench->bench.b : bench->bench.a;
    if (!side.matched) return {};
    const auto made = encode(side.matched->descriptor(side.base_bytes), static_cast<tc::Generation>(generation_));
    if (!made.ok()) return {};
    const tirx::GemmStep* step = model_->chosen();
    return step ? tc::add_16b_units(*made, model_->ofB() ? step->b_offset_16b : step->a_offset_16b) : *made;
}

std::vector<tc::DescriptorField> TmemWord::fields() const {
    if (instruction_) {
        const bool ws = model_ && model_->bench() && model_->bench()->bench.plan && model_->bench()->bench.plan->weight_stationary;
        return tc::instruction_fields(static_cast<std::uint32_t>(word_), static_cast<tc::MmaKind>(kind_), ws);
    }
    tc::MatrixUse use;
    if (!own() && model_ && model_->bench()) {
        const tirx::GemmSide& side = model_->ofB() ? model_->bench()->bench.b : model_->bench()->bench.a;
        if (side.matched) use.mn_major = side.matched->mn_major;
    }
    return tc::matrix_fields(word_, static_cast<tc::Generation>(generation_), use);
}

void TmemWord::redraw() {
    if (instruction_ && !kind_chosen_ && !own() && model_ && model_->planned()) kind_ = static_cast<int>(model_->bench()->bench.plan->kind);
    word_ = typed_.value_or(derived().value_or(0));
    problem_ = refused_text_;
    if (!problem_ && own()) {
        if (instruction_) {
            if (const auto read = tc::decode_instruction(static_cast<std::uint32_t>(word_), static_cast<tc::MmaKind>(kind_)); !read.ok()) problem_ = read.error();
        } else if (const auto read = tc::decode_matrix(word_, static_cast<tc::Generation>(generation_)); !read.ok()) {
            problem_ = read.error();
        }
    }
    if (width_ < kSmallestWidth) {
        picture_ = {};
    } else {
        figure::DescriptorBitsOptions options;
        options.width = width_;
        options.bits = instruction_ ? 32 : 64;
        options.unit = static_cast<figure::DescriptorUnit>(model_ ? model_->unit() : 0);
        if (model_ && model_->bench() && model_->bench()->bench.a.operand.layout) options.element_bits = bits(model_->bench()->bench.a.operand.dtype);
        picture_ = views::PictureHandle(figure::draw_descriptor_bits(fields(), word_, options, window_measure()));
    }
    emit wordChanged();
}

bool TmemWord::take(const QString& text) {
    std::string words = to_std(text.trimmed());
    // "0x4000404000000000 | addr >> 4" pastes too: what comes first counts.
    if (const auto end = words.find_first_of(" \t|,;"); end != std::string::npos) words.resize(end);
    const bool prefixed = words.starts_with("0x") || words.starts_with("0X");
    const char* begin = words.data() + (prefixed ? 2 : 0);
    const char* end = words.data() + words.size();
    std::uint64_t value = 0;
    const auto [at, problem] = std::from_chars(begin, end, value, prefixed ? 16 : 10);
    refused_text_.reset();
    if (problem != std::errc{} || at != end || begin == end) {
        refused_text_ = error("DESC_ARGUMENT", fmt::format("'{}' is no number of 64 bits", words), "write it as 0x4000404000000040");
    } else if (instruction_ && value > 0xFFFFFFFF) {
        refused_text_ = error("DESC_ARGUMENT", "an instruction descriptor has 32 bits", "is it a matrix descriptor? put it above");
    } else if (value != word_ || own()) {
        typed_ = value == derived() ? std::nullopt : std::optional(value);
    }
    redraw();
    return !refused_text_;
}

void TmemWord::flip(double bit) {
    const int at = static_cast<int>(bit);
    if (at < 0 || at >= (instruction_ ? 32 : 64)) return;
    const std::uint64_t flipped = word_ ^ (std::uint64_t{1} << at);
    typed_ = flipped == derived() ? std::nullopt : std::optional(flipped);
    refused_text_.reset();
    redraw();
}

void TmemWord::reset() {
    typed_.reset();
    refused_text_.reset();
    kind_chosen_ = false;
    redraw();
}

void TmemWord::copy() {
    QGuiApplication::clipboard()->setText(hex());
    if (model_) model_->say(tr("Copied %1").arg(hex()));
}

void TmemWord::copyFields() {
    std::string all = to_std(hex()) + "\n";
    for (const tc::DescriptorField& f : fields()) {
        if (f.name == "reserved" && f.value == 0) continue;
        all += fmt::format("{:>2}..{:<2}  {:<16} {:>8}  {:<18} {}{}\n", f.low_bit + f.bits - 1, f.low_bit, f.name, f.value, f.shown, f.meaning,
                           f.why.empty() ? "" : fmt::format(" ({}{})", f.read ? "" : "not read: ", f.why));
    }
    QGuiApplication::clipboard()->setText(to_q(all));
    if (model_) model_->say(tr("Copied the fields"));
}

} // namespace ls::models
