//! Litmus tests as an editor sees them: sections, names, what can be written where.

use super::offers::{Offer, Offered};
use super::text::word;
use super::{Problem, text};
use crate::cat::def::{Body, MacroTable};
use crate::ids::TagSetId;
use crate::litmus::c::atomic;
use crate::litmus::split::{self, Sections};
use crate::litmus::{self, Arch};
use crate::program::Instr;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// Words of conditions.
const CONDITION: [&str; 6] = ["exists", "~exists", "forall", "locations", "filter", "not"];

/// What is wrong with a test, whose primitives these macros may be.
pub fn problems(text: &str, name: &str, macros: &Arc<MacroTable>) -> Vec<Problem> {
    let options = litmus::Options { macros: macros.clone() };
    match litmus::parse(text, name, &options) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.iter().map(|error| Problem::of_test(error, name, text)).collect(),
    }
}

/// The architecture that a test's header names.
pub fn arch(text: &str) -> Option<Arch> {
    Arch::from_header(&text[split::first_word(text)])
}

/// Whether a character can be part of a name in a test.
pub fn is_part_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_.".contains(c)
}

/// The sections, with the places of the names in them; comments are no part of these.
struct Words {
    sections: Sections,
    /// By name.
    places: BTreeMap<String, Vec<Range<usize>>>,
}

impl Words {
    fn of(text: &str) -> Option<Words> {
        let sections = split::split(text).ok()?;
        let mut places: BTreeMap<String, Vec<Range<usize>>> = BTreeMap::new();
        for section in [&sections.init, &sections.program, &sections.condition] {
            let mut at = 0;
            while let Some(begin) = section.text[at..].find(|c: char| c.is_ascii_alphabetic() || c == '_') {
                let range = word(&section.text, at + begin, is_part_of_name);
                let found = section.text[range.clone()].to_owned();
                if range.start == at + begin {
                    places.entry(found).or_default().push(section.start + range.start..section.start + range.end);
                }
                at = range.end.max(at + begin + 1);
            }
        }
        Some(Words { sections, places })
    }
}

/// The places of a name in a test: a place in memory, a label, a variable of a thread in C. An error says why there is none.
pub fn places(text: &str, byte: usize) -> Result<(String, Vec<Range<usize>>), String> {
    let none = || "there is no name here".to_owned();
    let words = Words::of(text).ok_or_else(none)?;
    let range = word(text, byte, is_part_of_name);
    let name = text[range.clone()].to_owned();
    let places = words.places.get(&name).filter(|places| places.contains(&range)).ok_or_else(none)?;
    let arch = arch(text).ok_or_else(none)?;
    let is_instruction = arch.mnemonics().iter().any(|own| own.eq_ignore_ascii_case(&name));
    let is_register = arch != Arch::C && arch.register(&name).is_some();
    let is_word = CONDITION.contains(&name.as_str())
        || is_thread(&name)
        || arch == Arch::C && (atomic::NAMES.contains(&name.as_str()) || C_WORDS.contains(&name.as_str()));
    match is_instruction || is_register || is_word || name.starts_with("memory_order") {
        true => Err(format!("`{name}` is a name of the language")),
        false => Ok((name, places.clone())),
    }
}

/// Words of C that tests have.
const C_WORDS: [&str; 24] = [
    "int",
    "long",
    "short",
    "char",
    "void",
    "unsigned",
    "signed",
    "const",
    "volatile",
    "struct",
    "if",
    "else",
    "while",
    "do",
    "for",
    "return",
    "atomic_int",
    "atomic_long",
    "atomic_uint",
    "spinlock_t",
    "intptr_t",
    "uint64_t",
    "uint32_t",
    "int64_t",
];

fn is_thread(name: &str) -> bool {
    name.strip_prefix('P').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
}

/// Why a name may not be the new spelling of one in this test, if it may not.
pub fn refusal(text: &str, new: &str, macros: &MacroTable) -> Option<String> {
    let first = new.chars().next().filter(|c| c.is_ascii_alphabetic() || *c == '_');
    if first.is_none() || !new.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Some(format!("`{new}` is no name"));
    }
    let arch = arch(text)?;
    let is_taken = Words::of(text).is_some_and(|words| words.places.contains_key(new));
    let is_language = arch.mnemonics().iter().any(|own| own.eq_ignore_ascii_case(new))
        || arch != Arch::C && arch.register(new).is_some()
        || CONDITION.contains(&new)
        || C_WORDS.contains(&new)
        || is_thread(new)
        || atomic::NAMES.contains(&new)
        || macros.iter().any(|own| own.name == new);
    (is_taken || is_language).then(|| format!("`{new}` is taken"))
}

