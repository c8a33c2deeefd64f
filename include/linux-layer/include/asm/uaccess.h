/* User memory is not modelled. */
#ifndef HMC_ASM_UACCESS_H
#define HMC_ASM_UACCESS_H
#include <asm-generic/access_ok.h>
#include <linux/string.h>
static inline unsigned long raw_copy_from_user(void *to, const void *from, unsigned long n) { __builtin_memcpy(to, from, n); return 0; }
static inline unsigned long raw_copy_to_user(void *to, const void *from, unsigned long n) { __builtin_memcpy(to, from, n); return 0; }
#define get_user(x, p) ({ (x) = *(p); 0; })
#define put_user(x, p) ({ *(p) = (x); 0; })
#define __get_user(x, p) get_user(x, p)
#define __put_user(x, p) put_user(x, p)
#define clear_user(to, n) 0UL
#define strncpy_from_user(to, from, n) 0L
#define strnlen_user(s, n) 0L
#define __get_kernel_nofault(dst, src, type, label) ({ *(type *)(dst) = *(type *)(src); if (0) goto label; })
#define __put_kernel_nofault(dst, src, type, label) ({ *(type *)(dst) = *(type *)(src); if (0) goto label; })
#endif
