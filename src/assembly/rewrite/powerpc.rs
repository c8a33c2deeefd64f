//! Power: registers that are written as bare numbers, the table of contents, conditional returns.

use super::context::{Context, Refusal, Step, spelled, unknown_call, unlinked};
use crate::assembly::data::symbol;
use crate::litmus::token::number;

/// Instructions whose operands behind the first two are numbers.
const NUMBERS_LAST: [&str; 27] = [
    "addi", "addis", "addic", "addic.", "subi", "subfic", "mulli", "ori", "oris", "xori", "xoris", "andi.", "andis.",
    "slwi", "srwi", "sldi", "srdi", "srawi", "sradi", "clrldi", "clrlwi", "rlwinm", "rlwimi", "rldicl", "rldicr",
    "rldic", "rldimi",
];
/// Names of the bits of a condition field.
const BITS: [&str; 4] = ["lt", "gt", "eq", "so"];

pub(super) fn step(cx: &mut Context<'_>, mnemonic: &str, operands: &[String]) -> Result<Step, Refusal> {
    let operand = |i: usize| operands.get(i).map_or("", String::as_str);
    let (first, last) = (operand(0), operand(operands.len().saturating_sub(1)));
    let plain = mnemonic.trim_end_matches(['+', '-']);
    if operands.iter().any(|operand| operand.contains(".TOC.")) {
        // The register of the table of contents is not read.
        return Ok(Step::Rows(Vec::new()));
    }
    match plain {
        "blr" => return Ok(Step::Return),
        "bl" | "b" if cx.label(first).is_none() && !is_relative(first) => {
            let name = unlinked(first);
            return match cx.is_function(name) {
                true if plain == "bl" => Ok(Step::Call(name.to_owned())),
                true => Ok(Step::TailCall(name.to_owned())),
                false => Err(unknown_call(name)),
            };
        }
        _ => {}
    }
    if let Some(condition) = plain.strip_suffix("lr").filter(|stem| stem.len() == 3 && stem.starts_with('b')) {
        return Ok(Step::ReturnIf(spelled(condition, &condition_field(first))));
    }
    if plain == "bc" {
        return jump_on_bit(cx, operands);
    }
    if plain.starts_with('b') {
        let fields = operands[..operands.len().saturating_sub(1)].iter().map(|field| condition_field(field));
        let target = cx.label(last).unwrap_or_else(|| last.to_owned());
        return Ok(Step::row(spelled(plain, &fields.chain([target]).collect::<Vec<_>>().join(","))));
    }
    if let Some(step) = table(cx, plain, operands)? {
        return Ok(step);
    }
    if let Some(step) = shorthand(plain, operands)? {
        return Ok(step);
    }
    let mut operands = named(plain, operands);
    if let ("rlwinm", [_, _, _, mask]) = (plain, operands.as_slice()) {
        // The mask itself in the place of its first and last bit.
        let mask = number(mask).filter(|&mask| mask > 0 && mask <= u64::from(u32::MAX));
        let mask = mask.ok_or_else(|| Refusal::Wrong("`rlwinm` with a mask that is no number".to_owned()))? as u32;
        let (first, last) =
            ends(mask).ok_or_else(|| Refusal::Wrong("`rlwinm` with a mask of several runs".to_owned()))?;
        operands.truncate(3);
        operands.extend([first.to_string(), last.to_string()]);
    }
    let plain = if plain == "mfcr" && operands.len() == 2 { "mfocrf" } else { plain };
    Ok(Step::row(spelled(plain, &operands.join(","))))
}

/// The first and the last bit of a run of ones, counted from the left; a run may go round.
fn ends(mask: u32) -> Option<(u32, u32)> {
    if mask == u32::MAX {
        return Some((0, 31));
    }
    // The run begins where a one stands behind a zero, and ends where a zero stands behind a one.
    let starts = mask & !mask.rotate_right(1);
    let stops = mask & !mask.rotate_left(1);
    (starts.count_ones() == 1).then(|| (starts.leading_zeros(), stops.leading_zeros()))
}

