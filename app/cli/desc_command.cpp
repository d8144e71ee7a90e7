// layoutscope desc: the descriptors of tensor cores, derived from a layout, decoded from a word, encoded from fields.
#include <charconv>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "core/machine/tensor_core/instruction_descriptor.h"
#include "core/notation/notation.h"
#include "core/passes/tirx/plan/descriptor_report.h"

namespace ls::cli {

namespace {

namespace tc = tensor_core;
using nlohmann::json;

/// "blackwell-smem", "hopper-smem" or "instr-<kind>".
struct WordKind {
    std::optional<tc::Generation> matrix;
    tc::MmaKind instruction = tc::MmaKind::F16;
};
std::vector<std::string> kind_names() {
    std::vector<std::string> names{"blackwell-smem", "hopper-smem"};
    for (int k = 0; k <= static_cast<int>(tc::MmaKind::Mxf8f6f4); ++k) names.push_back(fmt::format("instr-{}", tc::name(static_cast<tc::MmaKind>(k))));
    return names;
}
WordKind kind_of(const std::string& name) {
    if (name == "hopper-smem") return {tc::Generation::Hopper, {}};
    if (name == "blackwell-smem") return {tc::Generation::Blackwell, {}};
    return {{}, tc::mma_kind_from_name(name.substr(6)).value_or(tc::MmaKind::F16)};
}

std::string bit_range(const tc::DescriptorField& field) {
    return field.bits == 1 ? fmt::format("{}", field.low_bit) : fmt::format("{}-{}", field.low_bit, field.low_bit + field.bits - 1);
}

void print_fields(const std::vector<tc::DescriptorField>& fields) {
    fmt::print("\n{:<7}{:<16}{:>8}  {:<18}{:<11}{:<6}{}\n", "bits", "field", "value", "means", "unit", "read", "what it says");
    for (const tc::DescriptorField& field : fields) {
        if (field.name == "reserved" && field.value == 0) continue;
        fmt::print("{:<7}{:<16}{:>8}  {:<18}{:<11}{:<6}{}{}\n", bit_range(field), field.name, field.value, field.shown, field.unit,
                   field.read ? "yes" : "no", field.meaning, field.why.empty() ? "" : fmt::format(" ({})", field.why));
    }
}

json fields_json(const std::vector<tc::DescriptorField>& fields) {
    json list = json::array();
    for (const tc::DescriptorField& field : fields) {
        list.push_back({{"name", field.name}, {"low_bit", field.low_bit}, {"bits", field.bits}, {"value", field.value}, {"means", field.shown},
                        {"unit", field.unit}, {"says", field.meaning}, {"read", field.read}, {"why", field.why}});
    }
    return list;
}

struct DeriveOptions {
    std::string layout, shape, region, dtype, generation = "blackwell", address = "0";
    bool transposed = false, as_json = false;
    std::int64_t tile = 0;
};

Result<std::uint64_t> read_word(const std::string& text) {
    const bool prefixed = text.starts_with("0x") || text.starts_with("0X");
    std::uint64_t value = 0;
    const char* begin = text.data() + (prefixed ? 2 : 0);
    const char* end = text.data() + text.size();
    const auto [at, problem] = std::from_chars(begin, end, value, prefixed ? 16 : 10);
    if (problem == std::errc{} && at == end && begin != end) return value;
    return error_at({0, text.size()}, "DESC_ARGUMENT", fmt::format("'{}' is no number of 64 bits", text), "write it as 0x4000404000000040");
}

/// "0:128, 0:64" over `shape`; a bare number is a point, ":" everything.
Result<std::vector<Region>> read_region(const std::string& text, std::span<const Dim> shape) {
    std::vector<Region> region;
    std::size_t at = 0;
    while (at <= text.size() && !text.empty()) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        std::string part = text.substr(at, comma - at);
        std::erase(part, ' ');
        const std::size_t colon = part.find(':');
        const Dim whole_extent = region.size() < shape.size() ? shape[region.size()] : Dim(1);
        const auto number = [&](const std::string& word, std::int64_t otherwise) -> Result<std::int64_t> {
            if (word.empty()) return otherwise;
            std::int64_t value = 0;
            const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
            if (problem == std::errc{} && end == word.data() + word.size()) return value;
            return error_at({at, comma}, "DESC_ARGUMENT", fmt::format("'{}' is no number", word), "write a region as 0:128,0:64");
        };
        LS_TRY(const std::int64_t begin, number(part.substr(0, colon), 0));
        std::int64_t end = begin + 1;
        if (colon != std::string::npos) {
            LS_TRY(end, number(part.substr(colon + 1), whole_extent.constant().value_or(0)));
        }
        if (begin < 0 || end <= begin || end > whole_extent.constant().value_or(0)) {
            return error_at({at, comma}, "DESC_ARGUMENT", fmt::format("'{}' is no part of a dimension of {}", part, to_string(whole_extent)));
        }
        region.push_back({Dim(begin), Dim(end - begin)});
        at = comma + 1;
        if (comma == text.size()) break;
    }
    if (region.size() != shape.size()) {
        return error("DESC_ARGUMENT", fmt::format("the region has {} dimensions, the shape {}", region.size(), shape.size()));
    }
    return region;
}

Result<tirx::DescriptorQuery> query_of(const DeriveOptions& options, Input& input) {
    LS_TRY(const TensorLayout tensor, read_layout_input(input));
    std::vector<Dim> shape = to_dims(tensor.shape);
    if (!options.shape.empty()) {
        LS_TRY(const auto extents, read_coordinate(options.shape));
        shape = to_dims(extents);
    }
    const auto dtype = options.dtype.empty() ? tensor.dtype.value_or(DType::Fp16) : dtype_from_name(options.dtype);
    if (!dtype) return error("DESC_ARGUMENT", fmt::format("'{}' is no element type", options.dtype), "such as f16, bf16, f8e4m3, tf32");
    tirx::DescriptorQuery query;
    query.operand = tirx::whole("operand", "shared", *dtype, shape, tensor.layout);
    if (!options.region.empty()) {
        LS_TRY(query.operand.region, read_region(options.region, shape));
    }
    const auto address = read_word(options.address);
    if (!address) return error(address.error().code, "--address: " + address.error().message, address.error().hint);
    query.base_address_bytes = static_cast<std::int64_t>(*address);
    query.transposed = options.transposed;
    query.generation = options.generation == "hopper" ? tc::Generation::Hopper : tc::Generation::Blackwell;
    if (options.tile != 0) query.tile_mn = options.tile;
    return query;
}

json report_json(const tirx::DescriptorReport& report) {
    json steps = json::array();
    for (const auto& step : report.steps) {
        steps.push_back({{"tile", step.tile}, {"k_iteration", step.k_iteration}, {"offset_16b", step.offset_16b},
                         {"offset_bytes", step.offset_16b * 16}, {"word", fmt::format("{:#018x}", step.word)}});
    }
    json out{{"swizzle", tc::name(report.operand.swizzle)}, {"ldo_16b", report.operand.ldo}, {"sdo_16b", report.operand.sdo},
             {"major", report.operand.mn_major ? "MN" : "K"}, {"mn", report.mn}, {"k", report.k}, {"tile_mn", report.tile_mn},
             {"tile_k", report.tile_k}, {"word", fmt::format("{:#018x}", report.word)}, {"fields", fields_json(report.fields)},
             {"iterations", steps}, {"walk", {{"elements", report.elements}, {"matching", report.matching}}}};
    if (report.witness) {
        out["walk"]["witness"] = {{"mn", report.witness->mn}, {"k", report.witness->k}, {"layout_byte", report.witness->layout_byte},
                                  {"hardware_byte", report.witness->hardware_byte}};
    }
    return out;
}

void print_report(const tirx::DescriptorReport& report) {
    const auto& operand = report.operand;
    fmt::print("operand   MN {} by K {}, {}-major; one instruction reads {} by {}\n", report.mn, report.k, operand.mn_major ? "MN" : "K",
               report.tile_mn, report.tile_k);
    fmt::print("swizzle   {}\nldo       {} ({} bytes)\nsdo       {} ({} bytes)\nword      {:#018x}\n", tc::name(operand.swizzle), operand.ldo,
               operand.ldo * 16, operand.sdo, operand.sdo * 16, report.word);
    print_fields(report.fields);
    fmt::print("\n{:<6}{:<6}{:>10}{:>10}  {}\n", "tile", "ki", "+16 bytes", "+bytes", "word");
    for (const auto& step : report.steps) {
        fmt::print("{:<6}{:<6}{:>10}{:>10}  {:#018x}\n", step.tile, step.k_iteration, step.offset_16b, step.offset_16b * 16, step.word);
    }
    if (report.elements == 0) {
        fmt::print("\nwalk      left out: the region is too large\n");
    } else {
        fmt::print("\nwalk      {} of {} elements lie where the hardware looks for them\n", report.matching, report.elements);
    }
}

int derive(const DeriveOptions& options) {
    auto input = read_input(options.layout);
    if (!input.ok()) return complain(input.error(), {options.layout, ""}, kUsage);
    const auto query = query_of(options, *input);
    if (!query) {
        const bool argument = query.error().code == "DESC_ARGUMENT";
        return complain(query.error(), argument ? Input{options.region, "--region"} : *input, argument ? kUsage : kFinding);
    }
    const auto report = report_descriptor(*query);
    if (!report) {
        if (options.as_json) fmt::print("{}\n", json{{"refused", report.error().code}, {"why", report.error().message}}.dump(2));
        return complain(report.error(), {}, kFinding);
    }
    if (options.as_json) {
        fmt::print("{}\n", report_json(*report).dump(2));
    } else {
        print_report(*report);
    }
    if (!report->witness) return kFine;
    const auto& witness = *report->witness;
    return complain(error("DESC_WALK", fmt::format("element (MN {}, K {}) lies at byte {:#x}, but the descriptor leads to byte {:#x}", witness.mn,
                                                   witness.k, witness.layout_byte, witness.hardware_byte),
                          "a column-major view without swizzle describes data that was written in packed order; a base address must be aligned to "
                          "the swizzle's period"),
                    {}, kFinding);
}

int show_word(std::uint64_t word, const WordKind& kind, std::optional<bool> mn_major, bool as_json) {
    const auto fields = kind.matrix ? tc::matrix_fields(word, *kind.matrix, {mn_major, {}, {}})
                                    : tc::instruction_fields(static_cast<std::uint32_t>(word), kind.instruction);
    const std::string text = kind.matrix ? fmt::format("{:#018x}", word) : fmt::format("{:#010x}", word);
    if (as_json) {
        fmt::print("{}\n", json{{"word", text}, {"fields", fields_json(fields)}}.dump(2));
    } else {
        fmt::print("word      {}\n", text);
        print_fields(fields);
    }
    std::optional<Diagnostic> why;
    if (kind.matrix) {
        if (const auto read = tc::decode_matrix(word, *kind.matrix); !read) why = read.error();
    } else if (const auto read = tc::decode_instruction(static_cast<std::uint32_t>(word), kind.instruction); !read) {
        why = read.error();
    }
    return why ? complain(*why, {}, kFinding) : kFine;
}

struct DecodeOptions {
    std::string word, kind = "blackwell-smem", major;
    bool as_json = false;
};

int decode(const DecodeOptions& options) {
    const auto word = read_word(options.word);
    if (!word) return complain(word.error(), {options.word, "WORD"}, kUsage);
    const WordKind kind = kind_of(options.kind);
    if (!kind.matrix && *word > 0xFFFFFFFF) {
        return complain(error("DESC_ARGUMENT", "an instruction descriptor has 32 bits", "is it a matrix descriptor? use --kind blackwell-smem"),
                        {options.word, "WORD"}, kUsage);
    }
    return show_word(*word, kind, options.major.empty() ? std::nullopt : std::optional(options.major == "mn"), options.as_json);
}

struct EncodeOptions {
    std::string kind = "blackwell-smem", swizzle = "none", address = "0", a = "f16", b, d = "f32", scale = "e8m0";
    std::int64_t ldo = 0, sdo = 0, m = 128, n = 128;
    int cta_group = 1;
    bool a_mn = false, b_mn = false, negate_a = false, negate_b = false, saturate = false, sparse = false, as_json = false;
};

Result<std::uint64_t> encode_matrix(const EncodeOptions& options, tc::Generation generation) {
    LS_TRY(const std::uint64_t address, read_word(options.address));
    tc::MatrixDescriptor descriptor;
    descriptor.start_address_bytes = static_cast<std::int64_t>(address);
    descriptor.leading_16b = options.ldo;
    descriptor.stride_16b = options.sdo;
    if (options.swizzle == "128B-base32B") {
        descriptor.swizzle = tc::SmemSwizzle::B128Base32;
    } else {
        const auto mode = catalogue::swizzle_mode_from_name(options.swizzle);
        descriptor.swizzle = static_cast<tc::SmemSwizzle>(mode.value_or(catalogue::SwizzleMode::None));
    }
    return encode(descriptor, generation);
}

Result<std::uint64_t> encode_instruction(const EncodeOptions& options, tc::MmaKind kind) {
    tc::InstructionDescriptor d;
    d.kind = kind;
    const std::string& b = options.b.empty() ? options.a : options.b;
    for (const auto& [text, type] : {std::pair{&options.a, &d.a}, std::pair{&b, &d.b}, std::pair{&options.d, &d.d}, std::pair{&options.scale, &d.scale}}) {
        const auto read = tc::mma_type_from_name(*text);
        if (!read) return error("DESC_ARGUMENT", fmt::format("'{}' is no number format of an MMA", *text), "such as f16, bf16, tf32, e4m3, e2m1, s8, f32, s32");
        *type = *read;
    }
    d.m = options.m;
    d.n = options.n;
    d.a_mn_major = options.a_mn;
    d.b_mn_major = options.b_mn;
    d.negate_a = options.negate_a;
    d.negate_b = options.negate_b;
    d.saturate = options.saturate;
    d.sparse = options.sparse;
    LS_TRY(const std::uint32_t word, encode(d, options.cta_group));
    return std::uint64_t{word};
}

int encode_word(const EncodeOptions& options) {
    const WordKind kind = kind_of(options.kind);
    const auto word = kind.matrix ? encode_matrix(options, *kind.matrix) : encode_instruction(options, kind.instruction);
    if (!word) return complain(word.error(), {}, word.error().code == "DESC_ARGUMENT" ? kUsage : kFinding);
    return show_word(*word, kind, {}, options.as_json);
}

void add_decode(CLI::App& desc, int& exit_code) {
    auto options = std::make_shared<DecodeOptions>();
    CLI::App* command = desc.add_subcommand("decode", "Tell a descriptor word field by field");
    command->add_option("WORD", options->word, "The word, hexadecimal with 0x or decimal")->required();
    command->add_option("-k,--kind", options->kind, "What the word is")->check(CLI::IsMember(kind_names()));
    command->add_option("--major", options->major, "Major-ness of a matrix operand: it decides which offsets are read")->check(CLI::IsMember({"k", "mn"}));
    command->add_flag("--json", options->as_json, "Print JSON");
    command->footer("Examples:\n"
                    "  layoutscope desc decode 0x4000404000000040 --major k\n"
                    "  layoutscope desc decode 0x08200010 --kind instr-f16");
    command->callback([options, &exit_code] { exit_code = decode(*options); });
}

void add_encode(CLI::App& desc, int& exit_code) {
    auto options = std::make_shared<EncodeOptions>();
    CLI::App* command = desc.add_subcommand("encode", "Make a descriptor word from its fields");
    command->add_option("-k,--kind", options->kind, "What to make")->check(CLI::IsMember(kind_names()));
    command->add_option("--address", options->address, "Matrix: start address in bytes");
    command->add_option("--ldo", options->ldo, "Matrix: leading offset in units of 16 bytes");
    command->add_option("--sdo", options->sdo, "Matrix: stride offset in units of 16 bytes");
    command->add_option("--swizzle", options->swizzle, "Matrix: swizzle")->check(CLI::IsMember({"none", "32B", "64B", "128B", "128B-base32B"}));
    command->add_option("-m,--rows", options->m, "Instruction: M over the whole CTA group");
    command->add_option("-n,--columns", options->n, "Instruction: N");
    command->add_option("-a,--a-type", options->a, "Instruction: number format of A");
    command->add_option("-b,--b-type", options->b, "Instruction: number format of B; default: A's");
    command->add_option("-d,--d-type", options->d, "Instruction: number format of D");
    command->add_option("--scale-type", options->scale, "Instruction: number format of scale factors");
    command->add_option("--cta-group", options->cta_group, "Instruction: CTAs that work together")->check(CLI::IsMember({1, 2}));
    command->add_flag("--a-mn-major", options->a_mn, "Instruction: A is MN-major");
    command->add_flag("--b-mn-major", options->b_mn, "Instruction: B is MN-major");
    command->add_flag("--negate-a", options->negate_a, "Instruction: negate A");
    command->add_flag("--negate-b", options->negate_b, "Instruction: negate B");
    command->add_flag("--saturate", options->saturate, "Instruction: saturate D");
    command->add_flag("--sparse", options->sparse, "Instruction: A is sparse");
    command->add_flag("--json", options->as_json, "Print JSON");
    command->footer("Examples:\n"
                    "  layoutscope desc encode --swizzle 128B --sdo 64 --address 0x400\n"
                    "  layoutscope desc encode --kind instr-f16 -m 128 -n 128 -a f16");
    command->callback([options, &exit_code] { exit_code = encode_word(*options); });
}

} // namespace

