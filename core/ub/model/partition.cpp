#include "core/ub/model/partition.h"

#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "core/support/checked.h"
#include "core/ub/model/expression.h"
#include "core/ub/model/model_checks.h"

namespace ls::ub {

namespace {

constexpr std::int64_t kBlock = 32;
constexpr std::int64_t kMaxBlocks = 1 << 20;

/// An expression with its names bound to slots of the value table.
struct BoundSize {
    Expression expression;
    std::vector<std::uint32_t> slots;
    const SizeText* source = nullptr;
};

/// Moves a diagnostic of an expression to its place in the model's text.
Diagnostic placed(Diagnostic problem, const SizeText& source) {
    const Place& place = source.place;
    if (source.inner) {
        const std::size_t begin = place.span.begin + 1;
        problem.span = {begin + problem.span.begin, begin + problem.span.end};
    } else {
        problem.span = place.span;
    }
    problem.message = fmt::format("{}: {} in '{}'", place.pointer.empty() ? "expression" : place.pointer,
                                  problem.message, source.text);
    return problem;
}

/// Names known so far, and the slot of each.
using Scope = std::map<std::string, std::uint32_t, std::less<>>;

Result<BoundSize> bind(const SizeText& source, const Scope& scope) {
    auto parsed = Expression::parse(source.text);
    if (!parsed.ok()) return placed(std::move(parsed).error(), source);
    BoundSize bound{std::move(parsed).value(), {}, &source};
    for (std::size_t i = 0; i < bound.expression.names().size(); ++i) {
        const std::string& name = bound.expression.names()[i];
        const auto known = scope.find(name);
        if (known == scope.end()) {
            std::string names;
            for (const auto& [each, slot] : scope) names += fmt::format("{}{}", names.empty() ? "" : ", ", each);
            return placed(error_at(bound.expression.name_span(i), "MODEL_NAME_UNKNOWN",
                                   fmt::format("no parameter or earlier derived value is called '{}'", name),
                                   names.empty() ? "define it under params" : fmt::format("known here: {}", names)),
                          source);
        }
        bound.slots.push_back(known->second);
    }
    return bound;
}

struct BoundView {
    BoundSize elems;
    std::optional<BoundSize> off, advance;
};
struct BoundAlloc {
    std::optional<BoundSize> num, len;
    std::vector<BoundView> views;
};

// Numbers alone, in the order of the model.
struct ViewNumbers {
    std::int64_t elems = 0, bytes = 0, off = 0, end = 0, advance = 0;
};
struct AllocNumbers {
    std::int64_t base = 0, num = 1, requested = 0, len = 0, used = 0, cursor = 0;
    std::size_t first_view = 0; ///< into Numbers::views
};
struct Numbers {
    std::vector<std::int64_t> values; ///< params, then derived
    std::vector<AllocNumbers> allocs;
    std::vector<ViewNumbers> views;
    std::int64_t ub_used = 0;
    std::optional<std::int64_t> host_tmp;
};

} // namespace

struct CompiledModel::Bound {
    Model model;
    std::vector<BoundSize> derived;
    std::vector<BoundAlloc> allocs;
    std::optional<BoundSize> host_tmp;

