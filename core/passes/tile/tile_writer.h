// Writing tile operations before the statement that wants them.
#pragma once

#include <string>
#include <vector>

#include "core/ir/stmt.h"
#include "core/passes/fresh_names.h"

namespace ls::tile {

struct Made {
    ir::Expr value;
    ir::Type type;
};

/// Base of the mutators that add operations: those written while a statement is rewritten stand before it and have it
/// as origin.
class TileWriter {
protected:
    explicit TileWriter(FreshNames& names) : names_(names) {}

    /// A call with the type that it answers; attributes and span are those of `from`.
    static Made made(std::string op, std::vector<ir::Expr> args, std::vector<ir::KeyValue> kwargs, const ir::CallNode& from,
                     std::vector<ir::KeyValue> attrs = {});
    ir::Var define(const std::string& name, ir::Expr value, ir::Type type);
    ir::Var define(const std::string& name, Made what) { return define(name, std::move(what.value), std::move(what.type)); }
    /// name = tile.create(shape)
    ir::Var create(const std::string& name, std::vector<ir::Expr> shape, DType dtype, ir::TileSpace space = ir::TileSpace::Vec);
    /// The statement behind what has to run before it; the lines above it stay above. Null when there is neither.
    ir::Stmt finish(ir::Stmt last);

    FreshNames& names_;
    ir::Stmt current_;             ///< the statement that is being rewritten
    std::vector<ir::Stmt> before_; ///< what must run before it
};

ir::Expr space_name(ir::TileSpace space); ///< pl.Mem.Vec

} // namespace ls::tile
