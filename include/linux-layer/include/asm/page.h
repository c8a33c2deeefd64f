/* Memory has no pages here: enough for types to be complete. */
#ifndef HMC_ASM_PAGE_H
#define HMC_ASM_PAGE_H
#include <linux/const.h>
#define PAGE_SHIFT 12
#define PAGE_SIZE (_AC(1, UL) << PAGE_SHIFT)
#define PAGE_MASK (~(PAGE_SIZE - 1))
#define PAGE_OFFSET 0xffff880000000000UL
#ifndef __ASSEMBLY__
#include <linux/types.h>
typedef struct { unsigned long pte; } pte_t;
typedef struct { unsigned long pmd; } pmd_t;
typedef struct { unsigned long pud; } pud_t;
typedef struct { unsigned long p4d; } p4d_t;
typedef struct { unsigned long pgd; } pgd_t;
typedef struct { unsigned long pgprot; } pgprot_t;
typedef struct page *pgtable_t;
#define pte_val(x) ((x).pte)
#define pmd_val(x) ((x).pmd)
#define pud_val(x) ((x).pud)
#define p4d_val(x) ((x).p4d)
#define pgd_val(x) ((x).pgd)
#define pgprot_val(x) ((x).pgprot)
#define __pte(x) ((pte_t) { (x) })
#define __pmd(x) ((pmd_t) { (x) })
#define __pud(x) ((pud_t) { (x) })
#define __p4d(x) ((p4d_t) { (x) })
#define __pgd(x) ((pgd_t) { (x) })
#define __pgprot(x) ((pgprot_t) { (x) })
#define clear_page(page) ((void)0)
#define copy_page(to, from) ((void)0)
#define clear_user_page(page, vaddr, pg) ((void)0)
#define copy_user_page(to, from, vaddr, pg) ((void)0)
#define __pa(x) ((unsigned long)(x) - PAGE_OFFSET)
#define __va(x) ((void *)((unsigned long)(x) + PAGE_OFFSET))
#define ARCH_PFN_OFFSET 0
#define virt_to_page(x) pfn_to_page(__pa(x) >> PAGE_SHIFT)
#define page_to_virt(x) __va(page_to_pfn(x) << PAGE_SHIFT)
#define virt_addr_valid(x) 1
#define pfn_valid(x) 1
#define page_to_phys(page) ((phys_addr_t)page_to_pfn(page) << PAGE_SHIFT)
#define phys_to_page(at) pfn_to_page((unsigned long)(at) >> PAGE_SHIFT)
#endif
#include <asm-generic/memory_model.h>
#include <asm-generic/getorder.h>
#endif
