// hmc: --cat rc11 --keep-going --persist ext4 => holds executions=3 violating=0
// hmc: --cat rc11 --keep-going --persist ext4 --fsync-fails => violated crash executions=7 violating=1
// hmc: --cat rc11 --keep-going --persist ext4 --fsync-fails -- -DAGAIN => holds executions=7 violating=0
// A force that fails is tried again, as in many databases: the second one succeeds, and what the first one dropped is not on the disk. It has to be
// written again.
#include "../files.h"

void hmc_recovery(void)
{
    char found[1];
    get("f", found, 1);
    if (hmc_acked(0))
        assert(found[0] == '2');
}

int main(void)
{
    make("f");
    __VERIFIER_pbarrier();
    int f = open("f", O_WRONLY);
    pwrite(f, "2", 1, 0);
    if (fsync(f) < 0) {
#ifdef AGAIN
        pwrite(f, "2", 1, 0);
#endif
        fsync(f);
    }
    hmc_ack(0);
    return 0;
}
