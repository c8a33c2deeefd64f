// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- --cfg=wrong => violated kind=assertion
//
// Two threads that count under a lock. The broken twin looks and writes in two sections.
use std::sync::{Arc, Mutex};
use std::thread;

fn add(counter: &Mutex<u32>) {
    if cfg!(wrong) {
        let seen = *counter.lock().unwrap();
        *counter.lock().unwrap() = seen + 1;
    } else {
        *counter.lock().unwrap() += 1;
    }
}

fn main() {
    let counter = Arc::new(Mutex::new(0));
    let other = thread::spawn({
        let counter = Arc::clone(&counter);
        move || add(&counter)
    });
    add(&counter);
    other.join().unwrap();
    assert_eq!(*counter.lock().unwrap(), 2); // HERE
}
