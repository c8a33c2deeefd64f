// hmc: --cat rc11 --persist ext4 => holds executions=1
// hmc: --cat rc11 --persist ext4 --persist-with errors => holds executions=1
//
// A length below zero is refused before a file is looked at, as Linux does; it is no file that grows too long.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <hmc.h>
#include <unistd.h>

int main(void) {
    int fd = open("f", O_WRONLY | O_CREAT, 0600);
    assert(write(fd, "old", (size_t)-1) == -1 && errno == EINVAL);
    return 0;
}

void hmc_recovery(void) {
}
