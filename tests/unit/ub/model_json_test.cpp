#include "core/ub/model/model_json.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fstream>

#include "core/ub/cgdr/as_model.h"
#include "core/ub/model/partition.h"

namespace ls::ub {
namespace {

constexpr std::string_view kText = R"({
  "platform": {"name": "Ascend310P3"},
  "params": {"cs": 64, "n": 16},
  "derived": [["row", "align(n,16)*4"]],
  "phases": ["load", "work"],
  "allocs": [
    {"name": "in", "kind": "queue", "pos": "VECIN", "depth": 2, "num": 2, "len": "cs*row"},
    {"name": "tmp", "kind": "tbuf", "pos": "VECCALC", "len": "rest", "views": [
      {"name": "a", "dtype": "fp32", "elems": "cs*n", "live": [["load", "load"]], "aliasGroup": "g", "advance": "0"},
      {"name": "b", "dtype": "bf16", "elems": "cs*n", "live": [[1, 1]], "aliasGroup": "g"}
    ]}
  ],
  "host": {"tmp": "cs*n*4"}
})";

std::string replaced(std::string_view from, std::string_view to) {
    std::string text(kText);
    text.replace(text.find(from), from.size(), to);
    return text;
}

TEST(ModelJson, ReadsAModel) {
    const auto file = read_model(kText);
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_TRUE(file->warnings.empty());
    const Model& m = file->model;
    EXPECT_EQ(m.platform.ub_bytes, 262144); // from the chip's name
    EXPECT_EQ(m.platform.reserved_tail_bytes, 8192);
    EXPECT_EQ(m.allocs[0].num.text, "2");
    EXPECT_TRUE(m.allocs[1].rest);
    EXPECT_EQ(m.allocs[1].views[0].live, (std::vector<LiveRange>{{0, 0}}));
    EXPECT_EQ(m.allocs[1].views[1].dtype, DType::Bf16);
    EXPECT_EQ(m.allocs[1].views[0].advance->text, "0");
}

TEST(ModelJson, WhatIsWrittenReadsBackEqual) {
    const auto file = read_model(kText);
    ASSERT_TRUE(file.ok());
    const auto again = read_model(write_model(file->model));
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(again->model, file->model);
    for (const std::int64_t tiles : {1, 3}) {
        const auto device = cgdr::carve({cgdr::Variant::V1108, 64, 128, 128 * tiles, 128, 16, 8, {}});
        const Model model = cgdr::as_model(*device, {"x", 262144, 8192, 8}, tiles);
        EXPECT_EQ(read_model(write_model(model))->model, model);
    }
}

TEST(ModelJson, ProblemsAreGatheredWithPointerAndPlace) {
    std::string text = replaced("\"elems\": \"cs*n\", \"live\": [[1, 1]]", "\"live\": [[1, 7]]");
    text.replace(text.find("\"VECIN\""), 7, "\"L1\"");
    const auto file = read_model(text);
    ASSERT_FALSE(file.ok());
    EXPECT_EQ(file.error().code, "MODEL_VALUE");
    EXPECT_EQ(file.error().message, "/allocs/0/pos: the position 'L1' is none of VECIN, VECOUT, VECCALC");
    EXPECT_EQ(line_column(text, file.error().span.begin).line, 7U);
    ASSERT_EQ(file.error().notes.size(), 2U);
    EXPECT_EQ(file.error().notes[0].message, "/allocs/1/views/1: 'elems' is missing");
    EXPECT_EQ(file.error().notes[1].message, "/allocs/1/views/1/live/0/1: there is no phase 7");
    EXPECT_EQ(file.error().notes[1].hint, "phases are 0..1");
}