/// `bc 12,4*cr1+gt,label`: a jump where a bit is set; `bc 4,…`: where it is not.
fn jump_on_bit(cx: &Context<'_>, operands: &[String]) -> Result<Step, Refusal> {
    let refusal = || Refusal::Unsupported(format!("`bc {}`", operands.join(",")));
    let [how, bit_name, label] = operands else { return Err(refusal()) };
    let bit_name = bit(bit_name);
    let (field, bit_name) = match bit_name.strip_prefix("4*").and_then(|rest| rest.split_once('+')) {
        Some((field, bit)) => (field.to_owned(), bit.to_owned()),
        None => ("cr0".to_owned(), bit_name),
    };
    let jump = match (how.as_str(), bit_name.as_str()) {
        ("12" | "14" | "15", "lt") => "blt",
        ("12" | "14" | "15", "gt") => "bgt",
        ("12" | "14" | "15", "eq") => "beq",
        ("4" | "6" | "7", "lt") => "bge",
        ("4" | "6" | "7", "gt") => "ble",
        ("4" | "6" | "7", "eq") => "bne",
        _ => return Err(refusal()),
    };
    let label = cx.label(label).unwrap_or_else(|| label.clone());
    Ok(Step::row(format!("{jump} {field},{label}")))
}

/// Instructions that others stand for: rotations that are shifts, constants for the upper half, differences from a constant.
fn shorthand(mnemonic: &str, operands: &[String]) -> Result<Option<Step>, Refusal> {
    let [target, source, rest @ ..] = operands else { return Ok(None) };
    let (target, source) = (register(target), register(source));
    let numbers: Vec<u64> = rest.iter().filter_map(|text| number(text)).collect();
    let rows = match (mnemonic, numbers.as_slice()) {
        ("oris" | "xoris" | "andis.", [k]) => {
            let low = mnemonic.replace("is", "i");
            vec![format!("{low} {target},{source},{}", k << 16)]
        }
        ("subfic", [k]) => vec![format!("neg {target},{source}"), format!("addi {target},{target},{}", *k as i64)],
        ("clrlwi", [n @ 0..32]) => vec![format!("rlwinm {target},{source},0,{n},31")],
        ("rldicl", [shift @ 0..64, first @ 0..64]) => {
            let mut rows = rotation(&target, &source, *shift);
            rows.push(format!("clrldi {target},{target},{first}"));
            rows
        }
        ("rldic", [shift @ 0..64, first @ 0..64]) if *first <= 63 - shift => {
            vec![format!("sldi {target},{source},{shift}"), format!("clrldi {target},{target},{first}")]
        }
        ("rldicr", [shift @ 0..64, last @ 0..64]) => {
            let mut rows = rotation(&target, &source, *shift);
            let cleared = 63 - last;
            rows.extend(["srdi", "sldi"].map(|shift| format!("{shift} {target},{target},{cleared}")));
            rows
        }
        ("rotldi", [shift @ 0..64]) => rotation(&target, &source, *shift),
        ("rotlwi", [shift @ 0..32]) => vec![format!("rlwinm {target},{source},{shift},0,31")],
        ("rldic" | "rldimi", _) => {
            let operands = operands.join(",");
            return Err(Refusal::Unsupported(format!("`{mnemonic} {operands}` is no shift")));
        }
        ("isellt" | "iselgt" | "iseleq", _) => {
            let second = rest.first().map(|text| register(text)).unwrap_or_default();
            vec![format!("isel {target},{source},{second},{}", &mnemonic[4..])]
        }
        _ => return Ok(None),
    };
    Ok(Some(Step::Rows(rows)))
}

/// A rotation to the left, by a register that no processor has.
fn rotation(target: &str, source: &str, shift: u64) -> Vec<String> {
    match shift {
        0 => vec![format!("mr {target},{source}")],
        _ => vec![
            format!("sldi %rotated,{source},{shift}"),
            format!("srdi {target},{source},{}", 64 - shift),
            format!("or {target},{target},%rotated"),
        ],
    }
}

