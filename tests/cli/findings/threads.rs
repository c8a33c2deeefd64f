use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;

static mut MESSAGE: i32 = 0;
static READY: AtomicI32 = AtomicI32::new(0);
static OTHER: AtomicI32 = AtomicI32::new(0);

fn main() {
    let sender = thread::spawn(|| {
        unsafe { MESSAGE = 42 };
        READY.store(1, Ordering::Relaxed);
    });
    let bystander = thread::spawn(|| OTHER.store(1, Ordering::Relaxed));
    let receiver = thread::spawn(|| {
        if READY.load(Ordering::Acquire) == 1 {
            assert_eq!(unsafe { MESSAGE }, 42);
        }
    });
    sender.join().unwrap();
    bystander.join().unwrap();
    receiver.join().unwrap();
}
