// hmc: --cat rc11 --keep-going --persist ext4 => violated crash executions=3 violating=1
// hmc: --cat rc11 --keep-going --persist ext4 -- -DFLUSH => holds executions=2 violating=0
// A line is promised that a stream still holds: it goes to the file when the program ends, and the promise was made before.
#include "../files.h"

void hmc_recovery(void)
{
    FILE *f = fopen("f", "r");
    char line[8];
    if (hmc_acked(0))
        assert(fread(line, 1, 4, f) == 4 && line[2] == '2' && line[3] == '2');
}

int main(void)
{
    make("f");
    __VERIFIER_pbarrier();
    FILE *f = fopen("f", "a");
    fputs("22", f);
#ifdef FLUSH
    fflush(f);
    fsync(fileno(f));
#endif
    hmc_ack(0);
    return 0;
}
