// Reader of whole CuTe texts: compositions, pasted tensors with their pointers, MLIR types.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/notation/cute_text.h"
#include "core/notation/cute_tree_reader.h"
#include "core/support/dtype.h"

namespace ls::cute {

namespace {

using notation::Cursor;

class Reader {
public:
    explicit Reader(Cursor& cursor) : at_(cursor), trees_(cursor) {}

    /// A layout in whatever it was wrapped: an MLIR type, a printed tensor, a pointer in front.
    Result<Composed> whole() {
        if (at_.accept("!")) return mlir_type();
        if (at_.looking_at("tensor")) {
            const std::size_t begin = at_.position();
            at_.accept("tensor");
            const bool round = at_.peek() == '(';
            if (at_.accept("(") || at_.accept("<")) {
                LS_TRY(Composed inner, composed(0));
                if (at_.accept(",")) skip_to_last(round ? ')' : '>');
                LS_CHECK(at_.require(round ? ")" : ">"));
                return inner;
            }
            at_.rewind(begin);
        }
        return composed(0);
    }

    Result<Composed> composed(int depth) {
        LS_CHECK(trees_.check_depth(depth));
        if (const auto engine = this->engine()) {
            LS_CHECK(require_o("behind the pointer"));
            LS_TRY(Composed inner, composed(depth + 1));
            if (inner.engine.empty()) inner.engine = *engine;
            if (inner.element_bits == 0) inner.element_bits = bits_of_engine(*engine);
            return inner;
        }
        const std::size_t begin = at_.position();
        Stage stage;
        LS_TRY(const auto swizzle, trees_.swizzle());
        if (swizzle) {
            stage.outer = *swizzle;
            // A tensor: the swizzle sits in the pointer and works on its bytes.
            if (at_.text().substr(at_.position(), 1) == "_") return swizzled_pointer(*swizzle, begin, depth);
        } else {
            LS_TRY(CuteLayout plain, trees_.plain());
            if (!accept_o()) {
                Composed out;
                out.layout = std::move(plain);
                return out;
            }
            stage.outer = std::move(plain);
            return behind_outer(std::move(stage), depth);
        }
        LS_CHECK(require_o("behind the swizzle"));
        return behind_outer(std::move(stage), depth);
    }

private:
    bool accept_o() { return at_.accept("o") || at_.accept("∘"); }
    Status require_o(std::string_view where) {
        if (accept_o()) return ok_status();
        return at_.expected(fmt::format("'o' {}", where), kCuteExample);
    }

    /// Behind "outer o": offset o rest
    Result<Composed> behind_outer(Stage stage, int depth) {
        LS_TRY(stage.offset, offset());
        LS_CHECK(require_o("behind the offset"));
        LS_TRY(Composed inner, composed(depth + 1));
        if (inner.element_bits == 0) inner.element_bits = stage.offset.element_bits;
        inner.stages.insert(inner.stages.begin(), std::move(stage));
        return inner;
    }

    Result<Offset> offset() {
        Offset out;
        const bool sparse = at_.accept("smem_sparse");
        if (sparse || at_.accept("smem_ptr")) {
            out.kind = sparse ? Offset::Kind::SparseSmemPointer : Offset::Kind::SmemPointer;
            if (sparse) {
                LS_CHECK(at_.require("<"));
                LS_TRY(const auto sparsity, at_.number());
                out.sparsity = sparsity.value_or(1);
                LS_CHECK(at_.require(">"));
                LS_CHECK(at_.require("_ptr"));
            }
            LS_TRY(out.element_bits, pointer_bits());
            LS_CHECK(skip_brackets());
            return out;
        }
        LS_TRY(Tree value, trees_.tree(0, nullptr));
        if (value.is_leaf) {
            out.number = std::move(value.leaf);
        } else {
            out.kind = Offset::Kind::Coordinate;
            out.coordinate = std::move(value);
        }
        return out;
    }

    /// "[16b]"
    Result<int> pointer_bits() {
        LS_CHECK(at_.require("[", "'[' and the element's bits"));
        const Span place = at_.here();
        LS_TRY(const auto bits, at_.number());
        if (!bits || *bits < 1 || *bits > 1024)
            return error_at(place, "TXT_EXPECTED", "expected the element's width in bits",
                            "for example smem_ptr[16b](unset)");
        if (!at_.accept("b")) return at_.expected("'b'");
        LS_CHECK(at_.require("]"));
        return static_cast<int>(*bits);
    }

    /// "Sw<3,4,3>" was read; "_smem_ptr[16b](0x..) o layout" follows.
    Result<Composed> swizzled_pointer(const Swizzle& swizzle, std::size_t begin, int depth) {
        at_.advance_to(at_.position() + 1);
        Stage stage;
        stage.outer = swizzle;
        LS_TRY(stage.offset, offset());
        if (stage.offset.kind != Offset::Kind::SmemPointer) return at_.expected("smem_ptr[..b](..) behind the swizzle");
        const Span label = at_.since(begin);
        LS_CHECK(require_o("behind the pointer"));
        LS_TRY(Composed inner, composed(depth + 1));
        inner.element_bits = stage.offset.element_bits;
        inner.engine = std::string(at_.text().substr(begin, label.end - label.begin));
        inner.stages.insert(inner.stages.begin(), std::move(stage));
        return inner;
    }

