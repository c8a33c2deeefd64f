// The exceptions of libstdc++, whose code is not in its headers, and the functions by which its headers throw them. Linked to programs with exceptions that name them.
#include <functional>
#include <new>
#include <stdexcept>
#include <typeinfo>

extern "C" void *malloc(std::size_t);
extern "C" void free(void *);

namespace std {

exception::~exception() noexcept {}
const char *exception::what() const noexcept { return "std::exception"; }

#define OF(name, text)                                                                                                                       \
    name::~name() noexcept {}                                                                                                                \
    const char *name::what() const noexcept { return text; }
OF(bad_exception, "std::bad_exception")
OF(bad_alloc, "std::bad_alloc")
OF(bad_array_new_length, "std::bad_array_new_length")
OF(bad_cast, "std::bad_cast")
OF(bad_typeid, "std::bad_typeid")
OF(bad_function_call, "bad_function_call")

// A text of its own for each exception.
static const char *copied(const char *text, size_t length) {
    char *copy = (char *)malloc(length + 1);
    for (size_t i = 0; i < length; i++) copy[i] = text[i];
    copy[length] = 0;
    return copy;
}

static size_t length_of(const char *text) {
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

__cow_string::__cow_string() : _M_p(copied("", 0)) {}
__cow_string::__cow_string(const string &text) : _M_p(copied(text.data(), text.size())) {}
__cow_string::__cow_string(const char *text, size_t length) : _M_p(copied(text, length)) {}
__cow_string::__cow_string(const __cow_string &other) noexcept : _M_p(copied(other._M_p, length_of(other._M_p))) {}
__cow_string::__cow_string(__cow_string &&other) noexcept : _M_p(other._M_p) { other._M_p = copied("", 0); }
__cow_string &__cow_string::operator=(const __cow_string &other) noexcept {
    const char *old = _M_p;
    _M_p = copied(other._M_p, length_of(other._M_p));
    free((void *)old);
    return *this;
}
__cow_string &__cow_string::operator=(__cow_string &&other) noexcept {
    const char *own = _M_p;
    _M_p = other._M_p;
    other._M_p = own;
    return *this;
}
__cow_string::~__cow_string() { free((void *)_M_p); }

#define WITH_TEXT(name)                                                                                                                      \
    name::name(const string &text) : _M_msg(text) {}                                                                                         \
    name::name(const char *text) : _M_msg(text, length_of(text)) {}                                                                          \
    name::name(const name &other) noexcept : exception(), _M_msg(other._M_msg) {}                                                            \
    name::name(name &&other) noexcept : exception(), _M_msg(static_cast<__cow_string &&>(other._M_msg)) {}                                   \
    name &name::operator=(const name &other) noexcept {                                                                                      \
        _M_msg = other._M_msg;                                                                                                               \
        return *this;                                                                                                                        \
    }                                                                                                                                        \
    name &name::operator=(name &&other) noexcept {                                                                                           \
        _M_msg = static_cast<__cow_string &&>(other._M_msg);                                                                                 \
        return *this;                                                                                                                        \
    }                                                                                                                                        \
    name::~name() noexcept {}                                                                                                                \
    const char *name::what() const noexcept { return _M_msg._M_p; }
WITH_TEXT(logic_error)
WITH_TEXT(runtime_error)

#define KIND_OF(base, name)                                                                                                                  \
    name::name(const string &text) : base(text) {}                                                                                           \
    name::name(const char *text) : base(text) {}                                                                                             \
    name::~name() noexcept {}
KIND_OF(logic_error, domain_error)
KIND_OF(logic_error, invalid_argument)
KIND_OF(logic_error, length_error)
KIND_OF(logic_error, out_of_range)
KIND_OF(runtime_error, range_error)
KIND_OF(runtime_error, overflow_error)
KIND_OF(runtime_error, underflow_error)

void __throw_bad_exception() { throw bad_exception(); }
void __throw_bad_alloc() { throw bad_alloc(); }
void __throw_bad_array_new_length() { throw bad_array_new_length(); }
void __throw_bad_cast() { throw bad_cast(); }
void __throw_bad_typeid() { throw bad_typeid(); }
void __throw_bad_function_call() { throw bad_function_call(); }
void __throw_logic_error(const char *text) { throw logic_error(text); }
void __throw_domain_error(const char *text) { throw domain_error(text); }
void __throw_invalid_argument(const char *text) { throw invalid_argument(text); }
void __throw_length_error(const char *text) { throw length_error(text); }
void __throw_out_of_range(const char *text) { throw out_of_range(text); }
// The numbers in it are left out.
void __throw_out_of_range_fmt(const char *text, ...) { throw out_of_range(text); }
void __throw_runtime_error(const char *text) { throw runtime_error(text); }
void __throw_range_error(const char *text) { throw range_error(text); }
void __throw_overflow_error(const char *text) { throw overflow_error(text); }
void __throw_underflow_error(const char *text) { throw underflow_error(text); }

}
