// A window with items of Layoutscope.Views in it, and scenes whose every answer can be worked out by hand.
#pragma once

#include <QtCore/QDir>
#include <QtGui/QImage>
#include <QtQml/QQmlComponent>
#include <QtQml/QQmlEngine>
#include <QtQml/QQmlExtensionPlugin>
#include <QtQml/QQmlProperty>
#include <QtQuick/QQuickItem>
#include <QtQuick/QQuickWindow>
#include <QtTest/QtTest>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "views/handles.h"

Q_IMPORT_QML_PLUGIN(Layoutscope_ViewsPlugin)

namespace stage {

using ls::scene::Cell;

inline std::string hex(std::int64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%04llX", static_cast<unsigned long long>(value));
    return text;
}

/// NZ of rows × cols f16: fractals of 16×16, column blocks of 16; element (r, c) lies at
/// (c/16)·rows·16 + r·16 + c%16. Colour: category of the column block, rank of the fractal row.
class NzCells : public ls::scene::CellSource {
public:
    NzCells(std::int64_t rows, std::int64_t cols, double nanoseconds_per_cell = 0)
        : rows_(rows), cols_(cols), ns_(nanoseconds_per_cell) {}

    std::int64_t offset(Cell c) const { return c.col / 16 * rows_ * 16 + c.row * 16 + c.col % 16; }
    Cell cell_at(std::int64_t offset) const {
        const std::int64_t block = offset / (rows_ * 16), rest = offset % (rows_ * 16);
        return {rest / 16, block * 16 + rest % 16};
    }

