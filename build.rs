//! Turns every LALRPOP grammar under `grammar/` into a parser.

fn main() {
    println!("cargo:rerun-if-changed=grammar");
    println!("cargo:rerun-if-changed=cat");
    println!("cargo:rerun-if-changed=include");
    if let Err(error) = lalrpop::Configuration::new()
        .set_in_dir("grammar")
        .set_out_dir(std::env::var("OUT_DIR").expect("cargo sets OUT_DIR"))
        .emit_rerun_directives(true)
        .process()
    {
        eprintln!("{error}");
        std::process::exit(1);
    }
}
