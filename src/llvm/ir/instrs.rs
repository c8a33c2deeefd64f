//! Instructions of textual IR.

use super::lex::Kind;
use super::parse::{Parsed, Parser};
use super::*;

pub(super) const BINARY: &[&str] = &[
    "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor", "fadd", "fsub",
    "fmul", "fdiv", "frem",
];
pub(super) const CASTS: &[&str] = &[
    "trunc",
    "zext",
    "sext",
    "fptrunc",
    "fpext",
    "fptoui",
    "fptosi",
    "uitofp",
    "sitofp",
    "ptrtoint",
    "inttoptr",
    "bitcast",
    "addrspacecast",
];

fn order(word: &str) -> Option<Order> {
    Some(match word {
        "unordered" | "monotonic" => Order::Rlx,
        "acquire" => Order::Acq,
        "release" => Order::Rel,
        "acq_rel" => Order::AcqRel,
        "seq_cst" => Order::Sc,
        _ => return None,
    })
}

impl<'a> Parser<'a> {
    /// One instruction with its attachments; `None` for debug records that say nothing here.
    pub fn instruction(&mut self) -> Parsed<Option<Instruction>> {
        if let Kind::Hash(name) = self.kind() {
            return self.debug_record(name);
        }
        let result = match (self.kind(), self.ahead(1)) {
            (Kind::Local(name), Kind::Mark(b'=')) => {
                self.advance();
                self.advance();
                Some(self.local(name))
            }
            _ => None,
        };
        let Kind::Word(word) = self.kind() else {
            return Err(format!("an instruction is expected here, found {}", self.found()));
        };
        self.advance();
        let mut op = self.op(word)?;
        let others = std::mem::take(&mut self.module.streams);
        let debug = self.skip_line();
        if let Op::Store { streams, .. } = &mut op {
            *streams = self.module.streams;
        }
        self.module.streams |= others;
        if let Op::Call { callee: Value::Global(name), args, .. } = &op
            && let ("llvm.dbg.declare", [address, variable, ..]) = (name.as_str(), args.as_slice())
            && let (Value::Metadata(Some(address), _), Value::Metadata(_, Some(variable))) =
                (&address.value, &variable.value)
        {
            op = Op::Declare { address: (**address).clone(), variable: *variable };
        }
        Ok(Some(Instruction { result, op, debug }))
    }

    fn debug_record(&mut self, name: &str) -> Parsed<Option<Instruction>> {
        self.advance();
        let mut declared = None;
        if name == "dbg_declare" && self.eat(b'(') {
            let (_, address) = self.typed_value()?;
            self.demand(b',')?;
            if let Kind::Meta(variable) = self.advance() {
                declared = variable.parse().ok().map(|variable| Op::Declare { address, variable });
            }
        }
        self.skip_line();
        Ok(declared.map(|op| Instruction { result: None, op, debug: None }))
    }

