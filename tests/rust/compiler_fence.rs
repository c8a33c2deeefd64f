// hmc: --cat rc11,aarch64 => holds
// hmc: --cat rc11,aarch64 -- --cfg=wrong => violated kind=assertion
//
// Store buffering with fences. Those of the broken twin are for the compiler only.
use std::sync::atomic::{AtomicU32, Ordering, compiler_fence, fence};
use std::thread;

static FIRST: AtomicU32 = AtomicU32::new(0);
static SECOND: AtomicU32 = AtomicU32::new(0);

fn store_then_load(own: &AtomicU32, other: &AtomicU32) -> u32 {
    own.store(1, Ordering::Relaxed);
    if cfg!(wrong) {
        compiler_fence(Ordering::SeqCst);
    } else {
        fence(Ordering::SeqCst);
    }
    other.load(Ordering::Relaxed)
}

fn main() {
    let other = thread::spawn(|| store_then_load(&SECOND, &FIRST));
    let seen = store_then_load(&FIRST, &SECOND);
    assert!(seen + other.join().unwrap() > 0); // HERE
}
