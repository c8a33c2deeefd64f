//! The options of a check, as a job keeps them: arguments of the command line.

use crate::cat::Dialect;
use crate::cli::args::{CheckArgs, Counting, Cut, DependencyKind, InputArgs, Lines, PlainAccesses, Retries};
use crate::driver::{Engine, Locks, Symmetry};
use crate::explore::Equivalence;
use crate::explore::bounds::Bound;

/// Options that say how a check is reported or bounded are no part of a job. `Err`: what cannot be divided.
pub fn of(args: &CheckArgs) -> Result<Vec<String>, &'static str> {
    let CheckArgs {
        cat: _,
        files: _,
        input,
        quiet: _,
        format: _,
        dot,
        svg,
        full: _,
        relations,
        show,
        html,
        properties,
        race_model,
        no_race,
        keep_going,
        strict,
        explain,
        coverage,
        retries,
        cut,
        stats,
        verbose,
        expect,
        resume,
        engine,
        condition_only,
        equivalence,
        locks,
        symmetry,
        bound,
        trace,
        frames,
        audit,
        checkpoint: _,
        shard: _,
    } = args;
    if input.linux.is_some() && input.entry.is_none() && input.test.len() != 1 {
        return Err("of kernel files, one test is divided: `--test NAME` says which");
    }
    if *engine != Engine::Explore {
        return Err("`--engine enumerate` is not divided");
    }
    if *audit {
        return Err("`--audit` remembers every execution, and is not divided");
    }
    if *locks == Locks::One {
        return Err("`--locks one` remembers every execution, and is not divided: `--locks content` is");
    }
    if show.is_some() {
        return Err("`--show` lists the executions of one run, and is not divided");
    }
    if input.linearizable.is_some() {
        return Err("`--linearizable` remembers every history, and is not divided");
    }
    if resume.is_some() || !expect.is_empty() {
        return Err("`--resume` and `--expect` go with a run that is not divided: merge to JSON, and compare that");
    }
    let mut out = Said(Vec::new());
    out.inputs(input);
    out.list("--properties", properties.iter().map(|p| p.name()));
    out.value("--race-model", race_model.as_ref());
    out.flag("--no-race", *no_race);
    out.flag("--keep-going", *keep_going);
    out.flag("--strict", *strict);
    out.flag("--explain", *explain);
    out.flag("--coverage", *coverage);
    out.value("--retries", Some("all").filter(|_| *retries == Retries::All));
    out.value("--cut", Some("bytes").filter(|_| *cut == Cut::Bytes));
    out.flag("--stats", *stats);
    out.flag("--verbose", *verbose);
    out.flag("--condition-only", *condition_only);
    let Counting(counted) = equivalence;
    out.value(
        "--equivalence",
        counted.as_ref().map(|equivalence| match equivalence {
            Equivalence::ReadsFrom => "rf",
            _ => "rf+co",
        }),
    );
    out.value("--locks", Some("content").filter(|_| *locks == Locks::Content));
    let symmetry = match symmetry {
        Symmetry::Auto => "auto",
        Symmetry::On => "on",
        Symmetry::Off => "off",
    };
    out.value("--symmetry", Some(symmetry));
    out.value("--bound", bound.map(Bound::text));
    out.flag("--trace", *trace);
    out.flag("--frames", *frames);
    out.list("--relations", relations.iter().map(String::as_str));
    // A witness is looked for only where one is to be drawn.
    out.value("--svg", dot.as_ref().or(svg.as_ref()).or(html.as_ref()).map(|_| "/dev/null"));
    if !input.clang.is_empty() {
        out.0.push("--".to_owned());
        out.0.extend(input.clang.iter().cloned());
    }
    Ok(out.0)
}

/// Arguments that were said.
struct Said(Vec<String>);

