// Pictures beside answers: `--svg FILE`, `--png FILE` of the subcommands of `layoutscope ub`.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "core/scene/picture.h"

namespace ls::cli::ub {

struct PictureOptions {
    std::string svg, png, theme = "light";
    double width = 1200, scale = 2;

    void add_to(CLI::App& command);
    bool wanted() const { return !svg.empty() || !png.empty(); }
};

/// Writes what is wanted; complains on standard error and answers the exit code, kFine when all is written.
int write_pictures(const scene::Picture& picture, const PictureOptions& options);

} // namespace ls::cli::ub