    void colors(std::span<const std::int64_t> rows, std::span<const std::int64_t> cols,
                ls::scene::ColorKey* out) const override {
        if (ns_ > 0) {
            const auto wait = static_cast<std::int64_t>(ns_ * static_cast<double>(rows.size() * cols.size()));
            std::this_thread::sleep_for(std::chrono::nanoseconds(wait));
        }
        for (const std::int64_t row : rows)
            for (const std::int64_t col : cols)
                *out++ = ls::scene::ColorKey::category(static_cast<std::uint32_t>(col / 16 % 10),
                                                       static_cast<std::uint32_t>(row / 16 % 4));
    }
    std::string label(Cell c, ls::scene::CellLabel which) const override {
        using ls::scene::CellLabel;
        if (which == CellLabel::Coordinate) return std::to_string(c.row) + ", " + std::to_string(c.col);
        if (which == CellLabel::Address) return hex(offset(c) * 2);
        return std::to_string(offset(c));
    }
    ls::scene::BlockLabel block_label(std::size_t level, Cell c) const override {
        if (level != 1) return {};
        const std::string block = std::to_string(c.col / 16), fractal = std::to_string(c.row / 16);
        return {"block " + block + " · fractal " + fractal, block + "·" + fractal,
                hex(offset({c.row / 16 * 16, c.col / 16 * 16}) * 2)};
    }
    std::string row_tick(std::int64_t row) const override { return std::to_string(row); }
    std::string col_tick(std::int64_t col) const override {
        return std::to_string(col) + "–" + std::to_string(col + 15);
    }
    std::string row_pill(Cell c) const override { return std::to_string(c.row); }
    std::string col_pill(Cell c) const override { return "c " + std::to_string(c.col); }
    std::string describe(Cell c) const override {
        return "row " + std::to_string(c.row) + ", column " + std::to_string(c.col) + ", byte " + hex(offset(c) * 2);
    }
    std::vector<Cell> linked(Cell c) const override { return {{offset(c) / 64, offset(c) % 64}}; }

private:
    std::int64_t rows_, cols_;
    double ns_;
};

/// The same elements in byte order, 64 (128 B) a row.
class NzBytes : public ls::scene::CellSource {
public:
    explicit NzBytes(std::shared_ptr<const NzCells> logical) : logical_(std::move(logical)) {}
    void colors(std::span<const std::int64_t> rows, std::span<const std::int64_t> cols,
                ls::scene::ColorKey* out) const override {
        for (const std::int64_t row : rows)
            for (const std::int64_t col : cols) {
                const Cell c = logical_->cell_at(row * 64 + col);
                *out++ = ls::scene::ColorKey::category(static_cast<std::uint32_t>(c.col / 16 % 10),
                                                       static_cast<std::uint32_t>(c.row / 16 % 4));
            }
    }
    std::string label(Cell c, ls::scene::CellLabel) const override { return std::to_string(c.row * 64 + c.col); }
    ls::scene::BlockLabel block_label(std::size_t level, Cell c) const override {
        if (level != 1) return {};
        return logical_->block_label(1, logical_->cell_at(c.row / 4 * 256));
    }
    std::string row_tick(std::int64_t row) const override { return hex(row * 128); }
    std::string col_tick(std::int64_t col) const override {
        return "+" + std::to_string(col * 2) + " … +" + std::to_string(col * 2 + 31) + " B";
    }
    std::string row_pill(Cell c) const override { return hex(c.row * 128); }
    std::string col_pill(Cell c) const override { return "+" + std::to_string(c.col * 2) + " B"; }
    std::string describe(Cell c) const override { return "byte " + hex((c.row * 64 + c.col) * 2); }
    std::vector<Cell> linked(Cell c) const override { return {logical_->cell_at(c.row * 64 + c.col)}; }

private:
    std::shared_ptr<const NzCells> logical_;
};

inline std::vector<ls::scene::GridLevel> nz_levels(std::int64_t rows) {
    return {{"C0 line", 1, 16, "32 B"},
            {"fractal", 16, 16, "512 B"},
            {"column block", rows, 16, std::to_string(rows * 32) + " B"}};
}

inline ls::views::GridHandle nz_logical(std::int64_t rows, std::int64_t cols, double ns = 0) {
    auto scene = std::make_shared<ls::scene::GridScene>();
    scene->title = "Logical";
    scene->subtitle = "[" + std::to_string(rows) + " rows, " + std::to_string(cols) + " columns]";
    scene->corner = "r \\ c";
    scene->rows = rows;
    scene->cols = cols;
    scene->levels = nz_levels(rows);
    scene->cells = std::make_shared<NzCells>(rows, cols, ns);
    scene->label_choices = {ls::scene::CellLabel::Block, ls::scene::CellLabel::Coordinate,
                            ls::scene::CellLabel::Offset};
    for (std::uint32_t block = 0; block < 4; ++block)
        scene->legend.push_back({{ls::scene::ColorKey::category(block, 0), ls::scene::ColorKey::category(block, 1),
                                  ls::scene::ColorKey::category(block, 2), ls::scene::ColorKey::category(block, 3)},
                                 "block " + std::to_string(block)});
    scene->legend_lines = {{0, "C0 line 32 B"}, {1, "fractal 512 B"}, {2, "column block 2048 B"}};
    return ls::views::GridHandle(scene);
}

inline ls::views::GridHandle nz_physical() {
    auto scene = std::make_shared<ls::scene::GridScene>();
    scene->title = "Physical";
    scene->subtitle = "GM, byte order";
    scene->rows = scene->cols = 64;
    scene->levels = {{"C0 line", 1, 16, "32 B"}, {"fractal", 4, 64, "512 B"}, {"column block", 16, 64, "2048 B"}};
    scene->cells = std::make_shared<NzBytes>(std::make_shared<NzCells>(64, 64));
    scene->label_choices = {ls::scene::CellLabel::Block, ls::scene::CellLabel::Offset};
    return ls::views::GridHandle(scene);
}

/// Elements of an NZ tensor in offset order: r, c, offset, byte, meaning.
class NzElements : public ls::scene::TableSource {
public:
    NzElements(std::int64_t rows, std::int64_t cols) : cells_(rows, cols), count_(rows * cols) {}
    const std::vector<ls::scene::TableColumn>& columns() const override { return columns_; }
    std::int64_t row_count() const override { return count_; }
    std::string text(std::int64_t row, std::size_t column) const override {
        const Cell c = cells_.cell_at(row);
        switch (column) {
        case 0: return std::to_string(c.row);
        case 1: return std::to_string(c.col);
        case 2: return std::to_string(row);
        case 3: return hex(row * 2);
        case 4: return std::to_string(c.col / 16);
        case 5: return std::to_string(c.row / 16);
        case 6: return std::to_string(c.row % 16);
        default: return std::to_string(c.col % 16);
        }
    }
    std::optional<Cell> cell(std::int64_t row) const override { return cells_.cell_at(row); }
    std::optional<std::int64_t> row_of(Cell c) const override {
        const std::int64_t row = cells_.offset(c);
        return row >= 0 && row < count_ ? std::optional(row) : std::nullopt;
    }

private:
    NzCells cells_;
    std::int64_t count_;
    std::vector<ls::scene::TableColumn> columns_{
        {"r", true, 3, ""},    {"c", true, 3, ""},      {"offset", true, 6, "elements from the base"},
        {"byte", true, 6, ""}, {"block", true, 3, ""},  {"fractal", true, 3, ""},
        {"line", true, 3, ""}, {"in line", true, 3, ""}};
};

/// Rows of fixed text.
class TextTable : public ls::scene::TableSource {
public:
    TextTable(std::vector<ls::scene::TableColumn> columns, std::vector<std::vector<std::string>> rows)
        : columns_(std::move(columns)), rows_(std::move(rows)) {}
    const std::vector<ls::scene::TableColumn>& columns() const override { return columns_; }
    std::int64_t row_count() const override { return static_cast<std::int64_t>(rows_.size()); }
    std::string text(std::int64_t row, std::size_t column) const override {
        return rows_[static_cast<std::size_t>(row)][column];
    }
    std::optional<Cell> cell(std::int64_t) const override { return {}; }
    std::optional<std::int64_t> row_of(Cell) const override { return {}; }

private:
    std::vector<ls::scene::TableColumn> columns_;
    std::vector<std::vector<std::string>> rows_;
};

/// A shown window made of QML text.
class Window {
public:
    explicit Window(const QByteArray& qml) {
        engine_.addImportPath(QStringLiteral(":/qt/qml"));
        QQmlComponent component(&engine_);
        component.setData(qml, QUrl(QStringLiteral("qrc:/stage.qml")));
        object_.reset(component.create());
        if (!object_) qFatal("%s", qPrintable(component.errorString()));
        window_ = qobject_cast<QQuickWindow*>(object_.get());
        if (!QTest::qWaitForWindowExposed(window_)) qFatal("the window was never exposed");
        window_->requestActivate();
        if (!QTest::qWaitForWindowActive(window_)) qFatal("the window was never active");
    }
    QQuickWindow* operator->() const { return window_; }
    QQuickWindow* get() const { return window_; }
    template <class Item>
    Item* find(const char* name) const {
        Item* item = window_->findChild<Item*>(QLatin1String(name));
        if (!item) qFatal("no item %s", name);
        return item;
    }

