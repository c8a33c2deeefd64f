// hmc: --cat sc => holds
// hmc: --cat rc11 -- -O1 => holds
//
// A weak symbol that nothing defines has the address 0; one that the program or the library defines has not.
#include <assert.h>
#include <pthread.h>

extern int missing(void) __attribute__((weak));
extern int missing_variable __attribute__((weak));
extern pthread_t pthread_self(void) __attribute__((weak));
extern int own(void) __attribute__((weak));

int own(void) {
    return 4;
}

static int (*const table[])(void) = {missing, own};

int main(void) {
    if (missing)
        missing();
    if (&missing_variable)
        missing_variable = 1;
    assert(!missing && !&missing_variable && !table[0]);
    assert(own && table[1]() == 4);
    assert(pthread_self && pthread_self() == pthread_self());
    return 0;
}
