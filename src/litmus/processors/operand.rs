//! Reads one assembly instruction: a mnemonic and operands, in a form that all architectures share.
//!
//! What an operand may be is the union over the architectures (`#1`, `$1`, `[X1,W2,SXTW]`, `4(r1)`, `(%rip)`); each
//! architecture picks what it understands and names the rest.

use crate::litmus::arch::Arch;
use std::ops::Range;

/// An operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A register, label, symbol or keyword, as spelt.
    Name(String),
    /// A constant (`1`, `#1`, `$1`).
    Immediate(i64),
    /// A shift or an extension of the operand before it: `LSL #2`, `SXTW`.
    Modifier(String, Option<i64>),
    /// `[a,b,…]`, followed by `!` when it writes back.
    Bracket(Vec<Operand>, bool),
    /// `k(a)`, `(a)`, `sym(%rip)`.
    Based(Option<Box<Operand>>, Vec<Operand>),
    /// `{a,b-c}`: each element as its first and last register.
    List(Vec<(Operand, Operand)>),
    /// `%fs:k(a)`: memory, by a segment.
    Segment(String, Box<Operand>),
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The mnemonic in lower case; a `lock` prefix is kept apart.
    pub mnemonic: String,
    /// Whether `lock` stands before it.
    pub locked: bool,
    /// Operands in order of writing.
    pub operands: Vec<Operand>,
    /// Bytes of the file.
    pub span: Range<usize>,
}

/// Why an instruction could not be translated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No such mnemonic.
    Unknown,
    /// The operands are not of a form that the instruction takes.
    Operands(String),
    /// Known, but not done here.
    Unsupported(String),
}

impl Fault {
    /// The operands do not fit; `form` shows what would.
    pub fn form(form: &str) -> Fault {
        Fault::Operands(format!("expected `{form}`"))
    }
}

const SHIFTS: [&str; 12] = ["LSL", "LSR", "ASR", "ROR", "SXTB", "SXTH", "SXTW", "SXTX", "UXTB", "UXTH", "UXTW", "UXTX"];

/// Reads an instruction from `text`, which starts at byte `start` of the file.
pub fn parse(text: &str, start: usize, arch: Arch) -> Result<Instruction, (Range<usize>, String)> {
    let span = start..start + text.len();
    let (mut word, mut rest) = first_word(text);
    if arch == Arch::Ppc && word.starts_with('b') {
        // Whether the jump is likely.
        rest = rest.strip_prefix(['+', '-']).unwrap_or(rest);
    }
    let mut locked = false;
    if word.eq_ignore_ascii_case("lock") {
        locked = true;
        let behind = rest.trim_start();
        (word, rest) = first_word(behind.strip_prefix(';').unwrap_or(behind).trim_start());
    }
    if word.is_empty() {
        return Err((span, format!("`{}` is not an instruction", text.trim())));
    }
    let base = start + (text.len() - rest.len());
    let tokens = tokens(rest, arch)
        .map_err(|at| (base + at..base + at + 1, "unexpected character in an instruction".to_owned()))?;
    let mut reader = Reader { tokens, at: 0 };
    let operands = reader.list(None).map_err(|message| (span.clone(), message))?;
    Ok(Instruction { mnemonic: word.to_ascii_lowercase(), locked, operands, span })
}

fn first_word(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '_')).unwrap_or(text.len());
    text.split_at(end)
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Name(String),
    Number(i64),
    Mark(u8),
}

