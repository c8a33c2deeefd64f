//! How the reference tool spells instructions when it computes a test's hash, where that is not how they are written: forms of
//! former versions, kept so that hashes stay the same.

use crate::litmus::processors::operand::{Instruction, Operand};

/// The instruction with the operands and the name that count.
pub fn operands(instruction: &Instruction) -> Instruction {
    let mut all = instruction.clone();
    for operand in &mut all.operands {
        if let Operand::Bracket(parts, false) = operand
            && parts.get(1) == Some(&Operand::Immediate(0))
        {
            parts.truncate(1);
        }
    }
    let is_no_shift = |o: &Operand| matches!(o, Operand::Modifier(kind, Some(0)) if kind == "LSL");
    if matches!(all.mnemonic.as_str(), "add" | "adds" | "sub" | "subs" | "movz" | "movk" | "movn") {
        all.operands.retain(|o| !is_no_shift(o));
    }
    let renamed = |operand: &mut Operand, letter: &str| {
        if let Operand::Name(name) = operand
            && name.len() > 1
            && name.is_char_boundary(1)
        {
            name.replace_range(..1, letter);
        }
    };
    match all.mnemonic.as_str() {
        "adr" => all.mnemonic = "addr".to_owned(),
        "ubfm" | "sbfm" | "ldur" => all.operands.iter_mut().for_each(|o| renamed(o, "X")),
        "ldxp" | "ldaxp" => all.operands.iter_mut().take(1).for_each(|o| renamed(o, "W")),
        "neg" | "negs" => {
            let zero = match all.operands.first() {
                Some(Operand::Name(name)) if name.starts_with(['x', 'X']) => "XZR",
                _ => "WZR",
            };
            all.mnemonic = all.mnemonic.replace("neg", "sub");
            all.operands.insert(all.operands.len().min(1), Operand::Name(zero.to_owned()));
        }
        _ => {}
    }
    all
}

/// The text of an instruction with the marks that count.
pub fn marks(mnemonic: &str, text: String) -> String {
    match mnemonic {
        "movz" | "movk" | "movn" => text.replace(",LSL", ",,LSL"),
        "ldur" => text.replace(",[", ", ["),
        _ if text.contains("],#") => {
            let gap = if matches!(mnemonic, "ldp" | "stp" | "ldpsw" | "ldnp" | "stnp") { ", [" } else { ",[" };
            text.replace("],#", "]#").replace(",[", gap)
        }
        _ => text,
    }
}
