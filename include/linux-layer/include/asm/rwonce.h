/* The tree's, at which an interrupt may come as well. */
#ifndef HMC_ASM_RWONCE_H
#define HMC_ASM_RWONCE_H
#include <asm-generic/rwonce.h>
#include <hmc/interrupt.h>
#undef __READ_ONCE
#undef __WRITE_ONCE
#define __READ_ONCE(x) ({ hmc_interrupt(); *(const volatile __unqual_scalar_typeof(x) *)&(x); })
#define __WRITE_ONCE(x, val) do { hmc_interrupt(); *(volatile __typeof__(x) *)&(x) = (val); } while (0)
#endif
