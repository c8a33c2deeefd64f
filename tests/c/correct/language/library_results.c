// hmc: --cat sc => holds
// hmc: --cat lkmm => holds
// hmc: --cat sc -- -DFUSED => unsupported
// hmc: --cat sc -- -DALIGNED => unsupported
// hmc: --cat sc -- -DBASE => unsupported
// hmc: --cat sc -- -DPRINTED => unsupported
//
// What functions of the C library return; those of which that is not known here are refused when they are reached.
#define _GNU_SOURCE
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char text[8];
    assert(stpcpy(text, "abc") == text + 3 && strcpy(text, "abc") == text);

    volatile long large = -(1L << 40);
    volatile int small = -3;
    long (*function)(long) = labs;
    assert(labs(large) == 1L << 40 && llabs(large) == 1L << 40 && abs(small) == 3 && function(large) == 1L << 40);

    char *end;
    char number[] = " \t-42x";
    assert(atoi("7") == 7 && atoi(number) == -42 && atol("+10000000000") == 10000000000 && atoi("x") == 0);
    assert(strtol(number, &end, 10) == -42 && end == number + 5 && strtol(number + 5, &end, 10) == 0 && end == number + 5);

    volatile double nan = NAN, one = 1;
    assert(fmin(nan, one) == 1 && fmin(one, nan) == 1 && fmax(nan, one) == 1 && fmax(one, nan) == 1);
    assert(fmin(one, 2) == 1 && fmax(one, 2) == 2);
    assert(nan != nan && !(nan == nan) && !(nan < one) && one != 2 && isnan(nan));

    assert(fwrite(text, 1, 3, stdout) == 3 && printf("x\n") == 2 && putchar('a') == 'a' && puts("x") >= 0);
#ifdef FUSED
    volatile double a = 1.0 + 0x1p-52, b = 1.0 - 0x1p-52;
    assert(fma(a, b, -1.0) == 0);
#endif
#ifdef ALIGNED
    assert(((unsigned long)aligned_alloc(1 << 20, 1 << 20) & ((1 << 20) - 1)) == 0);
#endif
#ifdef BASE
    assert(strtol("ff", 0, 16) == 0);
#endif
#ifdef PRINTED
    assert(printf("%d", small) == 0);
#endif
    return 0;
}
