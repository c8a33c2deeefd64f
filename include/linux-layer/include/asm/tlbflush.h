#ifndef HMC_ASM_TLBFLUSH_H
#define HMC_ASM_TLBFLUSH_H
struct vm_area_struct;
struct mm_struct;
static inline void flush_tlb_page(struct vm_area_struct *vma, unsigned long at) { }
static inline void flush_tlb_range(struct vm_area_struct *vma, unsigned long from, unsigned long to) { }
static inline void flush_tlb_mm(struct mm_struct *mm) { }
static inline void flush_tlb_kernel_range(unsigned long from, unsigned long to) { }
#endif
