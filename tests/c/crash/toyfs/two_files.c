// hmc: --cat rc11 --keep-going --persist tests/c/crash/toyfs/toyfs.cat --fs tests/c/crash/toyfs/toyfs.c => violated crash executions=6 violating=2
// hmc: --cat rc11 --keep-going --persist tests/c/crash/toyfs/toyfs.cat --fs tests/c/crash/toyfs/toyfs.c -- -DFORCE => holds executions=4 violating=0
// Data in one file and a mark in the other one, on a file system of the user's own.
#include <assert.h>
#include <fcntl.h>
#include <hmc.h>
#include <unistd.h>

void hmc_recovery(void)
{
    char data[2], mark[1];
    pread(open("b", O_RDONLY), mark, 1, 0);
    pread(open("a", O_RDONLY), data, 2, 0);
    if (mark[0])
        assert(data[0] == 1 && data[1] == 2);
}

int main(void)
{
    int a = open("a", O_WRONLY), b = open("b", O_WRONLY);
    pwrite(a, "\1\2", 2, 0);
#ifdef FORCE
    fsync(a);
#endif
    pwrite(b, "\1", 1, 0);
    return 0;
}
