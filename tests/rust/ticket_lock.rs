// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- --cfg=wrong => violated kind=race
//
// A ticket lock around a counter that is no atomic. A thread of the broken twin that waits acquires nothing.
use std::cell::UnsafeCell;
use std::hint;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

struct Counter(UnsafeCell<u32>);
unsafe impl Sync for Counter {}

static NEXT: AtomicU32 = AtomicU32::new(0);
static SERVED: AtomicU32 = AtomicU32::new(0);
static COUNTER: Counter = Counter(UnsafeCell::new(0));

const ACQUIRE: Ordering = if cfg!(wrong) { Ordering::Relaxed } else { Ordering::Acquire };

fn add() {
    let ticket = NEXT.fetch_add(1, Ordering::Relaxed);
    while SERVED.load(ACQUIRE) != ticket {
        hint::spin_loop();
    }
    unsafe { *COUNTER.0.get() += 1 }; // HERE
    SERVED.store(ticket + 1, Ordering::Release);
}

fn main() {
    let threads = [(); 2].map(|()| thread::spawn(add));
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(unsafe { *COUNTER.0.get() }, 2);
}
