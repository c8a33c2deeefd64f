// hmc: --cat sc => holds
// hmc: --cat tso => holds
//
// Atomic operations in all spellings: stdatomic.h, operators on _Atomic, __atomic, __sync; every result checked.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic int a;
static atomic_uchar small;
static _Atomic(int *) pointer;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static int g, array[2];
static long l;

static void *other(void *arg) {
    a += 2;
    __sync_fetch_and_add(&g, 1);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    a++;
    __atomic_add_fetch(&g, 1, __ATOMIC_RELAXED);
    pthread_join(t, 0);
    assert(a == 3 && g == 2);
    assert(atomic_fetch_or_explicit(&small, 6, memory_order_relaxed) == 0);
    assert(atomic_fetch_and(&small, 3) == 6 && atomic_fetch_xor(&small, 3) == 2 && small == 1);
    assert(atomic_fetch_sub(&small, 2) == 1 && small == 255);
    atomic_store(&pointer, array);
    assert(atomic_fetch_add(&pointer, 1) == array && pointer == array + 1);
    assert(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    int expected = 4;
    assert(!atomic_compare_exchange_strong(&a, &expected, 9) && expected == 3);
    while (!atomic_compare_exchange_weak_explicit(&a, &expected, 9, memory_order_acq_rel, memory_order_acquire))
        ;
    assert(a == 9);
    assert(atomic_exchange(&a, 1) == 9);
    assert(__sync_bool_compare_and_swap(&l, 0, 5) && __sync_val_compare_and_swap(&l, 4, 6) == 5);
    assert(__sync_lock_test_and_set(&g, 7) == 2);
    __sync_lock_release(&g);
    assert(__atomic_load_n(&g, __ATOMIC_ACQUIRE) == 0 && __atomic_nand_fetch(&g, 1, __ATOMIC_SEQ_CST) == -1);
    __sync_synchronize();
    atomic_thread_fence(memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);
    __asm__ volatile("" ::: "memory");
    return 0;
}
