//! C programs of `../shared/cases` in which sizes are mixed in memory that one thread accesses, or that is reused in order.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

fn run(file: &Path, model: &str) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hmc"));
    command.args(["--cat", model, "--format", "json", "--timeout", "120"]).arg(file);
    let output = command.output().expect("hmc can be started");
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{}: {e}: {}", file.display(), String::from_utf8_lossy(&output.stderr)));
    report["results"][0].clone()
}

#[test]
fn sizes_may_be_mixed_where_nobody_else_looks() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/c");
    if !folder.is_dir() {
        eprintln!("notice: ../shared/cases is not there; its programs are not checked");
        return;
    }
    for name in ["va_arg_in_thread", "local_mixed_size", "memcpy_to_bytes", "mixed_pool"] {
        for model in ["sc", "tso", "rc11", "imm", "aarch64", "lkmm"] {
            let result = run(&folder.join(format!("{name}.c")), model);
            assert_eq!(result["verdict"], "holds", "{name} under {model}: {result}");
        }
    }
}

/// Atomic accesses of sixteen bytes.
#[test]
fn two_words_are_swapped_as_one() {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/c/double_width_cas.c");
    if !case.is_file() {
        eprintln!("notice: ../shared/cases is not there; its programs are not checked");
        return;
    }
    for model in ["sc", "tso", "rc11"] {
        let result = run(&case, model);
        assert_eq!(
            (&result["verdict"], &result["executions"]["complete"]),
            (&"holds".into(), &4.into()),
            "{model}: {result}"
        );
    }
}
