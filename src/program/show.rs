//! A readable listing of a program, for tests and for looking at what a front end made.

use super::*;
use std::fmt::{Display, Formatter, Result, Write};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for object in &self.objects {
            let kind = match (object.thread_local, object.read_only) {
                (true, _) => "thread-local",
                (false, true) => "constant",
                (false, false) => "object",
            };
            writeln!(f, "{kind} {} at {:#x}, {} bytes", object.name, object.address, object.bytes.len())?;
        }
        for function in &self.functions {
            Listing { program: self, function }.fmt(f)?;
        }
        match &self.start {
            Start::Main(id) => writeln!(f, "start {}", self.functions[id.index()].name)?,
            Start::Together(entries) => {
                for entry in entries {
                    writeln!(f, "thread {} runs {}", entry.name, self.functions[entry.function.index()].name)?;
                }
            }
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "note: {note}"))
    }
}

/// One function of a program.
pub struct Listing<'p> {
    /// The program.
    pub program: &'p Program,
    /// The function.
    pub function: &'p Function,
}

impl Display for Listing<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let function = self.function;
        writeln!(f, "function {}({} parameters, {} registers)", function.name, function.params, function.regs)?;
        for (pc, instr) in function.code.iter().enumerate() {
            let head = if function.head_at.get(pc).is_some_and(|&h| h > 0) { "loop " } else { "" };
            write!(f, "{pc:4} {head}")?;
            self.instruction(f, instr)?;
            let line = function.spans.get(pc).map_or(0, |&s| self.program.span(s).line);
            writeln!(f, "{}", if line > 0 { format!("  ; line {line}") } else { String::new() })?;
        }
        Ok(())
    }
}