fn is_relative(target: &str) -> bool {
    target.starts_with(".+") || target.starts_with(".-") || target.starts_with('$')
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn condition_field(text: &str) -> String {
    if is_number(text) { format!("cr{text}") } else { text.to_owned() }
}

fn register(text: &str) -> String {
    if is_number(text) { format!("r{text}") } else { text.trim_start_matches('%').to_owned() }
}

/// A bit of the condition register.
fn bit(text: &str) -> String {
    match text.parse::<usize>() {
        Ok(n) if n < 32 => format!("4*cr{}+{}", n / 4, BITS[n % 4]),
        _ => text.to_owned(),
    }
}

/// The symbol of `x@toc@l+4(3)`, and what is added: `x+4`.
fn place_named(place: &str) -> String {
    let place = place.split('(').next().unwrap_or(place);
    let last = place.rsplit('@').next().unwrap_or_default();
    let added = last.find(['+', '-']).map_or("", |at| &last[at..]);
    format!("{}{added}", unlinked(place))
}

/// Uses of the table of contents: `addis 3,2,x@toc@ha`, `ld 9,.LC0@toc@l(9)` where the entry `.LC0` holds an address.
fn table(cx: &mut Context<'_>, mnemonic: &str, operands: &[String]) -> Result<Option<Step>, Refusal> {
    let [target, rest @ ..] = operands else { return Ok(None) };
    let Some(place) = rest.iter().find(|operand| operand.contains("@toc") || operand.contains("@got")) else {
        return Ok(None);
    };
    let name = &place_named(place);
    let entry = symbol(name).and_then(|(name, _)| cx.entry(&name)).filter(|_| name.starts_with(".L"));
    let is_upper = mnemonic == "addis" && place.contains("@ha");
    let (variable, offset) = cx.variable(entry.as_deref().unwrap_or(name))?;
    let target = register(target);
    if is_upper {
        return Ok(Some(Step::row(format!("mr {target},%{variable}"))));
    }
    if entry.is_some() || place.contains("@got") {
        let add = (offset != 0).then(|| format!("addi {target},{target},{offset}"));
        return Ok(Some(Step::Rows([format!("mr {target},%{variable}")].into_iter().chain(add).collect())));
    }
    let row = match place.split_once('(') {
        Some((_, base)) => format!("{mnemonic} {target},{offset}({})", register(base.trim_end_matches(')'))),
        None => format!("{mnemonic} {target},{},{offset}", register(rest.first().map_or("", String::as_str))),
    };
    Ok(Some(Step::row(row)))
}

/// Operands with the names of registers and condition fields.
fn named(mnemonic: &str, operands: &[String]) -> Vec<String> {
    let is_compare = mnemonic.starts_with("cmp");
    let operand = |(i, text): (usize, &String)| -> String {
        match text.split_once('(') {
            Some((offset, base)) => return format!("{offset}({})", register(base.trim_end_matches(')'))),
            None if is_compare && i == 0 && operands.len() == 3 => return condition_field(text),
            None if is_compare && mnemonic.ends_with('i') && i + 1 == operands.len() => {}
            None if mnemonic == "isel" && i == 3 => return bit(text),
            None if mnemonic.starts_with("cr") => return bit(text),
            None if matches!(mnemonic, "li" | "lis" | "mfcr" | "mfocrf") && i == 1 => {}
            None if NUMBERS_LAST.contains(&mnemonic) && i >= 2 => {}
            None if matches!(mnemonic, "sync" | "hwsync") => {}
            None if matches!(mnemonic, "mtcrf" | "mtocrf") && i == 0 => {}
            None => return register(text),
        }
        text.clone()
    };
    let hinted = matches!(mnemonic, "lwarx" | "ldarx" | "lharx" | "lbarx") && operands.len() == 4;
    operands[..operands.len() - usize::from(hinted)].iter().enumerate().map(operand).collect()
}

#[cfg(test)]
mod tests {
    use super::ends;

    #[test]
    fn a_mask_is_one_run_of_ones() {
        let mask_of = |first: u32, last: u32| {
            let bit = |i: u32| 0x8000_0000_u32 >> i;
            (0..32)
                .filter(|i| if first <= last { (first..=last).contains(i) } else { *i >= first || *i <= last })
                .map(bit)
                .sum::<u32>()
        };
        for first in 0..32 {
            for last in (0..32).filter(|last| (last + 1) % 32 != first) {
                assert_eq!(ends(mask_of(first, last)), Some((first, last)));
            }
        }
        assert_eq!((ends(0), ends(5), ends(u32::MAX)), (None, None, Some((0, 31))));
    }
}
