// Expressions of a lowered program as CUDA C++, with the type of each; what they call is collected on the way.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "core/codegen/cuda/builtins.h"
#include "core/codegen/cuda/c_type.h"
#include "core/codegen/cuda/ptx_family.h"
#include "core/codegen/kernel/names.h"
#include "core/ir/stmt.h"

namespace ls::codegen::cuda {

struct Value {
    std::string text;
    CType type;
    bool atom = true; ///< binds tighter than any operator: needs no parentheses
    /// What a chain of * or of + and - may go on with unchanged.
    enum class Chain : std::uint8_t { None, Product, Sum } chain = Chain::None;
};

/// What a variable of the program is called in C++.
struct Place {
    enum class Kind : std::uint8_t { Scalar, Buffer, TensorMap, Tensor /* memory, which has no address in C++ */ };
    Kind kind = Kind::Scalar;
    std::string text; ///< of a buffer: its pointer
    CType type;       ///< of a buffer: its element
};

class Expressions {
public:
    /// `where` says in messages for what the text is: "device" or "host".
    Expressions(std::string arch, Helpers& helpers, Names& names);

    Value value(const ir::Expr& expr);
    /// The text with its type made `wanted`.
    std::string typed(const Value& value, const CType& wanted) const;
    std::string wrapped(const Value& value) const { return value.atom ? value.text : "(" + value.text + ")"; }
    /// A statement that is a call: its text without the semicolon; empty when it says nothing to CUDA.
    std::string statement(const ir::CallNode& call);
    /// buffer[index], to be read or written.
    Value element(const ir::SubscriptNode& subscript);

    void define(const ir::VarNode* var, Place place) { places_[var] = std::move(place); }
    const Place* find(const ir::VarNode* var) const;
    /// A name for it that nothing else has.
    std::string name_of(const ir::VarNode& var, const std::string& suffix = {}) { return names_.take(var.name + suffix); }
    void known_nonnegative(const ir::VarNode* var) { nonnegative_.insert(var); }
    bool is_nonnegative(const ir::Expr& expr) const;

    /// The first refusal; later ones are consequences.
    const std::optional<Diagnostic>& failure() const { return failure_; }
    void fail(Diagnostic why) {
        if (!failure_) failure_ = std::move(why);
    }

private:
    Value refuse(Span span, std::string code, std::string message, std::string hint);
    Value constant(const ir::ConstIntNode& c) const;
    Value floating(const ir::ConstFloatNode& c) const;
    Value binary(const ir::BinaryNode& b);
    Value division(const ir::BinaryNode& b, const Value& lhs, const Value& rhs, const CType& type);
    Value unary(const ir::UnaryNode& u);
    Value cast(const ir::CastNode& c);
    Value select(const ir::Expr& condition, const ir::Expr& on_true, const ir::Expr& on_false);
    Value call(const ir::CallNode& c);
    Value builtin(const Builtin& b, const ir::CallNode& c);
    std::string ptx(const ir::CallNode& c);
    std::string argument(const Operand& operand, DType dtype, const PtxInstruction& instruction, const Value& value);
    Value address_of(const ir::CallNode& c);
    Value reinterpret(const ir::CallNode& c);
    Value shuffle(const ir::CallNode& c);
    Value byte_offset(const ir::CallNode& c);
    Value function_call(const ir::CallNode& c);
    Value let(const ir::CallNode& c);
    Value descriptor(const ir::CallNode& c, bool block_scaled);
    Value warp_shuffle(const ir::CallNode& c);
    Value reduction(const ir::CallNode& c);
    Value special_register(const ir::CallNode& c);
    Value vector_access(const ir::SubscriptNode& s, const Place& place);
    std::optional<CType> type_argument(const ir::Expr& expr) const;
    std::string shared_address(const Value& value);
    void use(const Builtin& b) {
        if (const std::string source = builtin_source(b); !source.empty()) helpers_.add(std::string(b.helper), source);
    }

    std::string arch_;
    Helpers& helpers_;
    Names& names_;
    std::unordered_map<const ir::VarNode*, Place> places_;
    std::unordered_set<const ir::VarNode*> nonnegative_;
    std::optional<Diagnostic> failure_;
};

} // namespace ls::codegen::cuda
