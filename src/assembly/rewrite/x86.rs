//! x86-64: variables by `%rip`, the stack's own instructions.

use super::context::{Context, Refusal, Step, spelled, unknown_call, unlinked};
use crate::assembly::data::symbol;

pub(super) fn step(cx: &mut Context<'_>, mnemonic: &str, operands: &[String]) -> Result<Step, Refusal> {
    let first = operands.first().map_or("", String::as_str);
    match mnemonic {
        "endbr64" => return Ok(Step::Rows(Vec::new())),
        "ret" | "retq" => return Ok(Step::Return),
        "call" | "callq" => {
            let name = unlinked(first);
            return if cx.is_function(name) { Ok(Step::Call(name.to_owned())) } else { Err(unknown_call(name)) };
        }
        "jmp" if cx.label(first).is_none() && cx.is_function(unlinked(first)) => {
            return Ok(Step::TailCall(unlinked(first).to_owned()));
        }
        "leave" | "leaveq" => return Ok(rows(&["movq %rbp,%rsp", "movq (%rsp),%rbp", "leaq 8(%rsp),%rsp"])),
        "cltq" => return Ok(rows(&["movslq %eax,%rax"])),
        "cwtl" => return Ok(rows(&["movswl %ax,%eax"])),
        _ => {}
    }
    if mnemonic.starts_with('j') {
        return Ok(Step::row(spelled(mnemonic, &cx.relabelled(operands))));
    }
    let operands = operands.iter().map(|operand| memory(cx, operand)).collect::<Result<Vec<_>, _>>()?;
    let first = operands.first().map_or("", String::as_str);
    // No flag is changed, and the register that is pushed may be the stack's own.
    match mnemonic {
        "push" | "pushq" => {
            return Ok(Step::Rows(vec![format!("movq {first},-8(%rsp)"), "leaq -8(%rsp),%rsp".to_owned()]));
        }
        "pop" | "popq" => {
            return Ok(Step::Rows(vec!["leaq 8(%rsp),%rsp".to_owned(), format!("movq -8(%rsp),{first}")]));
        }
        _ => {}
    }
    let is_shift = mnemonic.get(..3).is_some_and(|stem| matches!(stem, "shl" | "sal" | "shr" | "sar"));
    if is_shift && operands.len() == 1 {
        return Ok(Step::row(format!("{mnemonic} $1,{first}")));
    }
    let mnemonic = if mnemonic == "movabsq" { "movq" } else { mnemonic };
    let taken = |operand: &str| operand.strip_prefix('&').map(str::to_owned);
    match operands.as_slice() {
        [source, target] if taken(source).is_some() => {
            let place = taken(source).unwrap_or_default();
            match wide(target).filter(|_| mnemonic.starts_with("mov")) {
                Some(register) => Ok(Step::row(format!("leaq {place},{register}"))),
                None => Err(Refusal::Unsupported(format!("the address of `{place}` as an operand of `{mnemonic}`"))),
            }
        }
        _ => Ok(Step::row(spelled(mnemonic, &operands.join(",")))),
    }
}

fn rows(texts: &[&str]) -> Step {
    Step::Rows(texts.iter().map(|&text| text.to_owned()).collect())
}

/// An operand with the variable that it names; `&place` where its address is meant.
fn memory(cx: &mut Context<'_>, operand: &str) -> Result<String, Refusal> {
    if let Some(named) = operand.strip_prefix('$') {
        if symbol(named).is_none() {
            return Ok(operand.to_owned());
        }
        let (variable, offset) = cx.variable(named)?;
        return Ok(format!("&{}(%rip)", place(&variable, offset)));
    }
    let (before, registers) = match operand.find('(') {
        Some(at) => operand.split_at(at),
        None => (operand, "(%rip)"),
    };
    if before.starts_with('%') || before.starts_with('*') {
        return Ok(operand.to_owned());
    }
    // `4+x(%rip)` and `x+4(%rip)` are the same.
    let (name, how) = before.split_once('@').unwrap_or((before, ""));
    let turned = match name.split_once('+') {
        Some((number, name)) if symbol(number).is_none() => format!("{name}+{number}"),
        _ => name.to_owned(),
    };
    if symbol(&turned).is_none() {
        return Ok(operand.to_owned());
    }
    let (variable, offset) = cx.variable(&turned)?;
    let place = format!("{}{registers}", place(&variable, offset));
    match how {
        "" => Ok(place),
        // The table of addresses is not read.
        "GOTPCREL" => Ok(format!("&{place}")),
        _ => Err(Refusal::Unsupported(format!("`{operand}`: hmc does not know `@{how}`"))),
    }
}

fn place(variable: &str, offset: i64) -> String {
    match offset {
        0 => variable.to_owned(),
        1.. => format!("{variable}+{offset}"),
        _ => format!("{variable}{offset}"),
    }
}

/// The register of 64 bits that another one is a part of.
fn wide(register: &str) -> Option<String> {
    let name = register.strip_prefix('%')?;
    crate::litmus::Arch::X86_64.register(name).map(|name| format!("%{name}"))
}
