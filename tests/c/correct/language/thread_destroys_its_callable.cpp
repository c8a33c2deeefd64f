// hmc: --cat sc => holds
// hmc: --cat rc11 => holds
//
// What a std::thread is given is destroyed by the thread, before a join returns. (It never was, and its memory counted as lost.)
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> alive{0};

struct Token {
    Token() { alive++; }
    Token(const Token &) { alive++; }
    Token(Token &&) { alive++; }
    ~Token() { alive--; }
};

int main() {
    {
        Token token;
        std::thread t([token] { (void)token; });
        t.join();
    }
    assert(alive == 0);
}
