//! Assembly files: which processor they are for, and what is read of them.

use super::code::examine;
use super::inputs::messages;
use super::inputs::models::{Models, adapt};
use super::inputs::settings::Settings;
use super::questions::started::{Given, Started};
use crate::assembly::{self, Argument, Start, Target, Unit};
use crate::clock::Instant;
use crate::litmus::{Error, Options, Test};
use crate::program::rounds::{self, Rounds};
use crate::program::{Object, Program, Variable};
use crate::verdict::{FileResult, Message, Sources, Verdict};

/// Reads a text with this name into a test.
pub(super) type Reader = Box<dyn Fn(&str, &str, &Options) -> Result<Test, Vec<Error>>>;

/// How a file is read, and the architecture of its tests.
pub(super) fn reader(
    text: &str,
    name: &str,
    sources: &Sources,
    color: bool,
) -> Result<(Option<&'static str>, Reader), Box<Message>> {
    let Some(target) = Target::of(text) else {
        let message = "no instruction here tells which processor this is written for";
        let error = Error::new("litmus::assembly", 0..0, message);
        sources.insert(name, text);
        return Err(Box::new(messages::litmus_error(&error, name, text, sources, color)));
    };
    let read = move |text: &str, name: &str, options: &Options| assembly::parse(text, name, target, options);
    Ok((Some(target.arch().name()), Box::new(read)))
}

/// Assembly that a program was compiled to.
pub struct Code<'a> {
    /// How it is called in messages.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
    /// What it is written for.
    pub target: Target,
}

/// Runs the threads of a program as compiled, under the model of a processor. The outcomes are the values of the variables of the program that are observed.
pub fn outcomes(
    code: &Code<'_>,
    started: &Started,
    (model, models): (&str, &Models),
    settings: &Settings,
    sources: &Sources,
) -> FileResult {
    let begun = Instant::now();
    let mut result = FileResult::new(code.name.to_owned(), model);
    sources.insert(code.name, code.text);
    let usable = match models.get(Some(code.target.arch().name())) {
        Ok(usable) => usable,
        Err((reasons, verdict)) => return result.failed(reasons, verdict),
    };
    let options = Options { macros: usable.macros.clone() };
    let test = Unit::read(code.text, code.target).and_then(|unit| {
        let starts: Vec<Start> = started.threads.iter().map(|thread| start(thread, &started.program)).collect();
        let mut test = assembly::test(&unit, &starts, code.text, code.name, &[], &options)?;
        match carry_over(&mut test, &unit, started) {
            Ok(()) => Ok(test),
            Err(why) => Err(vec![Error::unsupported("litmus::assembly-data", 0..0, why)]),
        }
    });
    let mut test = match test {
        Ok(test) => test,
        Err(errors) => {
            let unsupported = errors.iter().all(|e| e.unsupported);
            let told = |e: &Error| messages::litmus_error(e, code.name, code.text, sources, settings.color);
            let verdict = if unsupported { Verdict::Unsupported } else { Verdict::Error };
            return result.failed(errors.iter().map(told).collect(), verdict);
        }
    };
    adapt(&mut test.program, &usable.model);
    rounds::leave_out(&mut test.program, Rounds::Retries);
    let bounded = Settings { unroll: super::litmus::bound_of_code(&test, settings), ..settings.clone() };
    result.arch = Some(test.arch.name().to_owned());
    result = examine(&test.program, &usable, &bounded, sources, result);
    result.seconds = begun.elapsed().as_secs_f64();
    result
}

fn start((function, given): &(String, Given), program: &Program) -> Start {
    let argument = match *given {
        Given::Number(number) => Argument::Number(number),
        Given::Place(object, offset) => Argument::Address(program.objects[object].name.clone(), offset as i64),
    };
    Start { function: function.clone(), argument: Some(argument) }
}

/// Gives the variables of a test the names of their parts in the source, and what `main` has put into them.
fn carry_over(test: &mut Test, unit: &Unit, started: &Started) -> Result<(), String> {
    let source = &started.program;
    let place = |objects: &[Object], name: &str| {
        let plain = unit.data.resolve(name).map(|(variable, _)| unit.plain_name(&variable.name))?;
        objects.iter().position(|object| object.name == plain)
    };
    let mut variables = Vec::new();
    for variable in &source.variables {
        let object = &source.objects[variable.object as usize];
        let Some(at) = place(&test.program.objects, &object.name) else {
            match variable.external {
                true => return Err(format!("the assembly has no variable `{}`", object.name)),
                false => continue,
            }
        };
        let own = &mut test.program.objects[at];
        if own.bytes.len() != object.bytes.len() {
            return Err(format!("`{}` has another size in the assembly", object.name));
        }
        own.cells.clone_from(&object.cells);
        own.name.clone_from(&object.name);
        variables.push(Variable { object: at as u32, ..variable.clone() });
    }
    for (changed, bytes) in &started.contents {
        let object = &source.objects[*changed];
        let Some(at) = place(&test.program.objects, &object.name) else { continue };
        let pointers = source.variables.iter().filter(|v| v.object as usize == *changed).flat_map(|v| &v.pointers);
        let mut bytes = bytes.clone();
        for &offset in pointers {
            let at = offset as usize..offset as usize + 8;
            let Some(slot) = bytes.get_mut(at) else { continue };
            let value = slot.iter().rev().fold(0_u64, |value, byte| value << 8 | u64::from(*byte));
            if value == 0 {
                continue;
            }
            let target = source.object_at(value);
            let there =
                target.and_then(|target| Some((place(&test.program.objects, &target.name)?, value - target.address)));
            let Some((target, distance)) = there else {
                return Err(format!(
                    "`main` gives `{}` the address of what is no variable of the assembly",
                    object.name
                ));
            };
            slot.copy_from_slice(&(test.program.objects[target].address + distance).to_le_bytes());
        }
        test.program.objects[at].bytes = bytes;
    }
    test.program.variables = variables;
    Ok(())
}
