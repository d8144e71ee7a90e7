// The loads and stores of a traced program, followed from the program as read through every pass: where an element of
// their tile stands in the tensor and in memory, and the pictures of both. Knows no Qt.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/figure/transfer_view.h"
#include "core/scene/grid.h"

namespace ls {
struct Trace;
namespace ir {
class Node;
}
} // namespace ls

namespace ls::models {

/// figure::FollowedElement in words.
struct TrackedElement {
    std::string coordinate; ///< "[0, 16, 2, 5, 5]", in the tensor of that snapshot
    std::string address;    ///< "0x902000"
    std::string why;        ///< instead of both, when there is none
    bool moved = false;     ///< another byte than in the snapshot before that had one
};

struct AccessPicture {
    std::shared_ptr<const scene::GridScene> logical; ///< the tensor of that snapshot, the window outlined
    std::shared_ptr<const scene::GridScene>
        physical;           ///< its bytes, a column block (or a tensor row) a row, the bursts outlined
    scene::CellRect region; ///< of `physical`: the rows around what is read, to be looked at
    std::string tensor;     ///< "w [32, 2048, 4096]"
    std::string window;     ///< "w[1], rows 256–511, columns 512–1023"
    std::string bursts;     ///< "16 bursts of 8192 B, gap 57344 B = 1792 blocks, first byte 0x902000"
    std::string why;        ///< why there is no picture
};

class TraceAccesses {
public:
    TraceAccesses();
    explicit TraceAccesses(std::shared_ptr<const Trace> trace);
    ~TraceAccesses();
    TraceAccesses(TraceAccesses&&) noexcept;
    TraceAccesses& operator=(TraceAccesses&&) noexcept;

    int count() const;
    std::string text(int access) const; ///< "load wt ← w"
    /// Rows and columns of the tile; 0 when they are not known.
    std::int64_t rows(int access) const;
    std::int64_t columns(int access) const;

    std::vector<TrackedElement> track(int access, std::int64_t row, std::int64_t column) const;
    AccessPicture picture(int access, int snapshot) const;
    /// What the copy writes into the fields of its instruction; empty where none of them is known.
    std::vector<figure::TransferField> fields(int access, int snapshot, const std::string& chip) const;
    /// The access that a statement of a snapshot is, or came from; −1 when it is none.
    int access_of(int snapshot, const ir::Node* statement) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace ls::models
