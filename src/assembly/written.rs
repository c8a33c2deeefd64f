//! The litmus test that an assembly file comes to: one column a thread, one instruction a row, calls replaced by what is called.

use super::contents;
use super::rewrite::{self, Context, Refusal, Step};
use super::text::Kind;
use super::unit::{Function, Unit};
use crate::litmus::Error;
use std::collections::BTreeSet;
use std::ops::Range;

/// A thread: the function that it runs, and its argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// The function.
    pub function: String,
    /// The argument, if it has one.
    pub argument: Option<Argument>,
}

/// What a thread is started with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A number.
    Number(u64),
    /// The address of a variable, and what is added.
    Address(String, i64),
}

/// A test as text, and what each of its lines was made of.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The test.
    pub text: String,
    /// The bytes of the file that each line was made of.
    pub lines: Vec<Range<usize>>,
}

impl Written {
    fn line(&mut self, text: &str, of: Range<usize>) {
        self.text += text;
        self.text.push('\n');
        self.lines.push(of);
    }
}

/// Calls that are nested deeper than this, and threads with more instructions, are refused.
const DEEPEST: usize = 64;
const MOST_ROWS: usize = 20_000;
/// Bytes below the stack pointer that code may use without asking, and bytes of the caller's frame.
const RED_ZONE: u64 = 288;
const CALLERS: u64 = 256;
/// The largest stack.
const MOST_STACK: u64 = 1 << 16;

/// Writes the test. `condition`: its lines behind the program, with their places.
pub fn write(
    unit: &Unit,
    starts: &[Start],
    name: &str,
    condition: &[(Range<usize>, String)],
) -> Result<Written, Vec<Error>> {
    let mut errors = Vec::new();
    let mut named: BTreeSet<String> = unit.data.variables.iter().filter(|v| v.global).map(|v| v.name.clone()).collect();
    let mut columns = Vec::new();
    for start in starts {
        let mut column = Column { unit, rows: Vec::new(), copies: 0, calls: Vec::new(), named: Vec::new() };
        match unit.function(&start.function) {
            Some(function) => match column.function(function) {
                Ok(()) => {}
                Err(error) => errors.push(error),
            },
            None => {
                let message = format!("there is no function `{}` in this file", start.function);
                errors.push(Error::new("litmus::assembly-threads", 0..0, message));
            }
        }
        named.extend(column.named.drain(..));
        if let Some(Argument::Address(variable, _)) = &start.argument {
            match unit.data.resolve(variable) {
                Some((variable, _)) => drop(named.insert(variable.name.clone())),
                None => {
                    let message = format!("there is no variable `{variable}` in this file");
                    errors.push(Error::new("litmus::assembly-threads", 0..0, message));
                }
            }
        }
        columns.push(column.rows);
    }
    let declarations = contents::declarations(unit, &named).unwrap_or_else(|all| {
        errors.extend(all);
        Vec::new()
    });
    let mut stacks = Vec::new();
    for (rows, start) in columns.iter().zip(starts) {
        match stack(unit, rows) {
            Ok(bytes) => stacks.push(bytes),
            Err(()) => {
                let span = unit.function(&start.function).map_or(0..0, |function| function.span.clone());
                let message =
                    format!("`{}` needs a stack whose size hmc does not know, or a very large one", start.function);
                errors.push(Error::unsupported("litmus::assembly-stack", span, message));
            }
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut out = Written::default();
    out.line(&format!("{} {name}", unit.target.arch().name()), 0..0);
    out.line("{", 0..0);
    for (text, span) in declarations {
        out.line(&text, span);
    }
    for (thread, (start, bytes)) in starts.iter().zip(stacks).enumerate() {
        let span = unit.function(&start.function).map_or(0..0, |function| function.span.clone());
        initial(&mut out, unit, thread, start, bytes, span);
    }
    out.line("}", 0..0);
    let header: Vec<String> = (0..starts.len()).map(|thread| format!("P{thread}")).collect();
    out.line(&format!("{} ;", header.join(" | ")), 0..0);
    for (thread, rows) in columns.into_iter().enumerate() {
        let (before, after) = ("| ".repeat(thread), " |".repeat(starts.len() - thread - 1));
        for (row, span) in rows {
            out.line(&format!("{before}{row}{after} ;"), span);
        }
    }
    for (span, text) in condition {
        out.line(text, span.clone());
    }
    Ok(out)
}

/// The stack and the argument of a thread.
fn initial(out: &mut Written, unit: &Unit, thread: usize, start: &Start, bytes: u64, span: Range<usize>) {
    let target = unit.target;
    let stack = stack_name(unit, thread);
    let (below, cells) = (bytes / 8, (bytes + CALLERS) / 8);
    out.line(&format!("int64_t {stack}[{cells}];"), span.clone());
    out.line(&format!("{thread}:{}=&{stack}[{below}];", target.stack_pointer()), span.clone());
    let register = target.argument();
    match &start.argument {
        None => {}
        Some(Argument::Number(value)) => out.line(&format!("{thread}:{register}={value};"), span),
        Some(Argument::Address(name, offset)) => {
            let resolved = unit.data.resolve(name);
            let value = resolved.and_then(|(v, more)| contents::address(unit, v, offset + more)).unwrap_or_default();
            out.line(&format!("{thread}:{register}={value};"), span);
        }
    }
}

/// The variable that is the stack of a thread.
pub fn stack_name(unit: &Unit, thread: usize) -> String {
    let mut name = format!("stack{thread}");
    while unit.data.variables.iter().any(|variable| unit.plain_name(&variable.name) == name) {
        name.push('_');
    }
    name
}

/// Bytes that a thread's frames need: all that its code adds to the stack pointer or takes from it.
fn stack(unit: &Unit, rows: &[(String, Range<usize>)]) -> Result<u64, ()> {
    let pointer = unit.target.stack_pointer().to_ascii_lowercase();
    let mut bytes = RED_ZONE;
    for (row, _) in rows {
        let (mnemonic, operands) = row.split_once(' ').unwrap_or((row, ""));
        let operands = operands.to_ascii_lowercase();
        let words: Vec<&str> = operands.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).collect();
        if !words.contains(&pointer.as_str()) {
            continue;
        }
        let moves = matches!(mnemonic, "sub" | "add" | "addi" | "stdu" | "stdux" | "subq" | "addq" | "leaq" | "andq");
        let writes_back = operands.contains("]!") || operands.contains("],");
        if !moves && !writes_back {
            continue;
        }
        let numbers: Vec<u64> = words.iter().filter_map(|w| w.trim_start_matches('-').parse().ok()).collect();
        let is_computed = mnemonic == "sub" && operands.starts_with(&pointer) && numbers.is_empty();
        if is_computed || matches!(mnemonic, "stdux" | "andq") {
            return Err(());
        }
        bytes += numbers.iter().sum::<u64>();
    }
    let bytes = bytes.next_multiple_of(16);
    if bytes > MOST_STACK { Err(()) } else { Ok(bytes) }
}

/// The instructions of a thread.
struct Column<'u> {
    unit: &'u Unit,
    rows: Vec<(String, Range<usize>)>,
    copies: usize,
    calls: Vec<&'u str>,
    named: Vec<String>,
}

