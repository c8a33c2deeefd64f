//! An assembly file: its functions and its data.

use super::data::Data;
use super::target::Target;
use super::text::{self, Kind, Statement};
use crate::litmus::Error;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub span: Range<usize>,
    /// Its labels and instructions.
    pub body: Vec<Statement>,
}

/// An assembly file.
#[derive(Clone, Debug)]
pub struct Unit {
    /// What it is written for.
    pub target: Target,
    /// Its functions, in order.
    pub functions: Vec<Function>,
    /// Its data.
    pub data: Data,
    /// What comments that begin with `litmus:` say.
    pub wishes: Vec<(Range<usize>, String)>,
    /// Of RISC-V: labels before instructions that take the upper part of an address, and that part.
    pub upper_parts: HashMap<String, String>,
    /// Names of variables in the test, by their names in the file.
    names: HashMap<String, String>,
}

impl Unit {
    /// Reads a file.
    pub fn read(text: &str, target: Target) -> Result<Unit, Vec<Error>> {
        let text = text::read(text, target)?;
        let data = Data::read(&text.statements, target);
        let names = plain_names(&data);
        let (functions, upper_parts) = (functions(&text.statements, &data), upper_parts(&text.statements));
        Ok(Unit { target, functions, data, wishes: text.wishes, upper_parts, names })
    }

    /// The function of that name.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }

    /// The name of a variable in the test.
    pub fn plain_name<'n>(&'n self, name: &'n str) -> &'n str {
        self.names.get(name).map_or(name, String::as_str)
    }
}

/// The functions of a file: from the label to the next function's, or to `.size`.
fn functions(statements: &[Statement], data: &Data) -> Vec<Function> {
    let mut all: Vec<Function> = Vec::new();
    let mut open = false;
    for statement in statements {
        match &statement.kind {
            Kind::Label(name) if data.is_function(name) && data.resolve(name).is_none() => {
                all.push(Function { name: name.clone(), span: statement.span.clone(), body: Vec::new() });
                open = true;
            }
            Kind::Directive(name, operands) => {
                let ends = name == ".size" && all.last().is_some_and(|f| operands.first() == Some(&f.name));
                open &= !ends;
            }
            Kind::Label(_) | Kind::Instruction(..) => {
                if let (true, Some(function)) = (open, all.last_mut()) {
                    function.body.push(statement.clone());
                }
            }
        }
    }
    all
}

fn upper_parts(statements: &[Statement]) -> HashMap<String, String> {
    let mut all = HashMap::new();
    for pair in statements.windows(2) {
        if let (Kind::Label(label), Kind::Instruction(name, operands)) = (&pair[0].kind, &pair[1].kind)
            && let ("auipc", Some(part)) = (name.as_str(), operands.get(1))
        {
            all.insert(label.clone(), part.clone());
        }
    }
    all
}

/// Names that a litmus test can have, each for one variable.
fn plain_names(data: &Data) -> HashMap<String, String> {
    let is_plain = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let names = || data.variables.iter().map(|variable| variable.name.as_str());
    let mut taken: HashSet<String> = names().filter(|name| is_plain(name)).map(str::to_owned).collect();
    let mut all = HashMap::new();
    for name in names().filter(|name| !is_plain(name)) {
        let mut plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        plain.insert(0, 'v');
        while !taken.insert(plain.clone()) {
            plain.push('_');
        }
        all.insert(name.to_owned(), plain);
    }
    all
}