/// What can be written at a byte of a test.
pub fn offers(text: &str, byte: usize, macros: &MacroTable) -> Vec<Offer> {
    let start = word(text, byte, |c| is_part_of_name(c) || c == '-').start;
    if text[..start].trim().is_empty() {
        return Arch::ALL.into_iter().map(|arch| Offer::word(arch.name())).collect();
    }
    let (Some(words), Some(arch)) = (Words::of(text), arch(text)) else { return Vec::new() };
    let mut offers = Vec::new();
    let in_program = (words.sections.program.start..words.sections.condition.start).contains(&byte);
    if in_program {
        match arch {
            Arch::C => {
                let expression = macros.iter().map(|own| {
                    let detail = format!("{}({})", own.name, own.params.join(", "));
                    Offer { about: macro_text(&own.body), ..Offer::of_test(&own.name, Offered::Function, &detail) }
                });
                offers.extend(expression);
                offers.extend(atomic::NAMES.iter().map(|name| Offer::of_test(name, Offered::Function, "C11")));
                let orders = atomic::orders().map(|name| Offer::of_test(name, Offered::Word, "memory order"));
                offers.extend(orders);
            }
            _ => {
                let mnemonics = arch.mnemonics().into_iter();
                offers.extend(mnemonics.map(|name| Offer::of_test(name, Offered::Instruction, arch.name())));
            }
        }
    } else if byte >= words.sections.condition.start {
        offers.extend(CONDITION.iter().map(|word| Offer::word(word)));
    }
    let known: BTreeSet<String> = offers.iter().map(|offer| offer.text.clone()).collect();
    let here = word(text, byte, is_part_of_name);
    for (name, places) in &words.places {
        // The word that is being written is no offer.
        let others = places.iter().filter(|place| **place != here).count();
        if others > 0 && !known.contains(name) && !CONDITION.contains(&name.as_str()) {
            offers.push(Offer::of_test(name, Offered::Variable, "in this test"));
        }
    }
    offers
}

/// A macro's body where it is a single operation.
fn macro_text(body: &Body) -> Option<String> {
    match body {
        Body::Expr(_) => Some("a primitive of the model, with a value".to_owned()),
        Body::Block(_) => Some("a primitive of the model, as a statement".to_owned()),
    }
}

/// What the name at a byte of a test means, as text with marks (Markdown), and where it stands. `def`: the macro file of the model.
pub fn meaning(text: &str, byte: usize, def: Option<(&str, &str)>) -> Option<(Range<usize>, String)> {
    let arch = arch(text)?;
    let header = split::first_word(text);
    if header.contains(&byte) {
        return Some((header, format!("**{}**, the architecture of the test", arch.name())));
    }
    let range = word(text, byte, is_part_of_name);
    let name = &text[range.clone()];
    if let Some(line) = def.and_then(|(_, def)| macro_line(def, name)).filter(|_| arch == Arch::C) {
        let file = def.map(|(file, _)| file).unwrap_or_default();
        return Some((range, format!("**{name}**, a primitive of the model, `{file}`\n\n```c\n{line}\n```")));
    }
    let macros = Arc::new(MacroTable::new(def.map(|(_, text)| crate::cat::def::parse(text).0).unwrap_or_default()));
    let test = litmus::parse(text, "", &litmus::Options { macros }).ok()?;
    if let Some(variable) = test.context.memory.find(name) {
        let uses = Words::of(text)?.places.get(name).map_or(0, Vec::len);
        let size = variable.size();
        let s = if size == 1 { "" } else { "s" };
        return Some((range, format!("**{name}**, a place in memory of {size} byte{s}, named {uses} times")));
    }
    let mnemonics = arch.mnemonics();
    let known = mnemonics.iter().any(|own| own.eq_ignore_ascii_case(name));
    known.then(|| {
        let events = events(&test, text, range.start);
        (range, format!("**{name}**, an instruction of {}{events}", arch.name()))
    })
}

