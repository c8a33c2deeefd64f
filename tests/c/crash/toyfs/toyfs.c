/* A file system made from nothing: two files, "a" and "b", of eight bytes each, which are always there. A write goes to the disk byte by byte; fsync forces
 * one file. What survives is said in toyfs.cat: the bytes of a file survive in the order in which they were written. */
#include <disk.h>
#include <fcntl.h>
#include <unistd.h>

enum { SIZE = 8 };

const unsigned long __hmc_unit_inode = 16;

static hmc_persistent struct {
    unsigned char bytes[SIZE];
} __attribute__((aligned(16))) disk[2];

int open(const char *path, int flags, ...)
{
    (void)flags;
    return __hmc_name(path) == __hmc_name("a") ? 0 : __hmc_name(path) == __hmc_name("b") ? 1 : -1;
}

ssize_t pwrite(int fd, const void *from, size_t count, off_t at)
{
    for (size_t i = 0; i < count; i++)
        __hmc_disk_store("BYTE", 1, &disk[fd].bytes[at + i], ((const unsigned char *)from)[i]);
    return (ssize_t)count;
}

ssize_t pread(int fd, void *to, size_t count, off_t at)
{
    for (size_t i = 0; i < count; i++)
        ((unsigned char *)to)[i] = (unsigned char)__hmc_disk_load("", 1, &disk[fd].bytes[at + i]);
    return (ssize_t)count;
}

int fsync(int fd)
{
    __hmc_disk_force("FORCE CALL", &disk[fd]);
    return 0;
}
