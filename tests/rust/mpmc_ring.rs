// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- --cfg=wrong => violated kind=race
//
// Vyukov's bounded queue: each slot has a number that says whose turn it is. The broken twin publishes a value by a relaxed store of it.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const SLOTS: usize = 2;

struct Slot {
    turn: AtomicUsize,
    value: UnsafeCell<usize>,
}
unsafe impl Sync for Slot {}

static QUEUE: [Slot; SLOTS] = [
    Slot { turn: AtomicUsize::new(0), value: UnsafeCell::new(0) },
    Slot { turn: AtomicUsize::new(1), value: UnsafeCell::new(0) },
];
static PUSHED: AtomicUsize = AtomicUsize::new(0);
static POPPED: AtomicUsize = AtomicUsize::new(0);

const PUBLISH: Ordering = if cfg!(wrong) { Ordering::Relaxed } else { Ordering::Release };

fn push(value: usize) -> bool {
    let mut at = PUSHED.load(Ordering::Relaxed);
    loop {
        let slot = &QUEUE[at % SLOTS];
        let turn = slot.turn.load(Ordering::Acquire);
        if turn < at {
            return false;
        }
        if turn == at {
            match PUSHED.compare_exchange(at, at + 1, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => {
                    unsafe { *slot.value.get() = value }; // HERE
                    slot.turn.store(at + 1, PUBLISH);
                    return true;
                }
                Err(now) => at = now,
            }
        } else {
            at = PUSHED.load(Ordering::Relaxed);
        }
    }
}

fn pop() -> Option<usize> {
    let mut at = POPPED.load(Ordering::Relaxed);
    loop {
        let slot = &QUEUE[at % SLOTS];
        let turn = slot.turn.load(Ordering::Acquire);
        if turn < at + 1 {
            return None;
        }
        if turn == at + 1 {
            match POPPED.compare_exchange(at, at + 1, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => {
                    let value = unsafe { *slot.value.get() }; // HERE
                    slot.turn.store(at + SLOTS, Ordering::Release);
                    return Some(value);
                }
                Err(now) => at = now,
            }
        } else {
            at = POPPED.load(Ordering::Relaxed);
        }
    }
}

fn main() {
    let producers = [1, 2].map(|value| thread::spawn(move || assert!(push(value))));
    let early = pop().unwrap_or(0);
    for producer in producers {
        producer.join().unwrap();
    }
    let mut sum = early;
    while let Some(value) = pop() {
        sum += value;
    }
    assert_eq!(sum, 3);
}
