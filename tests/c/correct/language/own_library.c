// hmc: --cat sc => holds
// hmc: --cat rc11 -- -fno-builtin => holds
//
// A program may bring its own functions of names that the library has, as freestanding code and wrappers of threads do: its own ones are called. Variables of
// the library's names are its own, too.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static int calls;

void *memcpy(void *to, const void *from, size_t length) {
    char *a = to;
    const char *b = from;
    calls++;
    while (length--)
        *a++ = *b++;
    return to;
}

typedef pthread_t thrd_t;
static void *begin(void *arg) {
    return arg;
}

int thrd_create(thrd_t *thread, int (*function)(void *), void *arg) {
    (void)function;
    return pthread_create(thread, 0, begin, arg);
}

int thrd_join(thrd_t thread, int *result) {
    void *value;
    *result = 3;
    return pthread_join(thread, &value);
}

int usleep(int *written, int unused) {
    *written = unused;
    return 5;
}

static int work(void *arg) {
    return arg != 0;
}

int main(void) {
    void *(*copy)(void *, const void *, size_t) = memcpy;
    int x = 7, y = 0, result = 0, slept = 0;
    copy(&y, &x, sizeof x);
    assert(y == 7 && calls == 1);
    thrd_t thread;
    thrd_create(&thread, work, 0);
    thrd_join(thread, &result);
    assert(result == 3);
    assert(usleep(&slept, 4) == 5 && slept == 4);
    static int clock = 7;
    assert(time(0) == 0 && clock == 7);
    return 0;
}
