// The rings of libstdc++'s lists, whose functions are not in its headers. Linked to programs that call these functions and do not define them.
#include <list>

namespace std {
namespace __detail {

void _List_node_base::_M_hook(_List_node_base *const next) noexcept {
    _M_next = next;
    _M_prev = next->_M_prev;
    next->_M_prev->_M_next = this;
    next->_M_prev = this;
}

void _List_node_base::_M_unhook() noexcept {
    _M_next->_M_prev = _M_prev;
    _M_prev->_M_next = _M_next;
}

void _List_node_base::_M_transfer(_List_node_base *const first, _List_node_base *const last) noexcept {
    if (this == last || first == last) return;
    _List_node_base *const final = last->_M_prev;
    first->_M_prev->_M_next = last;
    last->_M_prev = first->_M_prev;
    first->_M_prev = _M_prev;
    _M_prev->_M_next = first;
    final->_M_next = this;
    _M_prev = final;
}

void _List_node_base::_M_reverse() noexcept {
    _List_node_base *at = this;
    do {
        _List_node_base *const next = at->_M_next;
        at->_M_next = at->_M_prev;
        at->_M_prev = next;
        at = next;
    } while (at != this);
}

void _List_node_base::swap(_List_node_base &x, _List_node_base &y) noexcept {
    _List_node_base *const of_x = x._M_next == &x ? nullptr : x._M_next, *const end_x = x._M_prev;
    _List_node_base *const of_y = y._M_next == &y ? nullptr : y._M_next, *const end_y = y._M_prev;
    _List_node_base *const heads[2] = {&x, &y}, *const firsts[2] = {of_y, of_x}, *const ends[2] = {end_y, end_x};
    for (int i = 0; i < 2; i++) {
        heads[i]->_M_next = firsts[i] ? firsts[i] : heads[i];
        heads[i]->_M_prev = firsts[i] ? ends[i] : heads[i];
        heads[i]->_M_next->_M_prev = heads[i];
        heads[i]->_M_prev->_M_next = heads[i];
    }
}

} // namespace __detail
} // namespace std
