// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- --cfg=wrong => violated kind=race
//
// Who comes first initialises, others wait. The broken twin says that it has with a relaxed store.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;

const EMPTY: u8 = 0;
const BUSY: u8 = 1;
const FULL: u8 = 2;

struct Once {
    state: AtomicU8,
    value: UnsafeCell<u64>,
}
unsafe impl Sync for Once {}

static ONCE: Once = Once { state: AtomicU8::new(EMPTY), value: UnsafeCell::new(0) };

const PUBLISH: Ordering = if cfg!(wrong) { Ordering::Relaxed } else { Ordering::Release };

fn get() -> u64 {
    if ONCE.state.load(Ordering::Acquire) != FULL {
        match ONCE.state.compare_exchange(EMPTY, BUSY, Ordering::Acquire, Ordering::Acquire) {
            Ok(_) => {
                unsafe { *ONCE.value.get() = 7 }; // HERE
                ONCE.state.store(FULL, PUBLISH);
            }
            Err(_) => while ONCE.state.load(Ordering::Acquire) != FULL {},
        }
    }
    unsafe { *ONCE.value.get() } // HERE
}

fn main() {
    let other = thread::spawn(|| assert_eq!(get(), 7));
    assert_eq!(get(), 7);
    other.join().unwrap();
}
