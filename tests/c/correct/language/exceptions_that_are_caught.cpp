// hmc: --cat rc11 => holds executions=1
// hmc: --cat sc -- -O2 => holds executions=1
// hmc: --cat rc11 -- -DNOEXCEPT => violated kind=assertion
// hmc: --cat rc11 -- -DUNCAUGHT => violated
// hmc: --cat rc11 -- -DPOINTER => unsupported
//
// Exceptions are caught by their type, by one of its bases (with several bases, with virtual ones), by pointers, or whatever they are; they are thrown again, they run destructors on
// their way, and the library throws some. One leaves `noexcept`, or `main`.
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>
struct A { int a; A(int a) : a(a) {} virtual ~A() {} };
struct B { int b; B(int b) : b(b) {} virtual ~B() {} };
struct C : A, B { C() : A(1), B(2) {} };
struct V : virtual A { V() : A(9) {} };
int order = 0;
struct D { int n; D(int n) : n(n) {} ~D() { order = order * 10 + n; } };
void deep(int n) { D d(n); if (n == 3) throw C(); deep(n + 1); }
int nest() {
    try { try { throw 1; } catch (int x) { try { throw 2L; } catch (long y) { assert(y == 2); } throw; } }
    catch (long) { return 1; } catch (int x) { return 10 + x; }
    return 0;
}
void noex() noexcept { throw 1; } // HERE
int fin(int x) { try { if (x) throw std::out_of_range("far"); return 1; } catch (const std::runtime_error &) { return 2; } catch (const std::logic_error &e) { return e.what()[0]; } }
int main() {
    try { deep(1); } catch (B &b) { assert(b.b == 2); assert(order == 321); }
    try { throw C(); } catch (C c) { assert(c.a == 1 && c.b == 2); }
    try { throw V(); } catch (A &a) { assert(a.a == 9); }
    try { throw new C(); } catch (B *b) { assert(b->b == 2); delete static_cast<C *>(b); }
    try { throw "text"; } catch (const char *s) { assert(s[1] == 'e'); }
    assert(nest() == 11);
    assert(fin(0) == 1 && fin(1) == 'f');
    std::vector<int> v(2);
    bool caught = false;
    try { v.at(3) = 1; } catch (std::exception &e) { caught = true; }
    assert(caught);
    try { std::string s("abc"); s.substr(5); assert(0); } catch (std::out_of_range &) {}
#ifdef NOEXCEPT
    try { noex(); } catch (...) {}
#endif
#ifdef POINTER
    try { throw 1; } catch (...) { std::exception_ptr p = std::current_exception(); std::rethrow_exception(p); }
#endif
#ifdef UNCAUGHT
    try { throw 1; } catch (long) {}
#endif
    try { throw 1; } catch (...) { return 0; }
    assert(0);
}
