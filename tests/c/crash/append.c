// hmc: --cat rc11 --keep-going --persist ext4 => holds executions=3 violating=0
// hmc: --cat rc11 --keep-going --persist posix => holds executions=3 violating=0
// hmc: --cat rc11 --keep-going --persist ext4 -- -DUNALIGNED => violated crash executions=6 violating=1
// hmc: --cat rc11 --keep-going --persist posix -- -DUNALIGNED => violated crash executions=6 violating=1
// A log grows by records: of one that fills blocks all bytes are there, of another one zeros may be.
#include "files.h"

void hmc_recovery(void)
{
    char found[8];
    int n = get("f", found, 8);
    for (int i = 2; i < n; i++)
        assert(found[i] == '2');
}

int main(void)
{
    make("f");
    __VERIFIER_pbarrier();
    int f = open("f", O_WRONLY);
#ifdef UNALIGNED
    pwrite(f, "2", 1, 2);
    pwrite(f, "22", 2, 3);
#else
    pwrite(f, "22", 2, 2);
    pwrite(f, "22", 2, 4);
#endif
    return 0;
}
