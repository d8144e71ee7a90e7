#include "core/dialect/surface.h"

#include <algorithm>
#include <iterator>

#include "core/dialect/pto/pto.h"
#include "core/dialect/pypto/pypto.h"
#include "core/dialect/tirx/tirx.h"

namespace ls::dialect {

namespace {

/// Words that tell a surface stand near the top; a long text is not searched to its end.
constexpr std::size_t kLookedAt = 64 * 1024;

bool has(std::string_view source, std::string_view words) { return source.find(words) != std::string_view::npos; }

bool looks_like_pypto(std::string_view source) {
    return has(source, "pypto.language") || has(source, "@pl.");
}

bool looks_like_tirx(std::string_view source) {
    return has(source, "@T.prim_func") || has(source, "import tirx") || has(source, "@Tx.prim_func");
}

constexpr Surface kSurfaces[] = {
    {ir::Dialect::Pypto, "pypto", "pypto program", "python", ".py", looks_like_pypto, pypto::read_all,
     [](const ir::ModuleNode& module) { return pypto::print(module); }},
    {ir::Dialect::PtoText, "pto", "PTO text", "pto", ".pto", pto::looks_like, pto::read_all, pto::print},
    {ir::Dialect::Tirx, "tirx", "TIRx script", "python", ".tirx", looks_like_tirx, tirx::read_all,
     [](const ir::ModuleNode& module) { return tirx::print(module); }},
};

} // namespace

std::span<const Surface> surfaces() { return kSurfaces; }

const Surface& surface_of(ir::Dialect dialect) {
    const auto* found = std::find_if(std::begin(kSurfaces), std::end(kSurfaces),
                                     [&](const Surface& s) { return s.dialect == dialect; });
    return found == std::end(kSurfaces) ? kSurfaces[0] : *found;
}

const Surface* detect(std::string_view source, std::string_view file_name) {
    const std::string_view top = source.substr(0, kLookedAt);
    for (const Surface& surface : kSurfaces) {
        if (surface.looks_like(top)) return &surface;
    }
    for (const Surface& surface : kSurfaces) {
        if (file_name.ends_with(surface.extension)) return &surface;
    }
    return nullptr;
}

ReadResult read_all(std::string_view source, std::string_view file_name) {
    const Surface* surface = detect(source, file_name);
    return (surface == nullptr ? kSurfaces[0] : *surface).read(source);
}

Result<ir::Module> read(std::string_view source, std::string_view file_name) {
    ReadResult result = read_all(source, file_name);
    if (result.ok()) return std::move(result.module);
    const auto first = std::find_if(result.diagnostics.begin(), result.diagnostics.end(),
                                    [](const Diagnostic& d) { return d.severity == Severity::Error; });
    return *first;
}

Printed print(const ir::ModuleNode& module) { return surface_of(module.dialect).print(module); }

} // namespace ls::dialect
