// hmc: --cat sc -- --target=i386-linux-gnu -ffreestanding => holds
// hmc: --cat rc11 -- --target=arm-linux-gnueabihf -ffreestanding => holds
// hmc: --cat sc => holds
//
// A `pthread_t` is a `long`, which has four bytes on 32-bit machines: what stands behind it is not written to. (The system's headers may not be there for
// such a machine, so there are none.)
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void hmc_assert(int);

static int x;

static void *work(void *arg) {
    x = 1;
    return arg;
}

static pthread_t names[2];

int main(void) {
    struct {
        pthread_t name;
        pthread_t next;
    } own = {0, 5};
    names[1] = 6;
    pthread_create(&own.name, 0, work, 0);
    pthread_join(own.name, 0);
    pthread_create(&names[0], 0, work, 0);
    pthread_join(names[0], 0);
    hmc_assert(x == 1 && own.next == 5 && names[1] == 6);
    return 0;
}
