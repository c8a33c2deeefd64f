// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- --cfg=wrong => violated kind=assertion
//
// Boehm's seqlock (MSPC 2012) with relaxed data. The reader of the broken twin has no fence before it looks at the number again.
use std::sync::atomic::{AtomicU32, Ordering, fence};
use std::thread;

static NUMBER: AtomicU32 = AtomicU32::new(0);
static FIRST: AtomicU32 = AtomicU32::new(0);
static SECOND: AtomicU32 = AtomicU32::new(0);

fn write(value: u32) {
    let number = NUMBER.load(Ordering::Relaxed);
    NUMBER.store(number + 1, Ordering::Relaxed);
    fence(Ordering::Release);
    FIRST.store(value, Ordering::Relaxed);
    SECOND.store(value, Ordering::Relaxed);
    NUMBER.store(number + 2, Ordering::Release);
}

fn read() -> Option<(u32, u32)> {
    let before = NUMBER.load(Ordering::Acquire);
    let values = (FIRST.load(Ordering::Relaxed), SECOND.load(Ordering::Relaxed));
    if !cfg!(wrong) {
        fence(Ordering::Acquire);
    }
    let after = NUMBER.load(Ordering::Relaxed);
    (before == after && before % 2 == 0).then_some(values)
}

fn main() {
    let writer = thread::spawn(|| write(7));
    if let Some((first, second)) = read() {
        assert_eq!(first, second); // HERE
    }
    writer.join().unwrap();
}
