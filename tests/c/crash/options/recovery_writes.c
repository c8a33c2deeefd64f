// hmc: --cat rc11 --keep-going --persist ext4 => unsupported
// hmc: --cat rc11 --keep-going --persist ext4 --recovery-writes => holds executions=5 violating=0
// hmc: --cat rc11 --keep-going --persist ext4 --recovery-writes -- -DUNFORCED => violated crash
// double_write.c, with a recovery that writes the file again from a journal that is whole.
#include "../files.h"

void hmc_recovery(void)
{
    if (holds("j", "22")) {
        int f = open("f", O_WRONLY);
        pwrite(f, "22", 2, 0);
        assert(holds("f", "22"));
    }
    assert(is_old_or_new("f"));
}

int main(void)
{
    make("f");
    __VERIFIER_pbarrier();
    int f = open("f", O_WRONLY);
    int j = creat("j", 0640);
    write(j, "22", 2);
#ifndef UNFORCED
    fsync(j);
#endif
    pwrite(f, "22", 2, 0);
    fsync(f);
    unlink("j");
    return 0;
}
