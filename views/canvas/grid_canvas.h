// The picture of a grid that one can point at: tensors, memories, TMEM, fragments. Cells come from GridFill as an
// image, everything else from draw_grid() as one draw list.
//
// QML (Layoutscope.Views), beside ImGuiSurface's (dark, dp, frameCount, buildMs, rasterMs):
//   scene          gridHandle         what is shown; another of the same size keeps the camera, else it is fitted
//   patterns       bool               colour-blind help: patterns beside category colours
//   legend         bool               legend under the picture (default true; false where it lives in a menu)
//   axes           bool               ticks and pills (default true); without them a fitted picture is centred
//   reduceMotion   bool               the camera jumps instead of gliding
//   label          GridCanvas.Label   what cells carry when they are large enough; default: the scene's first choice
//   labelChoices   list<int>          (read only) labels this scene can show;  labelName(label) names one
//   hoverCell      gridCell   RW      the element pointed at, by pointer, keyboard or another view
//   hoverLinks     list<gridCell>     (read only) the same element in the linked picture
//   linkedCells    list<gridCell>     cells lit because of another picture's hover; a partner does this by itself
//   partner        GridCanvas         the linked picture: hover shows in both (LinkOverlay sets it)
//   pins           list<gridPin>      numbered badges
//   selection      list<gridCell>     selected cells
//   selectedWindow gridWindow RW      a window of cells, made by Shift-drag
//   camera         gridCamera RW      where it looks; set it to follow another canvas: no animation, no echo
//   zoom           real       RW      item units per element along the shorter side; setting it keeps the middle
//   fitted         bool               (read only) shows the whole grid and goes on doing so when resized
//   describe       string             (read only) one sentence on the hovered element; also its Accessible.name
//   animating      bool               (read only)
//   linkPoint      point              (read only) where the link leaves, in item coordinates; (−1, −1): nowhere
//   fills, fillMs, fillBusy           (read only) counters for tests and the status bar
//   signals: cellClicked(cell, modifiers)      left click without a drag; modifiers: Qt.ControlModifier, ...
//            cellAsked(cell)                   Alt-click: who wrote, who reads
//            pinRequested(cell)                P or double click; asking again for a pinned cell means: unpin
//            contextMenuRequested(cell, position)   right click or Menu key; cell may be invalid
//            windowSelected(window)            a Shift-drag ended
//            clearRequested()                  Esc with something selected
//   methods: fit(), resetZoom(), zoomBy(factor), zoomAt(point, factor), panBy(dx, dy), centreOn(cell), reveal(cell),
//            moveCursor(rows, columns), cellAt(point), cellRect(cell)
// Keys: arrows move the cursor (= hover) by one, with Ctrl by the innermost level, with Shift by the inner tile;
// + − zoom, F fits, 0 shows cells at 100 %, Enter or Space selects, P pins, Menu opens the menu.
#pragma once

#include <QtCore/QVariantAnimation>

#include <optional>
#include <vector>

#include "core/scene/grid_layout.h"
#include "views/canvas/grid_filler.h"
#include "views/handles.h"
#include "views/inspector/imgui_surface.h"

