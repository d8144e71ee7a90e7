// Names that no other visible variable has: a, a_1, a_2, ... The reader gives them and the printer keeps them, so that
// a layout's symbols mean one variable each. Private to this folder.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace ls::tirx {

class UniqueNames {
public:
    std::string take(const std::string& base);
    std::size_t mark() const { return order_.size(); }
    /// Names that were taken since are free again.
    void leave(std::size_t mark);

private:
    struct Taken {
        std::string name, base;
        std::size_t next; ///< number of the base's next name, before this one
    };
    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, std::size_t> next_;
    std::vector<Taken> order_;
};

} // namespace ls::tirx
