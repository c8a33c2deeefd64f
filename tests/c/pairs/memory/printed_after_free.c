// hmc: --cat sc => holds
// hmc: --cat rc11 => holds
// hmc: --cat sc -- -DWRONG => violated kind=memory
// hmc: --cat rc11 -- -DWRONG => violated kind=memory
// hmc: --cat sc -- -DWRONG -DPUTS => violated kind=memory
//
// A text is read when it is printed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *text = malloc(4);
    strcpy(text, "abc");
#ifdef WRONG
    free(text);
#endif
#ifdef PUTS
    puts(text); // HERE
#else
    printf("%d %s\n", 1, text); // HERE
#endif
#ifndef WRONG
    free(text);
#endif
    return 0;
}
