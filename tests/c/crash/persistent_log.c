// hmc: --cat px86 --keep-going => violated crash executions=3 violating=1
// hmc: --cat px86 --keep-going -- -DFLUSH => holds executions=2 violating=0
// hmc: --cat px86 --keep-going -- -mclwb -DWEAK => violated crash executions=3 violating=1
// hmc: --cat px86 --keep-going -- -mclwb -DWEAK -DFENCE => holds executions=2 violating=0
// hmc: --cat px86 --keep-going -- -DSTREAM -DFENCE => holds executions=2 violating=0
// hmc: --cat px86 --keep-going --lines layout -- -DONE_LINE => holds executions=2 violating=0
// hmc: --cat px86 --keep-going --lines variable -- -DONE_LINE => violated crash executions=3 violating=1
// A record and the mark that it is there, in persistent memory: the record's line has to be flushed, and the flush to be waited for.
#include <assert.h>
#include <hmc.h>
#include <immintrin.h>

#ifdef ONE_LINE
#define LINE
#else
#define LINE __attribute__((aligned(64)))
#endif

hmc_persistent LINE int record;
hmc_persistent LINE int mark;

void hmc_recovery(void)
{
    if (mark)
        assert(record == 7);
}

int main(void)
{
#ifdef STREAM
    _mm_stream_si32(&record, 7);
#else
    record = 7;
#endif
#ifdef FLUSH
    _mm_clflush(&record);
#endif
#ifdef WEAK
    _mm_clwb(&record);
#endif
#ifdef FENCE
    _mm_sfence();
#endif
    mark = 1;
    return 0;
}
