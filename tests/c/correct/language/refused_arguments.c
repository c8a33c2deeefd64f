// hmc: --cat sc => holds executions=1
//
// A barrier of no threads, and memory aligned to what is no power of two, are refused by the library.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

int main(void) {
    pthread_barrier_t barrier;
    void *block;
    assert(pthread_barrier_init(&barrier, 0, 0) == EINVAL);
    assert(pthread_barrier_init(&barrier, 0, 1) == 0);
    assert(posix_memalign(&block, 24, 8) == EINVAL);
    assert(posix_memalign(&block, 4, 8) == EINVAL);
    assert(posix_memalign(&block, 64, 8) == 0);
    free(block);
}
