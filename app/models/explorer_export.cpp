// Pictures of the explorer as files.
#include <QtCore/QFileInfo>
#include <QtCore/QUrl>

#include "app/models/explorer.h"
#include "app/models/text.h"
#include "core/figure/explorer_picture.h"
#include "views/paint/paint.h"

namespace ls::models {

namespace {

Result<std::string> paint_by_ending(const QString& ending, const scene::DrawList& list, const scene::Theme& theme,
                                    const paint::PaintOptions& options) {
    if (ending == QLatin1String("svg")) return paint::paint_svg(list, theme, options);
    if (ending == QLatin1String("pdf")) return paint::paint_pdf(list, theme, options);
    if (ending == QLatin1String("png")) {
        paint::PaintOptions twice = options;
        twice.scale = 2; // for screens of high density and for print
        return paint::paint_png(list, theme, twice);
    }
    return error("EXP_ENDING", "a picture cannot be written as ." + to_std(ending),
                 "name the file .svg, .png, .pdf or .txt");
}

} // namespace

bool Explorer::exportTo(const QUrl& file, bool dark, bool patterns) {
    if (!shown_) return false;
    const QString path = file.isLocalFile() ? file.toLocalFile() : file.toString();
    const QString ending = QFileInfo(path).suffix().toLower();
    Result<std::string> bytes = std::string();
    if (ending == QLatin1String("txt")) {
        bytes = to_std(asText(false));
    } else {
        const scene::Theme& theme = scene::Theme::builtin(dark ? scene::Theme::Kind::Dark : scene::Theme::Kind::Light);
        figure::ExplorerPictureOptions options;
        options.element = focus_;
        options.label = static_cast<scene::CellLabel>(label());
        options.patterns = patterns;
        const scene::DrawList list = figure::explorer_picture(*shown_->figure, options, *paint::text_measure(), theme);
        paint::PaintOptions paint_options;
        paint_options.title = to_std(text_);
        bytes = paint_by_ending(ending, list, theme, paint_options);
    }
    const Status written = bytes.ok() ? session::write_file_atomically(std::filesystem::path(to_std(path)), *bytes)
                                      : Status(bytes.error());
    if (!written.ok()) {
        emit failed(to_q(written.error().code), to_q(written.error().message), to_q(written.error().hint));
        return false;
    }
    emit said(tr("Wrote %1").arg(QFileInfo(path).fileName()));
    return true;
}

} // namespace ls::models
