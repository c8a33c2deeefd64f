// hmc: --cat rc11 --keep-going --persist ext4 => violated crash executions=5 violating=1
// hmc: --cat rc11 --keep-going --persist posix => violated crash executions=5 violating=1
// hmc: --cat rc11 --keep-going --persist persevere => holds executions=4 violating=0
// hmc: --cat rc11 --keep-going --persist ext4 -- -DFORCE => holds executions=4 violating=0
// hmc: --cat rc11 --keep-going --persist posix -- -DFORCE => holds executions=4 violating=0
// A file is replaced, and somebody is told so: only forcing the directory makes the new name durable.
#include "files.h"

void hmc_recovery(void)
{
    char found[3];
    int n = get("f", found, 3);
    if (hmc_acked(0))
        assert(n == 2 && found[0] == '2' && found[1] == '2');
    else
        assert(n == 2 && found[0] == found[1]);
}

int main(void)
{
    make("f");
    __VERIFIER_pbarrier();
    int t = creat("t", 0640);
    write(t, "22", 2);
    fsync(t);
    rename("t", "f");
#ifdef FORCE
    fsync(open(".", O_RDONLY | O_DIRECTORY));
#endif
    hmc_ack(0);
    return 0;
}
