// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- --cfg=wrong => violated kind=memory
//
// Michael's hazard pointers (TPDS 2004), one for one reader. The reader of the broken twin does not look whether the pointer is still there.
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::thread;

static CURRENT: AtomicPtr<u64> = AtomicPtr::new(ptr::null_mut());
static HAZARD: AtomicPtr<u64> = AtomicPtr::new(ptr::null_mut());

fn read() {
    let pointer = CURRENT.load(Ordering::Relaxed);
    HAZARD.store(pointer, Ordering::SeqCst);
    if !cfg!(wrong) && CURRENT.load(Ordering::SeqCst) != pointer {
        return;
    }
    let value = unsafe { *pointer }; // HERE
    HAZARD.store(ptr::null_mut(), Ordering::Release);
    assert!(value == 1 || value == 2);
}

fn main() {
    CURRENT.store(Box::into_raw(Box::new(1)), Ordering::SeqCst);
    let reader = thread::spawn(read);
    let old = CURRENT.swap(Box::into_raw(Box::new(2)), Ordering::SeqCst);
    let is_free = HAZARD.load(Ordering::SeqCst) != old;
    if is_free {
        drop(unsafe { Box::from_raw(old) }); // HERE
    }
    reader.join().unwrap();
    if !is_free {
        drop(unsafe { Box::from_raw(old) });
    }
    drop(unsafe { Box::from_raw(CURRENT.load(Ordering::Relaxed)) });
}
