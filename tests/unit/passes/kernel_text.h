// Small pypto programs for tests of passes.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "core/dialect/pypto/pypto.h"
#include "core/passes/pass.h"

namespace ls {

/// One function of these parameters and lines.
inline std::string kernel_text(const std::string& params, const std::string& body, const std::string& returns = {}) {
    std::string out = "# pypto.program: P\nimport pypto.language as pl\n\n@pl.program\nclass P:\n    "
                      "@pl.function(type=pl.FunctionType.InCore)\n    def k(" +
                      params + ")" + (returns.empty() ? "" : " -> " + returns) + ":\n        ";
    for (const char c : body) {
        out += c;
        if (c == '\n') out += "        ";
    }
    return out + "\n";
}

inline ir::Module read_kernel(const std::string& params, const std::string& body, const std::string& returns = {}) {
    const std::string text = kernel_text(params, body, returns);
    const auto m = pypto::read(text);
    EXPECT_TRUE(m.ok()) << (m.ok() ? "" : render(m.error(), text, "test"));
    return m.ok() ? *m : nullptr;
}

/// The statements of the first function as text.
inline std::string body_text(const PassResult& result) {
    if (!result.ok()) return result.error().code;
    std::string out;
    for (const ir::Stmt& s : result.module->functions[0]->body->stmts) out += pypto::print(*s);
    return out;
}

} // namespace ls
