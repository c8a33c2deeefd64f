// hmc: --cat rc11 --keep-going --persist ext4 => violated crash executions=5 violating=2
// hmc: --cat rc11 --keep-going --persist posix => violated crash executions=8 violating=3
// hmc: --cat rc11 --keep-going --persist ext4 -- -DFORCE => holds executions=3 violating=0
// A file is copied before it is cut off and written again. The copy has to be forced.
#include "files.h"

void hmc_recovery(void)
{
    char found[3];
    if (get("f", found, 3) < 2)
        assert(holds("bak", "11"));
}

int main(void)
{
    make("f");
    __VERIFIER_pbarrier();
    int b = creat("bak", 0640);
    write(b, "11", 2);
#ifdef FORCE
    fsync(b);
#endif
    int f = open("f", O_WRONLY | O_TRUNC);
    write(f, "22", 2);
    return 0;
}