impl Listing<'_> {
    fn reg(&self, reg: Reg) -> String {
        match self.function.reg_names.get(reg as usize) {
            Some(name) if !name.is_empty() => format!("r{reg}.{name}"),
            _ => format!("r{reg}"),
        }
    }

    fn operand(&self, operand: &Operand) -> String {
        match operand {
            Operand::Reg(reg) => self.reg(*reg),
            Operand::Const(c) if *c >= FUNCTION_BASE => {
                let function = self.program.functions.get(((c - FUNCTION_BASE) / 16) as usize);
                function.map_or_else(|| format!("{c:#x}"), |f| format!("&{}", f.name))
            }
            Operand::Const(c) => match self.program.object_at(*c) {
                Some(o) if *c == o.address => format!("&{}", o.name),
                Some(o) => format!("&{}+{}", o.name, c - o.address),
                None => format!("{}", *c as i64),
            },
        }
    }

    fn tags(&self, set: TagSetId) -> String {
        let mut out = String::from("{");
        for (i, tag) in self.program.tags_of(set).enumerate() {
            if i > 0 {
                out.push(' ');
            }
            out.push_str(tag);
        }
        out.push('}');
        out
    }

    fn access(&self, half: Half, hidden: bool) -> String {
        let mut out = String::new();
        if half != Half::None {
            // Writing to a text cannot fail.
            let _ = write!(out, " {half:?}");
        }
        if hidden {
            out.push_str(" hidden");
        }
        out
    }

    fn instruction(&self, f: &mut Formatter<'_>, instr: &Instr) -> Result {
        let op = |o: &Operand| self.operand(o);
        match instr {
            Instr::Set { dst, src } => write!(f, "{} = {}", self.reg(*dst), op(src)),
            Instr::Bin { dst, op: kind, bits, a, b } => {
                write!(f, "{} = {} {kind:?}.{bits} {}", self.reg(*dst), op(a), op(b))
            }
            Instr::Un { dst, op: kind, bits, a } => write!(f, "{} = {kind:?}.{bits} {}", self.reg(*dst), op(a)),
            Instr::Select { dst, cond, a, b, on_cond } => {
                let how = if *on_cond { "?" } else { "?!" };
                write!(f, "{} = {} {how} {} : {}", self.reg(*dst), op(cond), op(a), op(b))
            }
            Instr::SetStatus { dst, src } => {
                write!(f, "{} = {} after the last store-exclusive", self.reg(*dst), op(src))
            }
            Instr::Load(load) => {
                let shape = self.access(load.half, load.hidden);
                write!(
                    f,
                    "{} = load.{} [{}] {}{shape}",
                    self.reg(load.dst),
                    load.size,
                    op(&load.addr),
                    self.tags(load.tags)
                )?;
                match &load.unless {
                    Some(u) => {
                        let shape = self.access(u.half, false);
                        write!(f, " unless {} then {}{shape}", op(&u.expected), self.tags(u.tags))
                    }
                    None => Ok(()),
                }
            }
            Instr::Store(store) => {
                let shape = self.access(store.half, store.hidden);
                write!(
                    f,
                    "store.{} [{}] = {} {}{shape}",
                    store.size,
                    op(&store.addr),
                    op(&store.value),
                    self.tags(store.tags)
                )
            }
            Instr::Fence { tags, addr, is_fence } => {
                let kind = if *is_fence { "fence" } else { "event" };
                write!(f, "{kind} {}", self.tags(*tags))?;
                addr.as_ref().map_or(Ok(()), |a| write!(f, " at [{}]", op(a)))
            }
            Instr::Choose { dst, values } => write!(f, "{} = one of {values:?}", self.reg(*dst)),
            Instr::ChooseBit { dst, of } => write!(f, "{} = one bit of {}", self.reg(*dst), op(of)),
            Instr::Jump(to) => write!(f, "jump {to}"),
            Instr::Branch { cond, then, otherwise, join } => {
                write!(f, "if {} jump {then} else {otherwise} ({join:?})", op(cond))
            }
            Instr::Call { callee, args, dst } => {
                if let Some(dst) = dst {
                    write!(f, "{} = ", self.reg(*dst))?;
                }
                let name = match callee {
                    Callee::Direct(id) => self.program.functions[id.index()].name.clone(),
                    Callee::Indirect(target) => format!("*{}", op(target)),
                };
                write!(f, "call {name}({})", args.iter().map(op).collect::<Vec<_>>().join(", "))
            }
            Instr::Return { value } => {
                write!(f, "return")?;
                value.as_ref().map_or(Ok(()), |v| write!(f, " {}", op(v)))
            }
            Instr::ReturnMany { values } => {
                write!(f, "return {}", values.iter().map(op).collect::<Vec<_>>().join(", "))
            }
            Instr::Spawn { dst, function, arg } => {
                write!(f, "{} = spawn {}({})", self.reg(*dst), op(function), op(arg))
            }
            Instr::JoinThread { dst, thread } => {
                if let Some(dst) = dst {
                    write!(f, "{} = ", self.reg(*dst))?;
                }
                write!(f, "join {}", op(thread))
            }
            Instr::Mark { mark, value } => write!(f, "{:?} of operation {}: {}", mark.told, mark.operation, op(value)),
            Instr::Arrive { barrier } => write!(f, "arrive {}", op(barrier)),
            Instr::Depart { barrier, count } => write!(f, "depart {} of {}", op(barrier), op(count)),
            Instr::ThreadSelf { dst } => write!(f, "{} = self", self.reg(*dst)),
            Instr::ReadWord { dst, word } => write!(f, "{} = word {word}", self.reg(*dst)),
            Instr::WriteWord { word, value } => write!(f, "word {word} = {}", op(value)),
            Instr::Repeats { dst } => write!(f, "{} = repeats", self.reg(*dst)),
            Instr::Alloc { dst, size, region, name } => {
                write!(f, "{} = alloc {region:?} {} bytes `{name}`", self.reg(*dst), op(size))
            }
            Instr::Free { addr, stack } => write!(f, "{} {}", if *stack { "end of life of" } else { "free" }, op(addr)),
            Instr::LocalLoad { dst, offset, size } => write!(f, "{} = local.{size} [{}]", self.reg(*dst), op(offset)),
            Instr::LocalStore { offset, value, size } => write!(f, "local.{size} [{}] = {}", op(offset), op(value)),
            Instr::StopUnless { cond, why } => write!(f, "stop ({why:?}) unless {}", op(cond)),
            Instr::Assert { cond, message } => write!(f, "assert {} `{message}`", op(cond)),
            Instr::Check { cond, fault } => write!(f, "check {} `{fault:?}`", op(cond)),
            Instr::Fail { message, unsupported } => {
                write!(f, "fail{} `{message}`", if *unsupported { " (unsupported)" } else { "" })
            }
            Instr::Panic { message } => {
                write!(f, "panic `")?;
                for part in message {
                    match part {
                        Piece::Text(text) => write!(f, "{text}")?,
                        Piece::Number { value, .. } | Piece::Truth(value) | Piece::Place(value) => {
                            write!(f, "{{{}}}", op(value))?
                        }
                    }
                }
                write!(f, "`")
            }
            Instr::ExitThread { value } => write!(f, "exit thread {}", op(value)),
            Instr::ExitProgram { code } => write!(f, "exit program {}", op(code)),
        }
    }
}
