#include "core/passes/tile/tile_writer.h"

#include <fmt/format.h>

#include "core/passes/tile/tile_result_type.h"

namespace ls::tile {

using namespace ir;

Made TileWriter::made(std::string op, std::vector<Expr> args, std::vector<KeyValue> kwargs, const CallNode& from,
                      std::vector<KeyValue> attrs) {
    auto c = std::make_shared<CallNode>();
    c->span = from.span;
    c->op = std::move(op);
    c->args = std::move(args);
    c->kwargs = std::move(kwargs);
    c->attrs = std::move(attrs);
    c->type = result_type(*c);
    Type type = c->type;
    return {seal(std::move(c)), std::move(type)};
}

Var TileWriter::define(const std::string& name, Expr value, Type type) {
    Var v = var(names_.make(name), std::move(type), value->span);
    auto n = std::make_shared<AssignNode>();
    n->span = value->span;
    n->origin = current_; // it is there for that statement's sake
    n->targets.push_back(v);
    n->value = std::move(value);
    before_.push_back(seal(std::move(n)));
    return v;
}

Var TileWriter::create(const std::string& name, std::vector<Expr> shape, DType dtype, TileSpace space) {
    CallNode at; // only its span
    at.span = current_ != nullptr ? current_->span : Span{};
    return define(name, made("tile.create", {tuple(std::move(shape))}, {{"dtype", dtype_name(dtype)}, {"target_memory", space_name(space)}}, at));
}

Stmt TileWriter::finish(Stmt last) {
    if (before_.empty()) return last;
    if (last == nullptr) return seq(std::move(before_));
    if (!last->comments.empty()) {
        before_.front() = with_comments(before_.front(), last->comments);
        last = with_comments(last, {});
    }
    before_.push_back(std::move(last));
    return seq(std::move(before_));
}

Expr space_name(TileSpace space) { return symbol(fmt::format("pl.Mem.{}", name(space))); }

} // namespace ls::tile
