//! Processor time, for the benches that measure rates.

use std::time::{Duration, Instant};

/// Processor time of this thread, or time when the system does not tell: other work on the machine then counts too.
pub struct Clock {
    processor: Option<u64>,
    /// Time on the wall.
    pub wall: Instant,
}

impl Clock {
    /// Starts now.
    pub fn start() -> Clock {
        Clock { processor: processor_nanoseconds(), wall: Instant::now() }
    }

    /// Since the start.
    pub fn seconds(&self) -> f64 {
        match (self.processor, processor_nanoseconds()) {
            (Some(start), Some(now)) => (now - start) as f64 * 1e-9,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

fn processor_nanoseconds() -> Option<u64> {
    // The system brings the figure up to date when it looks at the thread: at the next tick, some milliseconds later, or when the thread waits.
    std::thread::sleep(Duration::from_nanos(1));
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}
