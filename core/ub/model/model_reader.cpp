#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "core/ub/model/json_tree.h"
#include "core/ub/model/model_json.h"
#include "core/ub/platform.h"

namespace ls::ub {

namespace {

using Kind = JsonNode::Kind;
using Keys = std::span<const std::string_view>;

constexpr std::array<std::string_view, 7> kModelKeys{"schema", "platform", "params", "derived",
                                                     "phases", "allocs",   "host"};
constexpr std::array<std::string_view, 4> kPlatformKeys{"name", "ubBytes", "reservedTailBytes",
                                                        "maxQueueBuffersPerPosition"};
constexpr std::array<std::string_view, 7> kQueueKeys{"name", "kind", "pos", "depth", "num", "len", "live"};
constexpr std::array<std::string_view, 6> kTbufKeys{"name", "kind", "pos", "len", "views", "live"};
constexpr std::array<std::string_view, 7> kViewKeys{"name", "dtype", "elems", "off", "advance", "aliasGroup", "live"};
constexpr std::array<std::string_view, 1> kHostKeys{"tmp"};
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 40;
constexpr std::size_t kMaxEntries = 100'000;

bool is_name(std::string_view text) {
    if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
    return std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

/// Collects every problem instead of stopping at the first: a file is mended in one go.
class ModelReader {
public:
    void read(const JsonNode& root) {
        if (!expect(root, Kind::Object, "the model")) return;
        check_keys(root, kModelKeys);
        if (const JsonNode* schema = root.find("schema"); schema != nullptr && schema->string != "ub-model/1") {
            problem(*schema, "MODEL_VALUE", "the schema must be \"ub-model/1\"");
        }
        if (const JsonNode* node = require(root, "platform", Kind::Object)) read_platform(*node);
        if (const JsonNode* node = optional(root, "params", Kind::Object)) read_params(*node);
        if (const JsonNode* node = optional(root, "derived", Kind::Array)) read_derived(*node);
        if (const JsonNode* node = optional(root, "phases", Kind::Array)) read_phases(*node);
        if (const JsonNode* node = require(root, "allocs", Kind::Array)) read_allocs(*node);
        if (const JsonNode* node = optional(root, "host", Kind::Object)) {
            check_keys(*node, kHostKeys);
            if (const JsonNode* tmp = require(*node, "tmp")) file.model.host_tmp = size(*tmp);
        }
    }

    ModelFile file;
    std::vector<Diagnostic> problems;

private:
    void problem(const JsonNode& node, std::string code, std::string message, std::string hint = {}) {
        const std::string_view where = node.pointer.empty() ? "/" : std::string_view(node.pointer);
        problems.push_back(
            error_at(node.span, std::move(code), fmt::format("{}: {}", where, message), std::move(hint)));
    }

    bool expect(const JsonNode& node, Kind kind, std::string_view what) {
        if (node.is(kind)) return true;
        JsonNode wanted;
        wanted.kind = kind;
        problem(node, "MODEL_TYPE", fmt::format("{} must be {}, not {}", what, wanted.kind_name(), node.kind_name()));
        return false;
    }

    const JsonNode* require(const JsonNode& object, std::string_view key) {
        const JsonNode* node = object.find(key);
        if (node == nullptr) problem(object, "MODEL_KEY_MISSING", fmt::format("'{}' is missing", key));
        return node;
    }
    const JsonNode* require(const JsonNode& object, std::string_view key, Kind kind) {
        const JsonNode* node = require(object, key);
        return node != nullptr && expect(*node, kind, key) ? node : nullptr;
    }
    /// Null is as good as absent.
    const JsonNode* optional(const JsonNode& object, std::string_view key, Kind kind) {
        const JsonNode* node = object.find(key);
        return node != nullptr && !node->is(Kind::Null) && expect(*node, kind, key) ? node : nullptr;
    }

    void check_keys(const JsonNode& object, Keys keys) {
        for (const JsonMember& member : object.members) {
            if (std::find(keys.begin(), keys.end(), member.key) != keys.end()) continue;
            file.warnings.push_back(
                warning_at(member.key_span, "MODEL_KEY_UNKNOWN",
                           fmt::format("{}: the key '{}' means nothing here", member.value.pointer, member.key),
                           fmt::format("known keys: {}", fmt::join(keys, ", "))));
        }
    }

    std::int64_t number(const JsonNode& node, std::string_view what, std::int64_t low, std::int64_t high,
                        std::int64_t otherwise) {
        if (!expect(node, Kind::Integer, what)) return otherwise;
        if (node.integer >= low && node.integer <= high) return node.integer;
        problem(node, "MODEL_VALUE", fmt::format("{} = {} lies outside {}..{}", what, node.integer, low, high));
        return otherwise;
    }

    /// A size is an expression in quotes or a plain number.
    SizeText size(const JsonNode& node) {
        SizeText text;
        text.place = {node.pointer, node.span};
        if (node.is(Kind::Integer)) {
            text.text = fmt::format("{}", node.integer);
            if (node.integer < 0)
                problem(node, "MODEL_VALUE", fmt::format("a size of {} bytes or elements", node.integer));
        } else if (expect(node, Kind::String, "a size")) {
            text.text = node.string;
            text.inner = node.verbatim;
        }
        return text;
    }

    std::string new_name(const JsonNode& node, std::set<std::string, std::less<>>& taken, std::string_view what) {
        if (node.string.empty()) {
            problem(node, "MODEL_NAME", fmt::format("{} needs a name", what));
        } else if (!taken.insert(node.string).second) {
            problem(node, "MODEL_NAME", fmt::format("the name '{}' is taken by an earlier {}", node.string, what));
        }
        return node.string;
    }

    void read_platform(const JsonNode& node) {
        check_keys(node, kPlatformKeys);
        ModelPlatform& platform = file.model.platform;
        if (const JsonNode* name = require(node, "name", Kind::String)) platform.name = name->string;
        const auto known = find_platform(platform.name);
        if (known.ok()) {
            platform.ub_bytes = known->planning_bytes();
            platform.reserved_tail_bytes = known->planning_tail_bytes();
            platform.queue_buffers_per_position = known->queue_buffers_per_position;
        }
        if (const JsonNode* bytes = node.find("ubBytes")) {
            platform.ub_bytes = number(*bytes, "ubBytes", 0, kMaxBytes, 0);
            platform.reserved_tail_bytes = 0; // a stated capacity stands for itself
        } else if (!known.ok()) {
            problem(node, "MODEL_KEY_MISSING",
                    fmt::format("'ubBytes' is missing, and no chip is called '{}'", platform.name), known.error().hint);
        }
        if (const JsonNode* tail = node.find("reservedTailBytes"); tail != nullptr && !tail->is(Kind::Null)) {
            platform.reserved_tail_bytes = number(*tail, "reservedTailBytes", 0, kMaxBytes, 0);
        }
        if (const JsonNode* limit = node.find("maxQueueBuffersPerPosition");
            limit != nullptr && !limit->is(Kind::Null)) {
            platform.queue_buffers_per_position = number(*limit, "maxQueueBuffersPerPosition", 0, 1 << 20, 8);
        }
    }

    void define(const JsonNode& node, const std::string& name) {
        if (!is_name(name)) {
            problem(node, "MODEL_NAME", fmt::format("'{}' is no name: letters, digits and _", name));
        } else if (!values_.insert(name).second) {
            problem(node, "MODEL_NAME", fmt::format("'{}' is defined twice", name));
        }
    }

    void read_params(const JsonNode& node) {
        for (const auto& [name, name_span, value] : node.members) {
            define(value, name);
            if (!expect(value, Kind::Integer, "a parameter")) continue;
            file.model.params.push_back({name, value.integer, {value.pointer, value.span}});
        }
    }

    void read_derived(const JsonNode& node) {
        for (const JsonNode& pair : node.items) {
            if (!pair.is(Kind::Array) || pair.items.size() != 2 || !pair.items[0].is(Kind::String)) {
                problem(pair, "MODEL_TYPE", "a derived value is a pair [name, expression]");
                continue;
            }
            define(pair.items[0], pair.items[0].string);
            file.model.derived.push_back({pair.items[0].string, size(pair.items[1]), {pair.pointer, pair.span}});
        }
    }

    void read_phases(const JsonNode& node) {
        for (const JsonNode& label : node.items) {
            if (expect(label, Kind::String, "a phase")) file.model.phases.push_back(label.string);
        }
    }

    /// A phase is given by its index or its label.
    std::optional<std::int64_t> phase(const JsonNode& node) {
        const auto& phases = file.model.phases;
        if (node.is(Kind::String)) {
            const auto at = std::find(phases.begin(), phases.end(), node.string);
            if (at != phases.end()) return at - phases.begin();
            problem(node, "MODEL_VALUE", fmt::format("no phase is called '{}'", node.string));
            return {};
        }
        if (!expect(node, Kind::Integer, "a phase")) return {};
        const bool known =
            node.integer >= 0 && (phases.empty() || node.integer < static_cast<std::int64_t>(phases.size()));
        if (known) return node.integer;
        problem(node, "MODEL_VALUE", fmt::format("there is no phase {}", node.integer),
                fmt::format("phases are 0..{}", static_cast<std::int64_t>(phases.size()) - 1));
        return {};
    }

    std::optional<std::vector<LiveRange>> live(const JsonNode& owner) {
        const JsonNode* node = optional(owner, "live", Kind::Array);
        if (node == nullptr) return {};
        std::vector<LiveRange> ranges;
        for (const JsonNode& pair : node->items) {
            if (!pair.is(Kind::Array) || pair.items.size() != 2) {
                problem(pair, "MODEL_TYPE", "a live range is a pair [first, last] of phases");
                continue;
            }
            const auto first = phase(pair.items[0]), last = phase(pair.items[1]);
            if (!first || !last) continue;
            if (*first > *last)
                problem(pair, "MODEL_VALUE",
                        fmt::format("the live range [{}, {}] ends before it begins", *first, *last));
            ranges.push_back({*first, *last});
        }
        return ranges;
    }

    void read_allocs(const JsonNode& node) {
        std::set<std::string, std::less<>> names;
        for (const JsonNode& object : node.items) {
            if (!expect(object, Kind::Object, "a buffer")) continue;
            Alloc alloc;
            alloc.place = {object.pointer, object.span};
            if (const JsonNode* name = require(object, "name", Kind::String))
                alloc.name = new_name(*name, names, "buffer");
            const JsonNode* kind = require(object, "kind", Kind::String);
            if (kind == nullptr) continue;
            if (kind->string != "queue" && kind->string != "tbuf") {
                problem(*kind, "MODEL_VALUE", fmt::format("the kind '{}' is neither queue nor tbuf", kind->string));
                continue;
            }
            alloc.kind = kind->string == "queue" ? AllocKind::Queue : AllocKind::TBuf;
            read_position(object, alloc);
            alloc.live = live(object);
            if (alloc.kind == AllocKind::Queue) {
                read_queue(object, alloc);
            } else {
                read_tbuf(object, alloc);
            }
            file.model.allocs.push_back(std::move(alloc));
            if (++entries_ > kMaxEntries) {
                problem(object, "MODEL_VALUE", fmt::format("more than {} buffers and views", kMaxEntries));
                return;
            }
        }
    }

    void read_position(const JsonNode& object, Alloc& alloc) {
        const JsonNode* pos = alloc.kind == AllocKind::Queue ? require(object, "pos", Kind::String)
                                                             : optional(object, "pos", Kind::String);
        if (pos == nullptr) return;
        if (const auto position = position_from_name(pos->string)) {
            alloc.position = *position;
        } else {
            problem(*pos, "MODEL_VALUE",
                    fmt::format("the position '{}' is none of VECIN, VECOUT, VECCALC", pos->string));
        }
    }

    void read_queue(const JsonNode& object, Alloc& alloc) {
        check_keys(object, kQueueKeys);
        if (const JsonNode* depth = object.find("depth")) alloc.depth = number(*depth, "depth", 0, 64, 1);
        if (const JsonNode* num = object.find("num")) alloc.num = size(*num);
        if (const JsonNode* len = require(object, "len")) alloc.len = size(*len);
    }

    void read_tbuf(const JsonNode& object, Alloc& alloc) {
        check_keys(object, kTbufKeys);
        if (const JsonNode* len = require(object, "len")) {
            alloc.len = size(*len);
            alloc.rest = len->is(Kind::String) && len->string == "rest";
        }
        const JsonNode* views = optional(object, "views", Kind::Array);
        if (views == nullptr) return;
        std::set<std::string, std::less<>> names;
        for (const JsonNode& view : views->items) {
            if (!expect(view, Kind::Object, "a view")) continue;
            read_view(view, alloc, names);
            if (++entries_ > kMaxEntries) {
                problem(view, "MODEL_VALUE", fmt::format("more than {} buffers and views", kMaxEntries));
                return;
            }
        }
    }

    void read_view(const JsonNode& object, Alloc& alloc, std::set<std::string, std::less<>>& names) {
        check_keys(object, kViewKeys);
        View view;
        view.place = {object.pointer, object.span};
        if (const JsonNode* name = require(object, "name", Kind::String)) view.name = new_name(*name, names, "view");
        if (const JsonNode* dtype = require(object, "dtype", Kind::String)) {
            const auto type = dtype_from_name(dtype->string);
            if (type && whole_bytes(*type) > 0) {
                view.dtype = *type;
            } else {
                problem(*dtype, "MODEL_VALUE", fmt::format("'{}' is no element type of whole bytes", dtype->string),
                        "for example fp32, int32, fp16, bf16, int8");
            }
        }
        if (const JsonNode* elems = require(object, "elems")) view.elems = size(*elems);
        if (const JsonNode* off = object.find("off");
            off != nullptr && !(off->is(Kind::String) && off->string == "cursor"))
            view.off = size(*off);
        if (const JsonNode* advance = object.find("advance");
            advance != nullptr && !(advance->is(Kind::String) && advance->string == "auto")) {
            view.advance = size(*advance);
        }
        if (const JsonNode* group = optional(object, "aliasGroup", Kind::String)) view.alias_group = group->string;
        view.live = live(object);
        alloc.views.push_back(std::move(view));
    }

    std::set<std::string, std::less<>> values_;
    std::size_t entries_ = 0;
};

} // namespace

std::span<const std::string_view> model_keys(std::string_view kind) {
    if (kind == "model") return kModelKeys;
    if (kind == "platform") return kPlatformKeys;
    if (kind == "queue") return kQueueKeys;
    if (kind == "tbuf") return kTbufKeys;
    if (kind == "view") return kViewKeys;
    if (kind == "host") return kHostKeys;
    return {};
}

Result<ModelFile> read_model(std::string_view text) {
    LS_TRY(const JsonNode root, parse_json(text));
    ModelReader reader;
    reader.read(root);
    if (reader.problems.empty()) return std::move(reader.file);
    Diagnostic first = std::move(reader.problems.front());
    first.notes.assign(std::make_move_iterator(reader.problems.begin() + 1),
                       std::make_move_iterator(reader.problems.end()));
    return first;
}

std::string place_text(std::string_view source, const Place& place) {
    if (place.pointer.empty() && place.span.empty()) return {};
    const LineColumn at = line_column(source, place.span.begin);
    return fmt::format("at {} (line {}, column {})", place.pointer, at.line, at.column);
}

} // namespace ls::ub
