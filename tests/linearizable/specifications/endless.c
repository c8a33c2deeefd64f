static volatile int count;
void insert(int value) {
    for (;;)
        count = count + 1;
}
int take(void) { return -1; }
