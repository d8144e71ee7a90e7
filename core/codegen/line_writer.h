// Source text line by line, remembering which statement each line came from.
#pragma once

#include <string>
#include <utility>

#include "core/codegen/export.h"

namespace ls::codegen {

class LineWriter {
public:
    explicit LineWriter(std::string name) { file_.name = std::move(name); }

    void line(std::string_view text, const ir::Ref<ir::Node>& origin = {}) {
        if (!text.empty()) file_.text.append(2 * depth_, ' ');
        file_.text += text;
        file_.text += '\n';
        file_.lines.push_back(origin);
    }
    void open() { ++depth_; }
    void close() { --depth_; }
    SourceFile take() { return std::move(file_); }

private:
    SourceFile file_;
    std::size_t depth_ = 0;
};

} // namespace ls::codegen
