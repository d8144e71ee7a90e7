// NAME_main.cu: fills every argument with values of its own (or with a file), launches twice from the same state, and
// compares: the two runs with each other, and the result with a file of expected values where there is one.
#include <fmt/format.h>

#include "core/codegen/cuda/device.h"
#include "core/codegen/line_writer.h"

namespace ls::codegen::cuda {

using namespace ir;

namespace {

struct Argument {
    std::string name;
    CType type;
    std::int64_t elements = 0; ///< 0: a scalar
};

constexpr std::string_view kProgram = R"(
#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status));                 \
      return 1;                                                                            \
    }                                                                                      \
  } while (0)

// Multiples of 1/8 from -1 to 1: every format of 8 bits or more holds most of them exactly, and no two neighbours are equal.
inline float pattern(std::size_t i, std::size_t argument) {
  return (float)((int)((i * 7 + argument * 5 + i / 16 * 3) % 17) - 8) / 8;
}

template <typename T>
struct Argument {
  const char* name;
  std::vector<T> before, first, second;
  T* device = nullptr;

  Argument(const char* called, std::size_t elements, std::size_t number) : name(called), before(elements) {
    for (std::size_t i = 0; i < elements; ++i) before[i] = (T)pattern(i, number);
    read(".bin", before);
  }
  bool read(const char* ending, std::vector<T>& into) const {
    std::FILE* file = std::fopen((std::string(name) + ending).c_str(), "rb");
    if (file == nullptr) return false;
    const bool whole = std::fread(into.data(), sizeof(T), into.size(), file) == into.size();
    std::fclose(file);
    return whole;
  }
  cudaError_t upload() {
    if (device == nullptr) {
      const cudaError_t status = cudaMalloc(&device, before.size() * sizeof(T));
      if (status != cudaSuccess) return status;
    }
    return cudaMemcpy(device, before.data(), before.size() * sizeof(T), cudaMemcpyHostToDevice);
  }
  cudaError_t download(std::vector<T>& into) const {
    into.resize(before.size());
    return cudaMemcpy(into.data(), device, into.size() * sizeof(T), cudaMemcpyDeviceToHost);
  }
  // The number of findings.
  int report() const {
    std::size_t changed = 0, unsteady = 0, wrong = 0;
    double sum = 0;
    std::vector<T> expected(before.size());
    const bool known = read(".expected.bin", expected);
    for (std::size_t i = 0; i < before.size(); ++i) {
      changed += std::memcmp(&before[i], &first[i], sizeof(T)) != 0;
      unsteady += std::memcmp(&first[i], &second[i], sizeof(T)) != 0;
      const double got = (double)(float)first[i];
      sum += got;
      if (!known) continue;
      const double want = (double)(float)expected[i];
      const bool off = !(std::fabs(got - want) <= 1e-2 + 1e-2 * std::fabs(want));
      if (off && wrong++ < 4) std::fprintf(stderr, "%s[%zu] is %g, expected %g\n", name, i, got, want);
    }
    std::printf("%s: %zu elements, %zu changed, sum %.6g%s", name, before.size(), changed, sum, unsteady ? ", TWO RUNS DIFFER" : "");
    std::printf(known ? (wrong ? ", WRONG\n" : ", as expected\n") : "\n");
    return (unsteady != 0) + (wrong != 0);
  }
};

)";

std::optional<std::vector<Argument>> arguments_of(const CudaKernel& k) {
    std::vector<Argument> all;
    const auto add = [&](const Var& v, const CType& type, bool pointer) {
        const auto n = pointer ? parameter_elements(k, v) : std::optional<std::int64_t>(0);
        if (!n || *n < 0 || type.lanes != 1 || (pointer && (*n == 0 || is_sub_byte(type.dtype)))) return false;
        all.push_back({v->name, type, *n});
        return true;
    };
    if (k.has_host) {
        for (const Param& p : k.host_parameters) {
            const auto* buffer = as<BufferTypeNode>(p.var->type);
            const auto* scalar = as<ScalarTypeNode>(p.var->type);
            const auto* pointer = as<PtrTypeNode>(p.var->type);
            const CType type = buffer != nullptr ? element_type(*buffer).value_or(value_of(DType::UInt8)) : value_of(scalar != nullptr ? scalar->dtype : pointer != nullptr ? pointer->pointee.value_or(DType::UInt8) : DType::UInt8);
            if (!add(p.var, type, scalar == nullptr)) return {};
        }
        return all;
    }
    for (const KernelParameter& p : k.parameters) {
        if (p.kind == KernelParameter::Kind::TensorMap) return {}; // nobody says how it is encoded
        if (!add(p.var, p.type, p.kind == KernelParameter::Kind::Pointer)) return {};
    }
    return all;
}

} // namespace

Result<std::optional<SourceFile>> print_check_program(const CudaKernel& kernel) {
    const auto arguments = arguments_of(kernel);
    if (!arguments) return std::optional<SourceFile>();
    LineWriter out(kernel.stem + "_main.cu");
    out.line(fmt::format("// {0} -o {1}_main {1}_main.cu && ./{1}_main", nvcc_command(kernel.arch), kernel.stem));
    out.line("// NAME.bin beside the program is what argument NAME holds before, NAME.expected.bin what it must hold after.");
    for (const std::string_view name : {"<cmath>", "<cstdio>", "<string>", "<vector>"}) out.line(fmt::format("#include {}", name));
    out.line("");
    out.line(fmt::format("#include \"{}_launch.cuh\"", kernel.stem));
    std::string_view rest = kProgram;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        out.line(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    out.line("int main() {", kernel.origin);
    out.open();
    std::string passed;
    for (std::size_t i = 0; i < arguments->size(); ++i) {
        const Argument& a = (*arguments)[i];
        if (a.elements == 0) {
            out.line(fmt::format("const {} a{} = 1;  // {}", spelling(a.type), i, a.name), kernel.origin);
        } else {
            out.line(fmt::format("Argument<{}> a{}(\"{}\", {}, {});", spelling(a.type), i, a.name, a.elements, i), kernel.origin);
        }
        passed += fmt::format("{}a{}{}", i == 0 ? "" : ", ", i, a.elements == 0 ? "" : ".device");
    }
    const auto each = [&](auto&& line) {
        for (std::size_t i = 0; i < arguments->size(); ++i) {
            if ((*arguments)[i].elements > 0) out.line(line(i), kernel.origin);
        }
    };
    for (const std::string_view run : {"first", "second"}) {
        each([](std::size_t i) { return fmt::format("CHECK(a{}.upload());", i); });
        out.line(fmt::format("CHECK(launch_{}({}));", kernel.stem, passed), kernel.origin);
        out.line("CHECK(cudaDeviceSynchronize());", kernel.origin);
        each([&](std::size_t i) { return fmt::format("CHECK(a{0}.download(a{0}.{1}));", i, run); });
    }
    out.line("int findings = 0;", kernel.origin);
    each([](std::size_t i) { return fmt::format("findings += a{}.report();", i); });
    out.line("std::printf(findings == 0 ? \"passed\\n\" : \"FAILED\\n\");", kernel.origin);
    out.line("return findings == 0 ? 0 : 1;", kernel.origin);
    out.close();
    out.line("}", kernel.origin);
    return std::optional<SourceFile>(out.take());
}

} // namespace ls::codegen::cuda