namespace ls::views {

class GridCanvas : public ls::views::ImGuiSurface {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(ls::views::GridHandle scene READ scene WRITE setScene NOTIFY sceneChanged)
    Q_PROPERTY(bool patterns READ patterns WRITE setPatterns NOTIFY optionsChanged)
    Q_PROPERTY(bool legend READ legend WRITE setLegend NOTIFY optionsChanged)
    Q_PROPERTY(bool axes READ axes WRITE setAxes NOTIFY optionsChanged)
    Q_PROPERTY(bool reduceMotion READ reduceMotion WRITE setReduceMotion NOTIFY optionsChanged)
    Q_PROPERTY(Label label READ label WRITE setLabel NOTIFY labelChanged)
    Q_PROPERTY(QList<int> labelChoices READ labelChoices NOTIFY sceneChanged)
    Q_PROPERTY(ls::views::GridCell hoverCell READ hoverCell WRITE setHoverCell NOTIFY hoverCellChanged)
    Q_PROPERTY(QList<ls::views::GridCell> hoverLinks READ hoverLinks NOTIFY hoverCellChanged)
    Q_PROPERTY(QList<ls::views::GridCell> linkedCells READ linkedCells WRITE setLinkedCells NOTIFY linkedCellsChanged)
    Q_PROPERTY(ls::views::GridCanvas* partner READ partner WRITE setPartner NOTIFY partnerChanged)
    Q_PROPERTY(QList<ls::views::GridPin> pins READ pins WRITE setPins NOTIFY pinsChanged)
    Q_PROPERTY(QList<ls::views::GridCell> selection READ selection WRITE setSelection NOTIFY selectionChanged)
    Q_PROPERTY(
        ls::views::GridWindow selectedWindow READ selectedWindow WRITE setSelectedWindow NOTIFY selectedWindowChanged)
    Q_PROPERTY(ls::views::GridCamera camera READ camera WRITE setCamera NOTIFY cameraChanged)
    Q_PROPERTY(double zoom READ zoom WRITE setZoom NOTIFY cameraChanged)
    Q_PROPERTY(bool fitted READ fitted NOTIFY cameraChanged)
    Q_PROPERTY(bool animating READ animating NOTIFY animatingChanged)
    Q_PROPERTY(QString describe READ describe NOTIFY describeChanged)
    Q_PROPERTY(QPointF linkPoint READ linkPoint NOTIFY linkPointChanged)
    Q_PROPERTY(int fills READ fills NOTIFY frameBuilt)
    Q_PROPERTY(double fillMs READ fillMs NOTIFY frameBuilt)
    Q_PROPERTY(bool fillBusy READ fillBusy NOTIFY frameBuilt)
public:
    /// Same order as scene::CellLabel.
    enum Label {
        NoLabel,
        CoordinateLabel,
        OffsetLabel,
        AddressLabel,
        FlatIndexLabel,
        BankLabel,
        BlockLabel,
        ThreadLabel
    };
    Q_ENUM(Label)

    explicit GridCanvas(QQuickItem* parent = nullptr);
    ~GridCanvas() override;

    GridHandle scene() const { return scene_; }
    void setScene(const GridHandle& scene);
    bool patterns() const { return options_.patterns; }
    void setPatterns(bool on);
    bool legend() const { return options_.legend; }
    void setLegend(bool on);
    bool axes() const { return options_.axes; }
    void setAxes(bool on);
    bool reduceMotion() const { return reduce_motion_; }
    void setReduceMotion(bool on);
    Label label() const;
    void setLabel(Label label);
    QList<int> labelChoices() const;
    Q_INVOKABLE static QString labelName(int label);

    GridCell hoverCell() const { return hover_; }
    void setHoverCell(const GridCell& cell);
    QList<GridCell> hoverLinks() const;
    QList<GridCell> linkedCells() const { return linked_; }
    void setLinkedCells(const QList<GridCell>& cells);
    GridCanvas* partner() const { return partner_; }
    void setPartner(GridCanvas* partner);
    /// Which edge the link leaves from; LinkOverlay sets it.
    void setLinkSide(scene::LinkSide side);
    QList<GridPin> pins() const { return pins_; }
    void setPins(const QList<GridPin>& pins);
    QList<GridCell> selection() const { return selection_; }
    void setSelection(const QList<GridCell>& cells);
    GridWindow selectedWindow() const { return window_; }
    void setSelectedWindow(const GridWindow& window);

    GridCamera camera() const;
    void setCamera(const GridCamera& camera);
    double zoom() const;
    void setZoom(double zoom);
    bool fitted() const { return fitted_; }
    bool animating() const { return motion_.state() == QAbstractAnimation::Running; }
    QString describe() const { return describe_; }
    QPointF linkPoint() const { return link_point_; } ///< (−1, −1) when nothing hovered is in sight
    int fills() const { return filler_.fills(); }
    double fillMs() const { return filler_.last_ms(); }
    bool fillBusy() const { return filler_.busy(); }

