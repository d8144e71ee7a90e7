// The subcommands of `layoutscope ub`; ub_command.cpp lists them.
#pragma once

#include "app/cli/ub_options.h"
#include "app/cli/ub_picture.h"

namespace ls::cli::ub {

void add_partition(CLI::App& app, int& exit_code);
void add_vstep(CLI::App& app, int& exit_code);
void add_work(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_fit(CLI::App& app, int& exit_code);
void add_overlay(CLI::App& app, int& exit_code);
void add_what_if(CLI::App& app, int& exit_code);
void add_record(CLI::App& app, int& exit_code);
void add_export(CLI::App& app, int& exit_code);
void add_platforms(CLI::App& app, int& exit_code);

/// `partition` on a model file.
int run_model_partition(const ModelOptions& model, const ShapeOptions& shape, const PictureOptions& pictures, bool json);

} // namespace ls::cli::ub
