//! Writes a program as C. Names of functions and globals end in `__K`, so that programs can share a file.

use super::layout::{ARGUMENT, VARS};
use super::program::{Order, Place, Program, Stmt};
use crate::support::machine::Value;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The whole text.
pub fn text(program: &Program) -> String {
    let &Program { threads, takes, returns, between_joins, recursive, c11, strong, pointers, local, barrier, .. } =
        program;
    let mut out =
        Printer { text: String::new(), depth: 0, c11, strong, functions: BTreeSet::new(), tables: String::new() };
    out.line("int x__K, y__K, z__K, a__K[2], d__K, g__K[2], ret__K[4];");
    if pointers {
        out.line("struct node *h__K;");
    }
    if local {
        out.line("_Thread_local int own__K;");
    }
    let (mutex, condition) = if c11 { ("mtx_t", "cnd_t") } else { ("pthread_mutex_t", "pthread_cond_t") };
    let initial = if recursive && !c11 { " = {PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP}" } else { "" };
    out.line(&format!("{mutex} m__K[2]{initial};"));
    out.line(&format!("{condition} c__K;\npthread_rwlock_t l__K;\npthread_barrier_t b__K;\npthread_once_t o__K;"));
    out.line("void first__K(void) { d__K = d__K + 1; }");
    let calls_begin = out.text.len();
    let (result, cast) = if c11 { ("int", "") } else { ("void *", "(void *)(long)") };
    for (f, body) in program.bodies.iter().enumerate() {
        out.line(&format!("{result} f{f}__K(void *arg) {{"));
        out.line("  int r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0, e = 0;");
        if takes {
            out.line("  int n = (int)(long)arg;");
        }
        if pointers {
            out.line("  struct node *p = 0;");
        }
        out.all(body);
        match returns {
            true => out.line(&format!("  return {cast}({});", value_text(Value::Packed))),
            false => out.line("  return 0;"),
        }
        out.line("}");
    }
    let (create, join) = if c11 { ("thrd_create", "thrd_join") } else { ("pthread_create", "pthread_join") };
    let (id, nothing) = if c11 { ("thrd_t", "") } else { ("pthread_t", "0, ") };
    out.line("int main__K(void) {");
    out.line("  int r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0, e = 0;");
    out.line(&format!("  {id} t[{threads}];"));
    if pointers {
        out.line("  struct node *p = 0;");
    }
    if c11 {
        let kind = if recursive { "mtx_plain | mtx_recursive" } else { "mtx_plain" };
        out.line(&format!("  mtx_init(&m__K[0], {kind});\n  mtx_init(&m__K[1], mtx_plain);\n  cnd_init(&c__K);"));
    }
    if barrier {
        out.line(&format!("  pthread_barrier_init(&b__K, 0, {threads});"));
    }
    if program.is_same() {
        let arg = if takes { "(void *)(long)i" } else { "0" };
        out.line(&format!("  for (int i = 0; i < {threads}; i++)\n    {create}(&t[i], {nothing}f0__K, {arg});"));
    } else {
        (0..threads).for_each(|t| out.line(&format!("  {create}(&t[{t}], {nothing}f{t}__K, 0);")));
    }
    if !between_joins {
        out.all(&program.between);
    }
    let kind = if c11 { "int" } else { "void *" };
    for (i, t) in program.joins().into_iter().enumerate() {
        match returns {
            true => out.line(&format!("  {kind} s{t};\n  {join}(t[{t}], &s{t});")),
            false => out.line(&format!("  {join}(t[{t}], 0);")),
        }
        if i == 0 && between_joins {
            out.all(&program.between);
        }
    }
    if returns {
        let cast = if c11 { "" } else { "(int)(long)" };
        (0..threads).for_each(|t| out.line(&format!("  ret__K[{t}] = {cast}s{t};")));
    }
    out.all(&program.last);
    out.line("  return 0;\n}");
    let called = out.called();
    out.text.insert_str(calls_begin, &called);
    out.text
}

/// The text of statements.
struct Printer {
    text: String,
    depth: usize,
    c11: bool,
    strong: bool,
    /// Functions that are called through pointers: the variable in which they store what they are given, and how.
    functions: BTreeSet<(usize, Order)>,
    /// Tables of them.
    tables: String,
}

