/* dat3m.h: the functions that test programs for Dartagnan use, as hmc understands them. Own text; found by `#include <dat3m.h>` without any -I.
 *
 * Hints for a search mean nothing here: loops are followed as far as they go, and loops that wait are found without being marked. */
#ifndef HMC_DAT3M_H
#define HMC_DAT3M_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Executions in which the condition is false are of no interest. */
void __VERIFIER_assume(int condition);

/* A finding when the condition is false. */
void __VERIFIER_assert(int condition);

/* Values from outside. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
bool __VERIFIER_nondet_bool(void);

/* The number of the running thread. */
unsigned __VERIFIER_tid(void);

/* Hints: how often a loop is followed, and where one waits. */
void __VERIFIER_loop_bound(int rounds);
void __VERIFIER_loop_begin(void);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int ends);

#define await_while(condition) while (condition)

#ifdef __cplusplus
}
#endif

#endif
