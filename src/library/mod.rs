//! hmc as a library: load a [`Model`], name a [`Program`], have a [`Checker`] look at it, and read the [`Report`].
//!
//! ```
//! use hmc::{Checker, Model, Program, Verdict};
//!
//! let model = Model::text("coherence", r#""coherence" include "cos.cat" acyclic po-loc | rf | co | fr"#)?;
//! let test = Program::litmus("sb.litmus", "X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n");
//! let report = Checker::new().check(&test, &model);
//! assert_eq!(report.verdict(), Verdict::Holds);
//! assert_eq!(report.result().states.len(), 4);
//! println!("{report}");
//! # Ok::<(), hmc::Problems>(())
//! ```
//!
//! C and C++ need clang; litmus tests need no other program.

mod checker;
mod report;

pub use checker::Checker;
pub use report::{Problems, Report};

use crate::cat::LoadRequest;
use crate::driver::inputs::models::Models;
use std::path::PathBuf;
use std::sync::Arc;

/// A memory model. It is staged once for each architecture that it is asked about; copies share that.
#[derive(Clone, Debug)]
pub struct Model {
    name: String,
    models: Arc<Models>,
}

impl Model {
    /// A bundled model by its name (`hmc list-models`), or the one in a `.cat` file; bell and macro files that stand beside it are read, too.
    ///
    /// # Errors
    /// What is wrong with it: every problem, with its place.
    pub fn named(name: &str) -> Result<Model, Problems> {
        Model::of(name, LoadRequest::named(name))
    }

    /// A model as text. `name`: what messages call it. It may include bundled files.
    ///
    /// # Errors
    /// As [`Model::named`].
    pub fn text(name: &str, text: &str) -> Result<Model, Problems> {
        Model::of(name, LoadRequest::text(name, text))
    }

    fn of(name: &str, request: LoadRequest) -> Result<Model, Problems> {
        let models = Models::new(request, Vec::new(), false);
        match models.get(None) {
            Ok(_) => Ok(Model { name: name.to_owned(), models: Arc::new(models) }),
            Err((messages, _)) => Err(Problems(messages)),
        }
    }

    /// As it was named.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// What is to be checked. Problems of it are told by the report: the verdict is [`Verdict::Error`](crate::Verdict::Error) or `Unsupported`.
#[derive(Clone, Debug)]
pub struct Program(Input);

#[derive(Clone, Debug)]
enum Input {
    File(PathBuf),
    Litmus { name: String, text: String },
}

impl Program {
    /// A file: `.c`, `.cc`, `.cpp`, `.cxx`, `.ll` or `.litmus`.
    pub fn file(path: impl Into<PathBuf>) -> Program {
        Program(Input::File(path.into()))
    }

    /// A litmus test as text. `name`: what messages call it.
    pub fn litmus(name: &str, text: &str) -> Program {
        Program(Input::Litmus { name: name.to_owned(), text: text.to_owned() })
    }
}
