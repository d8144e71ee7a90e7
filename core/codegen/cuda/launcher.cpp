// The host side: tensor maps (spec/tirx.md 8.1) and the launch with its attributes.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/codegen/cuda/device.h"
#include "core/codegen/cuda/expressions.h"
#include "core/codegen/line_writer.h"

namespace ls::codegen::cuda {

using namespace ir;

namespace {

/// The driver's name of an element type; a tensor map moves 8-bit floats as bytes.
std::string_view tensor_map_type(std::string_view dtype) {
    struct Row {
        std::string_view dtype, name;
    };
    constexpr std::array kRows{Row{"float16", "FLOAT16"}, Row{"bfloat16", "BFLOAT16"}, Row{"float32", "FLOAT32"}, Row{"float64", "FLOAT64"},
                               Row{"uint8", "UINT8"},     Row{"int8", "UINT8"},        Row{"uint16", "UINT16"},   Row{"int16", "UINT16"},
                               Row{"uint32", "UINT32"},   Row{"int32", "INT32"},       Row{"uint64", "UINT64"},   Row{"int64", "INT64"},
                               Row{"bool", "UINT8"},      Row{"float4_e2m1fn", "16U4_ALIGN8B"}};
    const auto* found = std::find_if(kRows.begin(), kRows.end(), [&](const Row& r) { return r.dtype == dtype; });
    if (found != kRows.end()) return found->name;
    return dtype.starts_with("float8") ? std::string_view("UINT8") : std::string_view();
}

constexpr std::string_view kEncode = R"(
// The driver's encoder, found when the program runs: nothing has to be linked.
inline CUresult encode_tensor_map(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* base, const cuuint64_t* dims,
                                  const cuuint64_t* strides, const cuuint32_t* box, const cuuint32_t* steps, int interleave, int swizzle,
                                  int l2_promotion, int out_of_bounds) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status;
  if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &status) != cudaSuccess || found == nullptr)
    return CUDA_ERROR_NOT_FOUND;
  return ((decltype(&cuTensorMapEncodeTiled))found)(map, type, rank, base, dims, strides, box, steps, (CUtensorMapInterleave)interleave,
                                                    (CUtensorMapSwizzle)swizzle, (CUtensorMapL2promotion)l2_promotion,
                                                    (CUtensorMapFloatOOBfill)out_of_bounds);
}
)";

class LauncherPrinter {
public:
    LauncherPrinter(const CudaKernel& kernel, const SharedMemory& shared) : k_(kernel), shared_(shared), out_(kernel.stem + "_launch.cuh"), e_(kernel.arch, helpers_, names_) {
        for (const char* word : {"config", "attributes", "stream", "error", "int", "float", "uint"}) names_.take(word);
    }

