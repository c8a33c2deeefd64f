// hmc: --cat rc11 --keep-going --persist ext4 => holds executions=3 violating=0
// hmc: --cat rc11 --keep-going --persist posix => violated crash executions=4 violating=1
// A file is created, written and forced. On ext4 that makes its name durable, too.
#include "files.h"

void hmc_recovery(void)
{
    int f = open("f", O_RDONLY);
    if (hmc_acked(0))
        assert(f >= 0);
}

int main(void)
{
    int f = creat("f", 0640);
    write(f, "22", 2);
    fsync(f);
    hmc_ack(0);
    return 0;
}