impl Said {
    fn inputs(&mut self, input: &InputArgs) {
        let InputArgs {
            bell,
            macros,
            dialect,
            variant,
            skip_check,
            strict_skip,
            no_arch_check,
            include,
            link,
            linux,
            test,
            plain,
            entry,
            args,
            observe,
            // Refused above.
            linearizable: _,
            synchronised: _,
            clients: _,
            persist,
            persist_with,
            fs,
            fsync_fails,
            recovery_writes,
            lines,
            arch,
            mapping,
            dependencies,
            unroll,
            max_events,
            threads: _,
            timeout: _,
            clang: _,
            shelf: _,
        } = input;
        self.value("--bell", bell.as_ref().map(|file| file.display()));
        macros.iter().for_each(|file| self.value("--macros", Some(file.display())));
        let dialect = dialect.map(|dialect| match dialect {
            Dialect::Herd => "herd",
            Dialect::Dartagnan => "dartagnan",
        });
        self.value("--dialect", dialect);
        self.list("--variant", variant.iter().map(String::as_str));
        self.list("--skip-check", skip_check.iter().map(String::as_str));
        self.flag("--strict-skip", *strict_skip);
        self.flag("--no-arch-check", *no_arch_check);
        include.iter().for_each(|dir| self.value("-I", Some(dir.display())));
        link.iter().for_each(|file| self.value("--link", Some(file.display())));
        self.value("--linux", linux.as_ref().map(|tree| tree.display()));
        self.list("--test", test.iter().map(String::as_str));
        self.value("--persist", persist.as_ref());
        self.list("--persist-with", persist_with.iter().map(String::as_str));
        self.value("--fs", fs.as_ref().map(|file| file.display()));
        self.flag("--fsync-fails", *fsync_fails);
        self.flag("--recovery-writes", *recovery_writes);
        self.value(
            "--lines",
            match lines {
                Lines::Layout => None,
                Lines::Variable => Some("variable"),
                Lines::Place => Some("place"),
            },
        );
        self.value("--plain", Some("once").filter(|_| *plain == PlainAccesses::Once));
        self.value("--entry", entry.as_ref());
        args.iter().for_each(|word| self.0.push(format!("--args={word}")));
        self.list("--observe", observe.iter().map(String::as_str));
        self.value("--arch", arch.as_ref());
        self.value("--mapping", mapping.as_ref());
        self.value("--dependencies", Some("syntactic").filter(|_| *dependencies == DependencyKind::Syntactic));
        self.value("--unroll", *unroll);
        self.value("--max-events", Some(*max_events));
    }

    fn flag(&mut self, name: &str, is_set: bool) {
        self.0.extend(is_set.then(|| name.to_owned()));
    }

    fn value(&mut self, name: &str, value: Option<impl ToString>) {
        if let Some(value) = value {
            self.0.extend([name.to_owned(), value.to_string()]);
        }
    }

    fn list<'a>(&mut self, name: &str, values: impl Iterator<Item = &'a str>) {
        let values: Vec<&str> = values.collect();
        self.value(name, Some(values.join(",")).filter(|_| !values.is_empty()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::CommandLine;
    use clap::Parser;

    fn parsed(arguments: &[&str]) -> CheckArgs {
        CommandLine::try_parse_from(std::iter::once(&"hmc").chain(arguments)).expect("valid").check
    }

    #[test]
    fn what_is_kept_means_the_same() {
        for said in [
            &["a.c"][..],
            &[
                "--cat",
                "m",
                "a.c",
                "--keep-going",
                "--stats",
                "--verbose",
                "--coverage",
                "--explain",
                "--strict",
                "--trace",
            ],
            &["a.c", "--properties", "race,memory", "--race-model", "m", "--retries", "all", "--equivalence", "rf"],
            &["a.c", "--symmetry", "off", "--equivalence", "rf+co", "--unroll", "3", "--max-events", "50", "--frames"],
            &[
                "a.c", "-I", "x", "-I", "y", "--link", "b.c", "--entry", "f", "--plain", "once", "--macros", "d.def",
                "--bell", "b.bell",
            ],
            &["a.c", "--variant", "v,w", "--skip-check", "c", "--strict-skip", "--no-arch-check", "--dialect", "herd"],
            &["a.c", "--arch", "AArch64", "--mapping", "c11", "--dependencies", "syntactic", "--condition-only"],
            &["a.c", "--linux", "tree", "--test", "f"],
            &["a.c", "--bound", "context=2"],
            &["a.c", "--no-race", "--cut", "bytes", "--", "-DN=2", "-O1"],
        ] {
            let first = of(&parsed(said)).expect("can be divided");
            let (options, clang) = first.split_at(first.iter().position(|a| a == "--").unwrap_or(first.len()));
            let again: Vec<&str> =
                options.iter().map(String::as_str).chain(["a.c"]).chain(clang.iter().map(String::as_str)).collect();
            assert_eq!(of(&parsed(&again)).expect("can be divided"), first, "{said:?}");
        }
        assert!(of(&parsed(&["a.c", "--audit"])).is_err());
        assert!(of(&parsed(&["a.c", "--engine", "enumerate"])).is_err());
    }
}
