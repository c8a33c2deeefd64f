// hmc: --cat rc11 --keep-going --persist ext4 => holds executions=2 violating=0
// hmc: --cat rc11 --keep-going --persist posix => violated crash executions=3 violating=1
// A file without content is created and forced: its name is durable, too, because the force commits what gave it its name.
#include "files.h"

void hmc_recovery(void)
{
    char found[2];
    hmc_assert(!hmc_acked(1) || get("f", found, 2) >= 0);
}

int main(void)
{
    int f = creat("f", 0640);
    fsync(f);
    hmc_ack(1);
    return 0;
}
