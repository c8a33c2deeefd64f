//! Programs as compiled for processors: the assembly that clang and gcc write.

use super::clang::{TempFile, find, run};
use super::error::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What programs include, for targets whose C library is not installed.
const HEADERS: [(&str, &str); 4] = [
    ("pthread.h", include_str!("../../include/freestanding/pthread.h")),
    ("assert.h", include_str!("../../include/freestanding/assert.h")),
    ("stdlib.h", include_str!("../../include/freestanding/stdlib.h")),
    ("hmc.h", include_str!("../../include/hmc.h")),
];

/// Compiles a file for a target (`aarch64`) with a compiler as the user named it; clang when none is named.
pub fn of(file: &Path, target: &str, compiler: Option<&Path>, arguments: &[String]) -> Result<String, Error> {
    let compiler = match compiler {
        Some(named) => of_target(named, target),
        None => find()?,
    };
    let compile = |freestanding: Option<&Path>| {
        let mut command = Command::new(&compiler);
        command.args([
            "-S",
            "-g0",
            "-o",
            "-",
            "-fno-asynchronous-unwind-tables",
            "-fno-stack-protector",
            "-U_FORTIFY_SOURCE",
        ]);
        match is_clang(&compiler) {
            true => command.arg(format!("--target={target}-linux-gnu")),
            // Variables are reached by their names, not by the places of others.
            false => command.arg("-fno-section-anchors"),
        };
        command.args(general_registers_only(target));
        // A plain `char` is what it is in the source as hmc compiles it.
        command.arg(if cfg!(any(target_arch = "x86_64", target_os = "macos")) {
            "-fsigned-char"
        } else {
            "-funsigned-char"
        });
        if let Some(headers) = freestanding {
            command.args(["-ffreestanding", "-isystem"]).arg(headers);
            if is_clang(&compiler) {
                command.arg("-nostdlibinc");
            }
        }
        command.args(arguments).arg(file).stdin(Stdio::null());
        let failed =
            |why: String| Error { file: file.display().to_string(), ..Error::new(ErrorKind::ClangFailed, why) };
        let output = run(&mut command)
            .map_err(|e| Error::new(ErrorKind::ClangMissing, format!("`{}` cannot be run: {e}", compiler.display())))?
            .map_err(|_| failed("the compiler was ended".to_owned()))?;
        if output.status.success() {
            return String::from_utf8(output.stdout).map_err(|_| failed("the assembly is not UTF-8 text".to_owned()));
        }
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(failed(format!("`{}` rejects this program for {target}:\n{}", compiler.display(), said.trim_end())))
    };
    compile(None).or_else(|error| {
        // The headers of the target may be missing; what these declare is enough for most programs.
        let unwritten = |e| Error::new(ErrorKind::BadInput, format!("cannot write headers: {e}"));
        let own = TempFile::new("hmc.h", HEADERS[3].1).map_err(unwritten)?;
        for (name, text) in HEADERS {
            std::fs::write(own.path().with_file_name(name), text).map_err(unwritten)?;
        }
        compile(Some(own.path().parent().unwrap_or(own.path()))).map_err(|_| error)
    })
}

/// Vector registers, by which compilers copy structures, are not read.
fn general_registers_only(target: &str) -> &'static [&'static str] {
    match target {
        "aarch64" | "x86_64" => &["-mgeneral-regs-only"],
        "powerpc64le" => &["-mno-vsx", "-mno-altivec"],
        _ => &[],
    }
}

fn is_clang(compiler: &Path) -> bool {
    compiler.file_name().is_some_and(|name| name.to_string_lossy().contains("clang"))
}

/// The compiler that a name stands for: `gcc` and `gcc-12` are those of the target, by their usual names; `clang` is the newest one when nothing has that name.
fn of_target(named: &Path, target: &str) -> PathBuf {
    let is_bare = named.components().count() == 1;
    let name = named.to_string_lossy();
    match is_bare {
        true if name == "clang" => find().unwrap_or_else(|_| named.to_owned()),
        true if name.starts_with("gcc") && target != std::env::consts::ARCH => {
            PathBuf::from(format!("{target}-linux-gnu-{name}"))
        }
        _ => named.to_owned(),
    }
}
