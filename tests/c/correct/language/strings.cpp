// hmc: --cat rc11 => holds
//
// Texts of C++ by the code of their headers.
#include <cassert>
#include <string>
#include <thread>

static std::string text;

int main() {
    std::thread t([] {
        text = "a text that is longer than what fits into the object itself";
        text += "!";
    });
    t.join();
    assert(text.size() == 60 && text.back() == '!' && text.find("longer") == 15);
    assert(std::to_string(42) + "x" == "42x");
    return 0;
}
