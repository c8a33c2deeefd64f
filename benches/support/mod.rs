//! What the benches about programs share: compiling one for a model, and processor time.

use hmc::algebra::Model;
use hmc::cat;
use hmc::driver::models::{Models, adapt};
use hmc::llvm::{self, mapping::Mapping};
use hmc::program::Program;
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

/// A bundled model by name, and a file of `tests/c`, compiled for it with more arguments for clang.
pub fn compiled(file: &str, define: &str, name: &str) -> Result<(Model, Program), String> {
    let models = Models::new(cat::LoadRequest::named(name), Vec::new(), false);
    let usable = models.get(None).map_err(|_| "the model does not load")?;
    let bell = usable.loaded.bell.as_ref();
    let title = usable.model.arch.as_deref().unwrap_or(&usable.model.title);
    let declares = |name: &str| bell.is_some_and(|b| b.annotations().contains(name));
    let request = llvm::CompileRequest {
        path: format!("tests/c/{file}").into(),
        clang_args: define.split_whitespace().map(str::to_owned).collect(),
        mapping: Mapping::for_model(Some(title), declares),
        ..Default::default()
    };
    let mut program = llvm::compile(&request).map_err(|e| e.first().map(|e| e.to_string()).unwrap_or_default())?;
    adapt(&mut program, &usable.model);
    Ok((usable.model.clone(), program))
}
