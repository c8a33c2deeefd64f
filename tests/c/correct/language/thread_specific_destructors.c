// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat aarch64 => holds
// hmc: --cat rc11 -- -DEXIT => holds
// hmc: --cat rc11 -- -DPOINTER => holds
// hmc: --cat sc -- -DPOINTER => holds
//
// A thread calls the destructors of its thread-specific data when it ends, before a join returns: each with the value, which is null then, and again for what
// destructors have set, four times at most; not for keys that are deleted, and not for `main` when it returns. (They were never called.) With EXIT the threads end by `pthread_exit`,
// with POINTER they are created through a pointer to their function.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

static pthread_key_t plain, key, stubborn, deleted;
static tss_t setting;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum, set_again, rounds, of_others;

static void add(void *value) {
    assert(pthread_getspecific(key) == 0);
    pthread_mutex_lock(&lock);
    sum += *(int *)value;
    pthread_mutex_unlock(&lock);
    free(value);
}

// The key of `add` comes before this one's.
static void set_another(void *value) {
    set_again++;
    pthread_setspecific(key, value);
}

static void set_itself(void *value) {
    rounds++;
    pthread_setspecific(stubborn, value);
}

static void never(void *value) {
    (void)value;
    of_others++;
}

static int *number(int value) {
    int *memory = malloc(sizeof *memory);
    *memory = value;
    return memory;
}

static void *first(void *arg) {
    pthread_setspecific(plain, arg);
    pthread_setspecific(key, number(1));
    pthread_setspecific(stubborn, &rounds);
#ifdef EXIT
    pthread_exit(arg);
#endif
    return arg;
}

static void *second(void *arg) {
    tss_set(setting, number(2));
    pthread_setspecific(key, 0);
    pthread_setspecific(deleted, &of_others);
#ifdef EXIT
    pthread_exit(arg);
#endif
    return arg;
}

static void create(pthread_t *thread, void *(*function)(void *), void *arg) {
    pthread_create(thread, 0, function, arg);
}

int main(void) {
    pthread_t a, b;
    void *result;
    pthread_key_create(&plain, 0);
    pthread_key_create(&key, add);
    pthread_key_create(&stubborn, set_itself);
    pthread_key_create(&deleted, never);
    tss_create(&setting, set_another);
    pthread_key_delete(deleted);
    pthread_setspecific(key, &sum);
#ifdef POINTER
    create(&a, first, &sum);
    create(&b, second, 0);
#else
    (void)create;
    pthread_create(&a, 0, first, &sum);
    pthread_create(&b, 0, second, 0);
#endif
    pthread_join(a, &result);
    assert(result == &sum);
    pthread_join(b, 0);
    assert(sum == 3);
    assert(set_again == 1);
    assert(rounds == 4);
    assert(of_others == 0);
    return 0;
}
