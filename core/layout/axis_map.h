// axis → amount, sorted by axis: a flat map that keeps up to two entries without touching the heap.
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>
#include <vector>

#include "core/layout/axis.h"
#include "core/layout/dim.h"

namespace ls {

/// The interface of std::map<Axis, Dim> as far as layouts need it. Most layouts name one or two axes.
/// Iterators and references are invalid after an insertion.
class AxisMap {
public:
    using key_type = Axis;
    using mapped_type = Dim;
    using value_type = std::pair<Axis, Dim>;
    using iterator = value_type*;
    using const_iterator = const value_type*;

    AxisMap() = default;
    AxisMap(std::initializer_list<value_type> entries) {
        for (const value_type& entry : entries) emplace(entry.first, entry.second);
    }

    iterator begin() { return data(); }
    iterator end() { return data() + size(); }
    const_iterator begin() const { return data(); }
    const_iterator end() const { return data() + size(); }
    std::size_t size() const { return many_.empty() ? count_ : many_.size(); }
    bool empty() const { return size() == 0; }

    iterator find(Axis axis) {
        const iterator at = lower_bound(axis);
        return at != end() && at->first == axis ? at : end();
    }
    const_iterator find(Axis axis) const { return const_cast<AxisMap*>(this)->find(axis); }
    bool contains(Axis axis) const { return find(axis) != end(); }
    std::size_t count(Axis axis) const { return contains(axis) ? 1 : 0; }
    /// The entry of `axis`, 0 when there is none.
    Dim get(Axis axis) const {
        const const_iterator at = find(axis);
        return at == end() ? Dim() : at->second;
    }

    /// Creates the entry with 0 when there is none.
    Dim& operator[](Axis axis) { return emplace(axis, Dim()).first->second; }
    /// Keeps an entry that is already there.
    std::pair<iterator, bool> emplace(Axis axis, Dim amount) {
        const iterator at = lower_bound(axis);
        if (at != end() && at->first == axis) return {at, false};
        return {insert_before(at, value_type(axis, std::move(amount))), true};
    }
    std::pair<iterator, bool> insert(value_type entry) { return emplace(entry.first, std::move(entry.second)); }
    std::pair<iterator, bool> insert_or_assign(Axis axis, Dim amount) {
        auto result = emplace(axis, Dim());
        result.first->second = std::move(amount);
        return result;
    }
    std::size_t erase(Axis axis) {
        const iterator at = find(axis);
        if (at == end()) return 0;
        erase(at);
        return 1;
    }
    iterator erase(iterator at) {
        std::move(at + 1, end(), at);
        const auto position = at - begin();
        if (many_.empty()) {
            few_[--count_] = value_type();
        } else {
            many_.pop_back();
            if (many_.empty()) count_ = 0;
        }
        return begin() + position;
    }
    void clear() { *this = AxisMap(); }

    friend bool operator==(const AxisMap& a, const AxisMap& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

private:
    value_type* data() { return many_.empty() ? few_.data() : many_.data(); }
    const value_type* data() const { return many_.empty() ? few_.data() : many_.data(); }
    iterator lower_bound(Axis axis) {
        return std::find_if(begin(), end(), [axis](const value_type& entry) { return entry.first >= axis; });
    }
    iterator insert_before(iterator at, value_type entry) {
        const auto position = at - begin();
        if (many_.empty() && count_ < few_.size()) {
            std::move_backward(at, end(), end() + 1);
            *at = std::move(entry);
            ++count_;
            return at;
        }
        if (many_.empty()) many_.assign(std::make_move_iterator(few_.begin()), std::make_move_iterator(few_.end()));
        return &*many_.insert(many_.begin() + position, std::move(entry));
    }

    std::array<value_type, 2> few_;
    std::size_t count_ = 0;        ///< entries in few_, when many_ is empty
    std::vector<value_type> many_; ///< all entries once there were more than few_ holds
};

} // namespace ls
