//! A small client of each of some crates of the registry, as they are. `tests/it/rust/crates.rs` runs them; `docs/rust.md` has the table.
#![cfg(test)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

#[test]
fn arc_swap() {
    let value = Arc::new(arc_swap::ArcSwap::from_pointee(1));
    let stores = Arc::clone(&value);
    let other = thread::spawn(move || stores.store(Arc::new(2)));
    assert!([1, 2].contains(&**value.load()));
    other.join().unwrap();
}

#[test]
fn concurrent_queue() {
    let queue = Arc::new(concurrent_queue::ConcurrentQueue::bounded(2));
    let pushes = Arc::clone(&queue);
    let other = thread::spawn(move || pushes.push(1).unwrap());
    if let Ok(value) = queue.pop() {
        assert_eq!(value, 1);
    }
    other.join().unwrap();
}

#[test]
fn crossbeam_array_queue() {
    let queue = Arc::new(crossbeam_queue::ArrayQueue::new(2));
    let pushes = Arc::clone(&queue);
    let other = thread::spawn(move || pushes.push(1).unwrap());
    if let Some(value) = queue.pop() {
        assert_eq!(value, 1);
    }
    other.join().unwrap();
}

#[test]
fn crossbeam_array_queue_is_not_empty() {
    let queue = Arc::new(crossbeam_queue::ArrayQueue::new(2));
    let pushes = Arc::clone(&queue);
    let other = thread::spawn(move || pushes.push(1).unwrap());
    // Wrong: nobody has said that the other thread has pushed.
    assert_eq!(queue.pop(), Some(1));
    other.join().unwrap();
}

/// For `--linearizable`: calls of functions that are not inlined, whose results are used.
#[test]
fn calls_of_a_queue() {
    use crossbeam_queue::ArrayQueue;
    use std::hint::black_box;

    #[inline(never)]
    fn enqueue(queue: &ArrayQueue<i32>, value: i32) -> bool {
        queue.push(value).is_ok()
    }
    #[inline(never)]
    fn dequeue(queue: &ArrayQueue<i32>) -> i32 {
        queue.pop().unwrap_or(-1)
    }
    let queue = Arc::new(ArrayQueue::new(4));
    black_box(enqueue(&queue, 1));
    black_box(enqueue(&queue, 2));
    let takes = Arc::clone(&queue);
    let other = thread::spawn(move || black_box(dequeue(&takes)));
    black_box(enqueue(&queue, 3));
    other.join().unwrap();
}

#[test]
fn crossbeam_cache_padded() {
    static COUNT: crossbeam_utils::CachePadded<AtomicU32> = crossbeam_utils::CachePadded::new(AtomicU32::new(0));
    let other = thread::spawn(|| COUNT.fetch_add(1, Ordering::Relaxed));
    COUNT.fetch_add(1, Ordering::Relaxed);
    other.join().unwrap();
    assert_eq!(COUNT.load(Ordering::Relaxed), 2);
}

#[test]
fn crossbeam_channel() {
    let (to, from) = crossbeam_channel::bounded(1);
    let other = thread::spawn(move || to.send(1).unwrap());
    assert_eq!(from.recv().unwrap(), 1);
    other.join().unwrap();
}

#[test]
fn crossbeam_seg_queue() {
    let queue = Arc::new(crossbeam_queue::SegQueue::new());
    let pushes = Arc::clone(&queue);
    let other = thread::spawn(move || pushes.push(1));
    if let Some(value) = queue.pop() {
        assert_eq!(value, 1);
    }
    other.join().unwrap();
}

#[test]
fn flume() {
    let (to, from) = flume::unbounded();
    let other = thread::spawn(move || to.send(1).unwrap());
    assert_eq!(from.recv().unwrap(), 1);
    other.join().unwrap();
}

#[test]
fn once_cell() {
    static CELL: once_cell::sync::OnceCell<u32> = once_cell::sync::OnceCell::new();
    let other = thread::spawn(|| assert_eq!(*CELL.get_or_init(|| 1), 1));
    assert_eq!(*CELL.get_or_init(|| 1), 1);
    other.join().unwrap();
}

#[test]
fn parking_lot() {
    static COUNT: parking_lot::Mutex<u32> = parking_lot::Mutex::new(0);
    let other = thread::spawn(|| *COUNT.lock() += 1);
    *COUNT.lock() += 1;
    other.join().unwrap();
    assert_eq!(*COUNT.lock(), 2);
}

#[test]
fn rtrb() {
    let (mut to, mut from) = rtrb::RingBuffer::new(1);
    let other = thread::spawn(move || to.push(1).unwrap());
    if let Ok(value) = from.pop() {
        assert_eq!(value, 1);
    }
    other.join().unwrap();
}

#[test]
fn spin() {
    static COUNT: spin::Mutex<u32> = spin::Mutex::new(0);
    let other = thread::spawn(|| *COUNT.lock() += 1);
    *COUNT.lock() += 1;
    other.join().unwrap();
    assert_eq!(*COUNT.lock(), 2);
}
