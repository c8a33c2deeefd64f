void insert(int key, int value) {}
int take(void) { return -1; }
