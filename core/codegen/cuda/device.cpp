#include "core/codegen/cuda/device.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/codegen/cuda/expressions.h"
#include "core/codegen/line_writer.h"
#include "core/ir/walk.h"

namespace ls::codegen::cuda {

using namespace ir;

namespace {

/// Words that no variable may be called.
constexpr std::string_view kTaken =
    "alignas alignof and asm auto bool break case catch char class const constexpr continue default delete do double else enum explicit "
    "export extern false float for friend goto half if inline int long mutable namespace new not nullptr operator or private protected "
    "public register return short signed sizeof static struct switch template this throw true try typedef typename union unsigned using "
    "uint virtual void volatile while xor threadIdx blockIdx blockDim gridDim warpSize shared_arena min max abs guard bits_as";

class DevicePrinter {
public:
    DevicePrinter(const CudaKernel& kernel, const SharedMemory& shared)
        : k_(kernel), shared_(shared), out_(kernel.stem + ".cu"), e_(kernel.arch, helpers_, names_) {
        std::string_view words = kTaken;
        while (!words.empty()) {
            const std::size_t end = std::min(words.find(' '), words.size());
            names_.take(std::string(words.substr(0, end)));
            words.remove_prefix(std::min(end + 1, words.size()));
        }
        names_.take(kernel.name);
    }

    Result<SourceFile> print() {
        LineWriter body(k_.stem + ".cu");
        std::swap(out_, body);
        out_.line(signature(), k_.origin);
        out_.open();
        if (shared_.arena_bytes > 0) out_.line("extern __shared__ __align__(1024) uint8_t shared_arena[];");
        for (const Stmt& s : k_.body) statement(s);
        out_.close();
        out_.line("}", k_.origin);
        if (e_.failure()) return *e_.failure();
        std::swap(out_, body);
        SourceFile kernel = body.take();
        header(kernel.text);
        SourceFile file = out_.take();
        file.text += kernel.text;
        file.lines.insert(file.lines.end(), kernel.lines.begin(), kernel.lines.end());
        return file;
    }

private:
    void header(std::string_view kernel) {
        out_.line(fmt::format("// {}: {} -cubin {}.cu", k_.name, nvcc_command(k_.arch), k_.stem));
        for (const std::string_view name : {"<cstdint>", "<cstring>"}) out_.line(fmt::format("#include {}", name));
        out_.line("");
        struct Header {
            std::string_view name, word;
        };
        constexpr Header kHeaders[] = {{"<cuda.h>", ""}, {"<cuda_bf16.h>", "bfloat16"}, {"<cuda_fp16.h>", "half"}, {"<cuda_fp4.h>", "__nv_fp4"}, {"<cuda_fp8.h>", "__nv_fp8"}};
        for (const Header& h : kHeaders) {
            const auto named = [&](std::string_view text) { return text.find(h.word) != std::string_view::npos; };
            if (named(kernel) || std::any_of(helpers_.sources().begin(), helpers_.sources().end(), named)) out_.line(fmt::format("#include {}", h.name));
        }
        out_.line("");
        out_.line("#pragma nv_diag_suppress 177  // indices of the launch are named whether or not they are used");
        out_.line("typedef unsigned int uint;");
        out_.line("");
        for (const std::string& source : helpers_.sources()) {
            std::string_view rest = source;
            while (!rest.empty()) {
                const std::size_t end = std::min(rest.find('\n'), rest.size());
                out_.line(rest.substr(0, end));
                rest.remove_prefix(std::min(end + 1, rest.size()));
            }
            out_.line("");
        }
    }

