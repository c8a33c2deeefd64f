// hmc: --cat rc11 --keep-going --persist ext4 => holds executions=3 violating=0
// ../rename.c, in which a file is forced twice: the first time, nothing is in it that matters.
#include "../files.h"

void hmc_recovery(void) { assert(is_old_or_new("f")); }

int main(void)
{
    make("f");
    __VERIFIER_pbarrier();
    int t = creat("t", 0640);
    fsync(t);
    write(t, "22", 2);
    fsync(t);
    rename("t", "f");
    return 0;
}
