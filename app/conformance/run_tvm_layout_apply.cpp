#include "app/conformance/run_tvm_layout_apply.h"

#include <cstdlib>
#include <map>
#include <random>

#include <fmt/format.h>

#include "app/conformance/run_tirx_layout_expression.h"
#include "app/conformance/run_tirx_layout_json.h"
#include "core/layout/symbol.h"

namespace ls::conformance {

namespace {

/// axis → one number for each point, in the form of the cases.
class Table {
public:
    Status add(const Result<AxisMap>& point) {
        if (!point) return point.error();
        for (const auto& [axis, amount] : *point) {
            if (!amount.is_constant()) return error("CONF_SYMBOLIC", "a coordinate of numbers gave an expression");
            columns_[std::string(axis.name())].push_back(amount.value());
        }
        return ok_status();
    }
    Json json() const { return columns_.is_null() ? Json::object() : columns_; }

private:
    Json columns_ = Json::object();
};

Outcome compare(const Json& op, const Status& status, const Table& table) {
    if (op.contains("error")) return refused(status, table.json().dump());
    if (!status) return failed(fmt::format("refused: {}", status.error().message));
    return same_json(op.at("result"), table.json());
}

/// Every coordinate of a list of coordinates, or of the whole shape in row-major order ("all, row-major").
std::vector<std::vector<Dim>> coordinates_of(const Json& coords, std::span<const Dim> shape) {
    std::vector<std::vector<Dim>> result;
    if (coords.is_array()) {
        for (const Json& one : coords) {
            std::vector<Dim> coordinate;
            for (const Json& x : one) coordinate.emplace_back(x.get<std::int64_t>());
            result.push_back(std::move(coordinate));
        }
        return result;
    }
    const std::int64_t count = product(shape).value();
    for (std::int64_t i = 0; i < count; ++i) {
        std::vector<Dim> coordinate = split_digits(i, shape);
        result.push_back(std::move(coordinate));
    }
    return result;
}

std::string describe(const AxisMap& map) { return to_json(map).dump(); }

} // namespace

Outcome run_apply_linear(const Layout& self, const Json& op) {
    const Json& coords = op.at("args").at("coords");
    Table table;
    Status status = ok_status();
    const auto take = [&](std::int64_t x) {
        if (status) status = table.add(apply(self, x));
    };
    if (coords.is_string()) { // "0..63": the end is included
        const std::string text = coords.get<std::string>();
        const std::int64_t last = std::strtoll(text.c_str() + text.find("..") + 2, nullptr, 10);
        for (std::int64_t x = 0; x <= last; ++x) take(x);
    } else {
        for (const Json& x : coords) take(x.get<std::int64_t>());
    }
    return compare(op, status, table);
}

Outcome run_apply_shard(const Layout& self, const Json& op) {
    Table table;
    Status status = ok_status();
    for (const auto& coordinate : coordinates_of(op.at("args").at("coords"), {})) {
        if (status) status = table.add(apply_shard(self, coordinate));
    }
    return compare(op, status, table);
}

Outcome run_apply_shape(const Layout& self, const Json& op) {
    LS_TRY_OUTCOME(const std::vector<Dim> shape, dims_from_json(op.at("args").at("shape")));
    Table table;
    Status status = ok_status();
    for (const auto& coordinate : coordinates_of(op.at("args").at("coords"), shape)) {
        if (status) status = table.add(apply(self, coordinate, shape));
    }
    return compare(op, status, table);
}

Outcome same_expressions(const Json& expected, const AxisMap& actual, const Ranges& ranges) {
    if (expected.size() != actual.size())
        return failed(fmt::format("expected {}, got {}", expected.dump(), describe(actual)));
    std::mt19937_64 random(11);
    for (int sample = 0; sample < 128; ++sample) {
        Values values;
        for (const auto& [name, range] : ranges) {
            // The corners first, then anywhere between.
            const auto count = static_cast<std::uint64_t>(range.last - range.first + 1);
            values[name] = sample == 0   ? range.first
                           : sample == 1 ? range.last
                                         : range.first + static_cast<std::int64_t>(random() % count);
        }
        for (const auto& [axis, text] : expected.items()) {
            const Dim ours = actual.get(Axis::named(axis));
            const auto right = evaluate(ours, [&values](std::string_view name) -> std::optional<std::int64_t> {
                const auto found = values.find(name);
                return found == values.end() ? std::nullopt : std::optional(found->second);
            });
            const auto left = evaluate_text(text.get<std::string>(), values);
            if (!left || left != right || !actual.contains(Axis::named(axis))) {
                return failed(
                    fmt::format("axis {}: expected {}, got {}", axis, text.get<std::string>(), to_string(ours)));
            }
        }
    }
    return passed();
}

namespace {

/// Ranges of the coordinate variables, and 1 to 40 for every other symbol of the shape or the layout.
Ranges ranges_of(const Layout& self, std::span<const std::string> vars, std::span<const Dim> shape) {
    constexpr Range kSymbol{1, 40};
    Ranges ranges;
    const auto add = [&](const Dim& dim) {
        for (const std::string& name : variables(dim)) ranges[name] = kSymbol;
    };
    for (const Dim& extent : shape) add(extent);
    for (const Iter& iter : self.tile().shard) {
        add(iter.extent);
        add(iter.stride);
    }
    for (const auto& [axis, amount] : self.tile().offset) add(amount);
    for (std::size_t i = 0; i < vars.size(); ++i) {
        const bool known = i < shape.size() && shape[i].is_constant();
        ranges[vars[i]] = {0, known ? shape[i].value() - 1 : kSymbol.last};
    }
    return ranges;
}

} // namespace

Outcome run_apply_shape_symbolic(const Layout& self, const Json& op) {
    const Json& args = op.at("args");
    LS_TRY_OUTCOME(const std::vector<Dim> shape, dims_from_json(args.at("shape")));
    const auto vars = args.at("vars").get<std::vector<std::string>>();
    std::vector<Dim> coordinate;
    for (const std::string& name : vars) coordinate.push_back(Dim::symbol(name));
    LS_TRY_OUTCOME(const AxisMap map, apply(self, coordinate, shape));
    return same_expressions(op.at("result"), map, ranges_of(self, vars, shape));
}

Outcome run_apply_linear_symbolic(const Layout& self, const Json& op) {
    const std::vector<std::string> vars{op.at("args").at("var").get<std::string>()};
    LS_TRY_OUTCOME(const AxisMap map, apply(self, Dim::symbol(vars.front())));
    Ranges ranges = ranges_of(self, vars, {});
    ranges[vars.front()].last = 1 << 20;
    return same_expressions(op.at("result"), map, ranges);
}

} // namespace ls::conformance