    Status bind_all();
    Result<Numbers> place(std::span<const std::int64_t> params) const;

private:
    Result<std::int64_t> value(const BoundSize& size, const Numbers& numbers) const;
    Result<std::int64_t> size(const BoundSize& size, const Numbers& numbers) const;
    Status place_views(const Alloc& alloc, const BoundAlloc& bound, AllocNumbers& to, Numbers& numbers) const;
};

namespace {

Diagnostic too_large(const SizeText& source) {
    return placed(error_at({0, source.text.size()}, "EXPR_OVERFLOW", "the address does not fit 64 bits",
                           "check the parameters that it is made of"),
                  source);
}

} // namespace

Status CompiledModel::Bound::bind_all() {
    Scope scope;
    for (const Parameter& param : model.params) scope.emplace(param.name, static_cast<std::uint32_t>(scope.size()));
    for (const DerivedValue& each : model.derived) {
        LS_TRY(BoundSize bound, bind(each.value, scope));
        derived.push_back(std::move(bound));
        scope.emplace(each.name, static_cast<std::uint32_t>(scope.size()));
    }
    const auto bind_optional = [&](const std::optional<SizeText>& source, std::optional<BoundSize>& to) -> Status {
        if (!source) return ok_status();
        LS_TRY(to, bind(*source, scope));
        return ok_status();
    };
    for (const Alloc& alloc : model.allocs) {
        BoundAlloc bound;
        if (alloc.kind == AllocKind::Queue) {
            LS_TRY(bound.num, bind(alloc.num, scope));
        }
        if (!alloc.rest) {
            LS_TRY(bound.len, bind(alloc.len, scope));
        }
        for (const View& view : alloc.views) {
            BoundView to;
            LS_TRY(to.elems, bind(view.elems, scope));
            LS_CHECK(bind_optional(view.off, to.off));
            LS_CHECK(bind_optional(view.advance, to.advance));
            bound.views.push_back(std::move(to));
        }
        allocs.push_back(std::move(bound));
    }
    return bind_optional(model.host_tmp, host_tmp);
}

Result<std::int64_t> CompiledModel::Bound::value(const BoundSize& bound, const Numbers& numbers) const {
    constexpr std::size_t kFew = 16;
    std::int64_t few[kFew];
    std::vector<std::int64_t> many;
    std::span<std::int64_t> arguments(few, std::min(bound.slots.size(), kFew));
    if (bound.slots.size() > kFew) {
        many.resize(bound.slots.size());
        arguments = many;
    }
    for (std::size_t i = 0; i < bound.slots.size(); ++i) arguments[i] = numbers.values[bound.slots[i]];
    auto result = bound.expression.evaluate(arguments);
    if (!result.ok()) return placed(std::move(result).error(), *bound.source);
    return result;
}

Result<std::int64_t> CompiledModel::Bound::size(const BoundSize& bound, const Numbers& numbers) const {
    LS_TRY(const std::int64_t result, value(bound, numbers));
    if (result >= 0) return result;
    return placed(error_at({0, bound.source->text.size()}, "MODEL_VALUE",
                           fmt::format("the size {} is negative", result), "a size is zero or more"),
                  *bound.source);
}

Status CompiledModel::Bound::place_views(const Alloc& alloc, const BoundAlloc& bound, AllocNumbers& to,
                                         Numbers& numbers) const {
    for (std::size_t i = 0; i < alloc.views.size(); ++i) {
        const View& view = alloc.views[i];
        ViewNumbers v;
        LS_TRY(v.elems, size(bound.views[i].elems, numbers));
        const CheckedInt bytes = checked_mul(v.elems, whole_bytes(view.dtype));
        if (!bytes) return too_large(view.elems);
        v.bytes = *bytes;
        if (bound.views[i].off) {
            LS_TRY(v.off, size(*bound.views[i].off, numbers));
        } else {
            v.off = to.cursor;
            v.advance = v.bytes;
            if (bound.views[i].advance) {
                LS_TRY(v.advance, size(*bound.views[i].advance, numbers));
            }
        }
        const CheckedInt end = checked_add(v.off, v.bytes);
        const CheckedInt cursor = checked_add(to.cursor, v.advance);
        if (!end || !cursor) return too_large(view.elems);
        v.end = *end;
        to.cursor = *cursor;
        to.used = std::max(to.used, v.end);
        numbers.views.push_back(v);
    }
    return ok_status();
}

Result<Numbers> CompiledModel::Bound::place(std::span<const std::int64_t> params) const {
    Numbers numbers;
    numbers.values.reserve(params.size() + derived.size());
    numbers.values.assign(params.begin(), params.end());
    for (const BoundSize& each : derived) {
        LS_TRY(const std::int64_t result, value(each, numbers));
        numbers.values.push_back(result);
    }
    numbers.allocs.reserve(allocs.size());
    for (std::size_t i = 0; i < allocs.size(); ++i) {
        const Alloc& alloc = model.allocs[i];
        AllocNumbers to;
        to.base = numbers.ub_used;
        to.first_view = numbers.views.size();
        if (allocs[i].num) {
            LS_TRY(to.num, size(*allocs[i].num, numbers));
            if (to.num < 1 || to.num > kMaxBlocks) {
                return placed(error_at({0, alloc.num.text.size()}, "MODEL_VALUE",
                                       fmt::format("a queue of {} blocks", to.num), "a queue has at least one block"),
                              alloc.num);
            }
        }
        if (alloc.rest) {
            to.requested = std::max<std::int64_t>(0, model.platform.ub_bytes - to.base);
        } else {
            LS_TRY(to.requested, size(*allocs[i].len, numbers));
        }
        if (to.requested > std::numeric_limits<std::int64_t>::max() - kBlock) return too_large(alloc.len);
        to.len = align_up(to.requested, kBlock);
        const CheckedInt total = checked_mul(to.num, to.len);
        const CheckedInt end = total ? checked_add(to.base, *total) : CheckedInt{};
        if (!end) return too_large(alloc.len);
        numbers.ub_used = *end;
        LS_CHECK(place_views(alloc, allocs[i], to, numbers));
        numbers.allocs.push_back(to);
    }
    if (host_tmp) {
        LS_TRY(numbers.host_tmp, value(*host_tmp, numbers));
    }
    return numbers;
}

namespace {

/// Bytes of [0, used) that no view covers.
std::int64_t uncovered(const std::vector<PlacedView>& views, std::int64_t used) {
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    ranges.reserve(views.size());
    for (const PlacedView& view : views) ranges.emplace_back(view.off, view.end);
    std::sort(ranges.begin(), ranges.end());
    std::int64_t gaps = 0, reached = 0;
    for (const auto& [off, end] : ranges) {
        gaps += std::max<std::int64_t>(0, off - reached);
        reached = std::max(reached, end);
    }
    return gaps + std::max<std::int64_t>(0, used - reached);
}

PlacedAlloc dress(const Alloc& alloc, const AllocNumbers& numbers, std::span<const ViewNumbers> views) {
    PlacedAlloc placed_alloc;
    placed_alloc.name = alloc.name;
    placed_alloc.kind = alloc.kind;
    placed_alloc.position = alloc.position;
    placed_alloc.ub_base = numbers.base;
    placed_alloc.num = numbers.num;
    placed_alloc.requested_len = numbers.requested;
    placed_alloc.len = numbers.len;
    placed_alloc.total = numbers.num * numbers.len;
    placed_alloc.used = numbers.used;
    placed_alloc.slack = numbers.len - numbers.used;
    placed_alloc.cursor_final = numbers.cursor;
    placed_alloc.views.reserve(views.size());
    for (std::size_t i = 0; i < views.size(); ++i) {
        const View& view = alloc.views[i];
        const ViewNumbers& v = views[i];
        placed_alloc.views.push_back(
            {view.name, view.dtype, v.elems, v.bytes, v.off, v.end, v.advance, !view.off, view.alias_group, view.live});
    }
    placed_alloc.gaps = uncovered(placed_alloc.views, placed_alloc.used);
    return placed_alloc;
}

Diagnostic wrong_count(std::size_t given, std::size_t wanted) {
    return error("MODEL_VALUE", fmt::format("{} parameter values for {} parameters", given, wanted));
}

} // namespace

const PlacedAlloc* Partition::find(std::string_view alloc) const {
    const auto at =
        std::find_if(allocs.begin(), allocs.end(), [&](const PlacedAlloc& each) { return each.name == alloc; });
    return at == allocs.end() ? nullptr : &*at;
}

Result<CompiledModel> CompiledModel::compile(Model model) {
    // Bound sizes point at the texts of the model beside them, so the model moves in before they are made.
    auto bound = std::make_shared<Bound>();
    bound->model = std::move(model);
    LS_CHECK(bound->bind_all());
    CompiledModel compiled;
    compiled.bound_ = std::move(bound);
    return compiled;
}

const Model& CompiledModel::model() const { return bound_->model; }

std::vector<std::int64_t> CompiledModel::parameter_values() const {
    std::vector<std::int64_t> values;
    for (const Parameter& param : bound_->model.params) values.push_back(param.value);
    return values;
}

std::optional<std::size_t> CompiledModel::parameter_index(std::string_view name) const {
    const Parameter* param = bound_->model.find_param(name);
    if (param == nullptr) return {};
    return static_cast<std::size_t>(param - bound_->model.params.data());
}

Result<Partition> CompiledModel::evaluate(std::span<const std::int64_t> values) const {
    const Model& model = bound_->model;
    if (values.size() != model.params.size()) return wrong_count(values.size(), model.params.size());
    LS_TRY(const Numbers numbers, bound_->place(values));
    Partition partition;
    partition.ub_bytes = model.platform.ub_bytes;
    partition.ub_used = numbers.ub_used;
    partition.ub_free = model.platform.ub_bytes - numbers.ub_used;
    partition.host_tmp = numbers.host_tmp;
    for (std::size_t i = 0; i < model.derived.size(); ++i) {
        partition.derived.emplace_back(model.derived[i].name, numbers.values[model.params.size() + i]);
    }
    partition.allocs.reserve(model.allocs.size());
    for (std::size_t i = 0; i < model.allocs.size(); ++i) {
        const AllocNumbers& alloc = numbers.allocs[i];
        const std::span<const ViewNumbers> views(numbers.views.data() + alloc.first_view, model.allocs[i].views.size());
        partition.allocs.push_back(dress(model.allocs[i], alloc, views));
        partition.buffer_count += alloc.num;
        if (model.allocs[i].kind == AllocKind::TBuf) partition.device_used += alloc.used;
    }
    partition.findings = check_partition(model, partition);
    return partition;
}

Result<Footprint> CompiledModel::measure(std::span<const std::int64_t> values) const {
    const Model& model = bound_->model;
    if (values.size() != model.params.size()) return wrong_count(values.size(), model.params.size());
    LS_TRY(const Numbers numbers, bound_->place(values));
    Footprint footprint;
    footprint.ub_used = numbers.ub_used;
    footprint.host_tmp = numbers.host_tmp;
    footprint.ub_fits = numbers.ub_used <= model.platform.ub_bytes;
    for (std::size_t i = 0; i < model.allocs.size(); ++i) {
        if (model.allocs[i].kind != AllocKind::TBuf) continue;
        footprint.device_used += numbers.allocs[i].used;
        footprint.views_fit = footprint.views_fit && numbers.allocs[i].used <= numbers.allocs[i].len;
    }
    return footprint;
}

} // namespace ls::ub
