#include <algorithm>

#include <fmt/format.h>

#include "core/notation/cursor.h"
#include "core/notation/triton_text.h"

namespace ls::triton {

namespace {

using notation::Cursor;

constexpr const char* kExample = "an encoding looks like #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, "
                                 "4], warpsPerCTA = [4, 1], order = [1, 0]}>";

class Reader {
public:
    explicit Reader(Cursor& cursor) : at_(cursor) {}

    Result<Attribute> attribute(int depth) {
        LS_CHECK(check_depth(depth));
        Attribute out;
        const std::size_t begin = (at_.skip_space(), at_.position());
        LS_CHECK(at_.require("#", "'#'", kExample));
        const std::string_view first = at_.word();
        if (first.empty()) return at_.expected("the name of a dialect", kExample);
        if (depth == 0 && at_.accept("=")) return attribute(depth + 1); // #alias = #ttg...
        LS_CHECK(at_.require(".", "'.'", kExample));
        out.name_span = at_.here();
        out.name = std::string(at_.word());
        if (out.name.empty()) return at_.expected("the name of an encoding", kExample);
        LS_CHECK(at_.require("<", "'<'", kExample));
        if (at_.looking_at("[")) LS_CHECK(paddings(out));
        while (!at_.accept(">")) {
            if (at_.accept(",")) continue;
            if (at_.accept("{")) {
                LS_CHECK(entries(out, depth, "}"));
                LS_CHECK(at_.require("}", "',' or '}'"));
            } else {
                LS_CHECK(entries(out, depth, ">"));
            }
        }
        out.span = at_.since(begin);
        return out;
    }

private:
    Status check_depth(int depth) {
        if (depth < notation::kMaxDepth) return ok_status();
        return error_at(at_.here(), "TXT_TOO_DEEP", fmt::format("nested deeper than {} levels", notation::kMaxDepth));
    }

    /// key = value, ... up to (not including) `close`
    Status entries(Attribute& out, int depth, std::string_view close) {
        while (!at_.looking_at(close)) {
            if (at_.accept(",")) continue;
            const std::string_view key = at_.word();
            if (key.empty()) return at_.expected(fmt::format("a key or '{}'", close));
            LS_CHECK(at_.require("=", fmt::format("'=' and the value of {}", key)));
            LS_TRY(AttributeValue value, this->value(depth + 1));
            out.entries.emplace_back(std::string(key), std::move(value));
            if (!at_.looking_at(",") && !at_.looking_at(close)) return at_.expected(fmt::format("',' or '{}'", close));
        }
        return ok_status();
    }

    /// [2:+1, 4:+2]
    Status paddings(Attribute& out) {
        LS_CHECK(at_.require("["));
        while (!at_.accept("]")) {
            if (!out.paddings.empty()) LS_CHECK(at_.require(",", "',' or ']'"));
            LS_TRY(const auto interval, at_.number());
            if (!interval) return at_.expected("an interval", "paddings are written [128:+4]");
            LS_CHECK(at_.require(":"));
            LS_CHECK(at_.require("+"));
            LS_TRY(const auto pad, at_.number());
            if (!pad) return at_.expected("a padding", "paddings are written [128:+4]");
            out.paddings.emplace_back(*interval, *pad);
        }
        return ok_status();
    }

    Result<AttributeValue> value(int depth) {
        LS_CHECK(check_depth(depth));
        AttributeValue out;
        const std::size_t begin = at_.position();
        if (at_.peek() == '#') {
            out.kind = AttributeValue::Kind::Attribute;
            LS_TRY(Attribute inner, attribute(depth + 1));
            out.attribute = std::make_shared<const Attribute>(std::move(inner));
        } else if (at_.accept("[")) {
            out.kind = AttributeValue::Kind::List;
            while (!at_.accept("]")) {
                if (!out.list.empty()) {
                    LS_CHECK(at_.require(",", "',' or ']'"));
                }
                LS_TRY(AttributeValue item, value(depth + 1));
                out.list.push_back(std::move(item));
            }
        } else {
            LS_TRY(const auto number, at_.signed_number());
            if (number) {
                out.integer = *number;
            } else {
                out.kind = AttributeValue::Kind::Word;
                out.word = std::string(at_.word());
                if (out.word.empty()) return at_.expected("a number, a list, a word or an encoding");
            }
        }
        out.span = at_.since(begin);
        return out;
    }

