// hmc: --cat rc11 --keep-going --persist ext4 => holds executions=4 violating=0
// hmc: --cat rc11 --keep-going --persist posix => violated crash executions=5 violating=1
// The new state is renamed over the current one, and the old manifest is removed, as in LevelDB.
#include "files.h"

void hmc_recovery(void)
{
    int old = open("old", O_RDONLY);
    if (old < 0)
        assert(holds("f", "22"));
}

int main(void)
{
    make("f");
    make("old");
    __VERIFIER_pbarrier();
    int t = creat("t", 0640);
    write(t, "22", 2);
    fsync(t);
    rename("t", "f");
    unlink("old");
    return 0;
}
