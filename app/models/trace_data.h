// A program after every pass, as the Passes view shows it. The one seam between core's pipelines and the view: made by
// trace_program(), read by TraceModel. Knows no Qt: Qt's keyword macros and core's names do not go together.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/models/trace_access.h"
#include "app/models/trace_pictures.h"
#include "core/check/mend.h"
#include "core/figure/proof_view.h"
#include "core/figure/transfer_view.h"
#include "core/support/diagnostic.h"

namespace ls::models {

/// One snapshot: the program after a pass.
struct TracePass {
    enum class State { Same, Changed, Refused, NotRun };
    int number = 0;    ///< as the pipeline counts; 0 is what the reader made, or a pass without a number
    std::string name;  ///< "BlockNzTensorViews"
    std::string about; ///< one sentence on what the pass does
    std::string note;  ///< what it did here, short: "3 lines", "2 refusals"
    State state = State::Same;
    std::shared_ptr<const std::string> text; ///< never null; shared by passes that changed nothing, empty when not run
    std::vector<Diagnostic> diagnostics;     ///< spans are positions in `text`
    std::vector<int> line_access;            ///< for each line of `text` the access that it is, −1 for none
    std::vector<figure::CoordinateProofs> proofs; ///< what the pass had to prove of offsets
    std::vector<std::vector<check::Mend>> mends;  ///< for each finding; of the source text
};

/// What a program is compiled for, and where it came from.
struct TraceOptions {
    std::string chip = "a2a3";
    int ptoas_minor = 61;
    std::string file_name;      ///< helps to tell the way of writing
    std::string dump_directory; ///< snapshots are read from here instead of being made; else empty
    bool operator==(const TraceOptions&) const = default;
};

/// What an export target made of the program.
struct KernelSource {
    std::string title;      ///< "PTO text"
    std::string file;       ///< "nz_window.pto"
    std::string language;   ///< "pto", "cpp"
    std::string text;       ///< empty when it was refused
    std::vector<int> lines; ///< lines[i]: 1-based line of the last snapshot that line i came from, 0 for none
    std::vector<Diagnostic> diagnostics; ///< why it could not be exported, or warnings
};

struct TraceData {
    std::string dialect = "pypto";   ///< id of the surface it is written in: "pypto", "pto", "tirx"
    std::string language = "python"; ///< of the snapshots' text: "python", "pto"
    std::vector<TracePass> passes;   ///< first the program as read
    int snapshots = 0;               ///< passes that ran, the program as read among them; the refused one is not
    TraceAccesses accesses;
    TracePictures pictures;
    std::vector<KernelSource> kernels;
    std::vector<Diagnostic> reading; ///< of the source text; with an error among them `passes` is empty
    /// What a refused negative offset would read, for the first block.
    std::optional<figure::ClampedWindow> clamped;
};

/// A chip that can be compiled for.
struct TraceChip {
    std::string id;    ///< "a2a3"
    std::string title; ///< "Ascend 910B (a2a3)"
};
std::vector<TraceChip> trace_chips();

/// Reports done and all; false asks to stop.
using TraceProgress = std::function<bool(int done, int all, const std::string& what)>;

/// Reads the program, runs its pipeline and exports what can be exported. Never throws; refusals are diagnostics.
TraceData trace_program(const std::string& text, const TraceOptions& options = {}, const TraceProgress& progress = {});

} // namespace ls::models
