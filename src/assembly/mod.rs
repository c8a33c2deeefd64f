//! Assembly files (`.s`) as compilers write them, for four processors: read into litmus tests.
//!
//! - [`target`]: the processors. [`text`]: statements. [`data`]: variables. [`mod@unit`]: a file.
//! - [`rewrite`]: an instruction in the spelling of litmus tests, one file a processor.
//! - [`written`]: the test: a column for each thread, calls replaced by what is called. [`contents`]: its initial state.
//!
//! A thread is a function. It has a stack of its own, which is memory like any other: what is kept there keeps its dependencies as far as the model says so.
//! What a test is, is said in [`crate::litmus`]; here is only what compilers write and litmus tests do not have.

pub mod contents;
pub mod data;
pub mod rewrite;
pub mod target;
pub mod text;
pub mod unit;
pub mod written;

pub use target::Target;
pub use unit::Unit;
pub use written::{Argument, Start, Written, stack_name};

use crate::litmus::{self, Error, Options, Test, error};
use std::ops::Range;

/// Reads a file into a litmus test whose places are those of the file. The threads and the condition are those that its comments name.
pub fn parse(text: &str, file_name: &str, target: Target, options: &Options) -> Result<Test, Vec<Error>> {
    let unit = Unit::read(text, target)?;
    let (starts, condition) = wishes(&unit)?;
    test(&unit, &starts, text, file_name, &condition, options)
}

/// The litmus test of a file's threads. `condition`: lines behind the program.
pub fn test(
    unit: &Unit,
    starts: &[Start],
    text: &str,
    file_name: &str,
    condition: &[(Range<usize>, String)],
    options: &Options,
) -> Result<Test, Vec<Error>> {
    let base = file_name.rsplit(['/', '\\']).next().unwrap_or(file_name);
    let stem: String = base.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let written = written::write(unit, starts, &stem, condition)?;
    let parsed = litmus::parse(&written.text, file_name, options);
    let of_line = |line: u32| written.lines.get((line as usize).saturating_sub(1)).cloned().unwrap_or(0..0);
    match parsed {
        Ok(mut test) => {
            // Whatever is usual for litmus tests of the architecture.
            test.program.big_endian = false;
            test.program.objects = test.context.memory.objects(false);
            for span in test.program.spans.iter_mut().filter(|span| span.line > 0) {
                (span.line, span.column) = error::line_column(text, of_line(span.line).start);
            }
            Ok(test)
        }
        Err(errors) => Err(errors
            .into_iter()
            .map(|e| Error { span: of_line(error::line_column(&written.text, e.span.start).0), ..e })
            .collect()),
    }
}

/// The threads, and the condition.
type Wishes = (Vec<Start>, Vec<(Range<usize>, String)>);

/// What the comments of a file ask for: `litmus: threads f, g(1), h(x)`; each other one is a line of the condition. Without them: the functions `P0`, `P1`, …, and all
/// variables that other files may name.
fn wishes(unit: &Unit) -> Result<Wishes, Vec<Error>> {
    let mut starts = Vec::new();
    let mut condition = Vec::new();
    for (span, wish) in unit.wishes.iter().filter(|(_, wish)| !wish.starts_with("target ")) {
        match wish.strip_prefix("threads ") {
            Some(all) => {
                for one in text::operands(all) {
                    starts.push(start(&one).ok_or_else(|| {
                        let message = format!("`{one}` is no thread");
                        let error = Error::new("litmus::assembly-threads", span.clone(), message);
                        vec![error.help("a thread is `function`, `function(number)` or `function(variable)`")]
                    })?);
                }
            }
            None => condition.push((span.clone(), wish.clone())),
        }
    }
    if starts.is_empty() {
        let named = |number: u32| unit.functions.iter().find(move |f| data::thread_number(&f.name) == Some(number));
        let all = (0..).map_while(named);
        starts = all.map(|function| Start { function: function.name.clone(), argument: None }).collect();
    }
    if starts.is_empty() {
        let error = Error::new("litmus::assembly-threads", 0..0, "this file does not say which functions are threads");
        return Err(vec![error]);
    }
    if condition.is_empty() {
        let global = unit.data.variables.iter().filter(|variable| variable.global);
        let names = global.flat_map(|variable| {
            let (name, count) = (unit.plain_name(&variable.name), variable.cells().1);
            (0..count).map(move |i| if count == 1 { name.to_owned() } else { format!("{name}[{i}]") })
        });
        condition.push((0..0, format!("locations [{}]", names.map(|name| name + ";").collect::<Vec<_>>().join(" "))));
    }
    Ok((starts, condition))
}

/// `f`, `f(1)`, `f(x+4)`
fn start(text: &str) -> Option<Start> {
    let (function, argument) = match text.split_once('(') {
        Some((function, rest)) => (function.trim(), Some(rest.strip_suffix(')')?.trim())),
        None => (text.trim(), None),
    };
    let argument = match argument.filter(|argument| !argument.is_empty()) {
        None => None,
        Some(argument) => Some(match litmus::token::number(argument) {
            Some(number) => Argument::Number(number),
            None => data::symbol(argument).map(|(name, offset)| Argument::Address(name, offset))?,
        }),
    };
    (!function.is_empty()).then(|| Start { function: function.to_owned(), argument })
}
