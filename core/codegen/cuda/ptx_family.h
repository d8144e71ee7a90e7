// Families of PTX instructions: which modifiers each has, and what its operands are. One row describes every instruction of
// a family, and from a row follow the name, the parameters and the assembly text of the helper that stands for one
// instruction (spec/tirx.md 11).
//
// A row is written as PTX writes the instruction, modifiers and operands as words:
//
//   modifiers   "mma cta_group::1|cta_group::2 kind::f16|kind::i8 trans?"     alternatives with |, an optional one with ?
//   operands    "[t] u64 u64 u32 {u32*mask} p"
//     [s] [t] [g] [a]    an address: shared, tensor memory, global or generic, or as the modifier of the state space says
//     [g,{s32*dim}]      a tensor map with its coordinates
//     u32  =u32  +u32    a register that is read, written, both. b32: any 32-bit type. type: the last modifier that is a type
//     p  =p              a predicate register, from and to a 32-bit one
//     =b32|=p            two results in one place
//     {b32*num}          as many registers as num says, in braces
//     ptr                an address as a value
//     #  _  128          a constant of the call in the text; text that is always the same
//     L2::cache_hint?u64 only where this modifier is written
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/codegen/cuda/c_type.h"
#include "core/support/result.h"

namespace ls::codegen::cuda {

/// Where an instruction exists.
enum class Needs : std::uint8_t {
    Sm80,
    Sm90,
    Accelerated, ///< 90 and above, with the suffix that names one architecture: sm_90a, sm_100a
    Hopper,      ///< sm_90a alone
    Sm100,
    Blackwell,   ///< sm_100a, sm_103a, sm_110a: tensor memory and what works on it
};

struct FamilyRow {
    std::string_view name;     ///< "tcgen05_mma_ss"
    std::string_view mnemonic; ///< "tcgen05", "elect.sync"
    std::string_view modifiers;
    std::string_view operands;
    Needs needs = Needs::Sm80;
    bool orders_memory = false; ///< a fence: constrains other accesses without naming an address
    bool is_volatile = true;
};
std::span<const FamilyRow> ptx_rows();

struct Modifier {
    std::vector<std::string_view> choices;
    bool optional = false;
};

struct Operand {
    enum class Kind : std::uint8_t { Register, Predicate, Address, Pointer, Immediate, Literal };
    enum class Space : std::uint8_t { Shared, Tensor, Generic, AsWritten };
    Kind kind = Kind::Register;
    Space space = Space::Generic;
    bool read = true, written = false;
    bool group = false;      ///< in braces
    std::string_view type;   ///< of a register: "b32", "type"
    std::string_view count;  ///< of a group: a number or the name of a rule
    std::string_view text;   ///< of a literal
    std::string_view only_with;
    int bracket = -1; ///< operands with the same number stand in one pair of brackets
    int pipe = -1;    ///< ... are joined by |
};

struct Family {
    const FamilyRow* row = nullptr;
    std::vector<Modifier> modifiers;
    std::vector<Operand> operands;
};
std::span<const Family> ptx_families();

/// An instruction as a call says it.
struct PtxText {
    std::string mnemonic; ///< "tcgen05"
    std::vector<std::string> modifiers;
};
/// The parts between separators that are not empty.
std::vector<std::string_view> split_words(std::string_view text, char by);
/// Takes "tcgen05.mma.cta_group::1" apart.
PtxText split_ptx(std::string_view text);

/// One operand of a call, as far as it decides which instruction is meant.
struct PtxArgument {
    CType type;
    std::optional<std::int64_t> constant;
    std::int64_t displacement = 0; ///< of an address, in bytes
};

/// A family with its modifiers in order and the lanes of each operand.
struct PtxInstruction {
    const Family* family = nullptr;
    std::vector<std::string> modifiers; ///< as written, in the family's order
    std::vector<int> lanes;             ///< of each operand; 0: not there
    std::vector<DType> dtypes;          ///< of each operand that is a register
    std::vector<std::string> constants; ///< of the immediates, in order
    std::vector<std::pair<int, std::int64_t>> displacements; ///< of the addresses, by their number among addresses
    bool guarded = false;               ///< @p before it
    bool keeps = false;                 ///< ... and a result keeps its value where the guard is false

    std::string opcode() const; ///< "tcgen05.mma.cta_group::1.kind::f16"
};

/// The instruction that this text with these operands is. CG_CUDA_PTX where none is.
Result<PtxInstruction> resolve_ptx(const PtxText& text, std::span<const PtxArgument> arguments, bool guarded = false, bool keeps = false);
/// The family of this name with these modifiers, with its canonical operand types; for naming a helper.
Result<PtxInstruction> resolve_family(std::string_view family, std::span<const std::string> modifiers);

/// Types that a register of this PTX type may hold; the first is canonical.
std::span<const DType> accepted_dtypes(std::string_view ptx_type);
/// "type" and the like, by the modifiers that are written.
std::string_view register_type(const Operand& operand, std::span<const std::string> modifiers);
/// Registers in an operand, by its rule and the modifiers; nothing when they do not say.
std::optional<int> operand_lanes(const Operand& operand, std::span<const std::string> modifiers);
/// shared, tensor memory or generic, by the modifiers that are written.
Operand::Space address_space(const Operand& operand, std::span<const std::string> modifiers);

std::string helper_name(const PtxInstruction& instruction);
/// The helper's definition.
std::string helper_source(const PtxInstruction& instruction);

/// Whether this architecture ("sm_100a") has it; the reason when not.
std::optional<std::string> missing_on(const PtxInstruction& instruction, std::string_view arch);

} // namespace ls::codegen::cuda
