#include "core/passes/memory/space_plan.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/ir/walk.h"
#include "core/support/checked.h"

namespace ls::memory {

using namespace ir;

std::int64_t SpacePlan::place(std::int64_t bytes) {
    const std::int64_t base = next_;
    const CheckedInt end = checked_add(base, bytes);
    const CheckedInt padded = end ? checked_add(*end, kBufferAlignBytes - 1) : CheckedInt{};
    next_ = padded ? *padded / kBufferAlignBytes * kBufferAlignBytes : std::numeric_limits<std::int64_t>::max();
    return base;
}

namespace {

std::optional<std::int64_t> integer(const ExprNode* value) {
    if (const auto* negated = as<UnaryNode>(value); negated != nullptr && negated->op == UnaryOp::Neg) {
        const auto inner = constant(negated->operand);
        return inner ? checked_sub(0, *inner) : std::nullopt;
    }
    return constant(value);
}

} // namespace

Result<Reserved> reserved_buffers(const FunctionNode& function) {
    Reserved reserved;
    const TileSpace space = function.function == FunctionKind::AIC ? TileSpace::Mat : TileSpace::Vec;
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    std::optional<Diagnostic> wrong;
    std::int64_t next = 0;
    for_each_call(*function.body, [&](const CallNode& call) {
        if (wrong || !call.is_op("system.reserve_buffer")) return;
        const auto size = integer(call.kwarg("size"));
        const auto given = call.kwarg("base") != nullptr ? integer(call.kwarg("base")) : std::optional<std::int64_t>(-1);
        const std::int64_t begin = given && *given >= 0 ? *given : next;
        const CheckedInt end = size && *size > 0 ? checked_add(begin, *size) : CheckedInt{};
        const CheckedInt padded = end ? checked_add(*end, kBufferAlignBytes - 1) : CheckedInt{};
        if (!given || !padded || *padded > std::numeric_limits<std::int32_t>::max()) {
            wrong = error_at(call.span, "MEM_RESERVED", "a reserved buffer needs a positive constant size and a constant base that fit in 31 bits");
            return;
        }
        const std::int64_t until = *padded / kBufferAlignBytes * kBufferAlignBytes;
        for (const auto& [b, e] : ranges) {
            if (begin < e && b < until) {
                wrong = error_at(call.span, "MEM_RESERVED", fmt::format("the reserved buffer at bytes {}–{} overlaps the one at {}–{}", begin, until - 1, b, e - 1),
                                 "leave base= out, so that it is placed behind the others");
                return;
            }
        }
        ranges.emplace_back(begin, until);
        reserved.base_bytes[&call] = begin;
        next = std::max(next, until);
        std::int64_t& last = reserved.end_bytes[space];
        last = std::max(last, until);
    });
    if (wrong) return *std::move(wrong);
    return reserved;
}

} // namespace ls::memory
