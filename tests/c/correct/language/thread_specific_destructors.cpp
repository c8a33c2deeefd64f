// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
//
// A std::thread calls the destructors of its thread-specific data, too, and behind those of what it was given.
#include <cassert>
#include <pthread.h>
#include <thread>

static pthread_key_t key;
static int destroyed;

struct Token {
    bool last;
    explicit Token(bool last) : last(last) {}
    Token(Token &&other) : last(other.last) { other.last = false; }
    ~Token() {
        if (last)
            assert(destroyed == 0);
    }
};

static void destroy(void *value) {
    *static_cast<int *>(value) = 1;
}

int main() {
    pthread_key_create(&key, destroy);
    std::thread t([token = Token(true)] { pthread_setspecific(key, &destroyed); });
    t.join();
    assert(destroyed == 1);
}
