// Every way of writing a layout, in one table. To add one: a file that reads and prints it, and one line in
// notation.cpp.
//
//     read_layout("S[(8, 64):(64, 1)] | f16")              TIRx
//     read_layout("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)")   CuTe
//     read_layout("nz(256, 512, i8)")                      named layout (core/notation/named.h lists them)
//     read_layout("pl.Tensor[[256, 512], pl.INT8, pl.NZ]") pypto tensor type
//     read_layout("[1, 4, 4, 16, 16] : [4096, 1024, 256, 16, 1]")   PTO tensor view
//
// Behind any of them may stand "| f16 [8, 64] in smem" (core/notation/annotation.h).
// Codes of refusals: TXT_* for the text, LAYOUT_* for a layout that cannot be, and the catalogue's own (NZ_*, ...).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/layout/tensor_layout.h"
#include "core/notation/annotation.h"

namespace ls {

enum class Notation : std::uint8_t { Tirx, TirxReference, Cute, Named, Pypto, PtoView, Triton };

struct NotationInfo {
    Notation notation;
    std::string_view name;    ///< "TIRx"
    std::string_view example; ///< a text that read_layout accepts; empty for print-only forms
    std::string_view about;   ///< one sentence
    /// A cheap look at the first characters; the first row of the table that says yes reads the text.
    bool (*looks_like)(std::string_view text);
    Result<TensorLayout> (*read)(std::string_view text, std::size_t base, const notation::Annotation& annotation);
    Result<std::string> (*print)(const TensorLayout& layout);
};

/// All notations, in the order in which texts are tried.
std::span<const NotationInfo> notations();
const NotationInfo& info(Notation notation);

/// Recognises the notation and reads the layout. Spans of diagnostics are positions in `text`.
Result<TensorLayout> read_layout(std::string_view text);
/// Which notation read_layout would take; empty for a text that looks like none.
std::optional<Notation> recognise(std::string_view text);

/// The layout in another notation, without annotation. Refused with TXT_CANNOT_SAY and the reason when it cannot say
/// it.
Result<std::string> print_as(const TensorLayout& layout, Notation notation);
/// TIRx text with an annotation, so that read_layout gives the same layout, shape, dtype, dim names and space back.
std::string print_exact(const TensorLayout& layout);

/// The layout with what can be assumed about it: shape = its own extents, memory = by its axes. Refused when it is
/// symbolic (TXT_SYMBOL) or when its size or its offsets do not fit 64 bits (LAYOUT_OVERFLOW).
Result<TensorLayout> assume(Layout layout);

} // namespace ls
