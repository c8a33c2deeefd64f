//! Room for what recurses as deep as its input is nested.

use std::io;

/// Does something on a stack of this size.
///
/// # Errors
/// There is no memory for one more thread.
#[cfg(not(target_family = "wasm"))]
pub fn with_room<R: Send>(bytes: usize, work: impl FnOnce() -> R + Send) -> io::Result<R> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(bytes).spawn_scoped(scope, work)?;
        Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Does something on the one stack that there is: where there are no threads, its size is set when the module is linked.
///
/// # Errors
/// None.
#[cfg(target_family = "wasm")]
pub fn with_room<R: Send>(_: usize, work: impl FnOnce() -> R + Send) -> io::Result<R> {
    Ok(work())
}
