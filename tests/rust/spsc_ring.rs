// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- --cfg=wrong => violated kind=race
//
// Lamport's ring for one producer and one consumer. The broken twin gives a slot back before it is read as far as the producer can see.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const SLOTS: usize = 1;

struct Ring {
    head: AtomicUsize,
    tail: AtomicUsize,
    slots: [UnsafeCell<u64>; SLOTS],
}
unsafe impl Sync for Ring {}

static RING: Ring = Ring { head: AtomicUsize::new(0), tail: AtomicUsize::new(0), slots: [const { UnsafeCell::new(0) }; SLOTS] };

const GIVE_BACK: Ordering = if cfg!(wrong) { Ordering::Relaxed } else { Ordering::Release };

fn push(value: u64) -> bool {
    let tail = RING.tail.load(Ordering::Relaxed);
    if tail - RING.head.load(Ordering::Acquire) == SLOTS {
        return false;
    }
    unsafe { *RING.slots[tail % SLOTS].get() = value }; // HERE
    RING.tail.store(tail + 1, Ordering::Release);
    true
}

fn pop() -> Option<u64> {
    let head = RING.head.load(Ordering::Relaxed);
    if RING.tail.load(Ordering::Acquire) == head {
        return None;
    }
    let value = unsafe { *RING.slots[head % SLOTS].get() }; // HERE
    RING.head.store(head + 1, GIVE_BACK);
    Some(value)
}

fn main() {
    let producer = thread::spawn(|| {
        let mut next = 1;
        for _ in 0..2 {
            next += u64::from(push(next));
        }
    });
    let mut last = 0;
    for _ in 0..2 {
        if let Some(value) = pop() {
            assert_eq!(value, last + 1);
            last = value;
        }
    }
    producer.join().unwrap();
}
