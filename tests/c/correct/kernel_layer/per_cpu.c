// hmc: --cat sc,lkmm => holds executions=1
/* Variables in a section of each processor: instances at one distance, with the same initial value; pointers into the middle of one too. */
#include <assert.h>

struct pair { int first, second; };

extern char __hmc_per_cpu[3];
__attribute__((section(".data..percpu"))) static struct pair pair = { 1, 2 };
__attribute__((section(".data..percpu..shared_aligned"))) static long number = 7;
static int *other = &pair.second;

#define ON(pointer, cpu) ((__typeof__(pointer))((char *)(pointer) + (cpu) * (unsigned long)__hmc_per_cpu))

int main(void)
{
    ON(&pair, 1)->second = 5;
    *ON(&number, 2) = 8;
    assert(pair.second == 2 && ON(&pair, 1)->second == 5 && ON(&pair, 2)->second == 2);
    assert(*ON(other, 1) == 5 && *other == 2 && ON(&pair, 2)->first == 1);
    assert(number == 7 && *ON(&number, 1) == 7 && *ON(&number, 2) == 8);
    return 0;
}