    fn op(&mut self, word: &'a str) -> Parsed<Op> {
        if BINARY.contains(&word) {
            let no_overflow = |kind| matches!(kind, Kind::Word("nsw"));
            let signed = no_overflow(self.kind()) || no_overflow(self.ahead(1));
            self.skip_flags();
            let ty = self.ty()?;
            let a = self.value(ty)?;
            self.demand(b',')?;
            let b = self.value(ty)?;
            return Ok(Op::Bin { op: word.to_owned(), signed, ty, a, b });
        }
        if CASTS.contains(&word) {
            self.skip_flags();
            let (from, value) = self.typed_value()?;
            if !self.eat_word("to") {
                return Err(format!("`to` expected here, found {}", self.found()));
            }
            let to = self.ty()?;
            return Ok(Op::Cast { op: word.to_owned(), from, value, to });
        }
        match word {
            "alloca" => self.alloca(),
            "load" => self.load(),
            "store" => self.store(),
            "fence" => {
                let single = self.single_thread();
                let order = self.order()?;
                Ok(Op::Fence { order: (!single).then_some(order) })
            }
            "cmpxchg" => self.cmpxchg(),
            "atomicrmw" => self.atomicrmw(),
            "getelementptr" => {
                self.skip_flags();
                let source = self.ty()?;
                self.demand(b',')?;
                let (_, base) = self.typed_value()?;
                let mut indices = Vec::new();
                while self.is_mark(b',') && !matches!(self.ahead(1), Kind::Meta(_)) {
                    self.advance();
                    indices.push(self.typed_value()?);
                }
                Ok(Op::Gep { source, base, indices })
            }
            "fneg" => {
                self.skip_flags();
                let (ty, a) = self.typed_value()?;
                Ok(Op::FNeg { ty, a })
            }
            "icmp" | "fcmp" => {
                let mut predicate = "";
                while let Kind::Word(flag) = self.kind() {
                    if matches!(flag, "true" | "false") || flag.len() <= 3 && flag != "ptr" && !is_int(flag) {
                        predicate = flag;
                    } else if !matches!(
                        flag,
                        "samesign" | "nnan" | "ninf" | "nsz" | "arcp" | "contract" | "afn" | "reassoc" | "fast"
                    ) {
                        break;
                    }
                    self.advance();
                }
                let ty = self.ty()?;
                let a = self.value(ty)?;
                self.demand(b',')?;
                let b = self.value(ty)?;
                Ok(Op::Compare { float: word == "fcmp", predicate: predicate.to_owned(), ty, a, b })
            }
            "select" => {
                self.skip_flags();
                let (cond_ty, cond) = self.typed_value()?;
                self.demand(b',')?;
                let (ty, a) = self.typed_value()?;
                self.demand(b',')?;
                let (_, b) = self.typed_value()?;
                Ok(Op::Select { cond_ty, cond, ty, a, b })
            }
            "phi" => self.phi(),
            "extractvalue" => {
                let (ty, value) = self.typed_value()?;
                let path = self.path()?;
                Ok(Op::ExtractValue { ty, value, path })
            }
            "insertvalue" => {
                let (ty, value) = self.typed_value()?;
                self.demand(b',')?;
                let (part_ty, part) = self.typed_value()?;
                let path = self.path()?;
                Ok(Op::InsertValue { ty, value, part_ty, part, path })
            }
            "extractelement" => {
                let (ty, value) = self.typed_value()?;
                self.demand(b',')?;
                let (index_ty, index) = self.typed_value()?;
                Ok(Op::ExtractElement { ty, value, index_ty, index })
            }
            "insertelement" => {
                let (ty, value) = self.typed_value()?;
                self.demand(b',')?;
                let (_, part) = self.typed_value()?;
                self.demand(b',')?;
                let (index_ty, index) = self.typed_value()?;
                Ok(Op::InsertElement { ty, value, part, index_ty, index })
            }
            "shufflevector" => {
                let (ty, a) = self.typed_value()?;
                self.demand(b',')?;
                let (_, b) = self.typed_value()?;
                self.demand(b',')?;
                let (mask_ty, mask) = self.typed_value()?;
                Ok(Op::Shuffle { ty, a, b, mask_ty, mask })
            }
            "tail" | "musttail" | "notail" => {
                if !self.eat_word("call") {
                    return Err(format!("`call` expected here, found {}", self.found()));
                }
                self.call()
            }
            "call" => self.call(),
            "invoke" => self.invoke(),
            "landingpad" => self.landing(),
            "resume" => self.resume(),
            "freeze" => {
                let (ty, value) = self.typed_value()?;
                Ok(Op::Freeze { ty, value })
            }
            "br" => self.branch(),
            "switch" => self.switch(),
            "ret" => {
                let ty = self.ty()?;
                match self.module.types.get(ty) {
                    Type::Void => Ok(Op::Return { value: None }),
                    _ => Ok(Op::Return { value: Some((ty, self.value(ty)?)) }),
                }
            }
            "unreachable" => Ok(Op::Unreachable),
            _ => Ok(Op::Unsupported(word.to_owned())),
        }
    }

    /// Skips flags such as `nsw`, `inbounds`, `fast`, `nuw`, `exact`, `disjoint`, `nneg`, `inrange(…)`.
    fn skip_flags(&mut self) {
        self.skip_attributes();
    }

    fn single_thread(&mut self) -> bool {
        if !self.eat_word("syncscope") {
            return false;
        }
        let single = matches!(self.ahead(1), Kind::Text("singlethread"));
        self.skip_group();
        single
    }

    fn order(&mut self) -> Parsed<Order> {
        match self.kind() {
            Kind::Word(word) if order(word).is_some() => {
                self.advance();
                Ok(order(word).unwrap_or(Order::Sc))
            }
            _ => Err(format!("a memory order is expected here, found {}", self.found())),
        }
    }

    /// `, align N`: a smaller number than the type's own means that the program packs structures.
    fn alignment(&mut self, ty: TypeId) {
        if let (Kind::Mark(b','), Kind::Word("align"), Kind::Int(n)) = (self.kind(), self.ahead(1), self.ahead(2)) {
            let natural = self.module.types.size_align(ty).1;
            self.module.packed |= n.parse::<u64>().is_ok_and(|n| n < natural);
        }
    }

    fn alloca(&mut self) -> Parsed<Op> {
        self.eat_word("inalloca");
        let ty = self.ty()?;
        let mut count = None;
        if self.is_mark(b',') && !matches!(self.ahead(1), Kind::Word("align" | "addrspace") | Kind::Meta(_)) {
            self.advance();
            count = Some(self.typed_value()?.1);
        }
        Ok(Op::Alloca { ty, count })
    }

