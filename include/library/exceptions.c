/* Exceptions of C++ that are thrown: what the compiler calls around them, as the Itanium ABI has it. Linked to programs that may throw.
 *
 * A thread keeps what it leaves calls with in one word, and the exceptions that it has caught, the innermost first, behind another one. An exception of which several bases are of the
 * type that is caught counts as caught by the first of them. */
#include <stddef.h>

enum { UNWINDING = 10, CAUGHT = 11 };

unsigned long __hmc_word(unsigned word);
void __hmc_set_word(unsigned word, unsigned long value);
void __hmc_wrong(const char *);
void *malloc(size_t);
void free(void *);

struct type {
    void **kind;
    const char *name;
};

struct with_base {
    struct type own;
    const struct type *base;
};

struct with_bases {
    struct type own;
    unsigned flags, count;
    struct {
        const struct type *base;
        long place;
    } bases[];
};

struct pointer {
    struct type own;
    unsigned flags;
    const struct type *to;
};

/* In front of what is thrown. */
struct thrown {
    const struct type *type;
    void (*destroy)(void *);
    struct thrown *outer;
    /* How many handlers have it; negative while it is thrown again. */
    long handlers;
    /* What a handler is given. */
    char *caught;
    long unused;
};

extern void *_ZTVN10__cxxabiv120__si_class_type_infoE[], *_ZTVN10__cxxabiv121__vmi_class_type_infoE[], *_ZTVN10__cxxabiv119__pointer_type_infoE[];
extern const struct type _ZTIv, _ZTIc, _ZTIi, _ZTIj, _ZTIl, _ZTIm, _ZTId;

/* These are in the library. */
#define POINTERS(letter)                                                                                                                     \
    const struct pointer _ZTIP##letter = {{_ZTVN10__cxxabiv119__pointer_type_infoE + 2, "P" #letter}, 0, &_ZTI##letter},                      \
                         _ZTIPK##letter = {{_ZTVN10__cxxabiv119__pointer_type_infoE + 2, "PK" #letter}, 1, &_ZTI##letter};
POINTERS(v)
POINTERS(c)
POINTERS(i)
POINTERS(j)
POINTERS(l)
POINTERS(m)
POINTERS(d)

/* Whether an object is one of a type, and where that is in it. */
static int is_a(const struct type *own, const struct type *wanted, char **object) {
    if (own == wanted) return 1;
    if (own->kind == _ZTVN10__cxxabiv120__si_class_type_infoE + 2) return is_a(((const struct with_base *)own)->base, wanted, object);
    if (own->kind != _ZTVN10__cxxabiv121__vmi_class_type_infoE + 2) return 0;
    const struct with_bases *all = (const struct with_bases *)own;
    for (unsigned i = 0; i < all->count; i++) {
        long place = all->bases[i].place;
        if (!(place & 2)) continue; /* not public */
        char *at = *object;
        if (at) at += place & 1 ? *(long *)(*(char **)at + (place >> 8)) : place >> 8;
        if (is_a(all->bases[i].base, wanted, &at)) {
            *object = at;
            return 1;
        }
    }
    return 0;
}

/* Whether a type of pointers is caught as another one. */
static int points_to(const struct pointer *own, const struct pointer *wanted, char **to) {
    if (own->flags & ~wanted->flags & 7) return 0;
    return wanted->to == &_ZTIv || is_a(own->to, wanted->to, to);
}

/* The number of a type, if what a thread leaves calls with is caught as such. */
int __hmc_catches(char *object, const struct type *wanted) {
    struct thrown *thrown = (struct thrown *)object - 1;
    const struct type *own = thrown->type;
    void **pointer = _ZTVN10__cxxabiv119__pointer_type_infoE + 2;
    char *at = own->kind == pointer ? *(char **)object : object;
    if (wanted && own != wanted) {
        if (own->kind != pointer) {
            if (!is_a(own, wanted, &at)) return 0;
        } else if (wanted->kind != pointer || !points_to((const struct pointer *)own, (const struct pointer *)wanted, &at)) {
            return 0;
        }
    }
    thrown->caught = at;
    return wanted ? (int)(unsigned long)wanted : 1;
}

void *__cxa_allocate_exception(size_t size) {
    struct thrown *thrown = malloc(sizeof *thrown + size);
    return thrown + 1;
}

void __cxa_free_exception(void *object) { free((struct thrown *)object - 1); }

void __cxa_throw(void *object, const struct type *type, void (*destroy)(void *)) {
    struct thrown *thrown = (struct thrown *)object - 1;
    thrown->type = type;
    thrown->destroy = destroy;
    thrown->handlers = 0;
    __hmc_set_word(UNWINDING, (unsigned long)object);
}

void *__cxa_get_exception_ptr(void *object) { return ((struct thrown *)object - 1)->caught; }

void *__cxa_begin_catch(void *object) {
    struct thrown *thrown = (struct thrown *)object - 1, *innermost = (struct thrown *)__hmc_word(CAUGHT);
    thrown->handlers = thrown->handlers < 0 ? 1 - thrown->handlers : 1 + thrown->handlers;
    if (thrown != innermost) {
        thrown->outer = innermost;
        __hmc_set_word(CAUGHT, (unsigned long)thrown);
    }
    return thrown->caught;
}

void __cxa_end_catch(void) {
    struct thrown *thrown = (struct thrown *)__hmc_word(CAUGHT);
    if (thrown->handlers < 0) {
        if (!++thrown->handlers) __hmc_set_word(CAUGHT, (unsigned long)thrown->outer);
    } else if (!--thrown->handlers) {
        __hmc_set_word(CAUGHT, (unsigned long)thrown->outer);
        if (thrown->destroy) thrown->destroy(thrown + 1);
        free(thrown);
    }
}

void __cxa_rethrow(void) {
    struct thrown *thrown = (struct thrown *)__hmc_word(CAUGHT);
    if (!thrown) __hmc_wrong("the program aborts: `throw;` where no exception is caught");
    thrown->handlers = -thrown->handlers;
    __hmc_set_word(UNWINDING, (unsigned long)(thrown + 1));
}
