//! All integration tests, one program: it is linked once, and its tests share the processors. `cargo test --test it GROUP::NAME` runs some.

mod architecture;
mod c;
mod cat;
mod cli;
mod exploration;
mod litmus;
mod parts;
mod questions;
mod random;
mod rust;
mod support;
mod synthesis;