fn value_text(value: Value) -> String {
    match value {
        Value::Const(k) => k.to_string(),
        Value::Reg(r) => register(r),
        Value::Plus(r, k) => format!("({} + {k})", register(r)),
        Value::Xor(r, k) => format!("({} ^ {k})", register(r)),
        Value::And(r, k) => format!("({} & {k})", register(r)),
        Value::Equal(r, k) => format!("({} == {k})", register(r)),
        Value::Differs(r, k) => format!("({} != {k})", register(r)),
        Value::Less(r, k) => format!("({} < {k})", register(r)),
        Value::Same(a, b) => format!("({} == {})", register(a), register(b)),
        Value::Packed => "(r0 & 15) | (r1 & 15) << 4 | (r2 & 15) << 8 | (r3 & 15) << 12 | (r4 & 15) << 16".into(),
    }
}

fn register(r: usize) -> String {
    match r {
        ARGUMENT => "n".into(),
        _ => format!("r{r}"),
    }
}

fn place_text(place: Place) -> String {
    match place {
        Place::Var(v) => format!("{}__K", VARS[v]),
        Place::Element(r) => format!("a__K[{} & 1]", register(r)),
        Place::Guarded(which) => format!("g__K[{which}]"),
    }
}

fn order_text(order: Order, half: &str) -> String {
    match order {
        Order::Plain | Order::Relaxed => "__ATOMIC_RELAXED".into(),
        Order::Half => format!("__ATOMIC_{half}"),
        Order::Full => "__ATOMIC_SEQ_CST".into(),
    }
}

fn function_text(variable: usize, order: Order) -> String {
    format!("put_{}_{}__K", VARS[variable], format!("{order:?}").to_lowercase())
}

fn load_text(place: &str, order: Order) -> String {
    match order {
        Order::Plain => place.to_owned(),
        _ => format!("__atomic_load_n(&{place}, {})", order_text(order, "ACQUIRE")),
    }
}