    /// Positions are of the item, in points.
    QPoint at(QQuickItem* item, QPointF point) const { return item->mapToScene(point).toPoint(); }
    void move(QQuickItem* item, QPointF point) const { QTest::mouseMove(window_, at(item, point)); }
    void click(QQuickItem* item, QPointF point, Qt::KeyboardModifiers modifiers = {}) const {
        QTest::mouseClick(window_, Qt::LeftButton, modifiers, at(item, point));
    }
    void drag(QQuickItem* item, QPointF from, QPointF to, Qt::KeyboardModifiers modifiers = {}) const {
        QTest::mousePress(window_, Qt::LeftButton, modifiers, at(item, from));
        for (int i = 1; i <= 4; ++i) send_move(at(item, from + (to - from) * i / 4), modifiers);
        QTest::mouseRelease(window_, Qt::LeftButton, modifiers, at(item, to));
    }
    void wheel(QQuickItem* item, QPointF point, int angle, Qt::KeyboardModifiers modifiers = {}) const {
        const QPoint p = at(item, point);
        QWheelEvent event(p, window_->mapToGlobal(p), {}, {0, angle}, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                          false);
        QCoreApplication::sendEvent(window_, &event);
    }
    void key(int key, Qt::KeyboardModifiers modifiers = {}) const {
        QTest::keyClick(window_, static_cast<Qt::Key>(key), modifiers);
    }
    void type(const char* text) const {
        for (; *text; ++text) QTest::keyClick(window_, *text);
    }
    /// Lets everything that is under way come to rest.
    void settle(int ms = 60) const { QTest::qWait(ms); }
    QImage shot() const { return window_->grabWindow(); }
    /// Pixels of `where` (in points of the window) that look like `color`, counted as at 100 %.
    int count(const QImage& shot, QRectF where, QRgb color, int tolerance) const;
    bool software() const { return window_->rendererInterface()->graphicsApi() == QSGRendererInterface::Software; }
    /// Saves the window where LS_SHOTS points to, to be looked at.
    void keep(const QString& name) const {
        const QString folder = qEnvironmentVariable("LS_SHOTS");
        if (folder.isEmpty()) return;
        QDir().mkpath(folder);
        shot().save(folder + QLatin1Char('/') + name + (software() ? QStringLiteral("-sw") : QStringLiteral("-gl")) +
                    QStringLiteral("-%1.png").arg(window_->effectiveDevicePixelRatio()));
    }
    int frames_during(int ms) const {
        int frames = 0;
        const auto counting = QObject::connect(window_, &QQuickWindow::frameSwapped, window_, [&] { ++frames; });
        QTest::qWait(ms);
        QObject::disconnect(counting);
        return frames;
    }

private:
    void send_move(QPoint to, Qt::KeyboardModifiers modifiers) const {
        QMouseEvent event(QEvent::MouseMove, to, window_->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, modifiers);
        QCoreApplication::sendEvent(window_, &event);
    }

