// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- --cfg=wrong => violated kind=assertion
//
// A thread that borrows a variable of its creator. The broken twin counts in two steps.
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

fn add(counter: &AtomicU32) {
    if cfg!(wrong) {
        let seen = counter.load(Ordering::Relaxed);
        counter.store(seen + 1, Ordering::Relaxed);
    } else {
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

fn main() {
    let counter = AtomicU32::new(0);
    thread::scope(|scope| {
        scope.spawn(|| add(&counter));
        add(&counter);
    });
    assert_eq!(counter.into_inner(), 2); // HERE
}