impl<'u> Column<'u> {
    /// Appends a copy of a function's code.
    fn function(&mut self, function: &'u Function) -> Result<(), Error> {
        let refuse = |what: &str| {
            let message = format!("`{}` {what}", function.name);
            Error::unsupported("litmus::assembly-call", function.span.clone(), message)
        };
        if self.calls.contains(&function.name.as_str()) {
            return Err(refuse("calls itself, and hmc puts the code of a function in the place of its call"));
        }
        if self.calls.len() >= DEEPEST || self.rows.len() > MOST_ROWS {
            return Err(refuse("makes a thread of too many instructions"));
        }
        self.calls.push(&function.name);
        let labels = function.body.iter().filter_map(|statement| match &statement.kind {
            Kind::Label(name) => Some(name.as_str()),
            _ => None,
        });
        let mut cx = Context { unit: self.unit, labels: labels.collect(), copy: self.copies, named: Vec::new() };
        self.copies += 1;
        let end = cx.unique("end");
        let target = self.unit.target;
        for statement in &function.body {
            let span = &statement.span;
            let row = |text: String, rows: &mut Vec<(String, Range<usize>)>| rows.push((text, span.clone()));
            match &statement.kind {
                Kind::Label(name) => row(format!("{}:", cx.unique(name)), &mut self.rows),
                Kind::Directive(..) => {}
                Kind::Instruction(mnemonic, operands) => {
                    match rewrite::step(&mut cx, mnemonic, operands).map_err(|refusal| complaint(refusal, span))? {
                        Step::Rows(texts) => texts.into_iter().for_each(|text| row(text, &mut self.rows)),
                        Step::Return => row(rewrite::jump(target, &end), &mut self.rows),
                        Step::ReturnIf(jump) => {
                            let separator = if jump.contains(' ') { "," } else { " " };
                            row(format!("{jump}{separator}{end}"), &mut self.rows);
                        }
                        Step::Call(name) => self.call(&name)?,
                        Step::TailCall(name) => {
                            self.call(&name)?;
                            row(rewrite::jump(target, &end), &mut self.rows);
                        }
                    }
                }
            }
        }
        self.rows.push((format!("{end}:"), function.span.clone()));
        self.named.append(&mut cx.named);
        self.calls.pop();
        Ok(())
    }

    fn call(&mut self, name: &str) -> Result<(), Error> {
        let unit = self.unit;
        unit.function(name).map_or(Ok(()), |function| self.function(function))
    }
}

fn complaint(refusal: Refusal, span: &Range<usize>) -> Error {
    match refusal {
        Refusal::Wrong(message) => Error::new("litmus::assembly", span.clone(), message),
        Refusal::Unsupported(message) => Error::unsupported("litmus::unsupported-instruction", span.clone(), message),
    }
}
