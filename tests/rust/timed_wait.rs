// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- --cfg=wrong => violated kind=assertion
//
// A wait with a time-out ends although nobody notifies. The broken twin takes it for granted that it was notified.
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Duration;

static READY: Mutex<bool> = Mutex::new(false);
static CHANGED: Condvar = Condvar::new();

fn main() {
    let other = thread::spawn(|| {
        let ready = READY.lock().unwrap();
        if *ready {
            return;
        }
        let (ready, result) = CHANGED.wait_timeout(ready, Duration::from_secs(1)).unwrap();
        if cfg!(wrong) {
            assert!(*ready); // HERE
        } else {
            assert!(*ready || result.timed_out());
        }
    });
    *READY.lock().unwrap() = true;
    CHANGED.notify_one();
    other.join().unwrap();
}
