// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- --cfg=wrong => violated kind=race
//
// Treiber's stack (IBM RJ 5118, 1986) behind an `Arc`. Nodes are freed at the end. The broken twin publishes nodes by relaxed exchanges.
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::thread;

struct Node {
    value: usize,
    next: *mut Node,
}

struct Stack {
    head: AtomicPtr<Node>,
}

const PUBLISH: Ordering = if cfg!(wrong) { Ordering::Relaxed } else { Ordering::Release };

impl Stack {
    fn push(&self, value: usize) {
        let node = Box::into_raw(Box::new(Node { value, next: ptr::null_mut() })); // HERE
        let mut head = self.head.load(Ordering::Relaxed);
        loop {
            unsafe { (*node).next = head }; // HERE
            match self.head.compare_exchange(head, node, PUBLISH, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => head = now,
            }
        }
    }

    fn pop(&self) -> Option<*mut Node> {
        let mut head = self.head.load(Ordering::Acquire);
        loop {
            if head.is_null() {
                return None;
            }
            let next = unsafe { (*head).next }; // HERE
            match self.head.compare_exchange(head, next, Ordering::Acquire, Ordering::Acquire) {
                Ok(_) => return Some(head),
                Err(now) => head = now,
            }
        }
    }
}

fn main() {
    let stack = Arc::new(Stack { head: AtomicPtr::new(ptr::null_mut()) });
    let pushes = |value| {
        let stack = Arc::clone(&stack);
        thread::spawn(move || stack.push(value))
    };
    let (first, second) = (pushes(1), pushes(2));
    let early = stack.pop();
    first.join().unwrap();
    second.join().unwrap();
    let mut sum = 0;
    let mut next = early;
    while let Some(node) = next.or_else(|| stack.pop()) {
        sum += unsafe { Box::from_raw(node) }.value;
        next = None;
    }
    assert_eq!(sum, 3);
}