    QQmlEngine engine_;
    std::unique_ptr<QObject> object_;
    QQuickWindow* window_ = nullptr;
};

/// What frames cost, by the clock and by processor time (of all threads: a busy machine does not change it much).
class FrameTimes {
public:
    /// Draws `frames` frames; `next` changes what is seen, and is called once a frame.
    FrameTimes(QQuickWindow* window, int frames, const std::function<void(int)>& next) {
        QElapsedTimer timer;
        QEventLoop loop;
        int step = 0;
        std::clock_t cpu = 0;
        const auto connection = QObject::connect(
            window, &QQuickWindow::frameSwapped, window,
            [&] {
                if (step == kWarmUp) cpu = std::clock();
                if (step > kWarmUp) wall_.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
                if (++step > frames + kWarmUp) return loop.quit();
                timer.restart();
                next(step);
            },
            Qt::QueuedConnection);
        next(0);
        QTimer::singleShot(30000, &loop, &QEventLoop::quit);
        loop.exec();
        QObject::disconnect(connection);
        if (!wall_.empty())
            cpu_ms_ =
                static_cast<double>(std::clock() - cpu) * 1000.0 / CLOCKS_PER_SEC / static_cast<double>(wall_.size());
        std::sort(wall_.begin(), wall_.end());
    }
    int frames() const { return static_cast<int>(wall_.size()); }
    double median_ms() const { return wall_.empty() ? 0 : wall_[wall_.size() / 2]; }
    double worst_ms() const { return wall_.empty() ? 0 : wall_.back(); }
    double cpu_ms() const { return cpu_ms_; }

private:
    static constexpr int kWarmUp = 4;
    std::vector<double> wall_;
    double cpu_ms_ = 0;
};

inline int distance(QRgb a, QRgb b) {
    return std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)), std::abs(qBlue(a) - qBlue(b))});
}

inline int Window::count(const QImage& shot, QRectF where, QRgb color, int tolerance) const {
    const double dpr = window_->effectiveDevicePixelRatio();
    const QRect pixels = QRectF(where.topLeft() * dpr, where.size() * dpr).toRect().intersected(shot.rect());
    int hits = 0;
    for (int y = pixels.top(); y <= pixels.bottom(); ++y)
        for (int x = pixels.left(); x <= pixels.right(); ++x) hits += distance(shot.pixel(x, y), color) <= tolerance;
    return static_cast<int>(std::lround(hits / (dpr * dpr)));
}

} // namespace stage
