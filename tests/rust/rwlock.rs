// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- --cfg=wrong => violated kind=assertion
//
// Two numbers that are always the same under a lock. The broken twin changes them in two sections.
use std::sync::RwLock;
use std::thread;

static PAIR: RwLock<(u32, u32)> = RwLock::new((0, 0));

fn main() {
    let writer = thread::spawn(|| {
        let mut pair = PAIR.write().unwrap();
        pair.0 = 1;
        if cfg!(wrong) {
            drop(pair);
            pair = PAIR.write().unwrap();
        }
        pair.1 = 1;
    });
    let pair = PAIR.read().unwrap();
    assert_eq!(pair.0, pair.1); // HERE
    drop(pair);
    writer.join().unwrap();
}
