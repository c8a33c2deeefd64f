// An addition of nothing, behind a fence that releases, is a write all the same: the addition that reads it synchronises. clang 15 makes it a
// load (LLVM 56450; repaired in 16).
#include <pthread.h>
#include <stdatomic.h>

int r0, r1;
static atomic_int x, y;

static void *writer(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    r0 = atomic_fetch_add_explicit(&y, 0, memory_order_relaxed);
    return 0;
}

static void *reader(void *unused) {
    atomic_fetch_add_explicit(&y, 1, memory_order_acquire);
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, 0, writer, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
}
