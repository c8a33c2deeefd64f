//! C programs.

mod assembly;
mod compiled;
mod crash;
mod dependencies;
mod enumerated;
mod explored;
mod kernel_files;
mod linearizable;
mod linux_files;
mod linux_primitives;
mod misuse_cases;
mod optimised;
mod peers;
mod programs;
