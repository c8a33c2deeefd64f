/* hmc/linux.h: tests of files of the Linux kernel. Included behind the files under test.
 *
 *	#include "lib/llist.c"
 *	#include <hmc/linux.h>
 *
 *	HMC_TEST(name)
 *	{
 *		hmc_cpu(0, f);	// a task on CPU 0 that runs f()
 *		hmc_cpu(1, g);
 *		hmc_join();	// all have ended: assertions about the end
 *	}
 */
#ifndef HMC_LINUX_H
#define HMC_LINUX_H
#include <hmc/start.h>
#include <linux/bug.h>

extern int pthread_create(unsigned long *thread, const void *attributes, void *(*function)(void *), void *argument);
extern int pthread_join(unsigned long thread, void **result);
extern int pthread_detach(unsigned long thread);

#include <hmc/messages.h>
#include <hmc/random.h>
#include <hmc/memory.h>
#include <hmc/kcsan.h>
#include <hmc/rcu.h>
#include <hmc/tasks.h>
#include <hmc/locks.h>

/* Executions in which the condition is false are of no interest. */
extern void hmc_assume(int condition);

#define HMC_TASKS 8
/* The running test is the first of them. */
__attribute__((weak)) struct task_struct hmc_tasks[HMC_TASKS] = { [0 ... HMC_TASKS - 1] = { .usage = REFCOUNT_INIT(1) } };
__attribute__((weak)) unsigned long hmc_threads[HMC_TASKS];
__attribute__((weak)) void (*hmc_handlers[NR_CPUS])(void);

/* All processors are there, and stay. */
#define __HMC_CPUS { .bits = { (1UL << NR_CPUS) - 1 } }
__attribute__((weak)) struct cpumask __cpu_possible_mask = __HMC_CPUS;
__attribute__((weak)) struct cpumask __cpu_online_mask = __HMC_CPUS;
__attribute__((weak)) struct cpumask __cpu_present_mask = __HMC_CPUS;
__attribute__((weak)) struct cpumask __cpu_active_mask = __HMC_CPUS;
__attribute__((weak)) atomic_t __num_online_cpus = ATOMIC_INIT(NR_CPUS);
/* Given its value when a test begins: kernel/smp.c defines it, too. */
unsigned int nr_cpu_ids;

/* The function, the processor and the number of a task in one word: addresses of functions have zeroes there. */
#define __HMC_CPU_AT 32
#define __HMC_TASK_AT 40

HMC_OWN void hmc_runs_as(int cpu, int task)
{
	__hmc_set_word(HMC_CPU, cpu);
	__hmc_set_word(HMC_TASK, (unsigned long)&hmc_tasks[task]);
}

HMC_OWN void *hmc_begin(void *given)
{
	unsigned long word = (unsigned long)given;
	int cpu = word >> __HMC_CPU_AT & 0xff, task = word >> __HMC_TASK_AT & 0xff;
	void (*function)(void) = (void (*)(void))(word & ~(0xffffUL << __HMC_CPU_AT));

	hmc_runs_as(cpu, task);
#ifdef HMC_INTERRUPTS
	__hmc_set_word(HMC_HANDLER, (unsigned long)hmc_handlers[cpu]);
#endif
	function();
#ifdef HMC_INTERRUPTS
	hmc_interrupt();
#endif
	return 0;
}

HMC_OWN void hmc_start(int cpu, void (*function)(void))
{
	int task = __hmc_word(HMC_STARTED) + 1;
	unsigned long word = (unsigned long)function | (unsigned long)cpu << __HMC_CPU_AT | (unsigned long)task << __HMC_TASK_AT;

	BUG_ON(task >= HMC_TASKS);
	BUG_ON(cpu >= NR_CPUS);
	__hmc_set_word(HMC_STARTED, task);
	pthread_create(&hmc_threads[task], 0, hmc_begin, (void *)word);
}

/* The task of a processor. */
HMC_OWN void hmc_cpu(int cpu, void (*function)(void)) { hmc_start(cpu, function); }

/* Another task on a processor. They share its variables; that they take turns is not modelled. */
HMC_OWN void hmc_task(int cpu, void (*function)(void))
{
	(void)__hmc_note("tasks of one processor run as if on two, but for its variables");
	hmc_start(cpu, function);
}

/* The handler of an interrupt that comes once at most, while the processor's task runs. Before hmc_cpu(), in a file whose first line defines HMC_INTERRUPTS as 1. */
#ifdef HMC_INTERRUPTS
HMC_OWN void hmc_irq(int cpu, void (*handler)(void)) { hmc_handlers[cpu] = handler; }
#endif

/* Waits for all tasks. */
HMC_OWN void hmc_join(void)
{
	int task, last = __hmc_word(HMC_STARTED);

	for (task = 1; task <= last; task++)
		pthread_join(hmc_threads[task], 0);
	__hmc_set_word(HMC_STARTED, 0);
}

#define HMC_TEST(name) \
	static void hmc_body_of_##name(void); \
	void hmc_test_##name(void) { nr_cpu_ids = NR_CPUS; hmc_runs_as(0, 0); hmc_body_of_##name(); } \
	static void hmc_body_of_##name(void)
#endif
