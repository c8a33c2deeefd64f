//! Programs whose calls are held against a sequential specification.

use crate::driver::inputs::messages;
use crate::driver::inputs::models::Usable;
use crate::driver::{Settings, code};
use crate::linearizability::library::{By, Linearizable, Shape, Wanted};
use crate::linearizability::search::Synchronised;
use crate::linearizability::specification::Specification;
use crate::llvm::{self, CompileRequest, Mapping};
use crate::program::{Instr, Program, Told};
use crate::verdict::calls::linearizable::Specified;
use crate::verdict::reasons::unordered::own_order;
use crate::verdict::{Message, Sources, Verdict};
use std::path::PathBuf;
use std::sync::Arc;

pub(in crate::driver) type Refused = (Vec<Message>, Verdict);

/// A file's specification before the program is known.
pub(in crate::driver) enum Prepared {
    /// Its program.
    File(Box<Program>),
    /// What is wanted of the library.
    Library(Wanted),
}

impl Prepared {
    /// The functions whose calls are marked.
    pub fn operations(&self) -> &[String] {
        match self {
            Prepared::File(program) => &program.operations,
            Prepared::Library(wanted) => &wanted.operations,
        }
    }
}

/// Compiles a specification that is a file.
pub(in crate::driver) fn prepare(
    wanted: &Linearizable,
    settings: &Settings,
    sources: &Sources,
) -> Result<Prepared, Refused> {
    match &wanted.by {
        By::Library(wanted) => Ok(Prepared::Library(wanted.clone())),
        By::File(path) => {
            let program = llvm::functions(&request(path.clone(), settings))
                .map_err(|errors| code::refusal(&errors, settings, sources))?;
            Ok(Prepared::File(Box::new(program)))
        }
    }
}

/// The specification of a program's functions.
pub(in crate::driver) fn finish(
    prepared: Prepared,
    wanted: &Linearizable,
    program: &Program,
    settings: &Settings,
    sources: &Sources,
) -> Result<Specified, Refused> {
    let shapes = shapes(program);
    if shapes.iter().all(Option::is_none) {
        return Err((vec![messages::nothing_specified(&program.operations)], Verdict::Error));
    }
    let specification = match prepared {
        Prepared::File(program) => *program,
        Prepared::Library(wanted) => {
            let shapes: Vec<Shape> = shapes.into_iter().map(Option::unwrap_or_default).collect();
            llvm::functions_of(&request(PathBuf::from("specification.c"), settings), &wanted.text(&shapes))
                .map_err(|errors| code::refusal(&errors, settings, sources))?
        }
    };
    let operations: Arc<[String]> = program.operations.clone().into();
    let specification = Specification::new(specification, &operations)
        .map_err(|missing| (vec![messages::nothing_specified(&missing)], Verdict::Error))?;
    Ok(Specified {
        specification: Arc::new(specification),
        operations,
        synchronised: wanted.synchronised,
        any_client: false,
    })
}

fn request(path: PathBuf, settings: &Settings) -> CompileRequest {
    CompileRequest {
        path,
        clang: settings.clang.clone(),
        include_dirs: settings.include_dirs.clone(),
        mapping: Mapping::default(),
        ..CompileRequest::default()
    }
}

/// How each operation is declared; nothing for those that the program does not define.
fn shapes(program: &Program) -> Vec<Option<Shape>> {
    let mut shapes = vec![None; program.operations.len()];
    for function in &program.functions {
        let mut addresses = 0;
        for instr in &function.code {
            let Instr::Mark { mark, .. } = instr else { continue };
            let shape: &mut Shape = shapes[mark.operation as usize].get_or_insert_default();
            addresses += u32::from(mark.told == Told::Address);
            shape.returns |= mark.told == Told::Result;
            shape.stores |= addresses > 1;
        }
    }
    shapes
}

/// What can be asked under a model: which calls see which is told by its happens-before.
pub(in crate::driver) fn asked(specified: Specified, usable: &Usable) -> Specified {
    match own_order(&usable.model) {
        Some(_) => specified,
        None => Specified { synchronised: Synchronised::default(), ..specified },
    }
}

/// What a result says of how its calls were looked at.
pub(in crate::driver) fn note(usable: &Usable) -> Option<String> {
    own_order(&usable.model).is_none().then(|| {
        "the model defines no happens-before that program order is a part of: only the creation and joining of threads orders calls of different threads, and which calls see which is \
         not asked"
            .to_owned()
    })
}
