// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- --cfg=wrong => violated kind=liveness
//
// A thread that sleeps until a flag is set. The broken twin wakes it before that.
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static READY: AtomicBool = AtomicBool::new(false);

fn main() {
    let sleeper = thread::spawn(|| {
        while !READY.load(Ordering::Acquire) {
            thread::park(); // HERE
        }
    });
    if cfg!(wrong) {
        sleeper.thread().unpark();
        READY.store(true, Ordering::Release);
    } else {
        READY.store(true, Ordering::Release);
        sleeper.thread().unpark();
    }
    sleeper.join().unwrap(); // HERE
}