/// A `$` begins a register of MIPS, and may be the place of the instruction itself on Power (`$+4`); elsewhere it begins a constant.
fn tokens(text: &str, arch: Arch) -> Result<Vec<Token>, usize> {
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let b = bytes[at];
        let run = |from: usize, f: fn(&u8) -> bool| {
            bytes[from..].iter().position(|b| !f(b)).map_or(bytes.len(), |n| from + n)
        };
        let signed = b == b'-' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        let here = b == b'$' && arch == Arch::Ppc && bytes.get(at + 1).is_some_and(|b| matches!(b, b'+' | b'-'));
        if here || b == b'$' && arch == Arch::Mips {
            let end = run((at + 1 + usize::from(here)).min(bytes.len()), u8::is_ascii_alphanumeric);
            let sigil = if here { "." } else { "$" };
            all.push(Token::Name(format!("{sigil}{}", text.get(at + 1..end).ok_or(at)?)));
            at = end;
        } else if b.is_ascii_whitespace() || b == b'#' || b == b'$' {
            at += 1;
        } else if b.is_ascii_digit() || signed {
            let end = run(at + 1, u8::is_ascii_alphanumeric);
            let word = &text[at..end];
            let is_target = word.strip_suffix(['b', 'f']).is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
            all.push(match crate::litmus::token::number(word) {
                Some(value) => Token::Number(value as i64),
                None if is_target => Token::Name(word.to_owned()),
                None => return Err(at),
            });
            at = end;
        } else if b.is_ascii_alphabetic() || b == b'_' || b == b'%' || b == b'.' {
            let signed = b == b'.' && bytes.get(at + 1).is_some_and(|b| matches!(b, b'+' | b'-'));
            let start = at + 1 + usize::from(signed);
            let end = run(start, |b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'%' | b'$'));
            all.push(Token::Name(text[at..end].to_owned()));
            at = end;
        } else if b"[](){},!+-:*".contains(&b) {
            all.push(Token::Mark(b));
            at += 1;
        } else {
            return Err(at);
        }
    }
    Ok(all)
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn mark(&mut self, mark: u8) -> bool {
        let found = self.peek() == Some(&Token::Mark(mark));
        self.at += usize::from(found);
        found
    }

    /// Operands up to `close` (or the end). Brackets hold no brackets, so this calls itself at most once.
    fn list(&mut self, close: Option<u8>) -> Result<Vec<Operand>, String> {
        let mut all = Vec::new();
        let ended = |r: &mut Self| match close {
            Some(c) => r.mark(c),
            None => r.peek().is_none(),
        };
        if ended(self) {
            return Ok(all);
        }
        loop {
            let operand = self.operand(close)?;
            all.push(operand);
            if ended(self) {
                return Ok(all);
            }
            let plus = close == Some(b']') && self.mark(b'+');
            if !plus && !self.mark(b',') {
                return Err("expected `,` between operands".to_owned());
            }
        }
    }

    /// `{R0,R1,R4-R6}` behind its opening brace.
    fn registers(&mut self) -> Result<Vec<(Operand, Operand)>, String> {
        let mut all = Vec::new();
        loop {
            let first = self.operand(Some(b'}'))?;
            let last = if self.mark(b'-') { self.operand(Some(b'}'))? } else { first.clone() };
            all.push((first, last));
            if self.mark(b'}') {
                return Ok(all);
            }
            if !self.mark(b',') {
                return Err("expected `,` or `}` in a list of registers".to_owned());
            }
        }
    }

    /// A name, or a place so many bytes behind it: `x+4`, before registers in brackets.
    fn displaced(&mut self, name: String) -> String {
        let at = |i: usize| self.tokens.get(self.at + i);
        let (offset, used) = match (at(0), at(1)) {
            (Some(Token::Mark(b'+')), Some(Token::Number(offset))) => (*offset, 2),
            (Some(Token::Number(offset @ ..0)), _) => (*offset, 1),
            _ => return name,
        };
        if self.tokens.get(self.at + used) != Some(&Token::Mark(b'(')) {
            return name;
        }
        self.at += used;
        format!("{name}{offset:+}")
    }

    fn operand(&mut self, close: Option<u8>) -> Result<Operand, String> {
        let inside = close.is_some();
        let token = self.peek().cloned().ok_or("an operand is missing")?;
        self.at += 1;
        let operand = match token {
            // `(,%rax,8)` has no base.
            Token::Mark(b',') if close == Some(b')') => {
                self.at -= 1;
                return Ok(Operand::Immediate(0));
            }
            // A bit of a field of Power's condition register: `4*cr1+eq`.
            Token::Number(4) if self.mark(b'*') => {
                let [Some(Token::Name(field)), Some(Token::Mark(b'+')), Some(Token::Name(bit))] =
                    [0, 1, 2].map(|i| self.tokens.get(self.at + i))
                else {
                    return Err("expected a bit of a field, as in `4*cr1+eq`".to_owned());
                };
                let operand = Operand::Name(format!("4*{field}+{bit}"));
                self.at += 3;
                return Ok(operand);
            }
            Token::Number(n) => Operand::Immediate(n),
            Token::Name(name) if SHIFTS.contains(&name.to_ascii_uppercase().as_str()) => {
                let amount = match self.peek() {
                    Some(&Token::Number(n)) => {
                        self.at += 1;
                        Some(n)
                    }
                    _ => None,
                };
                return Ok(Operand::Modifier(name.to_ascii_uppercase(), amount));
            }
            Token::Name(name) if !inside && !name.starts_with('%') => Operand::Name(self.displaced(name)),
            Token::Name(name) => Operand::Name(name),
            Token::Mark(b'[') if !inside => {
                let parts = self.list(Some(b']'))?;
                return Ok(Operand::Bracket(parts, self.mark(b'!')));
            }
            Token::Mark(b'{') if !inside => return Ok(Operand::List(self.registers()?)),
            Token::Mark(b'(') if !inside => return Ok(Operand::Based(None, self.list(Some(b')'))?)),
            Token::Mark(m) => return Err(format!("unexpected `{}` in an instruction", m as char)),
        };
        if let (false, Operand::Name(name)) = (inside, &operand) {
            if self.mark(b'!') {
                return Ok(Operand::Bracket(vec![operand], true));
            }
            if name.starts_with('%') && self.mark(b':') {
                if matches!(self.peek(), Some(Token::Name(name)) if name.starts_with('%')) {
                    return Err("a segment is followed by a place in memory".to_owned());
                }
                return Ok(Operand::Segment(name.clone(), Box::new(self.operand(None)?)));
            }
        }
        if !inside && self.mark(b'(') {
            return Ok(Operand::Based(Some(Box::new(operand)), self.list(Some(b')'))?));
        }
        Ok(operand)
    }
}

