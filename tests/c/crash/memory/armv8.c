// hmc: --cat parmv8 --keep-going => violated crash executions=4 violating=1
// hmc: --cat parmv8 --keep-going -- -DFLUSH => violated crash executions=4 violating=1
// hmc: --cat parmv8 --keep-going -- -DFLUSH -DDMB => violated crash executions=4 violating=1
// hmc: --cat parmv8 --keep-going -- -DFLUSH -DDSB => holds executions=3 violating=0
// hmc: --cat parmv8 --keep-going -- -DLIBRARY => holds executions=3 violating=0
// hmc: --cat px86 --keep-going -- -DLIBRARY => holds executions=3 violating=0
// A record and its mark in lines of their own: the record's line is cleaned, and a DSB waits for that. A DMB does not.
#include <assert.h>
#include <hmc.h>
#include <stddef.h>

void pmem_persist(const void *from, size_t length);

hmc_persistent __attribute__((aligned(64))) int record;
hmc_persistent __attribute__((aligned(64))) int mark;

void hmc_recovery(void)
{
    int there = mark, is_new = record == 7;
    assert(!there || is_new);
}

int main(void)
{
    record = 7;
#ifdef FLUSH
    __asm__ volatile("dc cvap, %0" : : "r"(&record) : "memory");
#endif
#ifdef DMB
    __asm__ volatile("dmb sy" : : : "memory");
#endif
#ifdef DSB
    __asm__ volatile("dsb sy" : : : "memory");
#endif
#ifdef LIBRARY
    pmem_persist(&record, sizeof record);
#endif
    mark = 1;
    return 0;
}
