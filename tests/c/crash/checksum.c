// hmc: --cat rc11 --keep-going --persist ext4 => holds executions=3 violating=0
// hmc: --cat rc11 --keep-going --persist posix => holds executions=3 violating=0
// A record ends in its sum, which is never 0: one that is not whole is known as such.
#include "files.h"

void hmc_recovery(void)
{
    char found[5];
    int n = get("f", found, 5);
    if (n == 5 && found[2] + found[3] == found[4])
        assert(found[2] == 1 && found[3] == 2);
}

int main(void)
{
    make("f");
    __VERIFIER_pbarrier();
    int f = open("f", O_WRONLY);
    pwrite(f, "\1\2\3", 3, 2);
    return 0;
}
