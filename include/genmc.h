/* genmc.h: the annotations that test programs for GenMC use, as hmc understands them. Own text; `-I include` finds it.
 *
 * Hints for a search mean nothing here. What changes a program's meaning is either defined below or only declared: hmc says
 * `unsupported` where a program comes to a function that is only declared (hazard pointers). */
#ifndef HMC_GENMC_H
#define HMC_GENMC_H

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Executions in which the condition is false are of no interest. The condition may be a pointer. */
void __VERIFIER_assume(int condition);
#define __VERIFIER_assume(condition) __VERIFIER_assume((condition) ? 1 : 0)

/* An integer from outside. */
int __VERIFIER_nondet_int(void);

/* Threads. That two of them are interchangeable hmc finds out by itself. */
typedef pthread_t __VERIFIER_thread_t;

static inline __VERIFIER_thread_t __VERIFIER_spawn(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    pthread_create(&thread, NULL, function, argument);
    return thread;
}

static inline __VERIFIER_thread_t __VERIFIER_spawn_symmetric(void *(*function)(void *), void *argument,
                                                             __VERIFIER_thread_t like)
{
    (void)like;
    return __VERIFIER_spawn(function, argument);
}

static inline void *__VERIFIER_join(__VERIFIER_thread_t thread)
{
    void *result;
    pthread_join(thread, &result);
    return result;
}

static inline void __VERIFIER_join_symmetric(__VERIFIER_thread_t thread)
{
    pthread_join(thread, NULL);
}

/* Spin loops are found without marks; the end of a marked round goes on only if its condition holds. */
#define __VERIFIER_loop_begin() ((void)0)
#define __VERIFIER_spin_start() ((void)0)
#define __VERIFIER_spin_end(condition) __VERIFIER_assume(condition)

/* Hints about accesses. */
#define __VERIFIER_local_write(statement) do { statement; } while (0)
#define __VERIFIER_final_write(statement) do { statement; } while (0)
#define __VERIFIER_helped_CAS(statement) do { statement; } while (0)
#define __VERIFIER_helping_CAS(statement) do { statement; } while (0)
#define __VERIFIER_speculative_read(expression) (expression)
#define __VERIFIER_confirming_read(expression) (expression)
#define __VERIFIER_confirming_CAS(expression) (expression)
#define __VERIFIER_final_CAS(expression) (expression)

/* What need not be looked at. */
#define __VERIFIER_optional(statement) do { if (0) { statement; } } while (0)

/* The beginning and the end of an operation, for specifications that are not checked. */
static inline void __VERIFIER_method_begin(const char *name, int32_t argument) { (void)name; (void)argument; }
static inline void __VERIFIER_method_end(const char *name, int32_t result) { (void)name; (void)result; }

/* The lock of a specification: a mutex. */
typedef struct __VERIFIER_plock { pthread_mutex_t lock; } __VERIFIER_plock_t;
static inline int __VERIFIER_plock_lock(__VERIFIER_plock_t *plock) { return pthread_mutex_lock(&plock->lock); }
static inline int __VERIFIER_plock_unlock(__VERIFIER_plock_t *plock) { return pthread_mutex_unlock(&plock->lock); }

/* Hazard pointers: not supported. Persistency: docs/persistency.md. */
typedef struct __VERIFIER_hp { void *pointer; } *__VERIFIER_hp_t;
__VERIFIER_hp_t __VERIFIER_hp_alloc(void);
void *__VERIFIER_hp_protect(void *hazard, void *pointer);
void __VERIFIER_hp_clear(void *hazard);
void __VERIFIER_hp_free(void *hazard);
void __VERIFIER_hp_retire(void *pointer);
#define __VERIFIER_persistent_storage(declaration) __attribute__((section("hmc.persistent"))) declaration
void *__VERIFIER_palloc(size_t size);
void __VERIFIER_pbarrier(void);
void __VERIFIER_recovery_routine(void);

#ifdef __cplusplus
}
#endif

#endif