void add_desc(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<DeriveOptions>();
    CLI::App* command = app.add_subcommand("desc", "Descriptors of tensor cores: derive from a layout, decode, encode");
    command->add_option("-l,--layout", options->layout, "Layout text of the buffer in any notation, a file that holds one, or - for standard input");
    command->add_option("--shape", options->shape, "Shape of the buffer; default: the layout's own");
    command->add_option("--dtype", options->dtype, "Element type; default: the layout's own, else f16");
    command->add_option("--region", options->region, "The operand's part of the buffer, such as 1,0:128,0:64; default: all of it");
    command->add_flag("--mn-major,--transposed", options->transposed, "The region is [K, MN] instead of [MN, K]");
    command->add_option("--address", options->address, "Where the buffer starts in shared memory, in bytes");
    command->add_option("--tile", options->tile, "Rows of one instruction; default: all up to 256");
    command->add_option("--generation", options->generation, "Whose descriptor")->check(CLI::IsMember({"blackwell", "hopper"}));
    command->add_flag("--json", options->as_json, "Print JSON");
    command->require_subcommand(0, 1);
    add_decode(*command, exit_code);
    add_encode(*command, exit_code);
    add_desc_gemm(*command, exit_code);
    command->footer("Examples:\n"
                    "  layoutscope desc --layout 'mma_shared(f16, 128B, (128, 64))' --address 0x400\n"
                    "  layoutscope desc --layout 'ComposeLayout(3, 3, 3, S[24576:1])' --shape 3,128,64 --region 1,0:128,0:64\n"
                    "  layoutscope desc decode 0x4000404000000040");
    command->callback([command, options, &exit_code] {
        if (!command->get_subcommands().empty()) return;
        if (options->layout.empty()) throw CLI::RequiredError("--layout, decode or encode");
        exit_code = derive(*options);
    });
}

} // namespace ls::cli
