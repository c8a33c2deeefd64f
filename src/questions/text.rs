//! Answers as text.

use super::compare::{Comparison, Direction, Relation, Verdict};
use super::mapping;
use super::properties::Property;
use std::fmt::Write;

/// A comparison, for people.
pub fn comparison(comparison: &Comparison) -> String {
    let [a, b] = &comparison.models;
    let mut out = match comparison.relation {
        Relation::Equivalent => format!("{a} and {b} are equivalent\n"),
        Relation::Stronger => format!("{a} is stronger than {b}\n"),
        Relation::Weaker => format!("{a} is weaker than {b}\n"),
        Relation::Incomparable => format!("{a} and {b} are incomparable\n"),
        Relation::Unknown => format!("how {a} and {b} relate is unknown\n"),
    };
    if let Some(arch) = &comparison.arch {
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "asked about executions of {arch} without locks and flushes that create no threads, each access of one location and size"
        );
    }
    for direction in &comparison.directions {
        out += &one(direction);
    }
    out
}

fn one(direction: &Direction) -> String {
    let mut out =
        format!("\nwhat {} allows, {} allows: {}\n", direction.stronger, direction.weaker, direction.known.word());
    out += &verdict(&direction.known);
    if !matches!(direction.known, Verdict::Refuted { .. }) {
        for part in &direction.approximated {
            let _ = writeln!(out, "  approximated: {part}");
        }
    }
    out
}

/// What is known, in lines that are indented.
pub fn verdict(known: &Verdict) -> String {
    let mut out = String::new();
    match known {
        Verdict::Proved { by } => {
            let by = if by.is_empty() { "what is true of every execution".to_owned() } else { by.join(", ") };
            let _ = writeln!(out, "  by {by}");
        }
        Verdict::Refuted { test } => {
            let _ = writeln!(out, "  {}: {}", test.name, test.program);
            let _ = writeln!(
                out,
                "  {} allows its outcome; {} forbids it ({})",
                test.allowed_by, test.forbidden_by, test.axiom
            );
            if !test.cycle.is_empty() {
                let _ = writeln!(out, "  {}", test.cycle);
            }
            for line in test.litmus.lines() {
                let _ = writeln!(out, "    {line}");
            }
        }
        Verdict::Unknown { up_to, open } => {
            let _ = match up_to {
                Some(size) => writeln!(out, "  no program of up to {size} events refutes it"),
                None => writeln!(out, "  no programs were searched"),
            };
            for axiom in open {
                let _ = writeln!(out, "  no proof of {}: {}", axiom.axiom, axiom.why);
            }
        }
    }
    out
}

/// Whether a mapping is right, for people.
pub fn mapping(source: &str, target: &str, found: &mapping::Verdict) -> String {
    let title = format!("what compiled programs do under {target}, their sources do under {source}");
    match found {
        mapping::Verdict::Refuted { test, compiled } => {
            let mut out = format!("{title}: refuted\n  {}: {}\n  compiled: {compiled}\n", test.name, test.program);
            // Writing to a string cannot fail.
            let _ = writeln!(out, "  {target} allows the outcome; {source} forbids it ({})", test.axiom);
            if !test.cycle.is_empty() {
                let _ = writeln!(out, "  {}", test.cycle);
            }
            test.litmus.lines().for_each(|line| out += &format!("    {line}\n"));
            out
        }
        mapping::Verdict::Unknown { up_to, left_out } => {
            let mut out = format!("{title}: unknown\n  no program of up to {up_to} events refutes it\n");
            if *left_out > 0 {
                let _ =
                    writeln!(out, "  {left_out} programs were not looked at: compiled, they have more than 16 events");
            }
            out
        }
    }
}

/// Properties, for people.
pub fn properties(title: &str, all: &[Property]) -> String {
    let mut out = format!("{title}\n");
    for property in all {
        let _ = writeln!(out, "  {} ({}): {}", property.name, property.meaning, property.known.word());
        for line in verdict(&property.known).lines() {
            let _ = writeln!(out, "  {line}");
        }
    }
    out
}
