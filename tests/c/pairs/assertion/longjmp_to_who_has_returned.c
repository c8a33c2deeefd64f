// hmc: --cat sc => holds
// hmc: --cat sc -- -DWRONG => violated kind=assertion
//
// A buffer is good as long as the function runs that has filled it.
#include <assert.h>
#include <setjmp.h>

static jmp_buf buffer;
static int steps;

static int fill(void) {
    int got = setjmp(buffer);
    steps++;
#ifndef WRONG
    if (!got) longjmp(buffer, 1);
#endif
    return got;
}

int main(void) {
    int got = fill();
#ifdef WRONG
    longjmp(buffer, 1); // HERE
#endif
    assert(got == 1 && steps == 2);
    return 0;
}