    std::string signature() {
        std::vector<std::string> parameters;
        for (const KernelParameter& p : k_.parameters) {
            switch (p.kind) {
            case KernelParameter::Kind::Pointer: {
                const bool named = p.var->name.ends_with("_ptr");
                const std::string name = e_.name_of(*p.var, named ? "" : "_ptr");
                e_.define(p.var.get(), {Place::Kind::Buffer, name, p.type});
                parameters.push_back(fmt::format("{} __restrict__ {}", spelling(pointer_to(p.type)), name));
                break;
            }
            case KernelParameter::Kind::TensorMap: {
                const std::string name = e_.name_of(*p.var);
                e_.define(p.var.get(), {Place::Kind::TensorMap, name, kVoidPointer});
                parameters.push_back(fmt::format("const __grid_constant__ CUtensorMap {}", name));
                break;
            }
            case KernelParameter::Kind::Scalar: {
                const std::string name = e_.name_of(*p.var);
                e_.define(p.var.get(), {Place::Kind::Scalar, name, p.type});
                parameters.push_back(fmt::format("{} {}", spelling(p.type), name));
                break;
            }
            }
        }
        const auto threads = k_.threads();
        const std::string bounds = threads && *threads > 0 ? fmt::format("__launch_bounds__({}) ", *threads) : std::string();
        return fmt::format("extern \"C\" __global__ void {}{}({}) {{", bounds, k_.name, fmt::join(parameters, ", "));
    }

    void refuse(const Node& at, std::string code, std::string message, std::string hint) { e_.fail(error_at(at.span, std::move(code), std::move(message), std::move(hint))); }

    void block(const Seq& body) {
        out_.open();
        if (body != nullptr) {
            for (const Stmt& s : body->stmts) statement(s);
        }
        out_.close();
    }

    void statement(const Stmt& s) {
        if (e_.failure()) return;
        switch (s->kind) {
        case NodeKind::Seq:
            for (const Stmt& one : as<SeqNode>(s)->stmts) statement(one);
            return;
        case NodeKind::Assign: assignment(s); return;
        case NodeKind::Eval: evaluation(s); return;
        case NodeKind::Store: store(s); return;
        case NodeKind::If: {
            const auto* i = as<IfNode>(s);
            out_.line(fmt::format("if ({}) {{", e_.value(i->condition).text), s);
            block(i->then_body);
            if (i->else_body != nullptr && !i->else_body->stmts.empty()) {
                out_.line("} else {", s);
                block(i->else_body);
            }
            out_.line("}", s);
            return;
        }
        case NodeKind::For: loop(s); return;
        case NodeKind::While: {
            const auto* w = as<WhileNode>(s);
            out_.line(fmt::format("while ({}) {{", e_.value(w->condition).text), s);
            block(w->body);
            out_.line("}", s);
            return;
        }
        case NodeKind::With: scoped(s); return;
        case NodeKind::Assert: out_.line(fmt::format("if (!({})) __trap();", e_.value(as<AssertNode>(s)->condition).text), s); return;
        case NodeKind::Break: out_.line("break;", s); return;
        case NodeKind::Continue: out_.line("continue;", s); return;
        case NodeKind::Return: out_.line("return;", s); return;
        case NodeKind::Comment: return;
        default: refuse(*s, "CG_CUDA_CALL", "a statement of this kind has no CUDA form", "write it with assignments, stores, branches and loops");
        }
    }

    void assignment(const Stmt& s) {
        const auto* a = as<AssignNode>(s);
        const auto* c = as<CallNode>(a->value);
        if (a->targets.size() != 1) return refuse(*s, "CG_CUDA_CALL", "an assignment to several names has no CUDA form", "assign one at a time");
        const Var& target = a->targets[0];
        if (const auto* type = as<BufferTypeNode>(target->type)) {
            if (c != nullptr && c->op == "Buffer") return; // only told of: its accesses are refused where they stand
            return buffer(s, target, *type, c);
        }
        if (c != nullptr && c->callee == CalleeKind::Op && c->args.empty() && c_type_from_name(c->op) && c->op != "handle") {
            const CType type = *c_type_from_name(c->op);
            const std::string name = e_.name_of(*target);
            e_.define(target.get(), {Place::Kind::Scalar, name, type});
            out_.line(fmt::format("{} {};", spelling(type), name), s);
            return;
        }
        const Value v = e_.value(a->value);
        CType type = v.type;
        if (const auto* scalar = as<ScalarTypeNode>(target->type)) type = value_of(scalar->dtype == DType::Index ? DType::Int32 : scalar->dtype);
        const std::string name = e_.name_of(*target);
        e_.define(target.get(), {Place::Kind::Scalar, name, type});
        if (e_.is_nonnegative(a->value)) e_.known_nonnegative(target.get());
        out_.line(type.pointer ? fmt::format("{} const {} = {};", spelling(type), name, v.text) : fmt::format("const {} {} = {};", spelling(type), name, e_.typed(v, type)), s);
    }

