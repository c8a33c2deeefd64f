//! What is explored, by the options and the engines.

mod bounds;
mod condition_only;
mod counts;
mod endless;
mod models;
mod models_that_order_little;
mod parallel;
mod retries;
mod sections;
mod symmetry;
mod threads_alone;
mod up_to_reads_from;
mod witnessed;
