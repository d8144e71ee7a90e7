#include <algorithm>
#include <cctype>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/codegen/ascendc/ascendc.h"
#include "core/codegen/ascendc/source_template.h"
#include "embedded/ascendc_stub.h"
#include "embedded/model_buffers.h"
#include "embedded/model_check.h"

namespace ls::codegen {

using namespace ub;

namespace {

/// Words that the exported source needs for itself, each between spaces.
constexpr std::string_view kReserved =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t "
    "class compl const const_cast constexpr continue decltype default delete do double dynamic_cast else "
    "enum explicit export extern false float for friend goto half if inline int int16_t int32_t int64_t "
    "int8_t long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected "
    "public register reinterpret_cast return short signed sizeof static static_assert static_cast struct "
    "switch template this thread_local throw true try typedef typeid typename uint16_t uint32_t uint64_t "
    "uint8_t union unsigned using virtual void volatile wchar_t while xor AlignUp CeilDiv Max Min Sizes ";

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Printable and within one line: names go into comments and strings.
std::string quoted(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool plain = static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\' && c != '\x7f' && c != '?';
        out += plain ? c : '_';
    }
    return out;
}

/// Member names, made from the model's names; equal ones get a number.
class Members {
public:
    std::string operator()(std::string_view name) {
        std::string base;
        for (const char c : name) base += is_word(c) ? c : '_';
        while (!base.empty() && base.back() == '_') base.pop_back();
        if (base.empty() || std::isdigit(static_cast<unsigned char>(base[0])) != 0) base = "v" + base;
        base += '_';
        std::string unique = base;
        for (int i = 2; !taken_.insert(unique).second; ++i) unique = fmt::format("{}{}_", base, i);
        return unique;
    }

private:
    std::set<std::string, std::less<>> taken_{"sizes_"};
};

/// The model's grammar is C++'s but for functions, and for literals that must not be ints. Names become members of `s`.
std::string cpp_expression(std::string_view text, std::string_view prefix) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        if (!is_word(text[i])) {
            out += text[i++];
            continue;
        }
        const std::size_t begin = i;
        while (i < text.size() && is_word(text[i])) ++i;
        const std::string_view word = text.substr(begin, i - begin);
        std::size_t next = i;
        while (next < text.size() && std::isspace(static_cast<unsigned char>(text[next])) != 0) ++next;
        const bool call = next < text.size() && text[next] == '(';
        if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) {
            out += std::string(word) + "LL";
        } else if (!call) {
            out += fmt::format("{}{}", prefix, word);
        } else {
            out += word == "min" ? "Min" : word == "max" ? "Max" : word == "align" ? "AlignUp" : "CeilDiv";
        }
    }
    return out;
}

/// The C++ type of a view's elements; empty where AscendC buffers have none.
std::string_view element_type(DType type) {
    switch (type) {
    case DType::Fp32:
    case DType::Fp16:
    case DType::Bf16:
    case DType::Int8:
    case DType::UInt8:
    case DType::Int16:
    case DType::UInt16:
    case DType::Int32:
    case DType::UInt32:
    case DType::Int64:
    case DType::UInt64: return info(type).cpp;
    default: return "";
    }
}

Status check_name(std::string_view name, const Place& place) {
    if (kReserved.find(fmt::format(" {} ", name)) == std::string_view::npos) return ok_status();
    return error_at(place.span, "CG_ASCENDC_NAME",
                    fmt::format("'{}' is a word of the exported C++ and cannot name a size", name),
                    "rename the parameter");
}

class ModelWriter {
public:
    explicit ModelWriter(const Model& model) : model_(model) {}

    Status write() {
        for (const Parameter& p : model_.params) {
            LS_CHECK(check_name(p.name, p.place));
            sizes += fmt::format("  int64_t {} = {}LL;\n", p.name,
                                 p.value == std::numeric_limits<std::int64_t>::min() ? p.value + 1 : p.value);
        }
        for (const DerivedValue& d : model_.derived) {
            LS_CHECK(check_name(d.name, d.place));
            sizes += fmt::format("  int64_t {} = {};\n", d.name, cpp_expression(d.value.text, ""));
        }
        for (const Alloc& alloc : model_.allocs) LS_CHECK(write_alloc(alloc));
        return ok_status();
    }

    std::string sizes, body, members;
    std::vector<std::pair<std::string, std::string>> line_starts; ///< beginning of a body line, and what it carves

private:
    void line(const std::string& text, std::string origin = {}) {
        if (!origin.empty()) line_starts.emplace_back("    " + text, std::move(origin));
        body += "    " + text + "\n";
    }

    Status write_alloc(const Alloc& alloc) {
        const std::string member = members_(alloc.name);
        if (alloc.kind == AllocKind::Queue) {
            members += fmt::format("  AscendC::TQue<AscendC::QuePosition::{}, {}> {};\n", name(alloc.position),
                                   alloc.depth, member);
            const std::string num = cpp_expression(alloc.num.text, "s."), len = cpp_expression(alloc.len.text, "s.");
            line(fmt::format("pipe->InitBuffer({}, static_cast<uint8_t>({}), static_cast<uint32_t>({}));", member, num,
                             len),
                 alloc.name);
            line(fmt::format("taken += ({}) * AlignUp({}, 32);", num, len));
            return ok_status();
        }
        members += fmt::format("  AscendC::TBuf<AscendC::TPosition::{}> {};\n", name(alloc.position), member);
        const std::string len = alloc.rest ? "Max(0, kUbBytes - taken)" : cpp_expression(alloc.len.text, "s.");
        line(fmt::format("pipe->InitBuffer({}, static_cast<uint32_t>({}));", member, len), alloc.name);
        line(fmt::format("taken += AlignUp({}, 32);", len));
        if (!alloc.views.empty()) line("cursor = 0;");
        for (std::size_t i = 0; i < alloc.views.size(); ++i)
            LS_CHECK(write_view(alloc, alloc.views[i], member, i + 1 == alloc.views.size()));
        return ok_status();
    }

