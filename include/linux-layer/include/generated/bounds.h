/* What a build computes from other headers. */
#define NR_PAGEFLAGS 24
#define MAX_NR_ZONES 3
#define NR_CPUS_BITS 2
#define SPINLOCK_SIZE 4
#define LRU_GEN_WIDTH 0
#define __LRU_REFS_WIDTH 0
