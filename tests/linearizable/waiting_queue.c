// hmc: --cat rc11 --linearizable queue:put,get;waits => holds
// hmc: --cat rc11 --linearizable queue:put,get;waits -- -DLAST_FIRST => violated linearizability
// A queue with a mutex and a condition variable; a get waits for a value, and stores it through a pointer.
#include <pthread.h>
#include <stdbool.h>

struct queue {
    pthread_mutex_t mutex;
    pthread_cond_t filled;
    int values[4];
    int first, last;
};

static struct queue queue = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER };

static bool put(struct queue *queue, int value) {
    pthread_mutex_lock(&queue->mutex);
    queue->values[queue->last++] = value;
    pthread_cond_signal(&queue->filled);
    pthread_mutex_unlock(&queue->mutex);
    return true;
}

static bool get(struct queue *queue, int *value) {
    pthread_mutex_lock(&queue->mutex);
    while (queue->first == queue->last)
        pthread_cond_wait(&queue->filled, &queue->mutex);
#ifdef LAST_FIRST
    *value = queue->values[--queue->last];
#else
    *value = queue->values[queue->first++];
#endif
    pthread_mutex_unlock(&queue->mutex);
    return true;
}

static void *puts_two(void *unused) {
    put(&queue, 1);
    put(&queue, 2);
    return 0;
}

static void *gets_two(void *unused) {
    int value;
    get(&queue, &value);
    get(&queue, &value);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, puts_two, 0);
    pthread_create(&b, 0, gets_two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
