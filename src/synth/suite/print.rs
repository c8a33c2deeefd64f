//! Tests in the field's litmus format.
//!
//! The writes of an address have the values 1, 2, … in the coherence order of the first outcome. The condition names the value of each read, and the final value of each
//! address with two writes or more.

use crate::synth::Test;
use crate::synth::minimal::Witness;
use crate::synth::minimal::frame::Layout;
use crate::synth::programs::program::{NO_ADDRESS, Program, Shape, address};
use crate::synth::programs::vocabulary::{Dependency, Printing, Vocabulary};
use std::fmt::Write;

/// Which condition a test has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// The outcomes exist.
    Exists,
    /// All executions have other outcomes.
    Forall,
}

/// A test as a litmus file. `comment` stands behind the header, a line each.
///
/// Errors: a thread that needs more registers than the architecture's file names.
pub fn litmus(
    test: &Test,
    vocabulary: &Vocabulary,
    name: &str,
    comment: &[String],
    condition: Condition,
) -> Result<String, String> {
    let layout = Layout::new(&test.program, vocabulary);
    let values = values(&layout, test.outcomes.first());
    let mut threads = Vec::new();
    let mut first = 0;
    for (number, shape) in test.program.threads.iter().enumerate() {
        let mut printer = Printer::new(vocabulary, number);
        printer.thread(shape, first, &values)?;
        first += shape.events.len();
        threads.push(printer);
    }
    let mut out = format!("{} {name}\n", vocabulary.arch);
    for line in comment {
        let _ = writeln!(out, "\"{}\"", line.replace('"', "'"));
    }
    let init: Vec<String> = threads.iter().flat_map(|t| t.init.iter().cloned()).collect();
    let _ = writeln!(out, "{{{}}}", if init.is_empty() { String::new() } else { format!("\n{}\n", init.join("\n")) });
    out += &if vocabulary.printing.functions {
        functions(&test.program, &threads, &vocabulary.printing.parameter)
    } else {
        columns(&threads)
    };
    if !vocabulary.scopes.is_empty() {
        out += &format!("scopes: {}\n", tree(&test.program, vocabulary));
    }
    let outcomes: Vec<String> = test.outcomes.iter().map(|w| outcome(w, &threads, &values)).collect();
    let all = outcomes.join("\n  \\/ ");
    out += &match condition {
        Condition::Exists => format!("exists\n  {all}\n"),
        Condition::Forall => format!("forall\n  ~({all})\n"),
    };
    Ok(out)
}

/// The value that each event writes.
fn values(layout: &Layout, witness: Option<&Witness>) -> Vec<u32> {
    let mut values = vec![0; layout.size + layout.addresses];
    for order in witness.map(|w| w.co.as_slice()).unwrap_or_default() {
        for (place, &write) in order.iter().enumerate() {
            values[write] = place as u32 + 1;
        }
    }
    values
}

