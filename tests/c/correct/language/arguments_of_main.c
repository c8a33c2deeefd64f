// hmc: --cat rc11 --args=one --args=2 => holds
// hmc: --cat rc11 => violated
//
// What `--args` gives is what `main` gets.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    assert(argc == 3 && !strcmp(argv[1], "one") && atoi(argv[2]) == 2 && !argv[3]); // HERE
    return 0;
}
