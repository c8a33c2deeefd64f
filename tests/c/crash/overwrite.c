// hmc: --cat rc11 --keep-going --persist ext4 => violated crash executions=3 violating=1
// hmc: --cat rc11 --keep-going --persist posix => violated crash executions=3 violating=1
// A file is overwritten in place: half of it may be new.
#include "files.h"

void hmc_recovery(void) { assert(is_old_or_new("f")); }

int main(void)
{
    make("f");
    __VERIFIER_pbarrier();
    int f = open("f", O_WRONLY);
    pwrite(f, "22", 2, 0);
    return 0;
}
