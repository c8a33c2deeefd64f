/* Nothing of its own. */
#ifndef HMC_ASM_PERF_EVENT_H
#define HMC_ASM_PERF_EVENT_H

#endif
