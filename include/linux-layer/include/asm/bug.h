/* A bug or a warning of the kernel is a finding; HMC_NO_WARN lets warnings pass. */
#ifndef HMC_ASM_BUG_H
#define HMC_ASM_BUG_H
extern void __assert_fail(const char *what, const char *file, unsigned int line, const char *function) __attribute__((noreturn));
#define __hmc_fail(what) __assert_fail(what, "", 0, "")
#define HAVE_ARCH_BUG
#define HAVE_ARCH_BUG_ON
#define BUG() __hmc_fail("BUG()")
#define BUG_ON(condition) ({ if (condition) __hmc_fail("!(" #condition ")"); })
#ifdef HMC_NO_WARN
#define __hmc_warn(what) ((void)0)
#else
#define __hmc_warn(what) __hmc_fail(what)
#endif
#define HAVE_ARCH_WARN_ON
#define WARN_ON(condition) ({ int __hmc_c = !!(condition); if (__hmc_c) __hmc_warn("!(" #condition ")"); __hmc_c; })
#include <asm-generic/bug.h>
#undef WARN
#undef WARN_ON_ONCE
#undef WARN_ONCE
#undef WARN_TAINT
#define WARN(condition, text...) ({ int __hmc_c = !!(condition); if (__hmc_c) __hmc_warn("!(" #condition ")"); __hmc_c; })
#define WARN_ON_ONCE(condition) ({ int __hmc_c = !!(condition); if (__hmc_c) __hmc_warn("!(" #condition ")"); __hmc_c; })
#define WARN_ONCE(condition, text...) ({ int __hmc_c = !!(condition); if (__hmc_c) __hmc_warn("!(" #condition ")"); __hmc_c; })
#define WARN_TAINT(condition, taint, text...) ({ int __hmc_c = !!(condition); if (__hmc_c) __hmc_warn("!(" #condition ")"); __hmc_c; })
#endif
