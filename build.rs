//! Turns every LALRPOP grammar under `grammar/` into a parser, and tells a release from which commit it is built.

fn main() {
    // Of a development build the commit would be that of some earlier one.
    if std::env::var("PROFILE").as_deref() == Ok("release") {
        commit();
    }
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

/// Tells the program from which commit it is built, if it is built from a repository.
fn commit() {
    let git = |arguments: &[&str]| {
        let output = std::process::Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={log}");
    }
    if let Some(commit) = git(&["describe", "--always", "--dirty", "--abbrev=12"]) {
        println!("cargo:rustc-env=HMC_COMMIT={commit}");
    }
}
