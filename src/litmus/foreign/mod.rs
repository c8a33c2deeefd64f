//! What a test needs and hmc does not have, recognised from its text before anything is read, so that valid tests are
//! *unsupported* by the name of the feature, and never errors about something else. The marks are data: [`tables`].
//!
//! A mark counts only where it can mean nothing else: a name may be `tag`, a label `S0`.

mod tables;

use super::error::Error;
use super::split::{Section, Sections};
use super::syntax::thread_number;
use crate::litmus::arch::Arch;
use std::ops::Range;
pub use tables::FEATURES;
use tables::*;

/// The language of a test that has no front end here.
pub fn language(name: &str) -> Option<&'static str> {
    LANGUAGES.iter().find(|(word, _)| *word == name).map(|(_, language)| *language)
}

/// One error for each feature, at the first place that needs it.
pub fn features(sections: &Sections, arch: Arch) -> Vec<Error> {
    let mut found = Found::default();
    for ((key, value), span) in sections.metadata.iter().zip(&sections.metadata_spans) {
        metadata(key, value, span, &mut found);
    }
    values(&sections.init, arch, &mut found);
    match arch {
        Arch::C => functions(&sections.program, &mut found),
        _ => columns(&sections.program, arch, &mut found),
    }
    values(&sections.condition, arch, &mut found);
    found.0.sort_by_key(|(_, span, _)| span.start);
    let error = |(feature, span, what): (Feature, Range<usize>, String)| {
        let message = format!("{what} needs {feature}, which hmc does not support");
        Error::unsupported("litmus::feature", span, message)
    };
    found.0.into_iter().map(error).collect()
}

#[derive(Default)]
struct Found(Vec<(Feature, Range<usize>, String)>);

impl Found {
    fn add(&mut self, feature: Feature, span: Range<usize>, what: impl Into<String>) {
        if self.0.iter().all(|(known, ..)| *known != feature) {
            self.0.push((feature, span, what.into()));
        }
    }
}

/// Lines before the initial state: variants, hardware updates of page tables.
fn metadata(key: &str, value: &str, span: &Range<usize>, found: &mut Found) {
    if key.eq_ignore_ascii_case("tthm") {
        found.add(PAGES, span.clone(), format!("`{key}={value}`"));
    }
    if !key.eq_ignore_ascii_case("variant") {
        return;
    }
    for variant in value.split([',', ' ']).filter(|v| !v.is_empty()) {
        let lower = variant.to_ascii_lowercase();
        let known = VARIANTS.iter().find(|(name, _)| *name == lower).map(|(_, feature)| *feature);
        let sized = || (lower.starts_with("sve:") || lower.starts_with("sme:")).then_some(VECTORS);
        let keys = || (lower.starts_with("no-key-") || lower.contains("pac")).then_some(POINTERS);
        if let Some(feature) = known.or_else(sized).or_else(keys) {
            found.add(feature, span.clone(), format!("the variant `{variant}`"));
        }
    }
}

/// A word, and the bytes beside it that are no blanks (0 where there are none).
struct Word<'t> {
    text: &'t str,
    span: Range<usize>,
    before: u8,
    after: u8,
}

/// The words of a text outside strings.
fn words(text: &str) -> Vec<Word<'_>> {
    let bytes = text.as_bytes();
    let in_word = |b: u8| b.is_ascii_alphanumeric() || b"_.%$".contains(&b);
    let mut all = Vec::new();
    let (mut at, mut before) = (0, 0);
    while at < bytes.len() {
        if bytes[at] == b'"' {
            let end = bytes[at + 1..].iter().position(|&b| b == b'"').map_or(bytes.len(), |i| at + i + 2);
            (at, before) = (end, b'"');
        } else if in_word(bytes[at]) {
            let end = bytes[at..].iter().position(|&b| !in_word(b)).map_or(bytes.len(), |i| at + i);
            let after = bytes[end..].iter().copied().find(|b| !b.is_ascii_whitespace()).unwrap_or(0);
            all.push(Word { text: &text[at..end], span: at..end, before, after });
            (at, before) = (end, bytes[end - 1]);
        } else {
            if !bytes[at].is_ascii_whitespace() {
                before = bytes[at];
            }
            at += 1;
        }
    }
    all
}

fn shifted(span: &Range<usize>, by: usize) -> Range<usize> {
    span.start + by..span.end + by
}

