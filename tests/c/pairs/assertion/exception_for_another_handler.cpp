// hmc: --cat rc11,sc,x86tso => holds
// hmc: --cat rc11,sc,x86tso -- -DWRONG => violated kind=assertion
//
// What a thread throws when it comes too late is caught by its own type, or, wrongly, only by another one: then it leaves the thread.
#include <atomic>
#include <thread>

struct closed {};

static std::atomic<bool> is_closed;

static void send() {
    if (is_closed.load()) throw closed(); // HERE
}

static void client() {
    try {
        send();
#ifdef WRONG
    } catch (int) {
#else
    } catch (closed) {
#endif
    }
}

int main() {
    std::thread a(client), b([] { is_closed.store(true); });
    a.join();
    b.join();
    return 0;
}
