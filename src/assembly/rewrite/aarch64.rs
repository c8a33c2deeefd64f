//! AArch64: `adrp` and `:lo12:`, calls of outlined atomics.

use super::context::{Context, Refusal, Step, spelled, unknown_call, unlinked};

pub(super) fn step(cx: &mut Context<'_>, mnemonic: &str, operands: &[String]) -> Result<Step, Refusal> {
    let first = operands.first().map_or("", String::as_str);
    match mnemonic {
        "paciasp" | "autiasp" | "pacibsp" | "autibsp" | "bti" => Ok(Step::Rows(Vec::new())),
        "ret" if operands.is_empty() || first == "x30" => Ok(Step::Return),
        "bl" | "b" if cx.label(first).is_none() => {
            let name = unlinked(first);
            let is_call = mnemonic == "bl";
            if let Some(row) = outlined(name) {
                let row = row?;
                return match is_call {
                    true => Ok(Step::row(row)),
                    false => {
                        Err(Refusal::Unsupported(format!("a jump to `{name}`; compile with `-mno-outline-atomics`")))
                    }
                };
            }
            match cx.is_function(name) {
                true if is_call => Ok(Step::Call(name.to_owned())),
                true => Ok(Step::TailCall(name.to_owned())),
                false => Err(unknown_call(name)),
            }
        }
        "adrp" | "adr" => {
            let symbol = operands.get(1).map_or("", String::as_str);
            let (variable, offset) = cx.variable(symbol.trim_start_matches('#').trim_start_matches(":got:"))?;
            let mut rows = vec![format!("mov {first},%{variable}")];
            if mnemonic == "adr" && offset != 0 {
                rows.push(format!("add {first},{first},#{offset}"));
            }
            Ok(Step::Rows(rows))
        }
        // The table of addresses is not read: `adrp` has made the address.
        "ldr" if operands.get(1).is_some_and(|operand| operand.contains(":got_lo12:")) => {
            let address = operands[1].trim_matches(['[', ']']);
            let base = address.split(',').next().unwrap_or_default().trim();
            Ok(Step::row(format!("mov {first},{base}")))
        }
        _ => {
            let lowered: Result<Vec<String>, Refusal> =
                operands.iter().map(|operand| lower_part(cx, operand)).collect();
            Ok(Step::row(spelled(mnemonic, &cx.relabelled(&lowered?))))
        }
    }
}

/// `:lo12:x+4` as the distance from the beginning of `x`.
fn lower_part(cx: &mut Context<'_>, operand: &str) -> Result<String, Refusal> {
    let Some(start) = operand.find(":lo12:") else { return Ok(operand.to_owned()) };
    let symbol = operand[start + ":lo12:".len()..].trim_end_matches(['!', ']']);
    let (_, offset) = cx.variable(symbol)?;
    let head = operand[..start].trim_end_matches('#');
    let tail = &operand[start + ":lo12:".len() + symbol.len()..];
    Ok(format!("{head}#{offset}{tail}"))
}

/// A call of an outlined atomic (`__aarch64_ldadd4_acq_rel`) as the instruction that it is where the processor has it. Operands are those of the calling
/// convention. Nothing when the name is not that of one.
fn outlined(name: &str) -> Option<Result<String, Refusal>> {
    let rest = name.strip_prefix("__aarch64_")?;
    let refusal = || Refusal::Unsupported(format!("`{name}` is not known"));
    let at = rest.find(|c: char| c.is_ascii_digit())?;
    let (operation, rest) = rest.split_at(at);
    let (size, order) = rest.split_once('_')?;
    let order = match order {
        "relax" => "",
        "acq" => "a",
        "rel" => "l",
        "acq_rel" | "sync" => "al",
        _ => return Some(Err(refusal())),
    };
    let (suffix, w) = match size {
        "1" => ("b", "w"),
        "2" => ("h", "w"),
        "4" => ("", "w"),
        "8" => ("", "x"),
        _ => return Some(Err(refusal())),
    };
    Some(match operation {
        "cas" => Ok(format!("cas{order}{suffix} {w}0,{w}1,[x2]")),
        "swp" | "ldadd" | "ldset" | "ldclr" | "ldeor" => Ok(format!("{operation}{order}{suffix} {w}0,{w}0,[x1]")),
        _ => Err(refusal()),
    })
}