    /// A pointer, iterator or arithmetic tuple in front of " o ": any name that is not a part of a layout.
    std::optional<std::string> engine() {
        at_.skip_space();
        const std::size_t begin = at_.position();
        const std::string_view word = at_.word();
        if (word.empty() || word[0] == '_') {
            at_.rewind(begin);
            return {};
        }
        static constexpr std::array<std::string_view, 6> ours{"Sw", "S", "Swizzle", "Int", "C", "E"};
        const bool layout_part = std::find(ours.begin(), ours.end(), word) != ours.end() || word.substr(0, 3) == "SW_";
        const char next = at_.peek();
        if (layout_part || word == "o" || (next != '(' && next != '[' && next != '<' && next != '{')) {
            at_.rewind(begin);
            return {};
        }
        while (at_.peek() == '(' || at_.peek() == '[' || at_.peek() == '<' || at_.peek() == '{') {
            if (!skip_brackets().ok()) break;
        }
        const Span span = at_.since(begin);
        return std::string(at_.text().substr(begin, span.end - span.begin));
    }

    /// Over one balanced (...), [...], <...> or {...}.
    Status skip_brackets() {
        const std::size_t begin = at_.position();
        const std::string_view text = at_.text();
        int open = 0;
        for (std::size_t i = begin; i < text.size(); ++i) {
            if (std::string_view("([<{").find(text[i]) != std::string_view::npos) ++open;
            if (std::string_view(")]>}").find(text[i]) != std::string_view::npos && --open == 0) {
                at_.advance_to(i + 1);
                return ok_status();
            }
            if (open == 0) break;
        }
        return at_.expected("a balanced bracket");
    }

    void skip_to_last(char close) {
        const std::size_t last = at_.text().rfind(close);
        if (last != std::string_view::npos && last >= at_.position()) at_.rewind(last);
    }

    static int bits_of_engine(std::string_view engine) {
        // ptr[32b](..) states the width; ptr<f32, gmem> and raw_ptr(0x..: f32, ..) name the type.
        std::size_t begin = 0;
        while (begin < engine.size()) {
            const std::size_t end = std::min(engine.find_first_of("[](){}<>:, ", begin), engine.size());
            const std::string_view token = engine.substr(begin, end - begin);
            if (token.size() > 1 && token.back() == 'b' && token.find_first_not_of("0123456789") == token.size() - 1 &&
                token.size() < 6) {
                return std::atoi(std::string(token).c_str());
            }
            if (const auto dtype = dtype_from_name(token)) return bits(*dtype);
            begin = end + 1;
        }
        return 0;
    }

    Result<Composed> mlir_type() {
        LS_CHECK(at_.require("cute", "'cute'"));
        LS_CHECK(at_.require("."));
        at_.word();
        LS_CHECK(at_.require("<"));
        at_.skip_space();
        const std::size_t quote = at_.position();
        LS_TRY(const auto quoted, at_.quoted());
        if (!quoted) return at_.expected("a quoted layout", "for example !cute.layout<\"(4,2):(1,4)\">");
        Cursor inner(*quoted, at_.range(quote + 1, quote + 1).begin);
        LS_TRY(Composed out, Reader(inner).whole());
        LS_CHECK(inner.require_end());
        LS_CHECK(at_.require(">"));
        return out;
    }

    Cursor& at_;
    TreeReader trees_;
};

} // namespace

Result<Composed> read_cute(std::string_view text, std::size_t base) {
    Cursor cursor(text, base);
    LS_TRY(Composed out, Reader(cursor).whole());
    LS_CHECK(cursor.require_end(kCuteExample));
    return out;
}

Result<CuteLayout> read_plain(std::string_view text, std::size_t base) {
    Cursor cursor(text, base);
    LS_TRY(CuteLayout out, TreeReader(cursor).plain());
    LS_CHECK(cursor.require_end("a plain layout is wanted here, without 'o'"));
    return out;
}

Result<Tree> read_tree(std::string_view text, std::size_t base) {
    Cursor cursor(text, base);
    LS_TRY(Tree out, TreeReader(cursor).tree(0, nullptr));
    LS_CHECK(cursor.require_end());
    return out;
}

Result<Swizzle> read_swizzle(std::string_view text, std::size_t base) {
    Cursor cursor(text, base);
    LS_TRY(const auto out, TreeReader(cursor).swizzle());
    if (!out) return cursor.expected("a swizzle", "for example Sw<3,4,3>");
    LS_CHECK(cursor.require_end());
    return *out;
}

bool looks_like_cute(std::string_view text) {
    Cursor at(text);
    const char first = at.peek();
    if (first == '(' || first == '_' || first == '?' || first == '!' || first == '-' || (first >= '0' && first <= '9'))
        return true;
    for (const std::string_view start : {"Sw<", "S<", "Swizzle<", "Int<", "C<", "E<"}) {
        if (text.substr(at.position(), start.size()) == start) return true;
    }
    if (text.substr(at.position(), 3) == "SW_") return true;
    // A pasted tensor: a pointer in front of 'o'.
    for (const std::string_view word :
         {"ptr", "smem_ptr", "gmem_ptr", "rmem_ptr", "tmem_ptr", "raw_ptr", "ArithTuple", "tensor"}) {
        if (at.looking_at(word)) return true;
    }
    return false;
}

std::vector<TitledLayout> read_block(std::string_view text) {
    std::vector<TitledLayout> out;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        Cursor line(text.substr(begin, end - begin), begin);
        const std::string_view title = line.word();
        // A layout has a ':' of its own; a shape or a type behind the title has none.
        if (!title.empty() && line.accept(":") && line.text().find(':', line.position()) != std::string_view::npos) {
            const std::size_t at = line.position();
            if (Result<Composed> layout = read_cute(line.text().substr(at), begin + at)) {
                out.push_back({std::string(title), std::move(layout).value(), {begin + at, end}});
            }
        }
        begin = end + 1;
    }
    return out;
}

} // namespace ls::cute
