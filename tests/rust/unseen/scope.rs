// hmc: --cat rc11,sc => holds
// hmc: --cat rc11 -- --cfg=wrong => violated assertion
//
// Threads that borrow a counter. Those of the broken twin look and write in two steps.
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

fn add(counter: &AtomicU32) {
    if cfg!(wrong) {
        let seen = counter.load(Ordering::SeqCst);
        counter.store(seen + 1, Ordering::SeqCst);
    } else {
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

fn main() {
    let counter = AtomicU32::new(0);
    thread::scope(|scope| {
        scope.spawn(|| add(&counter));
        scope.spawn(|| add(&counter));
    });
    assert_eq!(counter.into_inner(), 2); // HERE
}
