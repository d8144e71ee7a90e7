#include "core/scene/place.h"

#include <iterator>
#include <utility>

namespace ls::scene {

namespace {

struct Mover {
    Point by;

    void move(Point& p) const {
        p.x += by.x;
        p.y += by.y;
    }
    void move(Rect& r) const {
        r.x += by.x;
        r.y += by.y;
    }
    void operator()(FillRect& m) const { move(m.rect); }
    void operator()(StrokeRect& m) const { move(m.rect); }
    void operator()(HatchRect& m) const { move(m.rect); }
    void operator()(Polyline& m) const {
        for (Point& p : m.points) move(p);
    }
    void operator()(Curve& m) const {
        for (Point* p : {&m.a, &m.c1, &m.c2, &m.b}) move(*p);
    }
    void operator()(Ellipse& m) const { move(m.centre); }
    void operator()(Text& m) const { move(m.at); }
    void operator()(CellImage& m) const { move(m.rect); }
    void operator()(PushClip& m) const { move(m.rect); }
    void operator()(PopClip&) const {}
};

} // namespace

void place(DrawList& into, DrawList picture, Point at) {
    for (Mark& mark : picture.marks) std::visit(Mover{at}, mark);
    into.marks.insert(into.marks.end(), std::make_move_iterator(picture.marks.begin()), std::make_move_iterator(picture.marks.end()));
}

} // namespace ls::scene
