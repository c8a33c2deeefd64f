// hmc: --cat aarch64 -- --target=aarch64-linux-gnu -nostdlibinc => holds executions=3
// hmc: --cat aarch64 -- --target=aarch64-linux-gnu -nostdlibinc -DWRONG => violated kind=assertion
//
// Barriers in inline assembly are those of the model.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));

#ifdef WRONG
#define BARRIER(kind) asm volatile("" ::: "memory")
#else
#define BARRIER(kind) asm volatile("dmb " kind ::: "memory")
#endif

static int data, flag, seen, read;

static void *writer(void *arg) {
    __atomic_store_n(&data, 1, __ATOMIC_RELAXED);
    BARRIER("ishst");
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    return arg;
}

static void *reader(void *arg) {
    seen = __atomic_load_n(&flag, __ATOMIC_RELAXED);
    BARRIER("ishld");
    read = __atomic_load_n(&data, __ATOMIC_RELAXED);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, writer, 0);
    pthread_create(&u, 0, reader, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    if (seen && !read) // HERE
        __assert_fail("!seen || read", __FILE__, __LINE__, __func__);
    return 0;
}
