// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- --cfg=wrong => violated kind=race
//
// A test-and-set lock around a counter that is no atomic. The broken twin releases nothing.
use std::cell::UnsafeCell;
use std::hint;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct Spin {
    taken: AtomicBool,
    counter: UnsafeCell<u32>,
}
unsafe impl Sync for Spin {}

static SPIN: Spin = Spin { taken: AtomicBool::new(false), counter: UnsafeCell::new(0) };

const RELEASE: Ordering = if cfg!(wrong) { Ordering::Relaxed } else { Ordering::Release };

fn add() {
    while SPIN.taken.swap(true, Ordering::Acquire) {
        hint::spin_loop();
    }
    unsafe { *SPIN.counter.get() += 1 }; // HERE
    SPIN.taken.store(false, RELEASE);
}

fn main() {
    let threads = [(); 2].map(|()| thread::spawn(add));
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(unsafe { *SPIN.counter.get() }, 2);
}
