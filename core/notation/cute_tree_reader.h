// Trees, plain layouts and swizzles of CuTe text; private to the CuTe readers.
#pragma once

#include <initializer_list>
#include <optional>
#include <vector>

#include "core/notation/cursor.h"
#include "core/notation/cute_layout.h"

namespace ls::cute {

/// Where the parts of a tree were written.
struct Places {
    Span span;
    std::vector<Places> items;
};

class TreeReader {
public:
    explicit TreeReader(notation::Cursor& cursor) : at_(cursor) {}

    /// tree [":" (tree | LayoutLeft | LayoutRight)]
    Result<CuteLayout> plain();
    /// leaf | "(" tree, ... ")"; fills `places` when it is wanted.
    Result<Tree> tree(int depth, Places* places);
    /// Sw<3,4,3>, S<3,4,3>, Swizzle<3,4,3>{}, SW_3_4_3; empty when none is next.
    Result<std::optional<Swizzle>> swizzle();
    Status check_depth(int depth);

private:
    bool keyword(std::initializer_list<std::string_view> words);
    Result<Leaf> leaf();
    Status unknown_attributes(Leaf& out);
    Status basis_path(Leaf& out);
    Status basis_list(Leaf& out);
    Status check_basis(std::int64_t index, const Leaf& leaf);

    notation::Cursor& at_;
};

inline constexpr const char* kCuteExample =
    "a CuTe layout looks like ((2,4),3):((1,2),8) or Sw<3,3,3> o 0 o (8,64):(64,1)";

} // namespace ls::cute