    Status write_view(const Alloc& alloc, const View& view, const std::string& buffer, bool last) {
        const std::string_view type = element_type(view.dtype);
        if (type.empty()) {
            return error_at(
                view.place.span, "CG_ASCENDC_TYPE",
                fmt::format("view {} is of {}, which AscendC buffers have not", view.name, dtype_text(view.dtype)),
                "use fp32, fp16, bf16 or an integer type");
        }
        const std::string member = members_(view.name);
        members += fmt::format("  AscendC::LocalTensor<{}> {};{}\n", type, member, remark(view));
        const std::string elems = cpp_expression(view.elems.text, "s.");
        const std::string off = view.off ? cpp_expression(view.off->text, "s.") : "cursor";
        line(fmt::format("{} = {}.GetWithOffset<{}>(static_cast<uint32_t>({}), static_cast<uint32_t>({}));", member,
                         buffer, type, elems, off),
             alloc.name + "." + view.name);
        if (view.off) return ok_status();
        // Past the last view the cursor moves in any case: no offset changes, and one more view can safely follow.
        const bool stays = last && view.advance && view.advance->text == "0";
        if (view.advance && !stays) {
            line(fmt::format("cursor += {};", cpp_expression(view.advance->text, "s.")));
        } else {
            line(fmt::format("cursor += ({}) * static_cast<int64_t>(sizeof({}));", elems, type));
        }
        return ok_status();
    }

    std::string remark(const View& view) const {
        std::string text;
        if (!view.alias_group.empty()) text += " shares " + quoted(view.alias_group) + ";";
        if (view.live) {
            text += " live in phases";
            for (const LiveRange& range : *view.live) text += fmt::format(" {}-{}", range.first, range.last);
        }
        return text.empty() ? "" : "  //" + text;
    }

    const Model& model_;
    Members members_;
};

std::vector<std::string> origins_of(std::string_view text,
                                    const std::vector<std::pair<std::string, std::string>>& starts) {
    std::vector<std::string> origins;
    std::size_t next = 0;
    while (!text.empty()) {
        const std::size_t newline = text.find('\n');
        const std::string_view line = text.substr(0, newline);
        text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
        const bool hit = next < starts.size() && line == starts[next].first;
        origins.push_back(hit ? starts[next++].second : "");
    }
    return origins;
}

std::string upper_first(std::string text) {
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

} // namespace

Result<std::vector<AscendcFile>> export_model(const CompiledModel& compiled, std::string_view model_name) {
    const Model& model = compiled.model();
    LS_TRY(const Partition partition, compiled.evaluate());
    if (partition.ub_used > std::numeric_limits<std::uint32_t>::max() ||
        partition.device_used > std::numeric_limits<std::uint32_t>::max()) {
        return error("CG_ASCENDC_SIZE", "the partition exceeds the kernel's 32-bit addresses", "no chip has so much");
    }
    std::string stem;
    for (const char c : model_name) stem += is_word(c) ? c : '_';
    if (stem.empty() || std::isdigit(static_cast<unsigned char>(stem[0])) != 0) stem = "m" + stem;

    ModelWriter writer(model);
    LS_CHECK(writer.write());
    std::string blocks, views;
    for (const PlacedAlloc& a : partition.allocs) {
        blocks += fmt::format("      {{\"{}\", {}u, {}u, {}u}},\n", quoted(a.name), a.ub_base, a.len, a.num);
        for (const PlacedView& v : a.views)
            views += fmt::format("      {{\"{}\", {}u, {}u, {}u}},\n", quoted(v.name), v.elems, v.bytes, v.off);
    }
    const TemplateValues values{
        {"ABOUT", fmt::format("{}: unified-buffer partition for {} ({} bytes).", stem, quoted(model.platform.name),
                              model.platform.ub_bytes)},
        {"NAMESPACE", stem + "_sizes"},
        {"CLASS", upper_first(stem) + "Buffers"},
        {"FILE", stem},
        {"UB", fmt::format("{}LL", model.platform.ub_bytes)},
        {"SIZES", writer.sizes},
        {"BODY", writer.body},
        {"MEMBERS", writer.members},
        {"BLOCKS", blocks},
        {"VIEWS", views},
    };
    std::vector<AscendcFile> files;
    files.push_back({stem + "_buffers.h", fill_template(embedded::model_buffers, "", values), {}});
    files.back().origins = origins_of(files.back().text, writer.line_starts);
    files.push_back({"ascendc_stub.h", std::string(embedded::ascendc_stub), {}});
    files.push_back({stem + "_check.cpp", fill_template(embedded::model_check, "", values), {}});
    for (AscendcFile& each : files) {
        if (each.origins.empty())
            each.origins.resize(static_cast<std::size_t>(std::count(each.text.begin(), each.text.end(), '\n')));
    }
    return files;
}

} // namespace ls::codegen
