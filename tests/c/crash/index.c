// hmc: --cat rc11 --keep-going --persist ext4 => violated crash executions=4 violating=1
// hmc: --cat rc11 --keep-going --persist posix => violated crash executions=4 violating=1
// hmc: --cat rc11 --keep-going --persist ext4 -- -DFORCE => holds executions=3 violating=0
// Data in one file, and in another one that they are there.
#include "files.h"

void hmc_recovery(void)
{
    char index[1], data[1];
    get("g", index, 1);
    get("f", data, 1);
    if (index[0] == '2')
        assert(data[0] == '2');
}

int main(void)
{
    make("f");
    make("g");
    __VERIFIER_pbarrier();
    int f = open("f", O_WRONLY), g = open("g", O_WRONLY);
    pwrite(f, "2", 1, 0);
#ifdef FORCE
    fsync(f);
#endif
    pwrite(g, "2", 1, 0);
    return 0;
}
