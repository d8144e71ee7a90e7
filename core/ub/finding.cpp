#include "core/ub/finding.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace ls::ub {

namespace {

constexpr auto E = Severity::Error;
constexpr auto W = Severity::Warning;
constexpr auto I = Severity::Note;

constexpr std::array kChecks{
    CheckInfo{"E_ALIAS_UNDECLARED", E, "two views of one buffer share bytes and name no common alias group",
              "move one of them, or declare the sharing with a common aliasGroup and give both their live ranges"},
    CheckInfo{"E_ALLOC_AFTER_REST", E, "a buffer is requested after one that takes the rest of the unified buffer",
              "request fixed-size queues and buffers first, the rest buffer last"},
    CheckInfo{"E_AVG_NOT_COMPUTED", E, "the quota is 0 or was never computed when the first unit of work is claimed",
              "call ComputeAvgload before the first IsCurrentBlock"},
    CheckInfo{"E_AVG_U32_WRAP", E, "the quota does not fit the 32 bits that store it",
              "store the quota and the running load in 64 bits"},
    CheckInfo{"E_BLOCKDIM_GT_PHYSICAL", E, "more blocks are launched than the chip has vector cores",
              "take the launch size from the vector-core query, not from the generic core count"},
    CheckInfo{"E_BUDGET_UNDER", E, "the host budgets fewer scratch bytes than the device carves",
              "bring the host formula and the device carving to the same terms"},
    CheckInfo{"E_BUFFER_COUNT", E, "more than 64 blocks are requested from one TPipe",
              "merge scratch buffers into one and carve views from it"},
    CheckInfo{"E_CURSOR_DOUBLE", E, "the byte cursor is advanced twice for each view",
              "advance once; GetWithOffset takes the offset by value and moves nothing"},
    CheckInfo{"E_CURSOR_ELEMENTS", E, "the byte cursor is advanced by an element count",
              "multiply the element count by sizeof(T) before adding it to the cursor"},
    CheckInfo{"E_DOUBLE_CALL", E, "IsCurrentBlock is evaluated more than once for a unit of work",
              "call it exactly once for each unit, on every core, and keep its answer in a variable"},
    CheckInfo{"E_DUPLICATED", E, "a unit of work is executed by more than one core",
              "keep load and turn identical on every core: same order, one call a unit"},
    CheckInfo{"E_HOST_DEVICE_BRANCH", E, "host and device decide differently whether scores and state share bytes",
              "launch the block count that the host computed, or let the tiling record carry the decision"},
    CheckInfo{"E_LIVE_ALIAS", E, "two views share bytes while both are live",
              "separate them, or end the first one's life before the second one's begins"},
    CheckInfo{"E_OFFSET_MISALIGNED", E, "a view starts off a 32-byte boundary",
              "round the preceding advance up to 32 bytes (for fp32 rows: a multiple of 8 elements)"},
    CheckInfo{"E_SUM_GT_T", E, "the sequence lengths add up to more rows than the packed tensors have",
              "check the lengths on the host before launching"},
    CheckInfo{"E_TBUF_OVERRUN", E, "a view ends past the buffer that it is carved from",
              "pass elements, not bytes, as the size, and enlarge the buffer if the size was right"},
    CheckInfo{"E_TILING_FAIL", E, "no V step down to 16 fits the unified buffer",
              "shrink the chunk or the key head, or free unified buffer"},
    CheckInfo{"E_TILING_SIZE", E, "host and device disagree about the size of the tiling record",
              "generate both definitions from one source and assert the size on both sides"},
    CheckInfo{"E_U32_WRAP", E, "a size does not fit the 32 bits in which the kernel computes it",
              "no sane shape comes here: check the parameters"},
    CheckInfo{"E_UB_OVERFLOW", E, "the requested blocks exceed the unified buffer",
              "drop double buffering, shrink a tile, or overlay views whose lives are disjoint"},
    CheckInfo{"E_UNASSIGNED", E, "a unit of work has no owner", "use a quota rounded up: ceil(total / cores)"},
    CheckInfo{"I_ALIAS_OK", I, "two views share bytes and are never live together", "nothing to do"},
    CheckInfo{"I_SLOW_PATH", I, "the staging or query-cache conditions fail, so rows are copied one by one",
              "a V step of at least half the key head keeps the staging path"},
    CheckInfo{"W_ALIAS_NO_LIVENESS", W, "two views of one alias group share bytes, and no live ranges prove it safe",
              "give both views their live ranges"},
    CheckInfo{"W_BATCH_PARALLELISM", W, "the launch ignores the batch and leaves cores unused",
              "launch min(B * hv * vTiles, cores) blocks"},
    CheckInfo{"W_BUDGET_OVER", W, "the host budgets more scratch bytes than the device carves",
              "bring the host formula and the device carving to the same terms"},
    CheckInfo{"W_EMPTY_BATCH_STATE_UNWRITTEN", W, "a batch without rows never writes its final state",
              "copy initial_state to final_state for empty batches"},
    CheckInfo{"W_GAP", W, "bytes between views belong to none", "close the gap, or name it as padding"},
    CheckInfo{"W_IDLE_CORES", W, "launched cores receive no work",
              "see the alternatives: balanced ranges, or a "
              "carried remainder"},
    CheckInfo{"W_IMBALANCE", W, "the busiest core works much longer than an even split would",
              "close a core before it exceeds the balanced limit instead of after it reached the quota"},
    CheckInfo{"W_INIT_GUARD", W, "Init may return early while Process still runs on unset buffers",
              "let Init answer a bool and skip Process when it is false"},
    CheckInfo{"W_LAST_VIEW_NOT_ADVANCED", W, "the cursor still stands at the start of the last view",
              "advance past the last view too: offsets stay as they are and an appended view cannot land on it"},
    CheckInfo{"W_LEN_ROUNDED_32", W, "a block length is no multiple of 32, so InitBuffer takes more",
              "request the rounded length, so that budget and allocation agree"},
    CheckInfo{"W_NEG_SEQLEN", W, "a negative length moves the row cursor backwards",
              "refuse negative lengths on the host"},
    CheckInfo{"W_QUEUE_COUNT", W, "more queue blocks at one position than the chip allows",
              "merge queues, or drop double buffering on the short ones"},
    CheckInfo{"W_QUEUE_DEPTH_LT_NUM", W, "a queue's declared depth is below its number of blocks",
              "declare TQue<pos, num> with the depth that InitBuffer is given"},
    CheckInfo{"W_RESERVED_TAIL", W, "buffers reach into the tail that some library calls use as scratch",
              "keep the last bytes free, or make sure that no such call runs"},
    CheckInfo{"W_SLACK", W, "bytes at the end of a buffer are unused", "a larger tile or a second buffer may fit"},
    CheckInfo{"W_VSTEP_NOT_MULT16", W, "a V step that is no multiple of 16 puts later tiles off a 32-byte boundary",
              "use a multiple of 16 (32 bytes of fp16)"},
};

constexpr bool sorted() {
    for (std::size_t i = 1; i < kChecks.size(); ++i) {
        if (!(kChecks[i - 1].code < kChecks[i].code)) return false;
    }
    return true;
}
static_assert(sorted(), "looked up by binary search");

} // namespace

