//! hmc for a page: questions and answers are JSON texts in the module's memory.
//!
//! The host writes a question where [`question`] says, calls [`answer`], and reads as many bytes as [`length`] says from there. It lends a clock
//! (`hmc.now`, in milliseconds), and is told why the module ends if it does (`hmc.failed`). What can be asked is in `asked`.

mod asked;
mod models;
mod session;

use session::Session;
use std::cell::RefCell;

thread_local! {
    static QUESTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static SESSION: RefCell<Session> = RefCell::new(Session::default());
}

/// Room for a question of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn question(length: usize) -> *mut u8 {
    QUESTION.with_borrow_mut(|text| {
        text.clear();
        text.resize(length, 0);
        text.as_mut_ptr()
    })
}

/// Answers it; where the answer stands until the next one.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    host::prepare();
    let question = QUESTION.take();
    let text = SESSION.with_borrow_mut(|session| session.answer(&String::from_utf8_lossy(&question)));
    ANSWER.with_borrow_mut(|kept| {
        *kept = text.into_bytes();
        kept.as_ptr()
    })
}

/// Bytes of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn length() -> usize {
    ANSWER.with_borrow(Vec::len)
}

/// Executions that the check that is under way has seen.
#[unsafe(no_mangle)]
pub extern "C" fn seen() -> f64 {
    session::seen() as f64
}

#[cfg(target_family = "wasm")]
mod host {
    use std::sync::Once;
    use std::time::Duration;

    #[link(wasm_import_module = "hmc")]
    unsafe extern "C" {
        safe fn now() -> f64;
        safe fn failed(text: *const u8, length: usize);
    }

    static READY: Once = Once::new();

    pub fn prepare() {
        READY.call_once(|| {
            hmc::clock::lend(|| Duration::from_secs_f64(now().max(0.0) / 1000.0));
            std::panic::set_hook(Box::new(|panic| {
                let text = panic.to_string();
                failed(text.as_ptr(), text.len());
            }));
        });
    }
}

#[cfg(not(target_family = "wasm"))]
mod host {
    pub fn prepare() {}
}
