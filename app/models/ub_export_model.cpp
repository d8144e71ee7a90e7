#include "app/models/ub_export_model.h"

#include <algorithm>
#include <cctype>

#include <QtCore/QUrl>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>

#include "app/models/text.h"

namespace ls::models {

namespace {

/// A C++ name from a document's title: "ub_rows" from "ub_rows.json".
std::string name_of(const QString& title) {
    std::string name;
    for (const char c : to_std(title).substr(0, to_std(title).find('.'))) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "ub_" + name;
    return name;
}

std::filesystem::path path_of(const QUrl& url) { return std::filesystem::path(to_std(url.isLocalFile() ? url.toLocalFile() : url.toString())); }

} // namespace

void UbExportModel::setModel(UbModel* model) {
    if (model == model_) return;
    if (model_) model_->disconnect(this);
    model_ = model;
    if (model_) connect(model_, &UbModel::planChanged, this, &UbExportModel::write);
    write();
    emit modelChanged();
}

void UbExportModel::setShown(bool shown) {
    if (shown == shown_) return;
    shown_ = shown;
    write();
}

void UbExportModel::write() {
    if (!shown_) {
        emit filesChanged();
        return;
    }
    const QString was = file();
    files_.clear();
    why_.clear();
    const UbPlan* plan = model_ ? model_->plan() : nullptr;
    Result<std::vector<codegen::AscendcFile>> made = std::vector<codegen::AscendcFile>();
    if (plan && plan->is_operator() && plan->host) {
        codegen::CgdrExportOptions options;
        options.seq_lens = plan->file->seq_lens;
        made = codegen::export_cgdr(*plan->host, options);
    } else if (plan && plan->model) {
        made = codegen::export_model(*plan->model, name_of(model_->name()));
    } else {
        why_ = tr("Open a partition first.");
    }
    if (made.ok()) files_ = std::move(made).value();
    else why_ = to_q(made.error().message) + (made.error().hint.empty() ? QString() : QStringLiteral(". ") + to_q(made.error().hint));
    current_ = std::max(0, static_cast<int>(files().indexOf(was)));
    show();
}

void UbExportModel::show() {
    const bool any = current_ >= 0 && current_ < static_cast<int>(files_.size());
    text_.showOne(any ? to_q(files_[static_cast<std::size_t>(current_)].text) : QString(), QStringLiteral("cpp"));
    emit filesChanged();
}

QStringList UbExportModel::files() const {
    QStringList names;
    for (const codegen::AscendcFile& one : files_) names << to_q(one.name);
    return names;
}

QString UbExportModel::file() const { return files().value(current_); }

void UbExportModel::setCurrent(int index) {
    if (index == current_ || index < 0 || index >= static_cast<int>(files_.size())) return;
    current_ = index;
    show();
}

void UbExportModel::copy() {
    QGuiApplication::clipboard()->setText(text_.rightText());
    if (model_) emit model_->said(tr("Copied %1").arg(file()));
}

bool UbExportModel::save(const QUrl& file) {
    if (current_ >= static_cast<int>(files_.size())) return false;
    const Status written = session::write_file_atomically(path_of(file), files_[static_cast<std::size_t>(current_)].text);
    if (!model_) return written.ok();
    if (written.ok()) emit model_->said(tr("Saved %1").arg(to_q(path_of(file).filename().string())));
    else emit model_->failed(to_q(written.error().code), to_q(written.error().message), to_q(written.error().hint));
    return written.ok();
}

bool UbExportModel::saveAll(const QUrl& folder) {
    for (const codegen::AscendcFile& one : files_) {
        const Status written = session::write_file_atomically(path_of(folder) / one.name, one.text);
        if (written.ok()) continue;
        if (model_) emit model_->failed(to_q(written.error().code), to_q(written.error().message), to_q(written.error().hint));
        return false;
    }
    if (model_) emit model_->said(tr("Saved %1 files").arg(files_.size()));
    return !files_.empty();
}

double UbExportModel::targetOfLine(int row) const {
    const UbPlan* plan = model_ ? model_->plan() : nullptr;
    if (!plan || current_ >= static_cast<int>(files_.size())) return -1;
    const auto& origins = files_[static_cast<std::size_t>(current_)].origins;
    if (row < 0 || row >= static_cast<int>(origins.size()) || origins[static_cast<std::size_t>(row)].empty()) return -1;
    for (const UbRow& one : ub_rows(*plan))
        if (one.name == origins[static_cast<std::size_t>(row)]) return static_cast<double>(figure::ub_target_id(one.target));
    return -1;
}

} // namespace ls::models
