#include "core/ub/model/placing.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::ub {

namespace {

constexpr std::int64_t kBlock = 32;
constexpr std::int64_t kMaxBlocks = 1 << 20;

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

/// The whole expression as the span.
Diagnostic about(const SizeText& source, std::string code, std::string message, std::string hint) {
    return placed(error_at({0, source.text.size()}, std::move(code), std::move(message), std::move(hint)), source);
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
        if (known != scope.end()) {
            bound.slots.push_back(known->second);
            continue;
        }
        std::string names;
        for (const auto& [each, slot] : scope) names += fmt::format("{}{}", names.empty() ? "" : ", ", each);
        return placed(error_at(bound.expression.name_span(i), "MODEL_NAME_UNKNOWN",
                               fmt::format("no parameter or earlier derived value is called '{}'", name),
                               names.empty() ? "define it under params" : fmt::format("known here: {}", names)),
                      source);
    }
    return bound;
}

/// One placement. Functions answer false where it must stop; why() then says why.
class Placer {
public:
    Placer(const BoundModel& bound, Numbers& numbers) : bound_(bound), numbers_(numbers) {}

    bool run(std::span<const std::int64_t> params) {
        numbers_.values.assign(params.begin(), params.end());
        numbers_.allocs.clear();
        numbers_.views.clear();
        numbers_.ub_used = 0;
        numbers_.host_tmp.reset();
        for (const BoundSize& each : bound_.derived) {
            std::int64_t result = 0;
            if (!value(each, result)) return false;
            numbers_.values.push_back(result);
        }
        for (std::size_t i = 0; i < bound_.allocs.size(); ++i) {
            if (!place_alloc(bound_.model.allocs[i], bound_.allocs[i])) return false;
        }
        if (bound_.host_tmp) {
            std::int64_t result = 0;
            if (!value(*bound_.host_tmp, result)) return false;
            numbers_.host_tmp = result;
        }
        return true;
    }

    Diagnostic why() {
        switch (stop_) {
        case Stop::Expression: {
            auto again = failed_->expression.evaluate(arguments(*failed_));
            if (!again.ok()) return placed(std::move(again).error(), *failed_->source);
            break;
        }
        case Stop::Negative:
            return about(*source_, "MODEL_VALUE", fmt::format("the size {} is negative", number_),
                         "a size is zero or more");
        case Stop::Blocks:
            return about(*source_, "MODEL_VALUE", fmt::format("a queue of {} blocks", number_),
                         "a queue has at least one block");
        case Stop::TooLarge: break;
        }
        return about(*source_, "EXPR_OVERFLOW", "the address does not fit 64 bits",
                     "check the parameters that it is made of");
    }

private:
    enum class Stop : std::uint8_t { Expression, Negative, Blocks, TooLarge };

    std::span<const std::int64_t> arguments(const BoundSize& size) {
        numbers_.arguments.resize(size.slots.size());
        for (std::size_t i = 0; i < size.slots.size(); ++i) numbers_.arguments[i] = numbers_.values[size.slots[i]];
        return numbers_.arguments;
    }

    bool stop(Stop why, const SizeText& source, std::int64_t number = 0) {
        stop_ = why;
        source_ = &source;
        number_ = number;
        return false;
    }

    bool value(const BoundSize& size, std::int64_t& result) {
        if (size.expression.evaluate_into(arguments(size), result)) return true;
        failed_ = &size;
        return stop(Stop::Expression, *size.source);
    }

    bool size(const BoundSize& size, std::int64_t& result) {
        if (!value(size, result)) return false;
        return result >= 0 || stop(Stop::Negative, *size.source, result);
    }

    bool place_alloc(const Alloc& alloc, const BoundAlloc& bound) {
        AllocNumbers to;
        to.base = numbers_.ub_used;
        to.first_view = numbers_.views.size();
        if (bound.num) {
            if (!size(*bound.num, to.num)) return false;
            if (to.num < 1 || to.num > kMaxBlocks) return stop(Stop::Blocks, alloc.num, to.num);
        }
        if (alloc.rest) {
            to.requested = std::max<std::int64_t>(0, bound_.model.platform.ub_bytes - to.base);
        } else if (!size(*bound.len, to.requested)) {
            return false;
        }
        if (to.requested > std::numeric_limits<std::int64_t>::max() - kBlock) return stop(Stop::TooLarge, alloc.len);
        to.len = align_up(to.requested, kBlock);
        const CheckedInt total = checked_mul(to.num, to.len);
        const CheckedInt end = total ? checked_add(to.base, *total) : CheckedInt{};
        if (!end) return stop(Stop::TooLarge, alloc.len);
        numbers_.ub_used = *end;
        for (std::size_t i = 0; i < alloc.views.size(); ++i) {
            if (!place_view(alloc.views[i], bound.views[i], to)) return false;
        }
        numbers_.allocs.push_back(to);
        return true;
    }

    bool place_view(const View& view, const BoundView& bound, AllocNumbers& to) {
        ViewNumbers v;
        if (!size(bound.elems, v.elems)) return false;
        const CheckedInt bytes = checked_mul(v.elems, whole_bytes(view.dtype));
        if (!bytes) return stop(Stop::TooLarge, view.elems);
        v.bytes = *bytes;
        if (bound.off) {
            if (!size(*bound.off, v.off)) return false;
        } else {
            v.off = to.cursor;
            v.advance = v.bytes;
            if (bound.advance && !size(*bound.advance, v.advance)) return false;
        }
        const CheckedInt end = checked_add(v.off, v.bytes);
        const CheckedInt cursor = checked_add(to.cursor, v.advance);
        if (!end || !cursor) return stop(Stop::TooLarge, view.elems);
        v.end = *end;
        to.cursor = *cursor;
        to.used = std::max(to.used, v.end);
        numbers_.views.push_back(v);
        return true;
    }

    const BoundModel& bound_;
    Numbers& numbers_;
    Stop stop_ = Stop::TooLarge;
    const BoundSize* failed_ = nullptr;
    const SizeText* source_ = nullptr;
    std::int64_t number_ = 0;
};

} // namespace

Status BoundModel::bind_all() {
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

Status BoundModel::place(std::span<const std::int64_t> params, Numbers& numbers) const {
    Placer placer(*this, numbers);
    if (placer.run(params)) return ok_status();
    return placer.why();
}

} // namespace ls::ub
