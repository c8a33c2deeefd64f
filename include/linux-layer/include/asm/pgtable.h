/* Placeholders: page tables are not modelled. */
#ifndef HMC_ASM_PGTABLE_H
#define HMC_ASM_PGTABLE_H
#include <asm/page.h>
#define PGDIR_SHIFT 39
#define PGDIR_SIZE (1UL << PGDIR_SHIFT)
#define PGDIR_MASK (~(PGDIR_SIZE - 1))
#define P4D_SHIFT 39
#define P4D_SIZE (1UL << P4D_SHIFT)
#define P4D_MASK (~(P4D_SIZE - 1))
#define PTRS_PER_P4D 1
#define MAX_PTRS_PER_P4D 1
#define PUD_SHIFT 30
#define PUD_SIZE (1UL << PUD_SHIFT)
#define PUD_MASK (~(PUD_SIZE - 1))
#define PMD_SHIFT 21
#define PMD_SIZE (1UL << PMD_SHIFT)
#define PMD_MASK (~(PMD_SIZE - 1))
#define PTRS_PER_PGD 512
#define PTRS_PER_PUD 512
#define PTRS_PER_PMD 512
#define PTRS_PER_PTE 512
#define FIRST_USER_ADDRESS 0UL
#define VMALLOC_START 0xffffc90000000000UL
#define VMALLOC_END 0xffffe8ffffffffffUL
#define PAGE_NONE __pgprot(0)
#define PAGE_SHARED __pgprot(1)
#define PAGE_COPY __pgprot(2)
#define PAGE_READONLY __pgprot(3)
#define PAGE_KERNEL __pgprot(4)
#define PAGE_KERNEL_RO __pgprot(5)
#define PAGE_KERNEL_EXEC __pgprot(6)
#ifndef __ASSEMBLY__
struct mm_struct;
struct vm_area_struct;
#define _PAGE_PRESENT 1UL
#define _PAGE_DIRTY 2UL
#define _PAGE_YOUNG 4UL
#define _PAGE_WRITE 8UL
#define _PAGE_SPECIAL 16UL
#define pte_none(x) (!pte_val(x))
#define pte_present(x) (pte_val(x) & _PAGE_PRESENT)
#define pte_dirty(x) (!!(pte_val(x) & _PAGE_DIRTY))
#define pte_young(x) (!!(pte_val(x) & _PAGE_YOUNG))
#define pte_write(x) (!!(pte_val(x) & _PAGE_WRITE))
#define pte_special(x) (!!(pte_val(x) & _PAGE_SPECIAL))
static inline pte_t pte_mkdirty(pte_t x) { return __pte(pte_val(x) | _PAGE_DIRTY); }
static inline pte_t pte_mkyoung(pte_t x) { return __pte(pte_val(x) | _PAGE_YOUNG); }
static inline pte_t pte_mkwrite_novma(pte_t x) { return __pte(pte_val(x) | _PAGE_WRITE); }
#define pte_mkwrite(x, ...) pte_mkwrite_novma(x)
static inline pte_t pte_mkspecial(pte_t x) { return __pte(pte_val(x) | _PAGE_SPECIAL); }
static inline pte_t pte_mkclean(pte_t x) { return __pte(pte_val(x) & ~_PAGE_DIRTY); }
static inline pte_t pte_mkold(pte_t x) { return __pte(pte_val(x) & ~_PAGE_YOUNG); }
static inline pte_t pte_wrprotect(pte_t x) { return __pte(pte_val(x) & ~_PAGE_WRITE); }
static inline pte_t pte_modify(pte_t x, pgprot_t p) { return x; }
#define pte_pfn(x) (pte_val(x) >> PAGE_SHIFT)
#define pfn_pte(pfn, prot) __pte(((unsigned long)(pfn) << PAGE_SHIFT) | pgprot_val(prot))
#define pfn_pmd(pfn, prot) __pmd(((unsigned long)(pfn) << PAGE_SHIFT) | pgprot_val(prot))
#define mk_pte(page, prot) pfn_pte(page_to_pfn(page), prot)
#define pte_page(x) pfn_to_page(pte_pfn(x))
#define set_pte(p, x) (*(p) = (x))
/* Newer trees have a macro of this name. */
static inline void set_pte_at(struct mm_struct *mm, unsigned long address, pte_t *p, pte_t x) { set_pte(p, x); }
#define set_pmd(p, x) (*(p) = (x))
#define set_pud(p, x) (*(p) = (x))
#define set_p4d(p, x) (*(p) = (x))
#define set_pgd(p, x) (*(p) = (x))
#define PFN_PTE_SHIFT PAGE_SHIFT
#define pte_clear(mm, at, p) (*(p) = __pte(0))
#define pmd_none(x) (!pmd_val(x))
#define pmd_bad(x) 0
#define pmd_present(x) (pmd_val(x) & _PAGE_PRESENT)
#define pmd_clear(p) (*(p) = __pmd(0))
#define pmd_pfn(x) (pmd_val(x) >> PAGE_SHIFT)
#define pmd_page(x) pfn_to_page(pmd_pfn(x))
#define pmd_page_vaddr(x) ((unsigned long)__va(pmd_val(x) & PAGE_MASK))
#define pud_none(x) (!pud_val(x))
#define pud_bad(x) 0
#define pud_present(x) (pud_val(x) & _PAGE_PRESENT)
#define pud_clear(p) (*(p) = __pud(0))
#define pud_pfn(x) (pud_val(x) >> PAGE_SHIFT)
#define pud_page(x) pfn_to_page(pud_pfn(x))
#define pud_pgtable(x) ((pmd_t *)__va(pud_val(x) & PAGE_MASK))
#define p4d_none(x) 0
#define p4d_bad(x) 0
#define p4d_present(x) 1
#define p4d_clear(p) ((void)0)
#define p4d_pgtable(x) ((pud_t *)__va(p4d_val(x) & PAGE_MASK))
#define p4d_page(x) pfn_to_page(p4d_val(x) >> PAGE_SHIFT)
#define pgd_none(x) 0
#define pgd_bad(x) 0
#define pgd_present(x) 1
#define pgd_clear(p) ((void)0)
static inline p4d_t *p4d_offset(pgd_t *pgd, unsigned long at) { return (p4d_t *)pgd; }
#define pmd_leaf(x) 0
#define pud_leaf(x) 0
#define update_mmu_cache_range(vmf, vma, at, p, n) ((void)0)
#define update_mmu_cache(vma, at, p) ((void)0)
#define update_mmu_cache_pmd(vma, at, p) ((void)0)
#define kern_addr_valid(x) 1
#define __swp_type(x) 0
#define __swp_offset(x) 0UL
#define __swp_entry(type, offset) ((swp_entry_t) { 0 })
#define __pte_to_swp_entry(x) ((swp_entry_t) { pte_val(x) })
#define __swp_entry_to_pte(x) ((pte_t) { (x).val })
static inline int pte_swp_exclusive(pte_t x) { return 0; }
#define __HAVE_ARCH_PTE_SWP_EXCLUSIVE 1
static inline pte_t pte_swp_mkexclusive(pte_t x) { return x; }
static inline pte_t pte_swp_clear_exclusive(pte_t x) { return x; }
extern pgd_t swapper_pg_dir[PTRS_PER_PGD];
#define ZERO_PAGE(x) ((struct page *)0)
#endif
#endif
