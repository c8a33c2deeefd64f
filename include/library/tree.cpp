// The trees of libstdc++'s maps and sets, whose functions are not in its headers. A tree is balanced by the rules of red and black: the node that is put in or taken
// out is looked at with its neighbours, on the way up. Linked to programs that call these functions and do not define them.
#include <map>

namespace std {

static bool is_red(const _Rb_tree_node_base *x) { return x && x->_M_color == _S_red; }

_Rb_tree_node_base *_Rb_tree_increment(_Rb_tree_node_base *x) throw() {
    if (x->_M_right) {
        for (x = x->_M_right; x->_M_left;) x = x->_M_left;
        return x;
    }
    _Rb_tree_node_base *up = x->_M_parent;
    while (x == up->_M_right) {
        x = up;
        up = up->_M_parent;
    }
    // Behind the last node comes the header, also of a tree of one node.
    return x->_M_right != up ? up : x;
}

const _Rb_tree_node_base *_Rb_tree_increment(const _Rb_tree_node_base *x) throw() {
    return _Rb_tree_increment(const_cast<_Rb_tree_node_base *>(x));
}

_Rb_tree_node_base *_Rb_tree_decrement(_Rb_tree_node_base *x) throw() {
    // The header: red, and its own grandchild.
    if (x->_M_color == _S_red && x->_M_parent->_M_parent == x) return x->_M_right;
    if (x->_M_left) {
        for (x = x->_M_left; x->_M_right;) x = x->_M_right;
        return x;
    }
    _Rb_tree_node_base *up = x->_M_parent;
    while (x == up->_M_left) {
        x = up;
        up = up->_M_parent;
    }
    return up;
}

const _Rb_tree_node_base *_Rb_tree_decrement(const _Rb_tree_node_base *x) throw() {
    return _Rb_tree_decrement(const_cast<_Rb_tree_node_base *>(x));
}

// Puts `to` where `from` hangs.
static void hang(_Rb_tree_node_base *from, _Rb_tree_node_base *to, _Rb_tree_node_base *&root) {
    if (from == root) root = to;
    else if (from == from->_M_parent->_M_left) from->_M_parent->_M_left = to;
    else from->_M_parent->_M_right = to;
    if (to) to->_M_parent = from->_M_parent;
}

// Lifts the child of `x` on one side above it.
static void lift(_Rb_tree_node_base *x, bool left, _Rb_tree_node_base *&root) {
    _Rb_tree_node_base *child = left ? x->_M_left : x->_M_right;
    _Rb_tree_node_base *inner = left ? child->_M_right : child->_M_left;
    hang(x, child, root);
    (left ? x->_M_left : x->_M_right) = inner;
    if (inner) inner->_M_parent = x;
    (left ? child->_M_right : child->_M_left) = x;
    x->_M_parent = child;
}

void _Rb_tree_insert_and_rebalance(const bool left, _Rb_tree_node_base *x, _Rb_tree_node_base *p, _Rb_tree_node_base &header) throw() {
    _Rb_tree_node_base *&root = header._M_parent;
    x->_M_parent = p;
    x->_M_left = x->_M_right = nullptr;
    x->_M_color = _S_red;
    if (left) {
        p->_M_left = x; // Of the header: the first node.
        if (p == &header) {
            root = x;
            header._M_right = x;
        } else if (p == header._M_left) {
            header._M_left = x;
        }
    } else {
        p->_M_right = x;
        if (p == header._M_right) header._M_right = x;
    }
    while (x != root && is_red(x->_M_parent)) {
        _Rb_tree_node_base *up = x->_M_parent, *top = up->_M_parent;
        const bool is_left = up == top->_M_left;
        _Rb_tree_node_base *aunt = is_left ? top->_M_right : top->_M_left;
        if (is_red(aunt)) {
            up->_M_color = aunt->_M_color = _S_black;
            top->_M_color = _S_red;
            x = top;
            continue;
        }
        if (x == (is_left ? up->_M_right : up->_M_left)) {
            lift(up, !is_left, root);
            up = x;
        }
        up->_M_color = _S_black;
        top->_M_color = _S_red;
        lift(top, is_left, root);
        break;
    }
    root->_M_color = _S_black;
}

_Rb_tree_node_base *_Rb_tree_rebalance_for_erase(_Rb_tree_node_base *const z, _Rb_tree_node_base &header) throw() {
    _Rb_tree_node_base *&root = header._M_parent;
    if (z == header._M_left) header._M_left = _Rb_tree_increment(z);
    if (z == header._M_right) header._M_right = z == root && !z->_M_left ? &header : _Rb_tree_decrement(z);
    // With two children, the next node takes its place and colour, and it is as if that one had gone.
    _Rb_tree_node_base *hole, *up;
    _Rb_tree_color gone = z->_M_color;
    if (z->_M_left && z->_M_right) {
        _Rb_tree_node_base *next = z->_M_right;
        while (next->_M_left) next = next->_M_left;
        gone = next->_M_color;
        hole = next->_M_right;
        up = next->_M_parent;
        if (up == z) {
            up = next;
        } else {
            hang(next, hole, root);
            next->_M_right = z->_M_right;
            next->_M_right->_M_parent = next;
        }
        hang(z, next, root);
        next->_M_left = z->_M_left;
        next->_M_left->_M_parent = next;
        next->_M_color = z->_M_color;
    } else {
        hole = z->_M_left ? z->_M_left : z->_M_right;
        up = z->_M_parent;
        hang(z, hole, root);
    }
    if (!root) {
        header._M_left = header._M_right = &header;
        return z;
    }
    if (gone == _S_red) return z;
    // The ways through the hole have a black node too few.
    while (hole != root && !is_red(hole)) {
        const bool is_left = hole == up->_M_left;
        _Rb_tree_node_base *other = is_left ? up->_M_right : up->_M_left;
        if (is_red(other)) {
            other->_M_color = _S_black;
            up->_M_color = _S_red;
            lift(up, !is_left, root);
            other = is_left ? up->_M_right : up->_M_left;
        }
        _Rb_tree_node_base *near = is_left ? other->_M_left : other->_M_right;
        _Rb_tree_node_base *far = is_left ? other->_M_right : other->_M_left;
        if (!is_red(near) && !is_red(far)) {
            other->_M_color = _S_red;
            hole = up;
            up = up->_M_parent;
            continue;
        }
        if (!is_red(far)) {
            near->_M_color = _S_black;
            other->_M_color = _S_red;
            lift(other, is_left, root);
            far = other;
            other = near;
        }
        other->_M_color = up->_M_color;
        up->_M_color = far->_M_color = _S_black;
        lift(up, !is_left, root);
        break;
    }
    if (hole) hole->_M_color = _S_black;
    return z;
}

} // namespace std
