// hmc: --cat rc11 => holds executions=2
// hmc: --cat sc => holds executions=2
//
// A structure that is copied to and from elements of an array is copied by its members, also where an index is computed. (It was copied in words of eight bytes, which was refused for accesses of
// mixed sizes.)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    int a, b;
};

static struct pair pairs[2] = {{1, 2}, {1, 2}};
static int current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *swap(void *arg) {
    pthread_mutex_lock(&lock);
    pairs[current] = pairs[!current];
    pairs[current].a++;
    pairs[current].b++;
    current = !current;
    pthread_mutex_unlock(&lock);
    return arg;
}

// The pointer is to a structure that has the size and the alignment of another one.
struct mixed {
    int number;
    short low, high;
};

static void *clear(void *arg) {
    struct mixed *mixed = malloc(sizeof *mixed);
    memset(mixed, 0, sizeof *mixed);
    mixed->high = 1;
    assert(mixed->low == 0);
    free(mixed);
    return swap(arg);
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, swap, 0);
    pthread_create(&b, 0, clear, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(current == 0);
    assert(pairs[1].a == 2 || pairs[1].a == 3);
    assert(pairs[1].a + 1 == pairs[1].b);
    return 0;
}
