//! Path languages: relations as automata over steps and tests, and inclusion between them.
//!
//! D. Kokologiannakis, O. Lahav, V. Vafeiadis, "Kater: Automating weak memory model metatheory and consistency checking", POPL 2023.
//!
//! - [`cube`]: what is known of an event or a pair. [`alphabet`]: names and facts.
//! - [`nfa`]: automata. [`recursion`]: recursive groups that are regular.
//! - [`intern`], [`translate`]: from relation expressions to automata.
//! - [`inclusion`]: the search for a proof.

pub mod alphabet;
pub mod axiom;
pub mod cube;
pub mod inclusion;
pub mod intern;
pub mod nfa;
pub mod recursion;
pub mod translate;
