use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;

static mut MESSAGE: i32 = 0;
static READY: AtomicI32 = AtomicI32::new(0);

fn main() {
    let sender = thread::spawn(|| {
        unsafe { MESSAGE = 42 };
        READY.store(1, Ordering::Relaxed);
    });
    if READY.load(Ordering::Acquire) == 1 {
        assert_eq!(unsafe { MESSAGE }, 42);
    }
    sender.join().unwrap();
}
