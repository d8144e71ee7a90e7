// A buffer model as JSON text, in and out. The published schema is resources/schema/ub.schema.json.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/result.h"
#include "core/ub/model/model.h"

namespace ls::ub {

struct ModelFile {
    Model model;
    std::vector<Diagnostic> warnings; ///< keys that mean nothing here
};

/// Reads a model. The first problem is the error, further ones are its notes; spans are bytes of `text`, and every
/// message names the JSON pointer. Codes: JSON_*, MODEL_KEY_MISSING, MODEL_TYPE, MODEL_VALUE, MODEL_NAME.
Result<ModelFile> read_model(std::string_view text);

/// Pretty JSON that read_model reads back to an equal model.
std::string write_model(const Model& model);

/// Keys that an object of the given kind may have: "model", "platform", "queue", "tbuf", "view", "host". The schema is
/// tested against them.
std::span<const std::string_view> model_keys(std::string_view kind);

/// "at /allocs/1/views/3/elems (line 12, column 18)".
std::string place_text(std::string_view source, const Place& place);

} // namespace ls::ub
