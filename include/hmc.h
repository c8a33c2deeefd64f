/* hmc.h: what a program may tell the checker. Found by `#include <hmc.h>` without any -I. */
#ifndef HMC_H
#define HMC_H

#ifdef __cplusplus
extern "C" {
#endif

/* Executions in which the condition is false are of no interest. */
void hmc_assume(int condition);

/* A finding when the condition is false. Unlike assert, it is there with NDEBUG too. */
void hmc_assert(int condition);

/* 0 or 1, in different executions. */
int hmc_choose(void);

/* 0, 1, ..., limit - 1, in different executions; limit must be a constant of at most 64. */
int hmc_choose_below(int limit);

/* Values that are part of the outcome of an execution. Of several calls at one place of the source the last one of each thread counts. */
void hmc_observe(long value, ...);

/* The thread waits until the condition, evaluated once, is true: a spin loop's body in one call. */
void hmc_await(int condition);

/* Crashes (docs/persistency.md). The recovery runs after a crash, on memory as at the start, but for what survives. It may also be called
 * __VERIFIER_recovery_routine. */
void hmc_recovery(void);

/* A variable of persistent memory: hmc_persistent int balance; */
#ifndef hmc_persistent
#define hmc_persistent __attribute__((section("hmc.persistent")))
#endif

/* So many bytes of persistent memory, all 0, in lines of the cache of their own. */
void *hmc_palloc(unsigned long size);

/* Something was promised to the world outside: a line printed, a reply sent. n is a constant below 16. The recovery asks whether it was. */
void hmc_ack(int n);
int hmc_acked(int n);

/* All that was written before survives. */
void __VERIFIER_pbarrier(void);

#ifdef __cplusplus
}
#endif

#endif
