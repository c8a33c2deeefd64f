// A loop writes data and tells another thread after each round. LICM moves the write behind the loop: alias analysis says that the call, which
// releases, does not touch the data.
#include <pthread.h>
#include <stdatomic.h>

int rounds = 2;
int seen = -1;
static int data;
static atomic_int told;

__attribute__((noinline)) static void tell(void) {
    atomic_fetch_add_explicit(&told, 1, memory_order_release);
}

static void *writer(void *unused) {
    int last = rounds;
    for (int round = 1; round <= last; round++) {
        data = round;
        tell();
    }
    return 0;
}

static void *reader(void *unused) {
    if (atomic_load_explicit(&told, memory_order_acquire) == 2)
        seen = data;
    return 0;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, 0, writer, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
}
