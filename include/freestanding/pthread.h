/* What programs name of POSIX threads, for targets whose C library is not installed: they are only compiled. */
#ifndef HMC_FREESTANDING_PTHREAD_H
#define HMC_FREESTANDING_PTHREAD_H
typedef unsigned long pthread_t;
typedef struct { long words[7]; } pthread_attr_t;
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
_Noreturn void pthread_exit(void *);
#endif
