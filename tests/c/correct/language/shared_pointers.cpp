// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -U_GLIBCXX_TSAN => holds
//
// The last std::shared_ptr destroys what it points to, in whatever thread that is; a std::weak_ptr gives one only before. With both counts read as one word of twice the size, as
// libstdc++ does unless it is told that the thread sanitizer is used, there are accesses of mixed sizes.
#include <cassert>
#include <memory>
#include <thread>

static int alive;

struct Token {
    int value = 1;
    Token() { alive++; }
    ~Token() { alive--; }
};

int main() {
    {
        auto token = std::make_shared<Token>();
        std::weak_ptr<Token> weak = token;
        std::thread t([weak] {
            if (auto token = weak.lock())
                assert(token->value == 1);
        });
        token.reset();
        t.join();
        assert(weak.expired());
    }
    assert(alive == 0);
}
