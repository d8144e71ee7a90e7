#include "app/models/examples_model.h"

#include <utility>

#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

#include "app/models/cached_measure.h"
#include "app/models/text.h"
#include "app/models/tmem_bench.h"
#include "app/models/ub_plan.h"
#include "core/figure/layout_figure.h"
#include "core/figure/smem_tile.h"
#include "core/notation/notation.h"

namespace ls::models {

namespace {

const QString kFolder = QStringLiteral(":/layoutscope/examples/");

QByteArray read_resource(const QString& name) {
    QFile file(kFolder + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

ExamplesModel::ExamplesModel(QObject* parent) : QAbstractListModel(parent) {
    load(read_resource(QStringLiteral("index.json")));
}

void ExamplesModel::setSource(const QString& source) {
    if (source == source_) return;
    source_ = source;
    load(read_resource(source));
    emit sourceChanged();
}

int ExamplesModel::load(const QByteArray& json) {
    beginResetModel();
    examples_.clear();
    families_.clear();
    const QJsonObject index = QJsonDocument::fromJson(json).object();
    for (const auto& family : index["families"].toArray()) {
        const QString id = family.toObject()["id"].toString();
        families_ << family.toObject()["title"].toString();
        for (const auto& one : index["examples"].toArray()) {
            const QJsonObject o = one.toObject();
            if (o["family"].toString() != id) continue;
            const auto text = [&](const char* key) { return o[QLatin1String(key)].toString(); };
            examples_ << Example{text("id"),
                                 families_.last(),
                                 text("title"),
                                 text("caption"),
                                 text("sentence"),
                                 text("text"),
                                 text("file"),
                                 o.contains("thumbnail") ? text("thumbnail") : text("text"),
                                 o["start"].toBool(true),
                                 false,
                                 {},
                                 {},
                                 o["physical"].toBool(false)};
        }
    }
    endResetModel();
    return count();
}

int ExamplesModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : count(); }

const ExamplesModel::Example& ExamplesModel::drawn(const Example& example) const {
    if (std::exchange(example.drawn, true)) return example;
    if (example.partition()) {
        const UbPlan plan = read_ub(to_std(program(example.file)));
        if (!plan.drawn()) return example;
        figure::MemoryMap map = plan.map();
        map.lens = map.legend = false;
        map.lines.clear();
        map.tracks.clear();
        for (figure::MemoryRow& row : map.rows) row = {};
        figure::MemoryMapOptions options;
        options.width = 460;
        options.height = 220;
        example.map = views::PictureHandle(figure::draw_memory_map(map, options, window_measure()).picture);
    } else if (example.gemm()) {
        const TmemBench bench = read_bench(to_std(program(example.file)));
        if (bench.refusal) return example;
        figure::SmemTileOptions options;
        options.width = 460;
        options.height = 230;
        options.mma_k = options.window_k = options.window_k_count = bench.mma_k();
        options.window_mn_count = bench.bench.subject.m;
        example.map = views::PictureHandle(figure::draw_smem_tile(bench.bench.a, options, window_measure()).picture);
    } else {
        if (auto layout = read_layout(to_std(example.thumbnail)); layout.ok()) {
            if (auto figure = figure::LayoutFigure::build(std::move(layout).value()); figure.ok()) {
                example.picture = views::GridHandle(example.physical ? (*figure)->physical() : (*figure)->logical());
            }
        }
    }
    return example;
}

QVariant ExamplesModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Example& example = examples_[index.row()];
    switch (role) {
    case Qt::DisplayRole:
    case TitleRole: return example.title;
    case IdRole: return example.id;
    case FamilyRole: return example.family;
    case CaptionRole: return example.caption;
    case SentenceRole: return example.sentence;
    case TextRole: return example.text;
    case FileRole: return example.file;
    case ThumbnailRole: return example.thumbnail;
    case PictureRole: return QVariant::fromValue(drawn(example).picture);
    case MapRole: return QVariant::fromValue(drawn(example).map);
    case KindRole:
        return example.file.isEmpty() ? QStringLiteral("layout") : example.partition() ? QStringLiteral("ub") : example.gemm() ? QStringLiteral("gemm") : QStringLiteral("program");
    case StartRole: return example.on_start;
    default: return {};
    }
}

QHash<int, QByteArray> ExamplesModel::roleNames() const {
    return {{IdRole, "exampleId"},    {FamilyRole, "family"},       {TitleRole, "title"},
            {CaptionRole, "caption"}, {SentenceRole, "sentence"},   {TextRole, "text"},
            {FileRole, "file"},       {ThumbnailRole, "thumbnail"}, {PictureRole, "picture"},
            {MapRole, "map"},         {KindRole, "kind"},           {StartRole, "onStart"}};
}

QVariantMap ExamplesModel::get(int row) const {
    QVariantMap map;
    if (row < 0 || row >= count()) return map;
    const auto names = roleNames();
    for (auto it = names.begin(); it != names.end(); ++it) {
        map.insert(QString::fromLatin1(it.value()), data(index(row), it.key()));
    }
    return map;
}

QString ExamplesModel::program(const QString& file) const { return QString::fromUtf8(read_resource(file)); }

QList<int> ExamplesModel::rowsOf(const QString& family) const {
    QList<int> rows;
    for (int i = 0; i < count(); ++i) {
        if (examples_[i].family == family && examples_[i].on_start) rows << i;
    }
    return rows;
}

} // namespace ls::models
