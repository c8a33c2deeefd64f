// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- --cfg=wrong => violated kind=memory
//
// A value behind a pointer that is exchanged, as in RCU: the old one is freed when no reader is inside. The broken twin frees it at once.
use std::hint;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::thread;

static CURRENT: AtomicPtr<u64> = AtomicPtr::new(std::ptr::null_mut());
static READERS: AtomicUsize = AtomicUsize::new(0);

fn read() {
    READERS.fetch_add(1, Ordering::SeqCst);
    let value = unsafe { *CURRENT.load(Ordering::SeqCst) }; // HERE
    READERS.fetch_sub(1, Ordering::Release);
    assert!(value == 1 || value == 2);
}

fn replace(value: u64) {
    let old = CURRENT.swap(Box::into_raw(Box::new(value)), Ordering::SeqCst);
    if !cfg!(wrong) {
        while READERS.load(Ordering::SeqCst) != 0 {
            hint::spin_loop();
        }
    }
    drop(unsafe { Box::from_raw(old) }); // HERE
}

fn main() {
    CURRENT.store(Box::into_raw(Box::new(1)), Ordering::Relaxed);
    let reader = thread::spawn(read);
    replace(2);
    reader.join().unwrap();
    drop(unsafe { Box::from_raw(CURRENT.load(Ordering::Relaxed)) });
}
