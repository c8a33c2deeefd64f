/* lkmm.h: what test programs in the kernel's style include. Own text; found by `#include <lkmm.h>` without any -I. Under a model of the kernel the primitives (READ_ONCE,
 * smp_mb, atomic_inc, spin_lock, rcu_read_lock, ...) are there without it, so there is nothing to say but what such programs expect besides. */
#ifndef HMC_LKMM_H
#define HMC_LKMM_H

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef HMC_MODEL_PRIMITIVES
#error "<lkmm.h> is for the kernel's model: --cat lkmm"
#endif

#ifndef barrier
#define barrier() __asm__ __volatile__("" ::: "memory")
#endif

#endif
