// hmc: --cat sc => holds
// hmc: --cat rc11 => holds
// hmc: --cat lkmm => holds
//
// Constructors run before `main`, those with low priority numbers first; what `atexit` registers runs behind it, the last first, then the destructors, those
// with high priority numbers first. (None of them was run.)
#include <assert.h>
#include <stdlib.h>

static int at;

__attribute__((constructor(300))) static void second(void) { assert(at++ == 1); }
__attribute__((constructor(200))) static void first(void) { assert(at++ == 0); }
__attribute__((constructor)) static void third(void) { assert(at++ == 2); }
__attribute__((destructor(200))) static void eighth(void) { assert(at++ == 7); }
__attribute__((destructor(300))) static void seventh(void) { assert(at++ == 6); }
static void fifth(void) { assert(at++ == 4); }
static void sixth(void) { assert(at++ == 5); }

int main(void) {
    atexit(sixth);
    atexit(fifth);
    assert(at++ == 3);
    return 0;
}