/// The initial state and the condition.
fn values(section: &Section, arch: Arch, found: &mut Found) {
    let all = words(&section.text);
    for (i, word) in all.iter().enumerate() {
        let span = shifted(&word.span, section.start);
        let text = word.text;
        let previous = i.checked_sub(1).and_then(|i| all.get(i));
        let mut add = |feature: Feature| found.add(feature, span.clone(), format!("`{text}`"));
        let listed = |list: &[(&str, Feature)]| list.iter().find(|(name, _)| *name == text).map(|(_, f)| *f);
        if let Some(feature) = listed(&CALLS).filter(|_| word.after == b'(') {
            add(feature);
        } else if let Some(feature) = listed(&TYPES) {
            add(feature);
        } else if text == "instr" && word.after == b':' {
            add(CODE);
        } else if arch == Arch::C {
            continue;
        } else if text == "NOP" && matches!(word.before, b'=' | b',' | b'{') {
            add(CODE);
        } else if FIELDS.contains(&text) && word.after == b':' && matches!(word.before, b'(' | b',') {
            add(PAGES);
        } else if arch == Arch::AArch64 && is_tagged(word, previous) {
            add(TAGS);
        } else if is_register_of_thread(word, previous)
            && let Some(feature) = register(arch, text, false)
        {
            add(feature);
        }
    }
}

/// `x:red`, or `:red` behind an equals sign: the word before or behind the colon.
fn is_tagged(word: &Word, previous: Option<&Word>) -> bool {
    /// What else stands before a colon: kinds of values and of faults.
    const KINDS: [&str; 6] = ["label", "instr", "MMU", "TagCheck", "PacCheck", "UndefinedInstruction"];
    let is_value = matches!(word.before, b'=' | b'(' | b',' | b'[' | b'{');
    let is_name = word.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if word.after == b':' {
        return is_value && is_name && thread_number(word.text).is_none() && !KINDS.contains(&word.text);
    }
    let bare_tag = previous.is_some_and(|p| p.after == b'=' && p.text != word.text);
    word.before == b':' && is_name && bare_tag
}

/// The word behind `0:` or `P0:` where a place, not a value, stands.
fn is_register_of_thread(word: &Word, previous: Option<&Word>) -> bool {
    let is_place = |p: &Word| thread_number(p.text).is_some() && p.after == b':' && p.before != b'=';
    word.before == b':' && previous.is_some_and(is_place)
}

/// A program in C: types, and what may follow the last function.
fn functions(section: &Section, found: &mut Found) {
    let all = words(&section.text);
    for word in &all {
        let span = shifted(&word.span, section.start);
        if let Some((name, feature)) = TYPES.iter().find(|(name, _)| *name == word.text) {
            found.add(feature, span, format!("`{name}`"));
        } else if matches!(word.text, "scopes" | "levels" | "regions") && word.after == b':' && word.before == b'}' {
            found.add(REGIONS, span, format!("`{}:`", word.text));
        }
    }
}

/// Columns of instructions.
fn columns(section: &Section, arch: Arch, found: &mut Found) {
    let Instructions { prefixes, names } = instructions(arch);
    let header = section.text.find('P').and_then(|p| section.text[p..].find(';').map(|end| p + end));
    let body = header.map_or(0, |end| end + 1);
    for word in words(&section.text[..body]) {
        if word.text.ends_with(".F") {
            found.add(FAULTS, shifted(&word.span, section.start), format!("the handler `{}`", word.text));
        }
    }
    let mut is_jump = false;
    let all = words(&section.text[body..]);
    for (i, word) in all.iter().enumerate() {
        let span = shifted(&word.span, section.start + body);
        let lower = word.text.to_ascii_lowercase();
        let is_label = word.after == b':';
        if (i == 0 || matches!(word.before, b'|' | b';' | b':')) && !is_label {
            let (stem, _) = lower.split_once('.').unwrap_or((&lower, ""));
            is_jump = is_branch(arch, stem);
            let listed = names.iter().find(|(name, _)| *name == lower || *name == stem);
            let begun = || prefixes.iter().find(|(start, _)| lower.starts_with(start));
            let own = || arch.mnemonics().contains(&lower.as_str());
            let operand = all.get(i + 1).map(|next| next.text.to_ascii_lowercase()).unwrap_or_default();
            let is_read = READ.contains(&(lower.as_str(), operand.as_str()));
            if let Some((_, feature)) = listed.or_else(|| begun().filter(|_| !own())).filter(|_| !is_read) {
                found.add(feature, span, format!("`{}`", word.text));
            }
        } else if let Some(feature) = register(arch, word.text, is_jump || is_label) {
            found.add(feature, span, format!("`{}`", word.text));
        }
    }
}

/// Instructions that are read with this operand only.
const READ: [(&str, &str); 1] = [("dc", "cvap")];

