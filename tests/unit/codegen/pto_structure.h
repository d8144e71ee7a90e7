// What a `.pto` text does, without what it calls things: one line for each operation, in order, its operands written out.
//
// A number is its expression over the arguments (constants folded, casts left out), a window its view, offsets and sizes, a
// tile its memory, address, valid part and type. Two texts of the same structure move the same bytes in the same way.
#pragma once

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace ls::codegen {

class PtoStructure {
public:
    /// Of one function; of the first when `function` is empty.
    static std::vector<std::string> of(const std::string& text, const std::string& function = {}) {
        PtoStructure reader;
        bool inside = false;
        int depth = 0;
        for (const std::string& line : joined(text)) {
            if (line.rfind("func.func @", 0) == 0) {
                const std::string name = line.substr(11, line.find('(') - 11);
                inside = function.empty() || name == function;
                if (inside) reader.out_.push_back(line.substr(line.find('(')));
                continue;
            }
            if (!inside) continue;
            depth += line.back() == '{' ? 1 : 0;
            depth -= line.front() == '}' ? 1 : 0;
            if (depth < 0) break; // the function's own end
            reader.read(line);
        }
        return reader.out_;
    }

private:
    using Strings = std::vector<std::string>;

    /// Lines without places and indentation; an operation that goes over two lines is one.
    static Strings joined(const std::string& text) {
        Strings lines;
        std::istringstream in(text);
        for (std::string line; std::getline(in, line);) {
            if (const std::size_t place = line.find(" loc("); place != std::string::npos) line.resize(place);
            const std::size_t begin = line.find_first_not_of(' ');
            if (begin == std::string::npos) continue;
            line.erase(0, begin);
            if (line.front() == '(' && !lines.empty()) {
                lines.back() += " " + line;
            } else {
                lines.push_back(line);
            }
        }
        return lines;
    }

    static bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

    std::string value(const std::string& name) const {
        const auto found = values_.find(name);
        return found == values_.end() ? name : found->second;
    }
    /// The text with every value written out.
    std::string expand(const std::string& text) const {
        std::string out;
        for (std::size_t i = 0; i < text.size();) {
            if (text[i] != '%') {
                out += text[i++];
                continue;
            }
            std::size_t end = i + 1;
            while (end < text.size() && is_name(text[end])) ++end;
            out += value(text.substr(i, end - i));
            i = end;
        }
        return out;
    }
    /// Without the types of tiles and windows: what they say is in the values.
    static std::string without_types(std::string text) {
        for (const std::string_view type : {"!pto.tile_buf<", "!pto.partition_tensor_view<", "!pto.tensor_view<", "!pto.ptr<"}) {
            for (std::size_t at = text.find(type); at != std::string::npos; at = text.find(type)) text.erase(at, text.find('>', at) - at + 1);
        }
        return text;
    }
    static std::string after(const std::string& text, const std::string& what) {
        const std::size_t at = text.find(what);
        return at == std::string::npos ? std::string() : text.substr(at + what.size());
    }
    static std::optional<std::int64_t> number(const std::string& text) {
        char* end = nullptr;
        const long long v = std::strtoll(text.c_str(), &end, 10);
        return text.empty() || *end != '\0' ? std::nullopt : std::optional<std::int64_t>(v);
    }

    std::string arithmetic(std::string op, const std::string& rest) const {
        const std::string operands = expand(rest.substr(0, rest.find(" : ")));
        if (op == "index_cast" || op == "extsi" || op == "trunci" || op == "constant") {
            if (op != "constant" || number(operands)) return operands;
            return fmt::format("{}", std::strtod(operands.c_str(), nullptr));
        }
        if (op == "floordivsi") op = "divsi"; // the older spelling; equal for what is not negative
        const std::size_t comma = operands.rfind(", ");
        const std::string a = comma == std::string::npos ? operands : operands.substr(0, comma), b = comma == std::string::npos ? "" : operands.substr(comma + 2);
        const auto x = number(a), y = number(b);
        if (x && y && op == "muli") return fmt::to_string(*x * *y);
        if (x && y && op == "addi") return fmt::to_string(*x + *y);
        return fmt::format("({} {})", op, operands);
    }

    void define(const std::string& name, const std::string& op, const std::string& rest) {
        if (op.rfind("arith.", 0) == 0) {
            values_[name] = arithmetic(op.substr(6), rest);
        } else if (op == "pto.make_tensor_view") {
            values_[name] = "view(" + expand(rest.substr(0, rest.rfind(" : "))) + ")";
        } else if (op == "pto.partition_view") {
            values_[name] = expand(rest.substr(0, rest.find(" : "))) + after(rest, "-> ");
        } else if (op == "pto.alloc_tile") {
            values_[name] = fmt::format("tile({}{})", expand(rest.substr(0, rest.find(" : "))), after(rest, " : "));
        } else if (op == "pto.subview") {
            values_[name] = fmt::format("window({} {})", expand(rest.substr(0, rest.find(" : "))), after(rest, "-> "));
        } else {
            values_[name] = fmt::format("#{}", results_++);
            out_.push_back(fmt::format("{} = {} {}", values_[name], op, op == "pto.tpop_from_aic" || op == "pto.tpop_from_aiv" ? expand(rest) : expand(without_types(rest))));
        }
    }

    void read(const std::string& line) {
        if (line == "}" || line == "} else {") {
            if (line == "}" && !out_.empty() && out_.back() == "else") { // an empty else says nothing
                out_.back() = "end";
            } else {
                out_.emplace_back(line == "}" ? "end" : "else");
            }
            return;
        }
        const std::size_t equals = line.find(" = ");
        const bool defines = line.front() == '%' && equals != std::string::npos;
        const std::string name = defines ? line.substr(0, equals) : std::string();
        const std::string rest = defines ? line.substr(equals + 3) : line;
        const std::size_t space = rest.find(' ');
        const std::string op = rest.substr(0, std::min(space, rest.find('(')));
        const std::string operands = space == std::string::npos ? "" : rest.substr(op.size() + (rest[op.size()] == ' ' ? 1 : 0));
        if (op == "scf.for") {
            const std::string variable = operands.substr(0, operands.find(' '));
            out_.push_back("for" + expand(after(operands, " =")));
            values_[variable] = fmt::format("i{}", loops_++);
        } else if (op == "scf.if") {
            if (defines) values_[name] = fmt::format("#{}", results_++);
            out_.push_back("if " + expand(operands));
        } else if (defines) {
            define(name, op, operands);
        } else if (op != "return") {
            out_.push_back(op + " " + expand(without_types(operands)));
        }
    }

    Strings out_;
    std::map<std::string, std::string> values_;
    std::size_t loops_ = 0, results_ = 0;
};

} // namespace ls::codegen
