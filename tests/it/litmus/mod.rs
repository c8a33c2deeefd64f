//! Litmus tests.

mod cases;
mod confirmed_cycles;
mod corpus;
mod cycles;
mod goldens;
mod mixed_sizes;
mod random;
mod robust;
mod runs;
mod shapes;
