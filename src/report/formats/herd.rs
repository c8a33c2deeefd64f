//! The log block of the field's reference tool for one litmus test, which its comparison tools read (`LITMUS.md` §5.4).

use crate::litmus::outcome::{Observation, Summary, Verdict};
use crate::litmus::{Test, condition};
use crate::verdict::Log;
use std::fmt::Write;

/// The block, from the `Test` line to the blank line after it, around the states. When the search ended as soon as the condition was decided,
/// the only state is that of the execution that decided it, and the observation, which is not known, is left out.
pub fn block(test: &Test, summary: &Summary, states: &[String], seconds: f64) -> Log {
    let name = &test.name;
    let head = format!("Test {name} {}\nStates {}\n", summary.kind, states.len());
    let mut out = String::new();
    let mut line = |text: std::fmt::Arguments<'_>| {
        // Writing to a string cannot fail.
        let _ = out.write_fmt(text);
        out.push('\n');
    };
    let cut = if summary.cut { "Loop " } else { "" };
    line(format_args!("{cut}{}", verdict(summary.verdict)));
    line(format_args!("Witnesses"));
    let (positive, negative) = summary.witnesses(test.quantifier);
    line(format_args!("Positive: {positive} Negative: {negative}"));
    summary.flags.iter().for_each(|flag| line(format_args!("Flag {flag}")));
    let quantifier = condition::quantifier_word(test.quantifier);
    line(format_args!("Condition {quantifier} ({})", test.context.print(&test.condition)));
    if summary.partial {
        // With a state: the one that decides it. Without: no execution that was left out can.
        let how = if states.is_empty() { "without looking at every execution" } else { "by one execution" };
        line(format_args!("Decided {name} {how}"));
    } else {
        let observation = observation(summary.observation);
        line(format_args!("Observation {name} {observation} {} {}", summary.holding, summary.failing));
    }
    line(format_args!("Time {name} {seconds:.2}"));
    line(format_args!("Hash={}", test.hash));
    line(format_args!(""));
    Log { head, tail: out }
}

/// The word for a verdict.
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ok => "Ok",
        Verdict::No => "No",
        Verdict::Undef => "Undef",
    }
}

/// The word for an observation.
pub fn observation(observation: Observation) -> &'static str {
    match observation {
        Observation::Never => "Never",
        Observation::Sometimes => "Sometimes",
        Observation::Always => "Always",
    }
}

#[cfg(test)]
mod tests {
    use crate::litmus::outcome::{Found, states, summarise};
    use crate::litmus::{Options, parse};
    use crate::report::formats::herd::*;

    const TEXT: &str = "AArch64 T\n{ uint64_t y; 0:X1=x; 0:X7=0x100000001; }\n P0 ;\n LDR W0,[X1] ;\n MOV X2,X1 ;\n\
                        locations [y; 0:X7;]\n~exists (0:X0=1 /\\ (x=0x10 \\/ not 0:X2=x => true) /\\ 0:X0!=-1)";

    #[test]
    fn block_of_a_test() {
        let test = parse(TEXT, "t.litmus", &Options::default()).unwrap();
        let names: Vec<&str> = test.context.watches.iter().map(|w| w.name.as_str()).collect();
        assert_eq!(names, ["[y]", "0:X7", "0:X0", "[x]", "0:X2"]);
        let x = test.context.memory.find("x").unwrap().address;
        let found = |x0: u64, count| {
            let end: Box<[u64]> = Box::new([u64::MAX, 0x1_0000_0001, x0, 16, x]);
            (end, Found { count, ..Default::default() })
        };
        let all = [found(1, 2), found(0, 1), found(0, 4)];
        let summary = summarise(&test, &all, false);
        let states = states(&test, all.to_vec());
        let block: String = block(&test, &summary, &states, 0.034).pieces(&states).collect();
        let expected = format!(
            "Test T Forbidden\nStates 2\n\
             0:X0=0; 0:X2=x; 0:X7=1; [x]=16; [y]=18446744073709551615;\n\
             0:X0=1; 0:X2=x; 0:X7=1; [x]=16; [y]=18446744073709551615;\n\
             No\nWitnesses\nPositive: 5 Negative: 2\n\
             Condition ~exists (0:X0=1 /\\ ([x]=16 \\/ (not (0:X2=x) => true)) /\\ not (0:X0=-1))\n\
             Observation T Sometimes 2 5\nTime T 0.03\nHash={}\n\n",
            test.hash
        );
        assert_eq!(block, expected);
    }
}
