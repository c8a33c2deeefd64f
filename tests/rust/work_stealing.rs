// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- --cfg=wrong => violated kind=assertion
//
// The deque of Chase and Lev with the orders of Lê et al. (PPoPP 2013), without growing. The owner of the broken twin has no fence when it takes.
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering, fence};
use std::thread;

static TOP: AtomicIsize = AtomicIsize::new(0);
static BOTTOM: AtomicIsize = AtomicIsize::new(0);
static TASKS: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];
static DONE: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];

fn push(task: usize) {
    let bottom = BOTTOM.load(Ordering::Relaxed);
    TASKS[bottom as usize % 2].store(task, Ordering::Relaxed);
    fence(Ordering::Release);
    BOTTOM.store(bottom + 1, Ordering::Relaxed);
}

fn take() -> Option<usize> {
    let bottom = BOTTOM.load(Ordering::Relaxed) - 1;
    BOTTOM.store(bottom, Ordering::Relaxed);
    if !cfg!(wrong) {
        fence(Ordering::SeqCst);
    }
    let top = TOP.load(Ordering::Relaxed);
    if top > bottom {
        BOTTOM.store(bottom + 1, Ordering::Relaxed);
        return None;
    }
    let task = TASKS[bottom as usize % 2].load(Ordering::Relaxed);
    if top == bottom {
        let is_own = TOP.compare_exchange(top, top + 1, Ordering::SeqCst, Ordering::Relaxed).is_ok();
        BOTTOM.store(bottom + 1, Ordering::Relaxed);
        return is_own.then_some(task);
    }
    Some(task)
}

fn steal() -> Option<usize> {
    let top = TOP.load(Ordering::Acquire);
    fence(Ordering::SeqCst);
    let bottom = BOTTOM.load(Ordering::Acquire);
    if top >= bottom {
        return None;
    }
    let task = TASKS[top as usize % 2].load(Ordering::Relaxed);
    TOP.compare_exchange(top, top + 1, Ordering::SeqCst, Ordering::Relaxed).is_ok().then_some(task)
}

fn run(task: Option<usize>) {
    if let Some(task) = task {
        assert_eq!(DONE[task].fetch_add(1, Ordering::Relaxed), 0); // HERE
    }
}

fn main() {
    push(1);
    push(2);
    let thief = thread::spawn(|| {
        run(steal());
        run(steal());
    });
    run(take());
    run(take());
    thief.join().unwrap();
}
