//! The command `hmc`. Everything it does is in the library, under `hmc::cli`.

/// Reading a litmus test and exploring it is many small allocations, which this allocator serves faster than most systems' own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    hmc::cli::main()
}