    void buffer(const Stmt& s, const Var& target, const BufferTypeNode& type, const CallNode* made) {
        const auto element = element_type(type);
        if (type.scope == "tmem") {
            e_.define(target.get(), {Place::Kind::Tensor, target->name, element.value_or(value_of(DType::UInt32))});
            return;
        }
        if (!element) return refuse(*s, "CG_CUDA_TYPE", fmt::format("{}: CUDA has no type for its elements", target->name), "use a type of the table in export.md");
        if (made != nullptr && made->op == "match_buffer") return refuse(*s, "CG_CUDA_NOT_LOWERED", fmt::format("{} is matched to a handle in the kernel", target->name), "the split into host and device makes it a parameter");
        const std::string name = e_.name_of(*target, "_ptr");
        const std::string type_text = spelling(*element);
        const auto shared = shared_.buffers.find(target.get());
        const ExprNode* data = made != nullptr ? made->kwarg("data") : nullptr;
        if (shared != shared_.buffers.end()) {
            const SharedBuffer& b = shared->second;
            if (b.offset_bytes >= 0) {
                out_.line(fmt::format("{}* {} = ({}*)(shared_arena + {});", type_text, name, type_text, b.offset_bytes), s);
            } else {
                out_.line(fmt::format("__shared__ alignas({}) {} {}[{}];", b.align_bytes, type_text, name, array_size(b.element, b.elements)), s);
            }
        } else if (data != nullptr) {
            const Value base = e_.value(argument(*made, "data"));
            const CType wanted = pointer_to(*element);
            std::string from = base.type == wanted ? base.text : fmt::format("({}){}", spelling(wanted), e_.wrapped(base));
            if (type.elem_offset != nullptr && !is_constant(type.elem_offset, 0)) from += fmt::format(" + {}", e_.wrapped(e_.value(type.elem_offset)));
            out_.line(fmt::format("{} {} = {};", spelling(wanted), name, from), s);
        } else if (type.scope == "local" || type.scope == "local.fragment" || type.scope.empty()) {
            const auto elements = constant_elements(type);
            if (!elements || *elements < 1) return refuse(*s, "CG_CUDA_TYPE", fmt::format("{}: registers are allocated by a constant size", target->name), "give it a constant shape");
            out_.line(fmt::format("alignas(64) {} {}[{}];", type_text, name, array_size(*element, *elements)), s);
        } else {
            return refuse(*s, "CG_CUDA_TYPE", fmt::format("{} is allocated in \"{}\" memory, which a kernel cannot do", target->name, type.scope), "allocate in shared or local memory, or make it a parameter");
        }
        e_.define(target.get(), {Place::Kind::Buffer, name, *element});
    }

    static std::int64_t array_size(const CType& element, std::int64_t elements) { return is_sub_byte(element.dtype) ? storage_bytes(element, elements) : elements; }

    static Expr argument(const CallNode& c, std::string_view key) {
        for (const KeyValue& k : c.kwargs) {
            if (k.key == key) return k.value;
        }
        return {};
    }

    void evaluation(const Stmt& s) {
        const auto* c = as<CallNode>(as<EvalNode>(s)->value);
        if (c == nullptr) return; // a value that nobody uses
        const std::string text = e_.statement(*c);
        if (!text.empty()) out_.line(text + ";", s);
    }

