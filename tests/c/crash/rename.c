// hmc: --cat rc11 --keep-going --persist ext4 => violated crash executions=5 violating=2
// hmc: --cat rc11 --keep-going --persist posix => violated crash executions=5 violating=2
// hmc: --cat rc11 --keep-going --persist ext4 -- -DFORCE => holds executions=3 violating=0
// hmc: --cat rc11 --keep-going --persist posix -- -DFORCE => holds executions=3 violating=0
// A file is replaced by renaming another one over it: without fsync the name may be there before the data.
#include "files.h"

void hmc_recovery(void) { assert(is_old_or_new("f")); }

int main(void)
{
    make("f");
    __VERIFIER_pbarrier();
    int t = creat("t", 0640);
    write(t, "22", 2);
#ifdef FORCE
    fsync(t);
#endif
    rename("t", "f");
    return 0;
}
