// A value, or the Diagnostic that says why there is none. No exception crosses a room's door.
#pragma once

#include <cassert>
#include <utility>
#include <variant>

#include "core/support/diagnostic.h"

namespace ls {

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Diagnostic why) : state_(std::in_place_index<1>, std::move(why)) {}

    bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }

    /// The value; only when ok().
    const T& value() const& { assert(ok()); return *std::get_if<0>(&state_); }
    T& value() & { assert(ok()); return *std::get_if<0>(&state_); }
    T&& value() && { assert(ok()); return std::move(*std::get_if<0>(&state_)); }
    const T& operator*() const& { return value(); }
    T& operator*() & { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    const T* operator->() const { return &value(); }
    T* operator->() { return &value(); }

    /// The reason; only when not ok().
    const Diagnostic& error() const& { assert(!ok()); return *std::get_if<1>(&state_); }
    Diagnostic& error() & { assert(!ok()); return *std::get_if<1>(&state_); }
    Diagnostic&& error() && { assert(!ok()); return std::move(*std::get_if<1>(&state_)); }

private:
    std::variant<T, Diagnostic> state_;
};

/// For operations that answer nothing but may refuse.
using Status = Result<std::monostate>;
inline Status ok_status() { return std::monostate{}; }

} // namespace ls

#define LS_CONCAT_IMPL(a, b) a##b
#define LS_CONCAT(a, b) LS_CONCAT_IMPL(a, b)

/// LS_TRY(auto x, f()): binds x to f()'s value, or returns its Diagnostic from the enclosing function.
#define LS_TRY(declaration, expression)                                                                                \
    auto LS_CONCAT(ls_try_, __LINE__) = (expression);                                                                  \
    if (!LS_CONCAT(ls_try_, __LINE__).ok()) return std::move(LS_CONCAT(ls_try_, __LINE__)).error();                    \
    declaration = std::move(LS_CONCAT(ls_try_, __LINE__)).value()

/// LS_CHECK(f()): returns f()'s Diagnostic from the enclosing function if it refused.
#define LS_CHECK(expression)                                                                                           \
    do {                                                                                                               \
        if (auto ls_check_result = (expression); !ls_check_result.ok()) return std::move(ls_check_result).error();     \
    } while (false)