impl Printer {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:indent$}{text}", "", indent = 2 * self.depth);
    }
    fn spin(&mut self, condition: &str) {
        self.line(&format!("while ({condition})"));
        self.line("  ;");
    }
    fn store(&mut self, place: &str, value: &str, order: Order) {
        match order {
            Order::Plain => self.line(&format!("{place} = {value};")),
            _ => self.line(&format!("__atomic_store_n(&{place}, {value}, {});", order_text(order, "RELEASE"))),
        }
    }
    fn all(&mut self, body: &[Stmt]) {
        self.depth += 1;
        body.iter().for_each(|stmt| self.statement(stmt));
        self.depth -= 1;
    }
    /// Under a lock.
    fn plain(&self) -> Order {
        if self.strong { Order::Full } else { Order::Plain }
    }
    fn weakest(&self) -> Order {
        if self.strong { Order::Full } else { Order::Relaxed }
    }
    /// The orders of a compare-and-swap.
    fn orders(&self, success: &str) -> String {
        match self.strong {
            true => "__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST".into(),
            false => format!("__ATOMIC_{success}, __ATOMIC_RELAXED"),
        }
    }
    fn mutex(&self, what: &str, m: usize) -> String {
        let prefix = if self.c11 { "mtx" } else { "pthread_mutex" };
        format!("{prefix}_{what}(&m__K[{m}])")
    }
    fn condition(&self, what: &str) -> String {
        format!("{}_{what}(&c__K", if self.c11 { "cnd" } else { "pthread_cond" })
    }
    fn try_lock(&mut self, dst: usize, call: &str, body: &[Stmt], unlock: &str) {
        self.line(&format!("r{dst} = {call} == 0;"));
        self.line(&format!("if (r{dst}) {{"));
        self.all(body);
        self.line(&format!("  {unlock};"));
        // What was done inside may have changed it.
        self.line(&format!("  r{dst} = 1;"));
        self.line("}");
    }

    /// The functions that are called through pointers, and their tables.
    fn called(&mut self) -> String {
        let text = std::mem::take(&mut self.text);
        for (variable, order) in std::mem::take(&mut self.functions) {
            self.line(&format!("void {}(int v) {{", function_text(variable, order)));
            self.store(&place_text(Place::Var(variable)), "v", order);
            self.line("}");
        }
        std::mem::replace(&mut self.text, text) + &self.tables
    }

    fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Load(dst, place, order) => {
                let load = load_text(&place_text(*place), *order);
                self.line(&format!("r{dst} = {load};"));
            }
            Stmt::Store(place, value, order) => self.store(&place_text(*place), &value_text(*value), *order),
            Stmt::Update(dst, place, op, value, order) => {
                let name = if *op == "exchange" { "exchange_n" } else { op };
                let order = order_text(*order, "ACQ_REL");
                let (place, value) = (place_text(*place), value_text(*value));
                self.line(&format!("r{dst} = __atomic_{name}(&{place}, {value}, {order});"));
            }
            Stmt::Cas(dst, place, expected, value, order, weak) => {
                let weak = u8::from(*weak);
                let fails = if *order == Order::Full { "__ATOMIC_SEQ_CST" } else { "__ATOMIC_RELAXED" };
                self.line(&format!("e = {expected};"));
                let (place, value, order) = (place_text(*place), value_text(*value), order_text(*order, "ACQ_REL"));
                self.line(&format!(
                    "r{dst} = __atomic_compare_exchange_n(&{place}, &e, {value}, {weak}, {order}, {fails});"
                ));
            }
            Stmt::Fence(order) => self.line(&format!("__atomic_thread_fence(__ATOMIC_{order});")),
            Stmt::If(condition, then, other) => {
                self.line(&format!("if {} {{", parens(*condition)));
                self.all(then);
                if !other.is_empty() {
                    self.line("} else {");
                    self.all(other);
                }
                self.line("}");
            }
            Stmt::Call(condition, variables, value, order, in_table) => {
                self.functions.extend(variables.map(|v| (v, *order)));
                let [then, other] = variables.map(|v| function_text(v, *order));
                let (condition, value) = (parens(*condition), value_text(*value));
                if *in_table {
                    let name = format!("t{}__K", self.tables.lines().count());
                    self.tables += &format!("void (*{name}[2])(int) = {{{other}, {then}}};\n");
                    self.line(&format!("{name}[{condition} != 0]({value});"));
                } else {
                    self.line(&format!("({condition} ? {then} : {other})({value});"));
                }
            }
            Stmt::Times(n, body) => {
                self.line(&format!("for (int i = 0; i < {n}; i++) {{"));
                self.all(body);
                self.line("}");
            }
            Stmt::Spin(place, order, is, k) => {
                let op = if *is { "!=" } else { "==" };
                let load = load_text(&place_text(*place), *order);
                // A plain loop may be taken for one that ends.
                self.spin(&format!("{load} {op} {k}"));
            }
            Stmt::SpinTwo(a, k, b, l, and, [first, second]) => {
                let (a, b) = (load_text(&place_text(*a), *first), load_text(&place_text(*b), *second));
                let op = if *and { "&&" } else { "||" };
                self.spin(&format!("{a} == {k} {op} {b} == {l}"));
            }
            Stmt::Peek(a, k, b, l, [first, second]) => {
                let (a, b) = (load_text(&place_text(*a), *first), load_text(&place_text(*b), *second));
                self.line(&format!("while ({a} == {k})"));
                self.line(&format!("  if ({b} == {l}) break;"));
            }
            Stmt::SpinLocked(place, body) => {
                let place = place_text(*place);
                let orders = self.orders("ACQUIRE");
                self.line(&format!("do e = 0; while (!__atomic_compare_exchange_n(&{place}, &e, 1, 0, {orders}));"));
                body.iter().for_each(|stmt| self.statement(stmt));
                self.store(&place, "0", if self.strong { Order::Full } else { Order::Half });
            }
            Stmt::CasLoop(place) => {
                let place = place_text(*place);
                let load = load_text(&place, self.weakest());
                let orders = self.orders("ACQ_REL");
                self.line(&format!("e = {load};"));
                self.spin(&format!("!__atomic_compare_exchange_n(&{place}, &e, e + 1, 0, {orders})"));
            }
            Stmt::Locked(m, body, leak) => {
                self.line(&format!("{};", self.mutex("lock", *m)));
                body.iter().for_each(|stmt| self.statement(stmt));
                if let Some(condition) = leak {
                    self.line(&format!("if {}", parens(*condition)));
                }
                self.line(&format!("{}{};", if leak.is_some() { "  " } else { "" }, self.mutex("unlock", *m)));
            }
            Stmt::TryLocked(dst, m, body) => {
                let (call, unlock) = (self.mutex("trylock", *m), self.mutex("unlock", *m));
                self.try_lock(*dst, &call, body, &unlock);
            }
            Stmt::ReadLocked(body) | Stmt::WriteLocked(body) => {
                let what = if matches!(stmt, Stmt::ReadLocked(_)) { "rd" } else { "wr" };
                self.line(&format!("pthread_rwlock_{what}lock(&l__K);"));
                body.iter().for_each(|stmt| self.statement(stmt));
                self.line("pthread_rwlock_unlock(&l__K);");
            }
            Stmt::TryRead(dst, body) | Stmt::TryWrite(dst, body) => {
                let what = if matches!(stmt, Stmt::TryRead(..)) { "rd" } else { "wr" };
                let call = format!("pthread_rwlock_try{what}lock(&l__K)");
                self.try_lock(*dst, &call, body, "pthread_rwlock_unlock(&l__K)");
            }
            Stmt::Wait(place, k, looped, body) => {
                self.line(&format!("{};", self.mutex("lock", 0)));
                let wait = format!("{}, &m__K[0]);", self.condition("wait"));
                let word = if *looped { "while" } else { "if" };
                let order = self.plain();
                self.line(&format!("{word} ({} == {k})", load_text(&place_text(*place), order)));
                self.line(&format!("  {wait}"));
                body.iter().for_each(|stmt| self.statement(stmt));
                self.line(&format!("{};", self.mutex("unlock", 0)));
            }
            Stmt::Notify(place, value, way, all) => {
                let signal = format!("{});", self.condition(if *all { "broadcast" } else { "signal" }));
                if *way < 2 {
                    self.line(&format!("{};", self.mutex("lock", 0)));
                }
                let order = self.plain();
                self.store(&place_text(*place), &value_text(*value), order);
                if *way == 0 {
                    self.line(&signal);
                }
                if *way < 2 {
                    self.line(&format!("{};", self.mutex("unlock", 0)));
                }
                if *way > 0 {
                    self.line(&signal);
                }
            }
            Stmt::Count(which) => self.line(&format!("g__K[{which}] = g__K[{which}] + 1;")),
            Stmt::Barrier => self.line("pthread_barrier_wait(&b__K);"),
            Stmt::Once => self.line("pthread_once(&o__K, first__K);"),
            Stmt::Publish(_, value, order) => {
                self.line("p = malloc(sizeof *p);");
                self.line(&format!("p->v = {};", value_text(*value)));
                self.line("p->next = 0;");
                self.store("h__K", "p", *order);
            }
            Stmt::Push(_, value) => {
                self.line("p = malloc(sizeof *p);");
                self.line(&format!("p->v = {};", value_text(*value)));
                let load = load_text("h__K", self.weakest());
                let orders = self.orders("RELEASE");
                self.line(&format!("p->next = {load};"));
                self.spin(&format!("!__atomic_compare_exchange_n(&h__K, &p->next, p, 0, {orders})"));
            }
            Stmt::Follow(dst, order, deep) => {
                self.line(&format!("p = {};", load_text("h__K", *order)));
                self.line("if (p) {");
                self.line(&format!("  r{dst} = p->v;"));
                if *deep {
                    self.line("  p = p->next;");
                    self.line("  if (p)");
                    self.line(&format!("    r{dst} = p->v;"));
                }
                self.line("}");
            }
            Stmt::SetLocal(value) => self.line(&format!("own__K = {};", value_text(*value))),
            Stmt::GetLocal(dst) => self.line(&format!("r{dst} = own__K;")),
            Stmt::Choose(dst) => self.line(&format!("r{dst} = __VERIFIER_nondet_int();")),
            Stmt::Assume(value) => self.line(&format!("__VERIFIER_assume({});", value_text(*value))),
            Stmt::Assert(value, _) => self.line(&format!("hmc_assert({});", value_text(*value))),
        }
    }
}

fn parens(value: Value) -> String {
    let text = value_text(value);
    if text.starts_with('(') { text } else { format!("({text})") }
}
