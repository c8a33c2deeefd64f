// hmc: --cat sc => bounded executions=2 notes=1
// hmc: --cat sc -- -DRANDOM => bounded executions=2 notes=1
// hmc: --cat sc -- -DBOOL => holds executions=2
// hmc: --cat sc -- -DBOOL -DWRONG => violated kind=assertion
//
// A value that comes from outside, of which two are tried: that the assertion holds of these says nothing of others. Of `_Bool` there are no others.
#include <assert.h>
#include <stdlib.h>

_Bool __VERIFIER_nondet_bool(void);
unsigned char __VERIFIER_nondet_uchar(void);

#ifdef BOOL
#ifdef WRONG
#define MOST 0
#else
#define MOST 1
#endif
#else
#define MOST 6
#endif

int main(void) {
#ifdef BOOL
    int value = __VERIFIER_nondet_bool();
#elif defined(RANDOM)
    int value = rand();
#else
    int value = __VERIFIER_nondet_uchar();
#endif
    assert(value <= MOST); // HERE
    return 0;
}
