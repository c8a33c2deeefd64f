// hmc: --cat sc => holds
// hmc: --cat rc11 => holds
//
// memmove within one object, forwards and backwards, with a length that is known when the program is compiled and with one that is not.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int global[4] = {1, 2, 3, 4};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sorted[4], count;

static void insert(int value) {
    pthread_mutex_lock(&mutex);
    memmove(sorted + 1, sorted, count * sizeof *sorted);
    sorted[0] = value;
    count++;
    pthread_mutex_unlock(&mutex);
}

static void *insert_three(void *arg) {
    insert(3);
    return arg;
}

int main(void) {
    volatile unsigned long n = 3;

    memmove(global + 1, global, n * sizeof(int));
    assert(global[0] == 1 && global[1] == 1 && global[2] == 2 && global[3] == 3);
    memmove(global, global + 1, n * sizeof(int));
    assert(global[0] == 1 && global[1] == 2 && global[2] == 3 && global[3] == 3);
    memmove(global, global, n * sizeof(int));
    assert(global[0] == 1 && global[1] == 2 && global[2] == 3 && global[3] == 3);

    int local[4] = {1, 2, 3, 4};
    memmove(local + 1, local, n * sizeof(int));
    assert(local[0] == 1 && local[1] == 1 && local[2] == 2 && local[3] == 3);

    char text[8] = "abcdef";
    memmove(text + 1, text, n + 2);
    assert(!strcmp(text, "aabcde"));

    int known[4] = {1, 2, 3, 4};
    memmove(known + 1, known, 3 * sizeof(int));
    assert(known[1] == 1 && known[2] == 2 && known[3] == 3);
    memmove(global + 1, global, 3 * sizeof(int));
    assert(global[1] == 1 && global[2] == 2 && global[3] == 3);

    pthread_t thread;
    insert(1);
    insert(2);
    pthread_create(&thread, 0, insert_three, 0);
    pthread_join(thread, 0);
    assert(sorted[0] == 3 && sorted[1] == 2 && sorted[2] == 1);
    return 0;
}
