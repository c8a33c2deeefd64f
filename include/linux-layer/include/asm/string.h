/* Those of C. */
#ifndef HMC_ASM_STRING_H
#define HMC_ASM_STRING_H

#endif
