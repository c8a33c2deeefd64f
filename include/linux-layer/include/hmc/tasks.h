/* Documentation/memory-barriers.txt, "SLEEP AND WAKE-UP FUNCTIONS". schedule() is a full barrier, and what the waker did before it woke the task comes before
 * what the task does then; a wake-up that wakes somebody is a full barrier before the state is looked at. */
#include <linux/sched.h>
#include <linux/rcuwait.h>
#include <linux/sched/task.h>
#include <linux/sched/wake_q.h>
#include <linux/wait.h>

HMC_OWN void schedule(void)
{
	hmc_fence_full();
	while (smp_load_acquire(&current->__state) != TASK_RUNNING)
		cpu_relax();
}

HMC_OWN void io_schedule(void) { schedule(); }
HMC_OWN void schedule_preempt_disabled(void)
{
	preempt_enable();
	schedule();
	preempt_disable();
}

/* Time does not pass, but a timeout may come at any time. */
HMC_OWN long schedule_timeout(long timeout)
{
	if (timeout != MAX_SCHEDULE_TIMEOUT && hmc_choose()) {
		WRITE_ONCE(current->__state, TASK_RUNNING);
		return 0;
	}
	schedule();
	return timeout;
}

HMC_OWN long io_schedule_timeout(long timeout) { return schedule_timeout(timeout); }
HMC_OWN int __cond_resched(void) { return 0; }

HMC_OWN int try_to_wake_up(struct task_struct *task, unsigned int state, int flags)
{
	int woken = 0;
	unsigned long irqs;

	raw_spin_lock_irqsave(&task->pi_lock, irqs);
	smp_mb__after_spinlock();
	if (READ_ONCE(task->__state) & state) {
		smp_store_release(&task->__state, TASK_RUNNING);
		woken = 1;
	}
	raw_spin_unlock_irqrestore(&task->pi_lock, irqs);
	return woken;
}

HMC_OWN int wake_up_state(struct task_struct *task, unsigned int state) { return try_to_wake_up(task, state, 0); }
HMC_OWN int wake_up_process(struct task_struct *task) { return try_to_wake_up(task, TASK_NORMAL, 0); }
HMC_OWN int default_wake_function(struct wait_queue_entry *entry, unsigned int mode, int flags, void *key)
{
	return try_to_wake_up(entry->private, mode, flags);
}

/* Tasks to wake when a lock was given back. A task is in one list at a time; who finds it in one leaves the wake-up to that list. */
HMC_OWN bool hmc_wake_later(struct wake_q_head *head, struct task_struct *task)
{
	struct wake_q_node *node = &task->wake_q;

	hmc_fence_before_atomic();
	if (cmpxchg_relaxed(&node->next, NULL, WAKE_Q_TAIL) != NULL)
		return false;
	*head->lastp = node;
	head->lastp = &node->next;
	return true;
}

HMC_OWN void wake_q_add(struct wake_q_head *head, struct task_struct *task)
{
	if (hmc_wake_later(head, task))
		get_task_struct(task);
}

HMC_OWN void wake_q_add_safe(struct wake_q_head *head, struct task_struct *task)
{
	if (!hmc_wake_later(head, task))
		put_task_struct(task);
}

HMC_OWN void wake_up_q(struct wake_q_head *head)
{
	struct wake_q_node *node = head->first;

	while (node != WAKE_Q_TAIL) {
		struct task_struct *task = container_of(node, struct task_struct, wake_q);

		node = node->next;
		WRITE_ONCE(task->wake_q.next, NULL);
		wake_up_process(task);
		put_task_struct(task);
	}
}

#ifndef HMC_REAL_RCUWAIT
/* A full barrier before the task is looked at (include/linux/rcuwait.h); kernel/exit.c has the real one, behind which HMC_REAL_RCUWAIT is defined. */
HMC_OWN int rcuwait_wake_up(struct rcuwait *wait)
{
	struct task_struct *task;
	int woken = 0;

	rcu_read_lock();
	hmc_fence_full();
	task = rcu_dereference(wait->task);
	if (task)
		woken = wake_up_process(task);
	rcu_read_unlock();
	return woken;
}
#endif

HMC_OWN void finish_rcuwait(struct rcuwait *wait)
{
	rcu_assign_pointer(wait->task, NULL);
	WRITE_ONCE(current->__state, TASK_RUNNING);
}

/* The tasks of a test live as long as it does. */
HMC_OWN void __put_task_struct(struct task_struct *task) { }