TEST(ModelJson, Refusals) {
    struct Row {
        std::string_view from, to, code;
    };
    for (const Row& row :
         {Row{"\"queue\"", "\"que\"", "MODEL_VALUE"}, Row{"\"bf16\"", "\"int4\"", "MODEL_VALUE"},
          Row{"\"b\", \"dtype\"", "\"a\", \"dtype\"", "MODEL_NAME"}, Row{"\"n\": 16", "\"cs2-\": 16", "MODEL_NAME"},
          Row{"\"row\"", "\"cs\"", "MODEL_NAME"}, Row{"64, \"n\"", "6.4, \"n\"", "MODEL_TYPE"},
          Row{"Ascend310P3", "mine", "MODEL_KEY_MISSING"}, Row{"[[1, 1]]", "[[1, 0]]", "MODEL_VALUE"},
          Row{"\"num\": 2", "\"num\": -2", "MODEL_VALUE"}, Row{"\"num\": 2", "\"num\": true", "MODEL_TYPE"},
          Row{"[[\"load\", \"load\"]]", "[[\"lod\", \"load\"]]", "MODEL_VALUE"},
          Row{"\"cs*n*4\"", "[]", "MODEL_TYPE"}}) {
        const auto file = read_model(replaced(row.from, row.to));
        ASSERT_FALSE(file.ok()) << row.to;
        EXPECT_EQ(file.error().code, row.code) << file.error().message;
    }
    EXPECT_EQ(read_model("[]").error().code, "MODEL_TYPE");
    EXPECT_EQ(read_model("{").error().code, "JSON_SYNTAX");
    EXPECT_EQ(read_model("{}").error().notes.size(), 1U); // platform and allocs
}

TEST(ModelJson, AnUnknownKeyIsAWarning) {
    const auto file = read_model(replaced("\"depth\": 2", "\"dept\": 2"));
    ASSERT_TRUE(file.ok());
    ASSERT_EQ(file->warnings.size(), 1U);
    EXPECT_EQ(file->warnings[0].code, "MODEL_KEY_UNKNOWN");
    EXPECT_THAT(file->warnings[0].hint, testing::HasSubstr("depth"));
}

TEST(ModelJson, ExpressionErrorsPointIntoTheFile) {
    const std::string text = replaced("\"cs*row\"", "\"cs*rowe\"");
    const auto compiled = CompiledModel::compile(read_model(text)->model);
    ASSERT_FALSE(compiled.ok());
    EXPECT_EQ(compiled.error().code, "MODEL_NAME_UNKNOWN");
    EXPECT_EQ(text.substr(compiled.error().span.begin, 4), "rowe");
    EXPECT_EQ(compiled.error().hint, "known here: cs, n, row");
    EXPECT_THAT(compiled.error().message, testing::StartsWith("/allocs/0/len: "));
    const std::string divided = replaced("\"align(n,16)*4\"", "\"100/(n-16)\"");
    const auto value = CompiledModel::compile(read_model(divided)->model)->evaluate();
    ASSERT_FALSE(value.ok());
    EXPECT_EQ(value.error().code, "EXPR_DIVIDE_BY_ZERO");
    EXPECT_EQ(divided.substr(value.error().span.begin, value.error().span.end - value.error().span.begin),
              "100/(n-16)");
}

TEST(ModelJson, ThePublishedSchemaKnowsTheReadersKeys) {
    std::ifstream in(LS_SOURCE_DIR "/resources/schema/ub.schema.json");
    const auto schema = nlohmann::json::parse(in, nullptr, false);
    ASSERT_FALSE(schema.is_discarded());
    const auto keys = [](const nlohmann::json& object) {
        std::vector<std::string> names;
        for (const auto& [key, unused] : object.at("properties").items()) names.push_back(key);
        return names;
    };
    for (const std::string_view kind : {"model", "platform", "queue", "tbuf", "view", "host"}) {
        const auto& object = kind == "model" ? schema : schema.at("$defs").at(std::string(kind));
        std::vector<std::string> wanted(model_keys(kind).begin(), model_keys(kind).end());
        EXPECT_THAT(keys(object), testing::UnorderedElementsAreArray(wanted)) << kind;
    }
}

} // namespace
} // namespace ls::ub
