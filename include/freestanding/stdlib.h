/* What programs name of the C library, for targets where it is not installed. */
#ifndef HMC_FREESTANDING_STDLIB_H
#define HMC_FREESTANDING_STDLIB_H
_Noreturn void abort(void);
_Noreturn void exit(int);
#endif