    Cursor& at_;
};

Diagnostic wrong_key(const Attribute& in, std::string_view key, const AttributeValue* found, std::string_view kind) {
    if (found == nullptr) {
        std::string keys;
        for (const auto& [name, value] : in.entries) keys += fmt::format("{}{}", keys.empty() ? "" : ", ", name);
        return error_at(in.name_span, "TRITON_KEY", fmt::format("{} needs {}", in.name, key),
                        keys.empty() ? std::string() : "it has " + keys);
    }
    return error_at(found->span, "TRITON_KEY", fmt::format("{} of {} must be {}", key, in.name, kind));
}

Result<std::vector<std::int64_t>> integers_of(const AttributeValue& value) {
    std::vector<std::int64_t> out;
    for (const AttributeValue& item : value.list) {
        if (item.kind != AttributeValue::Kind::Integer)
            return error_at(item.span, "TRITON_KEY", "a number is wanted here");
        out.push_back(item.integer);
    }
    return out;
}

} // namespace

const AttributeValue* Attribute::find(std::string_view key) const {
    const auto found =
        std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.first == key; });
    return found == entries.end() ? nullptr : &found->second;
}

bool Attribute::flag(std::string_view key) const {
    const AttributeValue* value = find(key);
    return value != nullptr &&
           (value->word == "true" || (value->kind == AttributeValue::Kind::Integer && value->integer != 0));
}

std::optional<std::string_view> Attribute::word(std::string_view key) const {
    const AttributeValue* value = find(key);
    if (value == nullptr || value->kind != AttributeValue::Kind::Word) return {};
    return value->word;
}

Result<std::int64_t> Attribute::integer(std::string_view key) const {
    const AttributeValue* value = find(key);
    if (value == nullptr || value->kind != AttributeValue::Kind::Integer)
        return wrong_key(*this, key, value, "a number");
    return value->integer;
}

Result<std::vector<std::int64_t>> Attribute::integers(std::string_view key) const {
    const AttributeValue* value = find(key);
    if (value == nullptr || value->kind != AttributeValue::Kind::List)
        return wrong_key(*this, key, value, "a list of numbers");
    return integers_of(*value);
}

Result<std::vector<std::vector<std::int64_t>>> Attribute::bases(std::string_view key) const {
    const AttributeValue* value = find(key);
    if (value == nullptr || value->kind != AttributeValue::Kind::List)
        return wrong_key(*this, key, value, "a list of bases [[0, 1], [0, 2]]");
    std::vector<std::vector<std::int64_t>> out;
    for (const AttributeValue& item : value->list) {
        if (item.kind != AttributeValue::Kind::List)
            return wrong_key(*this, key, value, "a list of bases [[0, 1], [0, 2]]");
        LS_TRY(std::vector<std::int64_t> basis, integers_of(item));
        out.push_back(std::move(basis));
    }
    return out;
}

Result<const Attribute*> Attribute::attribute(std::string_view key) const {
    const AttributeValue* value = find(key);
    if (value == nullptr || value->kind != AttributeValue::Kind::Attribute)
        return wrong_key(*this, key, value, "an encoding");
    return value->attribute.get();
}

bool looks_like_triton(std::string_view text) { return Cursor(text).peek() == '#'; }

Result<Attribute> read_attribute(std::string_view text, std::size_t base) {
    Cursor cursor(text, base);
    LS_TRY(Attribute out, Reader(cursor).attribute(0));
    LS_CHECK(cursor.require_end());
    return out;
}

} // namespace ls::triton
