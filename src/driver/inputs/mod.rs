//! What a run is given: models, files, settings; and what is wrong with them.
//!
//! - [`models`]: loads each model once an architecture, and adds the check that every model gets; [`usual`]: the model of a file for which none is named.
//! - [`settings`]: how files are to be checked.
//! - [`persisted`]: programs that crash: the model of what survives, the file system.
//! - [`compiling`]: clang within the limits of the run.
//! - [`kind`]: the kind of a file. [`kept`]: texts of files that are noted, or stand in for files.
//! - [`messages`]: problems of the input, made presentable.

pub mod compiling;
pub mod kept;
pub mod kind;
pub mod messages;
pub mod models;
pub mod persisted;
pub mod settings;
pub mod usual;
