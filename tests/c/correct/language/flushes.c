// hmc: --cat tso -- --target=x86_64-linux-gnu => bounded notes=2
// hmc: --cat tso -- --target=x86_64-linux-gnu -DNONE => holds notes=0
// hmc: --cat tso -- --target=x86_64-linux-gnu -DFLUSH=clwb => holds notes=1
// hmc: --cat tso -- --target=x86_64-linux-gnu -DFLUSH=clflushopt => holds notes=1
// hmc: --cat tso -- --target=x86_64-linux-gnu -DSIGNALS => holds notes=1
// hmc: --cat tso -- --target=x86_64-linux-gnu -DOUTSIDE => holds notes=1
//
// Cache flushes, non-temporal stores, handlers of signals and assembly outside of functions mean nothing to a model: a note says so.
#define TEXT(x) #x
#define STRING(x) TEXT(x)

void hmc_assert(int);
typedef void (*handler)(int);
handler signal(int, handler);

static int x, y;

#ifdef SIGNALS
static void handle(int number) {
    (void)number;
}
#endif

#ifdef OUTSIDE
__asm__(".globl elsewhere");
#endif

int main(void) {
    x = 1;
#if defined FLUSH
    __asm__ volatile(STRING(FLUSH) " %0" : "+m"(x));
#elif defined SIGNALS
    signal(2, handle);
#elif !defined NONE && !defined OUTSIDE
    __builtin_ia32_clflush(&x);
    __builtin_nontemporal_store(2, &y);
    __asm__ volatile("movnti %1, %0" : "=m"(x) : "r"(1));
    hmc_assert(y == 2);
#endif
    hmc_assert(x == 1);
    return 0;
}