    fn load(&mut self) -> Parsed<Op> {
        let atomic = self.eat_word("atomic");
        let volatile = self.eat_word("volatile");
        let ty = self.ty()?;
        self.demand(b',')?;
        let (_, ptr) = self.typed_value()?;
        self.single_thread();
        let order = if atomic { self.order()? } else { Order::Na };
        self.alignment(ty);
        Ok(Op::Load { ty, ptr, order, volatile })
    }

    fn store(&mut self) -> Parsed<Op> {
        let atomic = self.eat_word("atomic");
        let volatile = self.eat_word("volatile");
        let (ty, value) = self.typed_value()?;
        self.demand(b',')?;
        let (_, ptr) = self.typed_value()?;
        self.single_thread();
        let order = if atomic { self.order()? } else { Order::Na };
        self.alignment(ty);
        Ok(Op::Store { ty, value, ptr, order, volatile, streams: false })
    }

    fn cmpxchg(&mut self) -> Parsed<Op> {
        let weak = self.eat_word("weak");
        self.eat_word("volatile");
        let (_, ptr) = self.typed_value()?;
        self.demand(b',')?;
        let (ty, expected) = self.typed_value()?;
        self.demand(b',')?;
        let (_, new) = self.typed_value()?;
        self.single_thread();
        let success = self.order()?;
        let failure = self.order()?;
        Ok(Op::CmpXchg { ty, ptr, expected, new, success, failure, weak })
    }

    fn atomicrmw(&mut self) -> Parsed<Op> {
        self.eat_word("volatile");
        let Kind::Word(op) = self.advance() else {
            return Err("the operation of `atomicrmw` is missing".into());
        };
        let (_, ptr) = self.typed_value()?;
        self.demand(b',')?;
        let (ty, value) = self.typed_value()?;
        self.single_thread();
        let order = self.order()?;
        Ok(Op::AtomicRmw { op: op.to_owned(), ty, ptr, value, order })
    }

    fn phi(&mut self) -> Parsed<Op> {
        self.skip_flags();
        let ty = self.ty()?;
        let mut incoming = Vec::new();
        loop {
            self.demand(b'[')?;
            let value = self.value(ty)?;
            self.demand(b',')?;
            let block = self.label_name()?;
            self.demand(b']')?;
            incoming.push((value, block));
            if !(self.is_mark(b',') && self.ahead(1) == Kind::Mark(b'[')) {
                return Ok(Op::Phi { ty, incoming });
            }
            self.advance();
        }
    }

    fn path(&mut self) -> Parsed<Vec<u32>> {
        let mut path = Vec::new();
        while let (true, Kind::Int(n)) = (self.is_mark(b','), self.ahead(1)) {
            path.push(n.parse().map_err(|_| format!("`{n}` is no index"))?);
            self.advance();
            self.advance();
        }
        Ok(path)
    }

    fn label_name(&mut self) -> Parsed<Local> {
        match self.advance() {
            Kind::Local(name) => Ok(self.local(name)),
            _ => Err("a block is expected here".into()),
        }
    }

    pub(super) fn label(&mut self) -> Parsed<Local> {
        if !self.eat_word("label") {
            return Err(format!("`label` expected here, found {}", self.found()));
        }
        self.label_name()
    }

    fn branch(&mut self) -> Parsed<Op> {
        if matches!(self.kind(), Kind::Word("label")) {
            return Ok(Op::Branch { to: self.label()? });
        }
        let (_, cond) = self.typed_value()?;
        self.demand(b',')?;
        let then = self.label()?;
        self.demand(b',')?;
        let otherwise = self.label()?;
        Ok(Op::CondBranch { cond, then, otherwise })
    }

    fn switch(&mut self) -> Parsed<Op> {
        let (ty, value) = self.typed_value()?;
        self.demand(b',')?;
        let default = self.label()?;
        self.demand(b'[')?;
        let mut cases = Vec::new();
        while !self.eat(b']') {
            let (_, case) = self.typed_value()?;
            self.demand(b',')?;
            cases.push((case, self.label()?));
        }
        Ok(Op::Switch { ty, value, default, cases })
    }

    /// After the word `call`.
    pub fn call(&mut self) -> Parsed<Op> {
        self.skip_attributes();
        let mut ret = self.ty()?;
        if let Type::Function { ret: inner, .. } = self.module.types.get(ret) {
            ret = *inner;
        }
        let ptr = self.module.types.add(Type::Ptr);
        let callee = self.value(ptr)?;
        self.demand(b'(')?;
        let mut args = Vec::new();
        while !self.eat(b')') {
            let ty = self.ty()?;
            let align = self.argument_attributes()?.align;
            args.push(Arg { ty, value: self.value(ty)?, align });
            if !self.eat(b',') && !self.is_mark(b')') {
                return Err(format!("`,` or `)` expected after an argument, found {}", self.found()));
            }
        }
        Ok(Op::Call { ret, callee, args })
    }
}

fn is_int(word: &str) -> bool {
    word.starts_with('i') && word[1..].bytes().all(|b| b.is_ascii_digit())
}
