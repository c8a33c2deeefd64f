// hmc: --cat rc11,sc => holds
// hmc: --cat rc11 -- --cfg=wrong => violated kind=liveness
//
// A slot that is handed over under a lock. The broken twin tells nobody.
use std::sync::{Condvar, Mutex};
use std::thread;

static SLOT: Mutex<Option<u32>> = Mutex::new(None);
static FULL: Condvar = Condvar::new();

fn main() {
    let consumer = thread::spawn(|| {
        let mut slot = SLOT.lock().unwrap();
        while slot.is_none() {
            slot = FULL.wait(slot).unwrap(); // HERE
        }
        slot.take().unwrap()
    });
    *SLOT.lock().unwrap() = Some(5);
    if !cfg!(wrong) {
        FULL.notify_one();
    }
    assert_eq!(consumer.join().unwrap(), 5); // HERE
}
