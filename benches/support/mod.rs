//! What the benches about programs share: compiling one for a model.

use hmc::algebra::Model;
use hmc::cat;
use hmc::driver::inputs::models::{Models, adapt};
use hmc::llvm::{self, mapping::Mapping};
use hmc::program::Program;

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