    Q_INVOKABLE ls::views::GridCell cellAt(const QPointF& point) const;
    Q_INVOKABLE QRectF cellRect(const ls::views::GridCell& cell) const;
    Q_INVOKABLE void fit();
    Q_INVOKABLE void resetZoom();
    Q_INVOKABLE void zoomBy(double factor);
    Q_INVOKABLE void zoomAt(const QPointF& point, double factor);
    Q_INVOKABLE void panBy(double dx, double dy);
    Q_INVOKABLE void centreOn(const ls::views::GridCell& cell);
    Q_INVOKABLE void reveal(const ls::views::GridCell& cell);
    Q_INVOKABLE void moveCursor(double rows, double columns);

    /// The cell that is lit here: its own hover, or the first that another picture links to.
    scene::Cell shown_hover() const;

signals:
    void sceneChanged();
    void optionsChanged();
    void labelChanged();
    void hoverCellChanged();
    void linkedCellsChanged();
    void partnerChanged();
    void pinsChanged();
    void selectionChanged();
    void selectedWindowChanged();
    void cameraChanged();
    void animatingChanged();
    void describeChanged();
    void linkPointChanged();
    void cellClicked(const ls::views::GridCell& cell, int modifiers);
    void cellAsked(const ls::views::GridCell& cell);
    void pinRequested(const ls::views::GridCell& cell);
    void contextMenuRequested(const ls::views::GridCell& cell, const QPointF& position);
    void windowSelected(const ls::views::GridWindow& window);
    void clearRequested();

protected:
    void build(ImGuiFrame& frame) override;
    QSGNode* update_background(QSGNode* old) override;
    void geometryChange(const QRectF& now, const QRectF& before) override;
    void look_changed() override;
    void keep_cell_size();
    void componentComplete() override;

    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseUngrabEvent() override;
    void hoverEnterEvent(QHoverEvent* event) override { hoverMoveEvent(event); }
    void hoverMoveEvent(QHoverEvent* event) override;
    void hoverLeaveEvent(QHoverEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    enum class Drag { None, Undecided, Pan, Select };

    const scene::GridScene* grid() const { return scene_.scene().get(); }
    const scene::GridLayout& layout() const;
    scene::GridView view() const;
    scene::Point design(QPointF item) const { return {item.x() / dp(), item.y() / dp()}; }
    QPointF item(scene::Point design) const { return {design.x * dp(), design.y * dp()}; }
    scene::Point in_area(QPointF point) const;
    QRectF area() const; ///< of the cells, in item coordinates
    bool has_camera() const { return has_camera_; }
    scene::Camera fitting_camera() const;
    void ensure_camera();
    void move_camera(const scene::Camera& wanted, bool glide, bool fitted = false);
    void show_camera(const scene::Camera& camera);
    void set_hover(scene::Cell cell);
    void refresh_hover_links();
    void partner_hover_changed();
    void retell();
    void hover_at(QPointF point);
    scene::CellRect snapped_window(scene::Cell a, scene::Cell b, bool free) const;
    scene::CellRect level_block(std::size_t level, scene::Cell cell) const;
    scene::Cell clamped_cell(double row, double col) const;
    void step_cursor(int key, Qt::KeyboardModifiers modifiers);
    void end_drag();
    scene::GridFocus focus_of_picture() const;
    void set_link_point(std::optional<scene::Point> point);

    GridHandle scene_;
    scene::GridDrawOptions options_;
    std::optional<Label> label_;
    GridCell hover_;
    std::vector<scene::Cell> hover_links_;
    QList<GridCell> linked_;
    QPointer<GridCanvas> partner_;
    QMetaObject::Connection partner_hover_;
    QList<GridPin> pins_;
    QList<GridCell> selection_;
    GridWindow window_;
    QString describe_;
    QPointF link_point_{-1, -1};

    scene::Camera camera_, target_; ///< zoom in design points
    bool has_camera_ = false, fitted_ = true, reduce_motion_ = false;
    QVariantAnimation motion_;
    scene::Camera motion_from_;

    mutable std::optional<scene::GridLayout> layout_;
    double laid_out_dp_ = 1;
    GridFiller filler_{this};

    Drag drag_ = Drag::None;
    QPointF press_, last_, pointer_{-1, -1};
    scene::Cell press_cell_;
    bool pointer_inside_ = false, cursor_by_key_ = false, focus_by_key_ = false;
};

} // namespace ls::views