    void store(const Stmt& s) {
        const auto* st = as<StoreNode>(s);
        const auto* place = as<SubscriptNode>(st->target);
        if (place == nullptr) return refuse(*s, "CG_CUDA_CALL", "a store goes to an element of a buffer", "write buffer[index] = value");
        const Value to = e_.element(*place), v = e_.value(st->value);
        if (e_.failure()) return;
        if (to.type.lanes != v.type.lanes) return refuse(*s, "CG_CUDA_VECTOR", fmt::format("{} lanes are stored to a place of {}", v.type.lanes, to.type.lanes), "store as many as the place holds");
        out_.line(fmt::format("{} = {};", to.text, e_.typed(v, to.type)), s);
    }

    void loop(const Stmt& s) {
        const auto* f = as<ForNode>(s);
        if (f->loop == LoopKind::Vectorized || f->loop == LoopKind::Parallel) return refuse(*s, "CG_CUDA_NOT_LOWERED", fmt::format("the loop over {} is {}", f->var->name, ir::name(f->loop)), "VectorizeLoop turns it into vector accesses");
        if (f->loop == LoopKind::Unroll) out_.line("#pragma unroll", s);
        const auto* scalar = as<ScalarTypeNode>(f->var->type);
        const CType type = value_of(scalar != nullptr && scalar->dtype != DType::Index ? scalar->dtype : DType::Int32);
        const Value start = e_.value(f->start), stop = e_.value(f->stop);
        const std::string name = e_.name_of(*f->var);
        e_.define(f->var.get(), {Place::Kind::Scalar, name, type});
        const auto step = constant(f->step);
        if (e_.is_nonnegative(f->start) && step && *step > 0) e_.known_nonnegative(f->var.get());
        const std::string advance = step == 1 ? "++" + name : fmt::format("{} += {}", name, e_.value(f->step).text);
        out_.line(fmt::format("for ({} {} = {}; {} < {}; {}) {{", spelling(type), name, e_.typed(start, type), name, e_.wrapped(stop), advance), s);
        block(f->body);
        out_.line("}", s);
    }

    void scoped(const Stmt& s) {
        const auto* w = as<WithNode>(s);
        const std::string_view tag = launch_tag(*w);
        if (!tag.empty() && w->var != nullptr) {
            const std::string name = e_.name_of(*w->var);
            e_.define(w->var.get(), {Place::Kind::Scalar, name, value_of(DType::Int32)});
            e_.known_nonnegative(w->var.get());
            const std::string source = tag.starts_with("clusterCtaIdx.") ? fmt::format("__clusterRelativeBlockIdx().{}", tag.back()) : std::string(tag);
            out_.line(fmt::format("const int {} = (int){};", name, source), s);
        }
        if (w->body == nullptr) return;
        for (const Stmt& one : w->body->stmts) statement(one);
    }

    const CudaKernel& k_;
    const SharedMemory& shared_;
    Helpers helpers_;
    Names names_;
    LineWriter out_;
    Expressions e_;
};

} // namespace

std::optional<std::int64_t> parameter_elements(const CudaKernel& kernel, const Var& var) {
    if (const auto* type = as<BufferTypeNode>(var->type)) return constant_elements(*type);
    // The first buffer that the kernel lays over the pointer says how long it is.
    std::optional<std::int64_t> found;
    for (const Stmt& s : kernel.body) {
        for_each_stmt(*s, [&](const StmtNode& one) {
            const auto* a = as<AssignNode>(&one);
            const auto* c = a != nullptr && !a->targets.empty() ? as<CallNode>(a->value) : nullptr;
            const auto* type = c != nullptr && c->op == "decl_buffer" && c->kwarg("data") == var.get() ? as<BufferTypeNode>(a->targets[0]->type) : nullptr;
            if (type != nullptr && !found) found = constant_elements(*type);
        });
    }
    return found;
}

Result<SourceFile> print_device(const CudaKernel& kernel, const SharedMemory& shared) { return DevicePrinter(kernel, shared).print(); }

} // namespace ls::codegen::cuda