/// The line of a macro file that defines a name.
fn macro_line<'t>(def: &'t str, name: &str) -> Option<&'t str> {
    let defines = |line: &&str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['(', ' ', '{']));
    def.lines().find(defines).map(str::trim)
}

/// The events that the instruction at a byte makes, as the end of a sentence.
fn events(test: &litmus::Test, text: &str, byte: usize) -> String {
    let at = text::position(text, byte);
    let start = text::byte(text, text::Position { column: 0, ..at });
    let column = text[start..byte].chars().count() as u32 + 1;
    let program = &test.program;
    let here = |span: &crate::program::Span| span.line == at.line + 1 && span.column <= column;
    let instructions = program.functions.iter().flat_map(|function| function.code.iter().zip(&function.spans));
    let instructions: Vec<(&Instr, u32)> = instructions
        .map(|(instr, span)| (instr, &program.spans[span.index()]))
        .filter(|(_, span)| here(span))
        .map(|(instr, span)| (instr, span.column))
        .collect();
    let Some(last) = instructions.iter().map(|(_, column)| *column).max() else { return String::new() };
    let tags = |kind: &str, set: TagSetId| {
        let names: Vec<String> =
            program.tag_sets[set.index()].iter().map(|tag| format!("`{}`", program.tags[tag.index()])).collect();
        if names.is_empty() { kind.to_owned() } else { format!("{kind} in {}", names.join(", ")) }
    };
    let event = |instr: &Instr| match instr {
        Instr::Load(load) if !load.hidden => Some(tags("a read", load.tags)),
        Instr::Store(store) if !store.hidden => Some(tags("a write", store.tags)),
        Instr::Fence { tags: set, is_fence: true, .. } => Some(tags("a fence", *set)),
        _ => None,
    };
    let made: Vec<String> =
        instructions.iter().filter(|(_, column)| *column == last).filter_map(|(instr, _)| event(instr)).collect();
    if made.is_empty() { ": no event".to_owned() } else { format!(": {}", made.join("; ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MP: &str = "AArch64 MP\n{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }\n P0          | P1           ;\n MOV W0,#1   | LDAR W0,[X1] ;\n STR W0,[X1] | LDR W2,[X3]  ;\n STLR W0,[X3] | ;\n(* x is data *)\nexists (1:X0=1 /\\ 1:X2=0 /\\ [x]=1)\n";

    fn at(part: &str) -> usize {
        MP.find(part).expect("a place")
    }

    #[test]
    fn names_and_their_places() {
        let (name, places) = places(MP, at("x; 0")).expect("a name");
        assert_eq!((name.as_str(), places.len()), ("x", 3));
        assert!(places.iter().all(|place| &MP[place.clone()] == "x"));
        assert!(super::places(MP, at("LDAR")).is_err_and(|why| why.contains("language")));
        assert!(super::places(MP, at("x is data")).is_err());
        assert!(refusal(MP, "y", &MacroTable::default()).is_some());
        assert!(refusal(MP, "X7", &MacroTable::default()).is_some());
        assert_eq!(refusal(MP, "data", &MacroTable::default()), None);
    }

    #[test]
    fn meanings() {
        let of = |part| meaning(MP, at(part), None).expect("a meaning").1;
        assert!(of("LDAR").contains("a read in `A`"), "{}", of("LDAR"));
        assert!(of("STLR").contains("a write in `L`"), "{}", of("STLR"));
        assert!(of("MOV").contains("no event"));
        assert!(of("LDR W2").ends_with("a read"), "{}", of("LDR W2"));
        assert!(of("x; 0").contains("named 3 times"));
        assert!(meaning(MP, 2, None).expect("a meaning").1.contains("architecture"));
    }

    #[test]
    fn what_can_be_written() {
        let words = |at| offers(MP, at, &MacroTable::default()).into_iter().map(|offer| offer.text).collect::<Vec<_>>();
        assert!(words(2).contains(&"RISCV".to_owned()));
        let program = words(at("LDR W2") + 2);
        assert!(
            program.iter().any(|word| word.eq_ignore_ascii_case("ldar")) && !program.contains(&"mfence".to_owned())
        );
        let condition = words(at("exists") + 2);
        assert!(condition.contains(&"forall".to_owned()) && condition.contains(&"x".to_owned()));
    }
}
