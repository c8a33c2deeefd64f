//! The command `hmc`. Everything it does is in the library, under `hmc::cli`.

fn main() -> std::process::ExitCode {
    hmc::cli::main()
}
