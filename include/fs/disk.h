/* disk.h: what a file system in C may tell hmc about a disk. Found by `#include <disk.h>` in files given to `--fs`.
 *
 * Memory in the section "hmc.persistent" survives a crash. A constant `__hmc_unit_inode` says how many bytes belong to one file (a power of
 * two, at which its structure is aligned; its data come first), `__hmc_unit_block` how many are written back at once. Models ask with
 * `same-inode` and `same-block` whether two events are in one. Sets are named in the calls, separated by blanks. */
#ifndef HMC_DISK_H
#define HMC_DISK_H

#ifdef __cplusplus
extern "C" {
#endif

#ifndef hmc_persistent
#define hmc_persistent __attribute__((section("hmc.persistent")))
#endif

/* An access to the disk: a releasing write, an acquiring read. The size is a constant: 1, 2, 4 or 8. */
void __hmc_disk_store(const char *sets, unsigned long size, volatile void *place, unsigned long value);
unsigned long __hmc_disk_load(const char *sets, unsigned long size, const volatile void *place);

/* A force, or another event that neither reads nor writes: about a place, or about everything (0). */
void __hmc_disk_force(const char *sets, const volatile void *place);

/* The number of a constant text of the program: equal texts have the same one. */
unsigned long __hmc_name(const char *text);

/* Something is wrong with the program; something is not supported. */
void __hmc_wrong(const char *text);
void __hmc_unsupported(const char *text);

/* The number of the running thread; main is 0. */
unsigned long __hmc_thread(void);

/* Words that each thread keeps for itself. No event reads or writes them. */
unsigned long __hmc_word(unsigned word);
void __hmc_set_word(unsigned word, unsigned long value);

/* If a file system defines it: runs before the recovery. */
void __hmc_recovery_begins(void);

#ifdef __cplusplus
}
#endif

#endif
