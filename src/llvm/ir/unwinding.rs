//! What exceptions add to a function: calls that may not come back (`invoke`), where they lead then (`landingpad`), and going on from there (`resume`). They are read as calls
//! of functions with names that no program has, which [`crate::llvm::unwinding`] looks for.

use super::lex::Kind;
use super::parse::{Parsed, Parser};
use super::*;

/// Whether the call that has just ended is being left, not come back from.
pub const UNWINDS: &str = "__hmc_unwinding";
/// Where a thread lands that is leaving calls. The arguments are addresses of types that are caught (null: any), and a number where something is to be done for any other.
pub const LANDS: &str = "__hmc_landing";
/// Has the thread go on leaving calls, with what landed.
pub const RESUMES: &str = "__hmc_resume";

/// Returns if the call before is being left.
pub const LEAVES: &str = "__hmc_leave_if_unwinding";
/// A function comes back.
pub const COMES_BACK: &str = "__hmc_comes_back";
/// What leaves the call that it is made in.
pub const LEAVING: [&str; 6] = ["__cxa_throw", "__cxa_rethrow", "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"];
/// What comes back a second time.
pub const RETURNING_TWICE: [&str; 4] = ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"];

impl<'a> Parser<'a> {
    /// After the word `invoke`: a call, and a jump that looks at how it ended.
    pub(super) fn invoke(&mut self) -> Parsed<Op> {
        let call = self.call()?;
        while !matches!(self.kind(), Kind::Word("to") | Kind::End) {
            self.advance();
        }
        self.eat_word("to");
        let to = self.label()?;
        if !self.eat_word("unwind") {
            return Err(format!("`unwind` expected here, found {}", self.found()));
        }
        let pad = self.label()?;
        let bit = self.module.types.add(Type::Int(1));
        self.locals.push("unwinding".to_owned());
        let unwinds = self.locals.len() as Local - 1;
        let asked = Op::Call { ret: bit, callee: Value::Global(UNWINDS.to_owned()), args: Vec::new() };
        self.behind.push((Some(unwinds), asked));
        self.behind.push((None, Op::CondBranch { cond: Value::Local(unwinds), then: pad, otherwise: to }));
        Ok(call)
    }

    /// After the word `landingpad`.
    pub(super) fn landing(&mut self) -> Parsed<Op> {
        let ret = self.ty()?;
        let int = self.module.types.add(Type::Int(32));
        let mut args = Vec::new();
        while let Kind::Word(clause @ ("cleanup" | "catch" | "filter")) = self.kind() {
            self.advance();
            let (ty, value) = match clause {
                "cleanup" => (int, Value::Int(1)),
                "catch" => self.typed_value()?,
                _ => {
                    self.typed_value()?;
                    (int, Value::Unsupported("list of exceptions that a function may throw".to_owned()))
                }
            };
            args.push(Arg { ty, value, align: 1 });
        }
        Ok(Op::Call { ret, callee: Value::Global(LANDS.to_owned()), args })
    }

    /// After the word `resume`.
    pub(super) fn resume(&mut self) -> Parsed<Op> {
        let (ty, value) = self.typed_value()?;
        let ret = self.module.types.add(Type::Void);
        self.behind.push((None, Op::Unreachable));
        let args = vec![Arg { ty, value, align: 1 }];
        Ok(Op::Call { ret, callee: Value::Global(RESUMES.to_owned()), args })
    }
}
