#include "core/ub/model/json_tree.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>

namespace ls::ub {
namespace {

TEST(JsonTree, ValuesKnowTheirPlaces) {
    const std::string text = "{\n  \"a/b\": [1, {\"c\": \"x\"}],\n  \"d\": -2.5e1\n}";
    const auto root = parse_json(text);
    ASSERT_TRUE(root.ok());
    const JsonNode* list = root->find("a/b");
    ASSERT_NE(list, nullptr);
    EXPECT_EQ(list->pointer, "/a~1b");
    EXPECT_EQ(list->items[0].integer, 1);
    const JsonNode* c = list->items[1].find("c");
    EXPECT_EQ(c->pointer, "/a~1b/1/c");
    EXPECT_EQ(text.substr(c->span.begin, c->span.end - c->span.begin), "\"x\"");
    EXPECT_EQ(root->find("d")->real, -25.0);
    EXPECT_EQ(text.substr(root->members[1].key_span.begin, 3), "\"d\"");
}

TEST(JsonTree, StringsAreDecoded) {
    const auto root = parse_json(R"(["a\n\"\\\/", "\u00e9\u20ac\ud83d\ude00", "plain"])");
    ASSERT_TRUE(root.ok());
    EXPECT_EQ(root->items[0].string, "a\n\"\\/");
    EXPECT_EQ(root->items[1].string, "é€😀");
    EXPECT_FALSE(root->items[0].verbatim);
    EXPECT_TRUE(root->items[2].verbatim);
}

TEST(JsonTree, WhatIsNoJsonIsRefusedWithItsPlace) {
    struct Row {
        std::string text;
        std::string code;
        std::size_t at;
    };
    for (const Row& row :
         {Row{"{\"a\":1,}", "JSON_SYNTAX", 7}, Row{"[1 2]", "JSON_SYNTAX", 3},
          Row{"{\"a\":1,\"a\":2}", "JSON_DUPLICATE_KEY", 7}, Row{"\"abc", "JSON_SYNTAX", 0}, Row{"", "JSON_SYNTAX", 0},
          Row{"[01]", "JSON_NUMBER", 1}, Row{"[99999999999999999999]", "JSON_NUMBER", 1},
          Row{"[1] x", "JSON_SYNTAX", 4}, Row{"[\"\\ud800\"]", "JSON_SYNTAX", 2}, Row{"[nul]", "JSON_SYNTAX", 1},
          Row{"[-]", "JSON_SYNTAX", 2}}) {
        const auto root = parse_json(row.text);
        ASSERT_FALSE(root.ok()) << row.text;
        EXPECT_EQ(root.error().code, row.code) << row.text;
        EXPECT_EQ(root.error().span.begin, row.at) << row.text;
    }
    EXPECT_EQ(parse_json(std::string(100000, '[')).error().code, "JSON_TOO_DEEP");
}

/// Our tree as the reference parser's value.
nlohmann::json plain(const JsonNode& node) {
    switch (node.kind) {
    case JsonNode::Kind::Null: return nullptr;
    case JsonNode::Kind::Bool: return node.boolean;
    case JsonNode::Kind::Integer: return node.integer;
    case JsonNode::Kind::Real: return node.real;
    case JsonNode::Kind::String: return node.string;
    case JsonNode::Kind::Array: {
        auto list = nlohmann::json::array();
        for (const JsonNode& item : node.items) list.push_back(plain(item));
        return list;
    }
    case JsonNode::Kind::Object: break;
    }
    auto object = nlohmann::json::object();
    for (const JsonMember& member : node.members) object[member.key] = plain(member.value);
    return object;
}

// What the reference parser accepts we read to the same value; a mangled text is read or refused, never more.
TEST(JsonTree, AgreesWithTheReferenceParser) {
    const std::string seed = R"({"a":[1,-20,3.5,true,null,"q\"\u0041"],"b":{"c":"x","d":[]},"e":0})";
    std::mt19937 random(4);
    int accepted = 0;
    for (int i = 0; i < 20000; ++i) {
        std::string text = seed;
        for (std::size_t n = random() % 3; n > 0; --n) {
            const std::size_t at = random() % text.size();
            if (random() % 2 == 0) {
                text.erase(at, 1);
            } else {
                text[at] = seed[random() % seed.size()];
            }
        }
        const auto reference = nlohmann::json::parse(text, nullptr, false);
        const auto ours = parse_json(text);
        if (!ours.ok()) {
            if (ours.error().code != "JSON_DUPLICATE_KEY") {
                EXPECT_TRUE(reference.is_discarded()) << text << " " << ours.error().message;
            }
            continue;
        }
        ++accepted;
        EXPECT_EQ(plain(*ours), reference) << text;
    }
    EXPECT_GT(accepted, 5000);
}

} // namespace
} // namespace ls::ub
