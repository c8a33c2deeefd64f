// The last write to a variable that no thread reads is told apart when the variable is observed.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int last, other;

static void *first(void *argument) {
    atomic_store(&last, 1);
    return argument;
}

static void *second(void *argument) {
    if (atomic_load(&other) == 0)
        atomic_store(&last, 2);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
