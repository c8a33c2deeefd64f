/* Documentation/core-api/memory-allocation.rst. Allocations do not fail. */
#include <linux/slab.h>
#include <linux/percpu.h>
extern void *malloc(unsigned long size);
extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *at);

HMC_OWN void *hmc_allocate(size_t size, gfp_t flags) { return flags & __GFP_ZERO ? calloc(1, size) : malloc(size); }
HMC_OWN void *__kmalloc_noprof(size_t size, gfp_t flags) { return hmc_allocate(size, flags); }
HMC_OWN void *__kmalloc_node_noprof(size_t size, gfp_t flags, int node) { return hmc_allocate(size, flags); }
HMC_OWN void *__kmalloc(size_t size, gfp_t flags) { return hmc_allocate(size, flags); }
HMC_OWN void *__kmalloc_node(size_t size, gfp_t flags, int node) { return hmc_allocate(size, flags); }
HMC_OWN void *__kvmalloc_node_noprof(size_t size, gfp_t flags, int node) { return hmc_allocate(size, flags); }
HMC_OWN void *(kvmalloc_node)(size_t size, gfp_t flags, int node) { return hmc_allocate(size, flags); }
HMC_OWN void kvfree(const void *at) { kfree(at); }
HMC_OWN void vfree(const void *at) { kfree(at); }

/* One block, at the distance of the per-CPU variables. */
HMC_OWN void __percpu *hmc_allocate_per_cpu(size_t size)
{
	if (size > per_cpu_offset(1))
		__hmc_fail("memory of each processor that is larger than the distance between processors");
	return calloc(1, per_cpu_offset(NR_CPUS - 1) + size);
}

HMC_OWN void __percpu *pcpu_alloc_noprof(size_t size, size_t align, bool reserved, gfp_t gfp) { return hmc_allocate_per_cpu(size); }
HMC_OWN void __percpu *(__alloc_percpu)(size_t size, size_t align) { return hmc_allocate_per_cpu(size); }
HMC_OWN void __percpu *(__alloc_percpu_gfp)(size_t size, size_t align, gfp_t gfp) { return hmc_allocate_per_cpu(size); }
HMC_OWN void free_percpu(void __percpu *at) { free(at); }