/// Whether operands may be labels.
fn is_branch(arch: Arch, stem: &str) -> bool {
    matches!(stem, "adr" | "adrp" | "b" | "bl" | "cbz" | "cbnz" | "tbz" | "tbnz")
        || arch != Arch::AArch64 && stem.starts_with(['b', 'j'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::litmus::split::split;

    fn found(text: &str) -> Vec<String> {
        let sections = split(text).unwrap();
        let arch = Arch::from_header(&sections.arch).unwrap();
        features(&sections, arch).into_iter().map(|e| e.message).collect()
    }

    #[track_caller]
    fn needs(text: &str, features: &[Feature]) {
        let found = found(text);
        assert_eq!(found.len(), features.len(), "{text}: {found:?}");
        for (message, feature) in found.iter().zip(features) {
            assert!(message.contains(feature), "{message} lacks {feature}");
        }
    }

    #[test]
    fn each_mark_is_seen() {
        let a64 =
            |init: &str, code: &str, condition: &str| format!("AArch64 t\n{{ {init} }}\n P0 ;\n {code} ;\n{condition}");
        needs(&a64("0:X1=x:red;", "NOP", ""), &[TAGS]);
        needs(&a64("0:X1=:red;", "NOP", ""), &[TAGS]);
        needs(&a64("", "STG X2,[X2]", ""), &[TAGS]);
        needs(&a64("", "L0: LDR W0,[X1]", "exists (fault(P0:L0,x))"), &[FAULTS]);
        needs(&a64("[PTE(x)]=(oa:PA(x),valid:0);", "NOP", ""), &[PAGES]);
        needs(&a64("x=(valid:0);", "NOP", ""), &[PAGES]);
        needs(&a64("", "TLBI VAAE1IS,X1", ""), &[PAGES]);
        needs(&a64("0:X0=instr:\"NOP\";", "NOP", ""), &[CODE]);
        needs(&a64("0:X0=NOP;", "NOP", ""), &[CODE]);
        needs(&a64("", "DC CVAU,X1", ""), &[CACHES]);
        needs(&a64("", "DC CVAP,X1", ""), &[]);
        needs(&a64("", "PACDA X0,X1", ""), &[POINTERS]);
        needs(&a64("", "GCSPUSHM X1", ""), &[STACKS]);
        needs(&a64("", "LD1 {V0.16B},[X0]", ""), &[VECTORS]);
        needs(&a64("", "LDR Q0,[X0]", ""), &[VECTORS]);
        needs(&a64("", "ADD Z0.S,Z1.S,Z2.S", ""), &[VECTORS]);
        needs(&a64("", "NOP", "exists (0:V1.4S={1,2,3,4})"), &[VECTORS]);
        needs(&a64("", "STR WZR,[C1]", ""), &[CAPABILITIES]);
        needs(&a64("__int128 x;", "NOP", ""), &[WIDE]);
        needs(&a64("", "MRS X0,CTR_EL0", ""), &[SYSTEM]);
        needs(&a64("", "SVC #0", ""), &[EXCEPTIONS]);
        needs("AArch64 t\nVariant=mte,precise\n{ }\n P0 ;\n NOP ;\n", &[TAGS, FAULTS]);
        needs("AArch64 t\nTTHM=HA\n{ }\n P0 ;\n NOP ;\n", &[PAGES]);
        needs("AArch64 t\n{ }\n P0 | P0.F ;\n NOP | NOP ;\n", &[FAULTS]);
        needs("C t\n{ __int128 x; }\nP0(__int128 *x) { }\n", &[WIDE]);
        needs("C t\n{ }\nP0(int *x) { }\nregions: x:PROP\n", &[REGIONS]);
        needs("X86_64 t\n{ }\n P0 ;\n movntdqa (x),%xmm0 ;\n", &[VECTORS]);
        assert!(language("BPF").is_some() && language("X86").is_none());
    }

    #[test]
    fn a_name_is_no_mark() {
        let text = "AArch64 t\nVariant=telechat\n{ 0:X1=tag; 0:X2=P1:S0; 1:X3=label:\"P1:S0\"; PA=1; int valid; }\n \
                    P0 | P1 ;\n B V0 | S0: CBZ W1,S0 ;\n V0: | ADR X0,S0 ;\nexists (0:X2=P1:S0 /\\ tag=1)";
        needs(text, &[]);
        needs("RISCV t\n{ 0:x5=P0:v0; }\n P0 ;\n v0: nop ;\n", &[]);
        needs("C t\n{ }\nP0(int *tag) { int fault = 1; int regions = 2; }\nexists (0:fault=1)", &[]);
        needs("ARM t\n{ }\n P0 ;\n B Q0 ;\n Q0: NOP ;\n", &[]);
    }
}
