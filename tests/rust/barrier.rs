// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- --cfg=wrong => violated kind=assertion
//
// Two threads that meet: each writes before, and reads what the other has written behind. The broken twin does not wait.
use std::cell::UnsafeCell;
use std::sync::Barrier;
use std::thread;

struct Shared(UnsafeCell<u32>);
unsafe impl Sync for Shared {}

static MEET: Barrier = Barrier::new(2);
static CELLS: [Shared; 2] = [const { Shared(UnsafeCell::new(0)) }; 2];

fn meet(own: usize) {
    unsafe { *CELLS[own].0.get() = 1 }; // HERE
    if !cfg!(wrong) {
        MEET.wait();
    }
    let seen = unsafe { *CELLS[1 - own].0.get() }; // HERE
    assert_eq!(seen, 1); // HERE
}

fn main() {
    let other = thread::spawn(|| meet(1));
    meet(0);
    other.join().unwrap();
}
