//! The header that gives a model's own primitives to C programs.