    Result<SourceFile> print() {
        LineWriter head(k_.stem + "_launch.cuh");
        std::vector<std::string> parameters = signature();
        std::swap(out_, head); // the body first: whether a tensor map is encoded decides what stands above it
        out_.line(fmt::format("inline cudaError_t launch_{}({}) {{", k_.stem, fmt::join(parameters, ", ")), k_.origin);
        out_.open();
        for (const Stmt& s : k_.host_body) statement(s);
        launch();
        out_.close();
        out_.line("}", k_.origin);
        if (e_.failure()) return *e_.failure();
        std::swap(out_, head);
        out_.line(fmt::format("// Launches {}; pointers are device memory.", k_.name));
        out_.line("#pragma once");
        out_.line("");
        out_.line(fmt::format("#include \"{}.cu\"", k_.stem));
        std::string_view rest = encodes_ ? kEncode : std::string_view();
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            out_.line(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        out_.line("");
        SourceFile file = out_.take(), body = head.take();
        file.text += body.text;
        file.lines.insert(file.lines.end(), body.lines.begin(), body.lines.end());
        return file;
    }

private:
    std::vector<std::string> signature() {
        std::vector<std::string> parameters;
        const auto one = [&](const Var& v, KernelParameter::Kind kind, const CType& type) {
            const std::string name = e_.name_of(*v);
            switch (kind) {
            case KernelParameter::Kind::Pointer:
                e_.define(v.get(), {Place::Kind::Buffer, name, type});
                parameters.push_back(fmt::format("{} {}", spelling(pointer_to(type)), name));
                break;
            case KernelParameter::Kind::TensorMap:
                e_.define(v.get(), {Place::Kind::TensorMap, name, kVoidPointer});
                parameters.push_back(fmt::format("const CUtensorMap& {}", name));
                break;
            case KernelParameter::Kind::Scalar:
                e_.define(v.get(), {Place::Kind::Scalar, name, type});
                parameters.push_back(fmt::format("{} {}", spelling(type), name));
                break;
            }
        };
        if (k_.has_host) {
            for (const Param& p : k_.host_parameters) {
                if (const auto* buffer = as<BufferTypeNode>(p.var->type)) {
                    one(p.var, KernelParameter::Kind::Pointer, element_type(*buffer).value_or(value_of(DType::UInt8)));
                } else if (const auto* scalar = as<ScalarTypeNode>(p.var->type)) {
                    one(p.var, KernelParameter::Kind::Scalar, value_of(scalar->dtype));
                } else if (const auto* pointer = as<PtrTypeNode>(p.var->type)) {
                    one(p.var, KernelParameter::Kind::Pointer, value_of(pointer->pointee.value_or(DType::UInt8)));
                }
            }
        } else {
            for (const KernelParameter& p : k_.parameters) one(p.var, p.kind, p.type);
        }
        parameters.emplace_back("cudaStream_t stream = nullptr");
        return parameters;
    }

    void statement(const Stmt& s) {
        if (e_.failure()) return;
        if (const auto* a = as<AssignNode>(s); a != nullptr && a->targets.size() == 1) {
            const Var& v = a->targets[0];
            const auto* c = as<CallNode>(a->value);
            if (c != nullptr && c->op == "tvm_stack_alloca") {
                const std::string name = e_.name_of(*v);
                e_.define(v.get(), {Place::Kind::TensorMap, name, kVoidPointer});
                out_.line(fmt::format("CUtensorMap {};", name), s);
                return;
            }
            if (const auto* type = as<BufferTypeNode>(v->type)) {
                // A view has the address of what it views.
                const Expr data = c != nullptr && c->kwarg("data") != nullptr ? data_of(*c) : Expr();
                if (data == nullptr) return e_.fail(error_at(s->span, "CG_CUDA_HOST", fmt::format("the host allocates {}", v->name), "make it a parameter"));
                const CType element = element_type(*type).value_or(value_of(DType::UInt8));
                const Value base = e_.value(data);
                const CType wanted = pointer_to(element);
                e_.define(v.get(), {Place::Kind::Buffer, base.type == wanted ? base.text : fmt::format("(({}){})", spelling(wanted), e_.wrapped(base)), element});
                return;
            }
            const Value value = e_.value(a->value);
            const std::string name = e_.name_of(*v);
            e_.define(v.get(), {Place::Kind::Scalar, name, value.type});
            out_.line(fmt::format("const {} {} = {};", spelling(value.type), name, value.text), s);
            return;
        }
        if (const auto* eval = as<EvalNode>(s)) {
            const auto* c = as<CallNode>(eval->value);
            const auto* name = c != nullptr && c->op == "call_packed" && !c->args.empty() ? as<StringNode>(c->args[0]) : nullptr;
            if (name == nullptr) return;
            if (name->value == "runtime.cuTensorMapEncodeTiled") return encode(s, *c);
            e_.fail(error_at(s->span, "CG_CUDA_HOST", fmt::format("the host calls {}", name->value), "the launcher encodes tensor maps and launches; do the rest around it"));
        }
    }

    static Expr data_of(const CallNode& c) {
        for (const KeyValue& k : c.kwargs) {
            if (k.key == "data") return k.value;
        }
        return {};
    }

    /// map, dtype, rank, base, dims, strides, box, element strides, interleave, swizzle, L2 promotion, out of bounds[, dtype]
    void encode(const Stmt& s, const CallNode& c) {
        const auto rank = c.args.size() > 4 ? constant(c.args[3]) : std::nullopt;
        const auto* dtype = c.args.size() > 4 ? as<StringNode>(c.args[2]) : nullptr;
        const std::size_t n = static_cast<std::size_t>(rank.value_or(0));
        const std::size_t expected = 5 + 4 * n - 1 + 4;
        if (!rank || *rank < 1 || *rank > 5 || dtype == nullptr || (c.args.size() != expected && c.args.size() != expected + 1)) {
            return e_.fail(error_at(s->span, "CG_CUDA_HOST", fmt::format("a tensor map is encoded with {} arguments", c.args.size()), "give map, dtype, rank, base, dims, strides, box, element strides and four modes"));
        }
        encodes_ = true;
        const Value map = e_.value(c.args[1]), base = e_.value(c.args[4]);
        const auto list = [&](std::size_t first, std::size_t count) {
            std::vector<std::string> texts;
            for (std::size_t i = 0; i < count; ++i) texts.push_back(e_.value(c.args[first + i]).text);
            return fmt::format("{}", fmt::join(texts, ", "));
        };
        std::string type(tensor_map_type(dtype->value));
        type = type.empty() ? type : "CU_TENSOR_MAP_DATA_TYPE_" + type;
        if (c.args.size() == expected + 1) type = fmt::format("(CUtensorMapDataType){}", e_.value(c.args.back()).text);
        if (type.empty()) return e_.fail(error_at(s->span, "CG_CUDA_TYPE", fmt::format("a tensor map holds no {}", dtype->value), "copy it as bytes"));
        std::size_t at = 5;
        out_.line("{", s);
        out_.open();
        out_.line(fmt::format("const cuuint64_t dims[{}] = {{{}}};  // innermost first", n, list(at, n)), s);
        at += n;
        // A map of one dimension has no stride; C++ wants an element all the same.
        out_.line(n > 1 ? fmt::format("const cuuint64_t strides[{}] = {{{}}};  // bytes, without the innermost", n - 1, list(at, n - 1)) : "const cuuint64_t strides[1] = {0};", s);
        at += n - 1;
        out_.line(fmt::format("const cuuint32_t box[{}] = {{{}}};", n, list(at, n)), s);
        at += n;
        out_.line(fmt::format("const cuuint32_t steps[{}] = {{{}}};", n, list(at, n)), s);
        at += n;
        out_.line(fmt::format("if (encode_tensor_map(&{}, {}, {}, {}, dims, strides, box, steps, {}) != CUDA_SUCCESS) return cudaErrorInvalidValue;", map.text, type, n, base.text, list(at, 4)), s);
        out_.close();
        out_.line("}", s);
    }

    std::string extents(std::string_view kind) {
        std::vector<std::string> texts;
        for (const char axis : {'x', 'y', 'z'}) {
            std::string text = "1";
            for (const LaunchDimension& d : k_.dimensions) {
                if (d.tag == fmt::format("{}.{}", kind, axis)) text = e_.value(d.extent).text;
            }
            texts.push_back(text);
        }
        return fmt::format("{}", fmt::join(texts, ", "));
    }

    void launch() {
        if (e_.failure()) return;
        const bool cluster = std::any_of(k_.dimensions.begin(), k_.dimensions.end(), [](const LaunchDimension& d) { return d.tag.starts_with("clusterCtaIdx."); });
        out_.line("cudaLaunchConfig_t config = {};", k_.origin);
        out_.line(fmt::format("config.gridDim = dim3({});", extents("blockIdx")), k_.origin);
        out_.line(fmt::format("config.blockDim = dim3({});", extents("threadIdx")), k_.origin);
        out_.line("config.stream = stream;", k_.origin);
        if (shared_.arena_bytes > 0) {
            out_.line(fmt::format("config.dynamicSmemBytes = {};", shared_.arena_bytes), k_.origin);
            out_.line(fmt::format("const cudaError_t error = cudaFuncSetAttribute({}, cudaFuncAttributeMaxDynamicSharedMemorySize, {});", k_.name, shared_.arena_bytes), k_.origin);
            out_.line("if (error != cudaSuccess) return error;", k_.origin);
        }
        if (cluster) {
            out_.line("cudaLaunchAttribute attributes[1];", k_.origin);
            out_.line("attributes[0].id = cudaLaunchAttributeClusterDimension;", k_.origin);
            const std::string dims = extents("clusterCtaIdx");
            std::size_t from = 0;
            for (const char axis : {'x', 'y', 'z'}) {
                const std::size_t comma = std::min(dims.find(", ", from), dims.size());
                out_.line(fmt::format("attributes[0].val.clusterDim.{} = {};", axis, dims.substr(from, comma - from)), k_.origin);
                from = std::min(comma + 2, dims.size());
            }
            out_.line("config.attrs = attributes;", k_.origin);
            out_.line("config.numAttrs = 1;", k_.origin);
        }
        std::vector<std::string> arguments{"&config", k_.name};
        for (const KernelParameter& p : k_.parameters) {
            const Value v = e_.value(k_.has_host && p.host != nullptr ? p.host : Expr(p.var));
            const CType wanted = pointer_to(p.type);
            arguments.push_back(p.kind == KernelParameter::Kind::Pointer && v.type != wanted ? fmt::format("({}){}", spelling(wanted), e_.wrapped(v)) : v.text);
        }
        out_.line(fmt::format("return cudaLaunchKernelEx({});", fmt::join(arguments, ", ")), k_.origin);
    }

    const CudaKernel& k_;
    const SharedMemory& shared_;
    Helpers helpers_;
    Names names_;
    LineWriter out_;
    Expressions e_;
    bool encodes_ = false;
};

} // namespace

Result<SourceFile> print_launcher(const CudaKernel& kernel, const SharedMemory& shared) { return LauncherPrinter(kernel, shared).print(); }

} // namespace ls::codegen::cuda
