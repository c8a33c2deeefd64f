// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- --cfg=wrong => violated kind=assertion
//
// The destructor of a thread's local variable runs before the thread is joined. The broken twin forgets the variable.
use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static DROPPED: AtomicU32 = AtomicU32::new(0);

struct Counted(u32);

impl Drop for Counted {
    fn drop(&mut self) {
        DROPPED.fetch_add(self.0, Ordering::Relaxed);
    }
}

thread_local! {
    static LOCAL: RefCell<Option<Counted>> = const { RefCell::new(None) };
}

fn main() {
    let other = thread::spawn(|| {
        LOCAL.set(Some(Counted(3)));
        if cfg!(wrong) {
            std::mem::forget(LOCAL.take());
        }
    });
    other.join().unwrap();
    assert_eq!(DROPPED.load(Ordering::Relaxed), 3); // HERE
}