/// An outcome as a conjunction.
fn outcome(witness: &Witness, threads: &[Printer<'_>], values: &[u32]) -> String {
    let mut atoms: Vec<String> = threads.iter().flat_map(|t| t.succeeds.iter().cloned()).collect();
    for &(read, source) in &witness.rf {
        let found = threads.iter().find_map(|t| Some((t.number, t.read.iter().find(|(e, _)| *e == read)?)));
        if let Some((thread, (_, register))) = found {
            atoms.push(format!("{thread}:{register}={}", values[source]));
        }
    }
    for (number, order) in witness.co.iter().enumerate().filter(|(_, order)| order.len() > 1) {
        let last = order.last().map_or(0, |&last| values[last]);
        atoms.push(format!("[{}]={last}", address(number as u8)));
    }
    format!("({})", atoms.join(" /\\ "))
}

/// The groups of threads: `(sys (gl (cta P0 P1)) (gl (cta P2)))`.
fn tree(program: &Program, vocabulary: &Vocabulary) -> String {
    let all: Vec<usize> = (0..program.threads.len()).collect();
    format!("({}{})", vocabulary.printing.root, subtree(program, vocabulary, 0, &all))
}

fn subtree(program: &Program, vocabulary: &Vocabulary, level: usize, threads: &[usize]) -> String {
    let (Some(kind), Some(name)) = (program.groups.get(level), vocabulary.scopes.get(level)) else {
        return threads.iter().map(|t| format!(" P{t}")).collect();
    };
    let groups: std::collections::BTreeSet<u8> = threads.iter().map(|&t| kind[t]).collect();
    let group = |g: u8| {
        let own: Vec<usize> = threads.iter().copied().filter(|&t| kind[t] == g).collect();
        format!(" ({name}{})", subtree(program, vocabulary, level + 1, &own))
    };
    groups.into_iter().map(group).collect()
}

/// Threads as columns of instructions.
fn columns(threads: &[Printer<'_>]) -> String {
    let width = |t: &Printer<'_>| t.lines.iter().map(String::len).chain([2]).max().unwrap_or(2);
    let widths: Vec<usize> = threads.iter().map(width).collect();
    let rows = threads.iter().map(|t| t.lines.len()).max().unwrap_or(0);
    let row = |cell: &dyn Fn(usize) -> String| {
        let cells: Vec<String> = widths.iter().enumerate().map(|(t, &width)| format!(" {:width$} ", cell(t))).collect();
        cells.join("|") + ";\n"
    };
    let mut out = row(&|t| format!("P{t}"));
    for i in 0..rows {
        out += &row(&|t| threads[t].lines.get(i).cloned().unwrap_or_default());
    }
    out
}

/// Threads as functions of C.
fn functions(program: &Program, threads: &[Printer<'_>], parameter: &str) -> String {
    let mut out = String::new();
    for (thread, printer) in program.threads.iter().zip(threads) {
        let mut used: Vec<u8> = thread.events.iter().map(|e| e.address).filter(|&a| a != NO_ADDRESS).collect();
        used.sort_unstable();
        used.dedup();
        let parameters: Vec<String> = used.into_iter().map(|a| format!("{parameter} {}", address(a))).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(out, "P{} ({}) {{", printer.number, parameters.join(", "));
        printer.lines.iter().for_each(|line| {
            let _ = writeln!(out, "  {line}");
        });
        out += "}\n";
    }
    out
}

/// Prints one thread.
struct Printer<'v> {
    vocabulary: &'v Vocabulary,
    printing: &'v Printing,
    number: usize,
    /// The next register.
    next: usize,
    labels: usize,
    /// Branches whose end is to come.
    open: usize,
    init: Vec<String>,
    lines: Vec<String>,
    /// Reads, by number of event, with the register that conditions name.
    read: Vec<(usize, String)>,
    /// What holds where exclusive pairs have succeeded.
    succeeds: Vec<String>,
    /// Registers that hold addresses.
    pointers: Vec<(u8, usize)>,
    /// The register that each event of the thread reads into.
    results: Vec<usize>,
}

impl<'v> Printer<'v> {
    fn new(vocabulary: &'v Vocabulary, number: usize) -> Printer<'v> {
        Printer {
            vocabulary,
            printing: &vocabulary.printing,
            number,
            next: 0,
            labels: 0,
            open: 0,
            init: Vec::new(),
            lines: Vec::new(),
            read: Vec::new(),
            succeeds: Vec::new(),
            pointers: Vec::new(),
            results: Vec::new(),
        }
    }

    /// The instructions of a thread whose first event has number `first`.
    fn thread(&mut self, shape: &Shape, first: usize, values: &[u32]) -> Result<(), String> {
        let mut i = 0;
        while i < shape.events.len() {
            let event = shape.events[i];
            let token = self.vocabulary.token(event.token);
            let pair = event.paired.then(|| self.vocabulary.pair(event.token, shape.events[i + 1].token)).flatten();
            let halves = if pair.is_some() { 2 } else { 1 };
            let sources = |kind: Dependency| -> Vec<usize> {
                let own = shape.depends.iter().filter(|d| (i..i + halves).contains(&(d.to as usize)) && d.kind == kind);
                own.map(|d| d.from as usize).collect()
            };
            for from in sources(Dependency::Ctrl) {
                let branch = self.printing.branch.clone();
                self.emit(&branch, &[("{r}", self.value_name(self.results[from]))]);
                self.open += usize::from(!self.printing.end.is_empty());
            }
            let place = match event.address {
                NO_ADDRESS => String::new(),
                address => self.place(address, &sources(Dependency::Addr))?,
            };
            let writes = token.kind.writes() || pair.is_some();
            let written = match writes {
                true => self.written(values[first + i + halves - 1], &sources(Dependency::Data))?,
                false => String::new(),
            };
            let reads = token.kind.reads();
            let result = if reads { self.register()? } else { 0 };
            self.results.extend(std::iter::repeat_n(result, halves));
            if reads {
                self.read.push((first + i, self.printing.registers[result].clone()));
            }
            let code = pair.map_or(&token.code, |pair| &pair.code).clone();
            let free = self.status(&code)?;
            let result = if reads { self.value_name(result) } else { written.clone() };
            self.emit(&code, &[("{r}", result), ("{w}", written), ("{a}", place), ("{s}", free)]);
            i += halves;
        }
        self.lines.extend(vec![self.printing.end.clone(); self.open]);
        Ok(())
    }

    /// A register that is not used yet.
    fn register(&mut self) -> Result<usize, String> {
        let limit = self.printing.registers.len();
        if self.next == limit {
            return Err(format!("a thread needs more than the {limit} registers that the lattice file names"));
        }
        self.next += 1;
        Ok(self.next - 1)
    }

    fn value_name(&self, register: usize) -> String {
        self.printing.values.get(register).unwrap_or(&self.printing.registers[register]).clone()
    }

    /// The register that tells whether an exclusive pair has succeeded, where instructions have one.
    fn status(&mut self, code: &[String]) -> Result<String, String> {
        let Some(success) = self.printing.success.as_ref().filter(|_| code.iter().any(|line| line.contains("{s}")))
        else {
            return Ok(String::new());
        };
        let status = self.register()?;
        self.succeeds.push(format!("{}:{}={success}", self.number, self.printing.registers[status]));
        Ok(self.value_name(status))
    }

    /// An address, moved by 0 for each read that it depends on.
    fn place(&mut self, number: u8, sources: &[usize]) -> Result<String, String> {
        if self.printing.pointers.is_empty() {
            let add = |place: String, &source: &usize| {
                self.printing.moved.replace("{a}", &place).replace("{r}", &self.value_name(self.results[source]))
            };
            return Ok(sources.iter().fold(address(number), add));
        }
        let known = self.pointers.iter().find(|(address, _)| *address == number).map(|(_, register)| *register);
        let base = match known {
            Some(register) => register,
            None => {
                let register = self.register()?;
                self.pointers.push((number, register));
                self.init.push(format!("{}:{}={};", self.number, self.printing.registers[register], address(number)));
                register
            }
        };
        let mut place = self.printing.pointers[base].clone();
        for &source in sources {
            let moved = self.register()?;
            self.zero(source, moved);
            let to = self.printing.pointers[moved].clone();
            let line = self.printing.offset.clone();
            let zero = self.value_name(moved);
            self.emit(&[line], &[("{t}", to.clone()), ("{a}", place), ("{s}", zero)]);
            place = to;
        }
        Ok(place)
    }

    /// A value, changed by 0 for each read that it depends on: a register, or a number where instructions take one.
    fn written(&mut self, value: u32, sources: &[usize]) -> Result<String, String> {
        if self.printing.constant.is_empty() {
            let add = |value: String, &source: &usize| {
                self.printing.sum.replace("{w}", &value).replace("{r}", &self.value_name(self.results[source]))
            };
            return Ok(sources.iter().fold(value.to_string(), add));
        }
        let register = self.register()?;
        let name = self.value_name(register);
        let line = self.printing.constant.clone();
        self.emit(&[line], &[("{r}", name.clone()), ("{v}", value.to_string())]);
        for &source in sources {
            let zero = self.register()?;
            self.zero(source, zero);
            let line = self.printing.add.clone();
            let zero = self.value_name(zero);
            self.emit(&[line], &[("{r}", name.clone()), ("{s}", zero)]);
        }
        Ok(name)
    }

    fn zero(&mut self, source: usize, into: usize) {
        let line = self.printing.zero.clone();
        let (from, into) = (self.value_name(self.results[source]), self.value_name(into));
        self.emit(&[line], &[("{s}", into), ("{r}", from)]);
    }

    /// Emits instructions with their operands filled in.
    fn emit(&mut self, code: &[String], operands: &[(&str, String)]) {
        let label = format!("{}{}", self.number, self.labels);
        self.labels += usize::from(code.iter().any(|line| line.contains("{n}")));
        for line in code {
            let filled =
                operands.iter().fold(line.replace("{n}", &label), |line, (name, with)| line.replace(name, with));
            self.lines.push(filled);
        }
    }
}
