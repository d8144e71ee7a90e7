// nz/nz_element_offsets, nz/tile_offsets: where elements of NZ tensors and of tiles lie, evaluated through the
// catalogue's layouts and the algebra's apply.
#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "app/conformance/run_tirx_layout_json.h"
#include "core/layout/catalogue/nz.h"

namespace ls::conformance {

namespace {

std::vector<Dim> dims(const Shape& values) { return {values.begin(), values.end()}; }

Result<std::int64_t> offset_of(const TensorLayout& tensor, const Shape& coordinate) {
    LS_TRY(const AxisMap at, apply(tensor.layout, dims(coordinate), dims(tensor.shape)));
    return at.get(axes::m).value();
}

Result<DType> dtype_named(const Json& name) {
    if (const auto dtype = dtype_from_name(name.get<std::string>())) return *dtype;
    return error("TXT_DTYPE", fmt::format("unknown type {}", name.dump()));
}

Outcome compare(const TensorLayout& tensor, const Shape& coordinate, std::int64_t expected) {
    LS_TRY_OUTCOME(const std::int64_t offset, offset_of(tensor, coordinate));
    if (offset == expected) return passed();
    return failed(fmt::format("{} at {}: expected {}, got {}", tensor.name, Json(coordinate).dump(), expected, offset));
}

/// Row-major counting over `shape`.
bool advance(Shape& coordinate, const Shape& shape) {
    for (std::size_t d = shape.size(); d-- > 0;) {
        if (++coordinate[d] < shape[d]) return true;
        coordinate[d] = 0;
    }
    return false;
}

/// A type of so many bytes; scales have a box of their own, all other boxes depend on the width alone.
DType type_of_bytes(std::int64_t bytes, std::int64_t fractal) {
    if (fractal == 32) return DType::Fp8E8M0;
    return bytes == 1 ? DType::Int8 : bytes == 2 ? DType::Fp16 : bytes == 4 ? DType::Fp32 : DType::Int64;
}

std::optional<catalogue::TileOrder> order_named(std::string_view text) {
    for (int i = 0; i < 6; ++i) {
        if (name(static_cast<catalogue::TileOrder>(i)) == text) return static_cast<catalogue::TileOrder>(i);
    }
    return {};
}

/// NZ of [N, K] and ZN of [K, N] have one byte order.
Outcome transpose_identity(const Json& test_case) {
    LS_TRY_OUTCOME(const DType dtype, dtype_named(test_case.at("dtype")));
    const auto n = test_case.at("N").get<std::int64_t>();
    const auto k = test_case.at("K").get<std::int64_t>();
    LS_TRY_OUTCOME(const TensorLayout nz, catalogue::tile_layout(catalogue::TileOrder::Nz, n, k, dtype));
    LS_TRY_OUTCOME(const TensorLayout zn, catalogue::tile_layout(catalogue::TileOrder::Zn, k, n, dtype));
    Shape at{0, 0};
    do {
        LS_TRY_OUTCOME(const std::int64_t expected, offset_of(nz, at));
        if (const Outcome one = compare(zn, {at[1], at[0]}, expected); one.kind != Outcome::Kind::Passed) return one;
    } while (advance(at, nz.shape));
    return passed();
}

} // namespace

Outcome run_nz_element_offsets(const Json& test_case, const Json&) {
    LS_TRY_OUTCOME(const DType dtype, dtype_named(test_case.at("dtype")));
    const auto shape = test_case.at("logical_shape").get<Shape>();
    LS_TRY_OUTCOME(const TensorLayout tensor, catalogue::nz_tensor(shape, dtype));
    LS_TRY_OUTCOME(const catalogue::NzBlocking blocking, catalogue::nz_blocking(shape, dtype));
    if (test_case.contains("blocked_shape")) {
        if (const Outcome one = same_json(test_case["blocked_shape"], blocking.shape);
            one.kind != Outcome::Kind::Passed)
            return one;
    }
    if (test_case.contains("blocked_stride")) {
        if (const Outcome one = same_json(test_case["blocked_stride"], blocking.stride_elems);
            one.kind != Outcome::Kind::Passed)
            return one;
    }
    if (const Outcome one = same_json(test_case.at("c0"), blocking.shape[4]); one.kind != Outcome::Kind::Passed)
        return one;
    if (test_case.contains("perm")) {
        Shape at(shape.size(), 0);
        std::size_t i = 0;
        do {
            const Outcome one = compare(tensor, at, test_case["perm"].at(i++).get<std::int64_t>());
            if (one.kind != Outcome::Kind::Passed) return one;
        } while (advance(at, shape));
        if (i != test_case["perm"].size())
            return failed(fmt::format("the layout has {} elements, the case {}", i, test_case["perm"].size()));
    }
    for (const Json& point : test_case.value("points", Json::array())) {
        Shape at;
        if (shape.size() > 2) at.push_back(point.at("b").get<std::int64_t>());
        // A rank above 3 folds its leading axes row-major into b.
        if (shape.size() > 3) {
            std::int64_t rest = at[0];
            at.assign(shape.size() - 2, 0);
            for (std::size_t d = shape.size() - 2; d-- > 0;) {
                at[d] = d == 0 ? rest : rest % shape[d];
                rest /= shape[d];
            }
        }
        at.push_back(point.at("r").get<std::int64_t>());
        at.push_back(point.at("c").get<std::int64_t>());
        if (const Outcome one = compare(tensor, at, point.at("linear").get<std::int64_t>());
            one.kind != Outcome::Kind::Passed)
            return one;
    }
    return passed();
}

Outcome run_nz_tile_offsets(const Json& test_case, const Json&) {
    if (test_case.value("kind", "") == "transpose_view_identity") return transpose_identity(test_case);
    const auto order = order_named(test_case.at("layout").get<std::string>());
    if (!order) return failed("unknown order " + test_case.at("layout").dump());
    const auto fractal = test_case.at("fractal").get<std::int64_t>();
    const DType dtype = type_of_bytes(test_case.at("elem_bytes").get<std::int64_t>(), fractal);
    const auto box_kind = static_cast<catalogue::Fractal>(fractal);
    LS_TRY_OUTCOME(const catalogue::Box box, catalogue::inner_box(*order, dtype, box_kind));
    if (const Outcome one = same_json(test_case.at("inner"), Json::array({box.rows, box.cols}));
        one.kind != Outcome::Kind::Passed)
        return one;
    LS_TRY_OUTCOME(const TensorLayout tile,
                   catalogue::tile_layout(*order, test_case.at("rows").get<std::int64_t>(),
                                          test_case.at("cols").get<std::int64_t>(), dtype, box_kind));
    for (const Json& point : test_case.at("points")) {
        const Shape at{point.at("r").get<std::int64_t>(), point.at("c").get<std::int64_t>()};
        if (const Outcome one = compare(tile, at, point.at("offset").get<std::int64_t>());
            one.kind != Outcome::Kind::Passed)
            return one;
    }
    return passed();
}

bool looks_like_nz_element_offsets(const Json& first_case) {
    return first_case.contains("logical_shape") && first_case.contains("c0") &&
           (first_case.contains("points") || first_case.contains("perm"));
}
bool looks_like_nz_tile_offsets(const Json& first_case) {
    return first_case.contains("elem_bytes") && first_case.contains("fractal");
}

} // namespace ls::conformance
