// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- --cfg=wrong => violated kind=race
//
// Data that a flag hands over. The broken twin releases nothing.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct Shared(UnsafeCell<u32>);
unsafe impl Sync for Shared {}

static DATA: Shared = Shared(UnsafeCell::new(0));
static READY: AtomicBool = AtomicBool::new(false);

const PUBLISH: Ordering = if cfg!(wrong) { Ordering::Relaxed } else { Ordering::Release };

fn main() {
    let writer = thread::spawn(|| {
        unsafe { *DATA.0.get() = 42 }; // HERE
        READY.store(true, PUBLISH);
    });
    if READY.load(Ordering::Acquire) {
        let seen = unsafe { *DATA.0.get() }; // HERE
        assert_eq!(seen, 42);
    }
    writer.join().unwrap();
}
