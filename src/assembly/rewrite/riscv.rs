//! RISC-V: `%hi` and `%lo`, `%pcrel_hi` and `%pcrel_lo`, `la` and its like, accesses that name a variable.

use super::context::{Context, Refusal, Step, spelled, unknown_call, unlinked};
use crate::assembly::data::symbol;

const LOADS: [&str; 7] = ["lb", "lbu", "lh", "lhu", "lw", "lwu", "ld"];
const STORES: [&str; 4] = ["sb", "sh", "sw", "sd"];

pub(super) fn step(cx: &mut Context<'_>, mnemonic: &str, operands: &[String]) -> Result<Step, Refusal> {
    let operand = |i: usize| operands.get(i).map_or("", String::as_str);
    let first = operand(0);
    match mnemonic {
        "ret" => Ok(Step::Return),
        "jr" if first == "ra" => Ok(Step::Return),
        "call" | "tail" => called(cx, unlinked(first), mnemonic == "call"),
        "jal" if operands.len() == 1 => called(cx, unlinked(first), true),
        "j" if cx.label(first).is_none() && cx.is_function(first) => Ok(Step::TailCall(first.to_owned())),
        "lui" | "auipc" if operand(1).starts_with('%') => {
            let symbol = inside(operand(1)).ok_or_else(|| Refusal::Wrong(format!("`{}` is no address", operand(1))))?;
            let (variable, _) = cx.variable(&symbol)?;
            Ok(Step::row(format!("mv {first},%{variable}")))
        }
        "la" | "lla" => {
            let (variable, offset) = cx.variable(operand(1))?;
            let address = format!("mv {first},%{variable}");
            Ok(Step::Rows(
                vec![address, format!("addi {first},{first},{offset}")][..1 + usize::from(offset != 0)].to_vec(),
            ))
        }
        // `lw a5,x`: the register gets the address first.
        _ if LOADS.contains(&mnemonic) && names_variable(operand(1)) => {
            let (variable, offset) = cx.variable(operand(1))?;
            Ok(Step::Rows(vec![format!("mv {first},%{variable}"), format!("{mnemonic} {first},{offset}({first})")]))
        }
        // `sw a5,x,a4`: the last register gets the address.
        _ if STORES.contains(&mnemonic) && operands.len() == 3 => {
            let (variable, offset) = cx.variable(operand(1))?;
            let base = operand(2);
            Ok(Step::Rows(vec![format!("mv {base},%{variable}"), format!("{mnemonic} {first},{offset}({base})")]))
        }
        // The table of addresses is not read.
        "ld" if is_table(cx, operand(1)) => {
            let base = operand(1).rsplit('(').next().unwrap_or_default().trim_end_matches(')');
            Ok(Step::row(format!("mv {first},{base}")))
        }
        "fence" => {
            // Devices are not modelled.
            let kinds = |text: &str| text.replace(['i', 'o'], "");
            Ok(Step::row(spelled(mnemonic, &operands.iter().map(|o| kinds(o)).collect::<Vec<_>>().join(","))))
        }
        _ if mnemonic.starts_with("amo") || mnemonic.starts_with("lr.") || mnemonic.starts_with("sc.") => {
            let plain =
                |operand: &String| operand.strip_prefix("0(").map_or_else(|| operand.clone(), |r| format!("({r}"));
            Ok(Step::row(spelled(mnemonic, &operands.iter().map(plain).collect::<Vec<_>>().join(","))))
        }
        _ => {
            let lowered: Result<Vec<String>, Refusal> =
                operands.iter().map(|operand| lower_part(cx, operand)).collect();
            Ok(Step::row(spelled(mnemonic, &cx.relabelled(&lowered?))))
        }
    }
}

fn called(cx: &Context<'_>, name: &str, returns_here: bool) -> Result<Step, Refusal> {
    match cx.is_function(name) {
        true if returns_here => Ok(Step::Call(name.to_owned())),
        true => Ok(Step::TailCall(name.to_owned())),
        false => Err(unknown_call(name)),
    }
}

fn names_variable(operand: &str) -> bool {
    !operand.contains('(') && symbol(operand).is_some()
}

/// What stands in the brackets of `%hi(x)`.
fn inside(operand: &str) -> Option<String> {
    let (_, rest) = operand.split_once('(')?;
    Some(rest.split(')').next()?.to_owned())
}

/// Whether an operand is the lower part of a place in the table of addresses.
fn is_table(cx: &Context<'_>, operand: &str) -> bool {
    let label = operand.strip_prefix("%pcrel_lo").and_then(inside);
    let upper = label.as_deref().and_then(|label| cx.unit.upper_parts.get(label));
    upper.is_some_and(|upper| upper.starts_with("%got_pcrel_hi"))
}

/// `%lo(x+4)` as the distance from the beginning of `x`; `%pcrel_lo(label)` as that of the variable whose upper part is taken at the label.
fn lower_part(cx: &mut Context<'_>, operand: &str) -> Result<String, Refusal> {
    let is_lower = ["%lo(", "%pcrel_lo("].iter().any(|mark| operand.starts_with(mark));
    let (Some(named), true) = (inside(operand), is_lower) else { return Ok(operand.to_owned()) };
    let symbol = match cx.unit.upper_parts.get(&named) {
        Some(upper) => inside(upper).unwrap_or_default(),
        None => named,
    };
    let (_, offset) = cx.variable(&symbol)?;
    let end = operand.find(')').map_or(operand.len(), |at| at + 1);
    Ok(format!("{offset}{}", &operand[end..]))
}
