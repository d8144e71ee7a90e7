#include "core/ir/substitute.h"

#include "core/ir/mutator.h"

namespace ls::ir {

namespace {

class Substituter final : public Mutator {
public:
    explicit Substituter(const Substitution& by) : by_(by) {}

protected:
    Expr on_var(const Var& var) override {
        const auto found = by_.find(var.get());
        return found != by_.end() ? found->second : Mutator::on_var(var);
    }

private:
    const Substitution& by_;
};

} // namespace

Expr substitute(const Expr& expr, const Substitution& by) { return by.empty() ? expr : Substituter(by).mutate(expr); }
Type substitute(const Type& type, const Substitution& by) { return by.empty() ? type : Substituter(by).mutate(type); }
Seq substitute(const Seq& body, const Substitution& by) { return by.empty() ? body : Substituter(by).mutate(body); }

} // namespace ls::ir
