// hmc: --cat rc11 --keep-going --persist ext4 => holds executions=7 violating=0
// hmc: --cat rc11 --keep-going --persist posix => violated crash executions=9 violating=1
// hmc: --cat rc11 --keep-going --persist ext4 -- -DUNFORCED => violated crash executions=13 violating=3
// What is to be written goes to a journal first, as in databases.
#include "files.h"

void hmc_recovery(void)
{
    int is_whole = is_old_or_new("f");
    assert(holds("j", "22") || is_whole);
}

int main(void)
{
    make("f");
    __VERIFIER_pbarrier();
    int f = open("f", O_WRONLY);
    int j = creat("j", 0640);
    write(j, "22", 2);
#ifndef UNFORCED
    fsync(j);
#endif
    pwrite(f, "22", 2, 0);
    fsync(f);
    unlink("j");
    return 0;
}
