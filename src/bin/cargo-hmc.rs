//! The command `cargo hmc`. Everything it does is in the library, under `hmc::cli`.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    hmc::cli::cargo()
}
