// The explorer's right column: how the layout is built (iters), what holds for it (properties), every element (a table
// with a filter). Design picture 1.
//
// QML (Layoutscope.Views), beside everything that TablePanel has; its table, filter and hover mean the elements:
//   iters             tableHandle
//   properties        propertiesHandle
//   elementsNote      string           right of the title "Elements": "256 of 4096 shown"
//   itersVisible, propertiesVisible, elementsVisible   bool   (default true) sections shown
//   signals: iterClicked(real row)
#pragma once

#include "views/inspector/table_panel.h"

namespace ls::views {

class InspectorPanel : public ls::views::TablePanel {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(ls::views::TableHandle iters READ iters WRITE setIters NOTIFY itersChanged)
    Q_PROPERTY(ls::views::PropertiesHandle properties READ properties WRITE setProperties NOTIFY propertiesChanged)
    Q_PROPERTY(QString elementsNote READ elementsNote WRITE setElementsNote NOTIFY elementsNoteChanged)
    Q_PROPERTY(bool itersVisible READ itersVisible WRITE setItersVisible NOTIFY sectionsChanged)
    Q_PROPERTY(bool propertiesVisible READ propertiesVisible WRITE setPropertiesVisible NOTIFY sectionsChanged)
    Q_PROPERTY(bool elementsVisible READ elementsVisible WRITE setElementsVisible NOTIFY sectionsChanged)
public:
    explicit InspectorPanel(QQuickItem* parent = nullptr);

    TableHandle iters() const { return iters_; }
    void setIters(const TableHandle& iters);
    PropertiesHandle properties() const { return properties_; }
    void setProperties(const PropertiesHandle& properties);
    QString elementsNote() const { return QString::fromStdString(note_); }
    void setElementsNote(const QString& note);
    bool itersVisible() const { return iters_visible_; }
    void setItersVisible(bool visible);
    bool propertiesVisible() const { return properties_visible_; }
    void setPropertiesVisible(bool visible);
    bool elementsVisible() const { return elements_visible_; }
    void setElementsVisible(bool visible);

signals:
    void itersChanged();
    void propertiesChanged();
    void elementsNoteChanged();
    void sectionsChanged();
    void iterClicked(double row);

protected:
    void widgets() override;
    QString accessible_name() const override;

private:
    void show_section(bool& flag, bool visible);

    TableHandle iters_;
    PropertiesHandle properties_;
    TableWidget iter_rows_;
    std::string note_;
    bool iters_visible_ = true, properties_visible_ = true, elements_visible_ = true;
};

} // namespace ls::views
