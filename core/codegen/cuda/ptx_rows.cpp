// Reads the rows of the table; their grammar stands at the top of ptx_family.h.
#include <algorithm>

#include "core/codegen/cuda/ptx_family.h"

namespace ls::codegen::cuda {

namespace {

/// One operand word of a row; see the grammar at the top of ptx_family.h. Several where a word holds several.
class OperandReader {
public:
    explicit OperandReader(std::vector<Operand>& out) : out_(out) {}

    void read(std::string_view word) {
        std::string_view only_with;
        if (const std::size_t q = word.find('?'); q != std::string_view::npos) {
            only_with = word.substr(0, q);
            word.remove_prefix(q + 1);
        }
        const std::size_t first = out_.size();
        if (word.front() == '[' && word.find(',') != std::string_view::npos) {
            const std::size_t comma = word.find(',');
            one(word.substr(1, comma - 1), true);
            one(word.substr(comma + 1, word.size() - comma - 2), false);
            for (std::size_t i = first; i < out_.size(); ++i) out_[i].bracket = joined_;
            ++joined_;
        } else if (const std::size_t bar = word.find('|'); bar != std::string_view::npos) {
            one(word.substr(0, bar), false);
            one(word.substr(bar + 1), false);
            for (std::size_t i = first; i < out_.size(); ++i) out_[i].pipe = joined_;
            ++joined_;
        } else {
            one(word, false);
        }
        for (std::size_t i = first; i < out_.size(); ++i) out_[i].only_with = only_with;
    }

private:
    void one(std::string_view word, bool address) {
        Operand o;
        if (word.front() == '[') {
            address = true;
            word = word.substr(1, word.size() - 2);
        }
        if (address) {
            o.kind = Operand::Kind::Address;
            o.space = word == "s"   ? Operand::Space::Shared
                      : word == "t" ? Operand::Space::Tensor
                      : word == "g" ? Operand::Space::Generic
                                    : Operand::Space::AsWritten;
            out_.push_back(o);
            return;
        }
        if (word.front() == '{') {
            const std::size_t star = word.find('*');
            o.group = true;
            o.count = word.substr(star + 1, word.size() - star - 2);
            word = word.substr(1, star - 1);
        }
        if (word == "#") {
            o.kind = Operand::Kind::Immediate;
        } else if (word == "ptr") {
            o.kind = Operand::Kind::Pointer;
        } else if (word == "_" || (word.front() >= '0' && word.front() <= '9')) {
            o.kind = Operand::Kind::Literal;
            o.text = word;
        } else {
            if (word.front() == '=' || word.front() == '+') {
                o.written = true;
                o.read = word.front() == '+';
                word.remove_prefix(1);
            }
            o.kind = word == "p" ? Operand::Kind::Predicate : Operand::Kind::Register;
            o.type = word;
        }
        out_.push_back(o);
    }

    std::vector<Operand>& out_;
    int joined_ = 0;
};

std::vector<Family> read_rows() {
    std::vector<Family> families;
    for (const FamilyRow& row : ptx_rows()) {
        Family f;
        f.row = &row;
        for (std::string_view word : split_words(row.modifiers, ' ')) {
            Modifier m;
            m.optional = word.back() == '?';
            if (m.optional) word.remove_suffix(1);
            m.choices = split_words(word, '|');
            f.modifiers.push_back(std::move(m));
        }
        OperandReader reader(f.operands);
        for (const std::string_view word : split_words(row.operands, ' ')) reader.read(word);
        families.push_back(std::move(f));
    }
    return families;
}

} // namespace

std::vector<std::string_view> split_words(std::string_view text, char by) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(by), text.size());
        if (end > 0) parts.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

std::span<const Family> ptx_families() {
    static const std::vector<Family> families = read_rows();
    return families;
}

} // namespace ls::codegen::cuda