std::span<const CheckInfo> check_catalogue() { return kChecks; }

const CheckInfo* find_check(std::string_view code) {
    const auto at = std::lower_bound(kChecks.begin(), kChecks.end(), code,
                                     [](const CheckInfo& check, std::string_view c) { return check.code < c; });
    return at != kChecks.end() && at->code == code ? &*at : nullptr;
}

Severity Finding::severity() const {
    const CheckInfo* check = find_check(code);
    return check != nullptr ? check->severity : Severity::Error;
}

std::optional<std::int64_t> Finding::number(std::string_view name) const {
    for (const Number& n : numbers) {
        if (n.name == name) return n.value;
    }
    return {};
}

Diagnostic Finding::diagnostic() const {
    std::string text = subject.empty() ? message : fmt::format("{}: {}", subject, message);
    return {std::string(code), severity(), span, std::move(text), hint, {}};
}

Finding finding(std::string_view code, std::string subject, std::vector<Number> numbers, std::string message,
                std::string hint) {
    const CheckInfo* check = find_check(code);
    Finding made{code, std::move(subject), std::move(numbers), std::move(message), std::move(hint), {}, {}};
    if (check != nullptr) {
        made.code = check->code; // the catalogue's literal outlives every caller
        if (made.hint.empty()) made.hint = check->mend;
    }
    return made;
}

bool has_errors(std::span<const Finding> findings) {
    return std::any_of(findings.begin(), findings.end(),
                       [](const Finding& f) { return f.severity() == Severity::Error; });
}

const Finding* find(std::span<const Finding> findings, std::string_view code) {
    const auto at = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.code == code; });
    return at == findings.end() ? nullptr : &*at;
}

} // namespace ls::ub
