// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=assertion
// hmc: --cat sc -- -DWRONG => violated kind=assertion
// hmc: --cat sc -- -DWRONG -DDESTRUCTOR => violated kind=assertion
//
// A function that is registered for the end of the program sees what `main` has done.
#include <assert.h>
#include <stdlib.h>

static int done;

#ifdef DESTRUCTOR
__attribute__((destructor))
#endif
static void bye(void) {
    assert(done == 1); // HERE
}

int main(void) {
#ifndef DESTRUCTOR
    atexit(bye);
#endif
#ifndef WRONG
    done = 1;
#endif
    return 0;
}
