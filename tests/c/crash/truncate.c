// hmc: --cat rc11 --keep-going --persist ext4 => violated crash executions=3 violating=1
// hmc: --cat rc11 --keep-going --persist posix => violated crash executions=5 violating=1
// A file is cut off and written again, as by many editors: it may be empty when the crash comes.
#include "files.h"

void hmc_recovery(void)
{
    char found[3];
    assert(get("f", found, 3) == 2);
}

int main(void)
{
    make("f");
    __VERIFIER_pbarrier();
    int f = open("f", O_WRONLY | O_TRUNC);
    write(f, "22", 2);
    fsync(f);
    return 0;
}
