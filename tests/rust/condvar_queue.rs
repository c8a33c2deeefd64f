// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- --cfg=wrong => violated kind=liveness
//
// A slot that is handed over under a lock. The broken twin tells nobody.
use std::sync::{Condvar, Mutex};
use std::thread;

/// Nothing is there while it is 0.
static SLOT: Mutex<u32> = Mutex::new(0);
static FULL: Condvar = Condvar::new();

fn main() {
    let consumer = thread::spawn(|| {
        let mut slot = SLOT.lock().unwrap();
        while *slot == 0 {
            slot = FULL.wait(slot).unwrap(); // HERE
        }
        assert_eq!(*slot, 5);
    });
    *SLOT.lock().unwrap() = 5;
    if !cfg!(wrong) {
        FULL.notify_one();
    }
    consumer.join().unwrap(); // HERE
}
