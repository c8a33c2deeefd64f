/* Documentation/RCU/: readers and grace periods are the model's own. */
#include <linux/rcupdate.h>

HMC_OWN void __rcu_read_lock(void) { hmc_rcu_read_lock(); }
HMC_OWN void __rcu_read_unlock(void) { hmc_rcu_read_unlock(); }
HMC_OWN void synchronize_rcu(void) { hmc_rcu_synchronize(); }
HMC_OWN void synchronize_rcu_expedited(void) { hmc_rcu_synchronize(); }
HMC_OWN bool rcu_is_watching(void) { return true; }

/* A callback runs behind a grace period, at any time. */
HMC_OWN void *hmc_callback(void *given)
{
	struct rcu_head *head = given;

	synchronize_rcu();
	head->func(head);
	return 0;
}

HMC_OWN void call_rcu(struct rcu_head *head, void (*function)(struct rcu_head *))
{
	unsigned long thread;

	head->func = function;
	pthread_create(&thread, 0, hmc_callback, head);
	pthread_detach(thread);
}

HMC_OWN void *hmc_free_behind(void *object)
{
	synchronize_rcu();
	kfree(object);
	return 0;
}

/* Its second argument is the object, or in older trees the head's place in it as a callback: so the types of the tree's declaration differ. */
HMC_OWN void hmc_kvfree_call_rcu(struct rcu_head *head, void *object) __asm__("kvfree_call_rcu");
HMC_OWN void hmc_kvfree_call_rcu(struct rcu_head *head, void *object)
{
	unsigned long thread;

	if ((unsigned long)object < PAGE_SIZE)
		object = (char *)head - (unsigned long)object;
	pthread_create(&thread, 0, hmc_free_behind, object);
	pthread_detach(thread);
}
