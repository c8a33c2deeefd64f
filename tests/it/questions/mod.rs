//! Questions about models: known answers, faults of another prover, random models, proofs that the checker refuses, facts that proofs rest on.

mod facts;
mod faults;
mod known;
mod mapping;
mod random;
mod support;
mod table;
mod variants;