#[cfg(test)]
mod tests {
    use crate::litmus::processors::operand::*;

    fn operands(text: &str) -> Vec<Operand> {
        parse(text, 0, Arch::AArch64).unwrap().operands
    }

    #[test]
    fn forms() {
        let name = |n: &str| Operand::Name(n.to_owned());
        let extend = Operand::Modifier("SXTW".into(), None);
        assert_eq!(
            operands("LDR W0,[X1,W2,SXTW]"),
            [name("W0"), Operand::Bracket(vec![name("X1"), name("W2"), extend], false)]
        );
        assert_eq!(operands("STR X0,[X1,#-8]!")[1], Operand::Bracket(vec![name("X1"), Operand::Immediate(-8)], true));
        assert_eq!(
            operands("stw r1,0(r2)")[1],
            Operand::Based(Some(Box::new(Operand::Immediate(0))), vec![name("r2")])
        );
        assert_eq!(operands("movl $1,(x)"), [Operand::Immediate(1), Operand::Based(None, vec![name("x")])]);
        assert_eq!(operands("ADD X0,X1,X2,LSL #2")[3], Operand::Modifier("LSL".into(), Some(2)));
        let locked = parse("lock xchg [x],EAX", 7, Arch::X86).unwrap();
        assert!(locked.locked && locked.mnemonic == "xchg" && locked.span == (7..24));
        assert_eq!(operands("fence rw,rw"), [name("rw"), name("rw")]);
        let list = vec![(name("R1"), name("R1")), (name("R4"), name("R6"))];
        assert_eq!(operands("LDM R0!, { R1, R4-R6 }"), [Operand::Bracket(vec![name("R0")], true), Operand::List(list)]);
        let of = |text: &str, arch| parse(text, 0, arch).unwrap().operands;
        assert_eq!(of("li $2,-1", Arch::Mips), [name("$2"), Operand::Immediate(-1)]);
        assert_eq!(of("bne- cr7,$+4", Arch::Ppc), [name("cr7"), name(".+4")]);
        assert_eq!(parse("bne- cr7,.+4", 0, Arch::Ppc).unwrap().mnemonic, "bne");
        let scaled = vec![Operand::Immediate(0), name("%rbx"), Operand::Immediate(8)];
        assert_eq!(of("movq (,%rbx,8),%rax", Arch::X86_64)[0], Operand::Based(None, scaled));
        let place = Operand::Based(Some(Box::new(name("x+4"))), vec![name("%rip")]);
        assert_eq!(of("movl x+4(%rip),%eax", Arch::X86_64)[0], place);
        assert_eq!(of("isel r1,r2,r3,4*cr1+eq", Arch::Ppc)[3], name("4*cr1+eq"));
        assert!(matches!(&of("nopl %cs:0(%rax)", Arch::X86_64)[0], Operand::Segment(s, _) if s == "%cs"));
    }

    #[test]
    fn nonsense_is_an_error() {
        for text in [
            "",
            "LDR W0,[X1",
            "LDR W0 X1",
            "LDR [[X1]]",
            "MOV W0,#99999999999999999999",
            "LDR W0,,",
            "B @x",
            "&&",
            "LDM R0,{",
            "LDM R0,{R1-",
            "mov %a:%b:%c",
            "isel r1,4*",
            "isel 4*cr1+",
        ] {
            assert!(parse(text, 0, Arch::X86_64).is_err(), "{text}");
        }
    }
}
