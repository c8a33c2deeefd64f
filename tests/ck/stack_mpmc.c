// hmc: --cat sc -- -DCK_USE_CC_BUILTINS=1 => holds
// hmc: --cat tso -- -DCK_USE_CC_BUILTINS=1 => holds
//
// A client of Concurrency Kit's stack: two threads push, one of them pops; nothing is lost and nothing comes twice.
#include <assert.h>
#include <ck_stack.h>
#include <pthread.h>

struct item {
    ck_stack_entry_t link;
    int value;
};

static ck_stack_t stack = CK_STACK_INITIALIZER;
static struct item items[2];

static void *pusher(void *arg) {
    int i = (int)(long)arg;
    items[i].value = i + 1;
    ck_stack_push_upmc(&stack, &items[i].link);
    return 0;
}

static void *popper(void *arg) {
    pusher(arg);
    ck_stack_entry_t *entry = ck_stack_pop_upmc(&stack);
    assert(entry != 0);
    int value = ((struct item *)entry)->value;
    assert(value == 1 || value == 2);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, pusher, (void *)0);
    pthread_create(&b, 0, popper, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!CK_STACK_ISEMPTY(&stack));
    assert(CK_STACK_FIRST(&stack)->next == 0);
    return 0;
}
