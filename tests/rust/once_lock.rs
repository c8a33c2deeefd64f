// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- --cfg=wrong => violated kind=assertion
//
// `OnceLock`: whoever comes first initialises, once. The broken twin looks and sets in two steps of its own.
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static VALUE: OnceLock<u32> = OnceLock::new();
static COUNT: AtomicU32 = AtomicU32::new(0);

fn compute() -> u32 {
    COUNT.fetch_add(1, Ordering::Relaxed);
    7
}

fn get() -> u32 {
    if cfg!(wrong) {
        if VALUE.get().is_none() {
            let _ = VALUE.set(compute());
        }
        return *VALUE.get().unwrap();
    }
    *VALUE.get_or_init(compute)
}

fn main() {
    let other = thread::spawn(|| assert_eq!(get(), 7));
    assert_eq!(get(), 7);
    other.join().unwrap();
    assert_eq!(COUNT.load(Ordering::Relaxed), 1); // HERE
}
