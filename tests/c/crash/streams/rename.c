// hmc: --cat rc11 --keep-going --persist ext4 => violated crash executions=5 violating=2
// hmc: --cat rc11 --keep-going --persist posix => violated crash executions=5 violating=2
// hmc: --cat rc11 --keep-going --persist ext4 -- -DFLUSH -DFORCE => holds executions=3 violating=0
// hmc: --cat rc11 --keep-going --persist ext4 -- -DFORCE => violated crash executions=4 violating=1
// ../rename.c with streams: a file is forced only with what was flushed before.
#include "../files.h"

void hmc_recovery(void) { assert(is_old_or_new("f")); }

int main(void)
{
    make("f");
    __VERIFIER_pbarrier();
    FILE *t = fopen("t", "w");
    fwrite("22", 1, 2, t);
#ifdef FLUSH
    fflush(t);
#endif
#ifdef FORCE
    fsync(fileno(t));
#endif
    fclose(t);
    rename("t", "f");
    fprintf(stderr, "%s is saved\n", "f");
    return 0;
}
