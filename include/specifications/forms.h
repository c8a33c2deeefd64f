/* What the specifications of this folder share. hmc defines: FIRST, SECOND, THIRD, the operations' names; RETURNS_* where one returns something; STORES_* where one stores
   what it takes out through a pointer; VALUE, the type of values; EMPTY, what stands for "there is nothing"; CAPACITY; WAITS, where operations wait instead of failing. */
#include <hmc.h>
#include <stdbool.h>

#define MOST 64

static VALUE values[MOST];
static unsigned count;

/* Operations that cannot be done now wait, or say so. */
static bool may_be_done(bool possible) {
#ifdef WAITS
    hmc_assume(possible);
#endif
    return possible;
}

static void put_at(unsigned place, VALUE value) {
    for (unsigned i = count; i > place; i--)
        values[i] = values[i - 1];
    values[place] = value;
    count++;
}

static VALUE take_at(unsigned place) {
    VALUE value = values[place];
    count--;
    for (unsigned i = place; i < count; i++)
        values[i] = values[i + 1];
    /* States with the same values are the same state. */
    values[count] = 0;
    return value;
}

static bool has(VALUE value, unsigned *place) {
    for (unsigned i = 0; i < count; i++)
        if (values[i] == value) {
            *place = i;
            return true;
        }
    return false;
}

/* An operation that puts a value somewhere. */
#define PUTS(name, returns, place)                                                                                     \
    PUTS_##returns(name, place)
#define PUTS_1(name, place)                                                                                            \
    bool name(VALUE value) {                                                                                           \
        if (!may_be_done(count < CAPACITY))                                                                            \
            return false;                                                                                              \
        put_at(place, value);                                                                                          \
        return true;                                                                                                   \
    }
#define PUTS_0(name, place)                                                                                            \
    void name(VALUE value) {                                                                                           \
        hmc_assume(count < CAPACITY);                                                                                  \
        put_at(place, value);                                                                                          \
    }

/* An operation that takes a value out. */
#define TAKES(name, stores, place)                                                                                     \
    TAKES_##stores(name, place)
#define TAKES_1(name, place)                                                                                           \
    bool name(VALUE *to) {                                                                                             \
        if (!may_be_done(count > 0))                                                                                   \
            return false;                                                                                              \
        *to = take_at(place);                                                                                          \
        return true;                                                                                                   \
    }
#define TAKES_0(name, place)                                                                                           \
    VALUE name(void) {                                                                                                 \
        if (!may_be_done(count > 0))                                                                                   \
            return EMPTY;                                                                                              \
        return take_at(place);                                                                                         \
    }

/* These are expanded before they are pasted. */
#define EXPANDED_PUTS(name, returns, place) PUTS(name, returns, place)
#define EXPANDED_TAKES(name, stores, place) TAKES(name, stores, place)
