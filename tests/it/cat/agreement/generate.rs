//! Random models as text: well-kinded, with every construct that staging removes.

use super::execution::Dice;

const RELATIONS: [&str; 14] =
    ["po", "rf", "co", "loc", "int", "ext", "id", "addr", "data", "fr", "rmw", "0", "{}", "po-loc"];
const SETS: [&str; 9] = ["R", "W", "M", "F", "IW", "A", "_", "{}", "emptyset"];

/// Names that expressions may use: relations, and whether the definitions of `model` are in scope.
#[derive(Clone, Copy)]
struct Scope<'s> {
    relations: &'s [&'s str],
    sets: &'s [&'s str],
    functions: bool,
}

/// An expression of the wanted kind.
fn expression(dice: &mut Dice<'_>, depth: usize, relation: bool, scope: Scope<'_>) -> String {
    let sub = |dice: &mut Dice<'_>, relation| expression(dice, depth.saturating_sub(1), relation, scope);
    if depth == 0 {
        let (own, given): (_, &[&str]) = if relation { (scope.relations, &RELATIONS) } else { (scope.sets, &SETS) };
        let names = if !own.is_empty() && dice.roll(2) == 0 { own } else { given };
        return names[dice.roll(names.len())].to_owned();
    }
    if !relation {
        return match dice.roll(11) {
            0 => format!("({} | {})", sub(dice, false), sub(dice, false)),
            1 => format!("({} & {})", sub(dice, false), sub(dice, false)),
            2 => format!("({} \\ {})", sub(dice, false), sub(dice, false)),
            3 => format!("(~{})", sub(dice, false)),
            4 => format!("domain({})", sub(dice, true)),
            5 => format!("range({})", sub(dice, true)),
            6 => format!("(let s = {} in s \\ ({}))", sub(dice, false), sub(dice, false)),
            7 => format!("(let rec s = {} | range([s] ; {}) in s)", sub(dice, false), sub(dice, true)),
            8 => format!("udr({})", sub(dice, true)),
            9 if scope.functions => format!("(apply (fun s -> s \\ {}) ({}))", sub(dice, false), sub(dice, false)),
            _ => sub(dice, false),
        };
    }
    match dice.roll(27) {
        0 | 1 => format!("({} | {})", sub(dice, true), sub(dice, true)),
        2 => format!("({} & {})", sub(dice, true), sub(dice, true)),
        3 => format!("({} \\ {})", sub(dice, true), sub(dice, true)),
        4..=6 => format!("({} ; {})", sub(dice, true), sub(dice, true)),
        7 => format!("(~{})", sub(dice, true)),
        8 => format!("({}+)", sub(dice, true)),
        9 => format!("({}*)", sub(dice, true)),
        10 => format!("({}?)", sub(dice, true)),
        11 => format!("({}^-1)", sub(dice, true)),
        12 => format!("[{}]", sub(dice, false)),
        13 => format!("({} * {})", sub(dice, false), sub(dice, false)),
        14 => format!("different-values({})", sub(dice, true)),
        15 => format!("fencerel({})", sub(dice, false)),
        16 => format!("(if \"v\" then {} else {})", sub(dice, true), sub(dice, true)),
        17 => format!("(let rec z = {} | (z ; {}) in z)", sub(dice, true), sub(dice, true)),
        18 => format!("(try nosuchname ; {} with {})", sub(dice, true), sub(dice, true)),
        19 if scope.functions => format!("f({}, {})", sub(dice, true), sub(dice, true)),
        20 if scope.functions => format!("(curried ({}) ({}))", sub(dice, true), sub(dice, false)),
        21 if scope.functions => format!("(pick '{})", ["a", "b", "c"][dice.roll(3)]),
        // The elements of a set are of one kind, so none is `_`.
        22 if scope.functions => format!("(all (map (fun t -> (pick t & {}) \\ id) tag))", sub(dice, true)),
        23 => format!("singlestep({})", sub(dice, true)),
        25 => {
            format!("(({} ; (nosuchname & [emptyset])) | ({} \\ (0 \\ nosuchname)))", sub(dice, true), sub(dice, true))
        }
        24 => format!("(let (x, y) = ({}, {}) in x \\ y)", sub(dice, true), sub(dice, true)),
        _ => sub(dice, true),
    }
}

/// The last value that a tag selects: functions, tags, matching.
const PRELUDE: &str = "include \"cos.cat\"\nenum tag = 'a || 'b || 'c\nlet f(x, y) = x \\ (y ; x)\n\
    let curried r = fun s -> r ; [s]\nlet apply g = fun x -> g x\n\
    let rec all rs = match rs with {} -> 0 || r ++ others -> r | all others end\n";

/// A model: functions, definitions, recursion that need not be monotone, procedures, loops, choices, checks.
pub fn model(dice: &mut Dice<'_>) -> String {
    let plain = Scope { relations: &[], sets: &[], functions: false };
    let mut text = PRELUDE.to_owned();
    let (a, b, c) =
        (expression(dice, 2, true, plain), expression(dice, 2, true, plain), expression(dice, 1, true, plain));
    text += &format!("let pick t = match t with 'a -> {a} || 'b -> {b} || _ -> {c} end\n");
    let functions = Scope { functions: true, ..plain };
    for i in 0..3 {
        text += &format!("let d{i} = {}\n", expression(dice, 4, true, functions));
    }
    let unknowns = Scope { relations: &["p", "q"], ..functions };
    let (p, q) = (expression(dice, 2, true, unknowns), expression(dice, 2, true, unknowns));
    match dice.roll(3) {
        0 => {
            let monotone = |e: String| {
                let other = ["~", "\\", "f(", "different", "singlestep", "pick", "curried", "all", "apply"];
                if other.iter().any(|o| e.contains(o)) { "q".to_owned() } else { e }
            };
            text += &format!("let rec p = po | {}\nand q = rf | {}\n", monotone(p), monotone(q));
        }
        1 => text += "let rec p = po | (p ; q)\nand q = rf | q when irreflexive p & loc as settled\n",
        // The loop of the language ends on every one of these: the left operand is fixed.
        _ => text += &format!("let rec p = po \\ ({p})\nand q = q | (rf \\ ({q}))\n"),
    }
    text += "let rec reach = IW | range([reach] ; (po | rf))\n";
    let scope = Scope { relations: &["d0", "d1", "d2", "p", "q"], sets: &["reach"], functions: true };
    text += &format!(
        "let e = {}\nwith one from {{e & {}}}\n",
        expression(dice, 3, true, scope),
        expression(dice, 1, true, scope)
    );
    text += &format!("let s = {}\n", expression(dice, 3, false, scope));
    text += "procedure chk(r, name) = irreflexive r \\ name as inner end\ncall chk(d2, id & d1)\n\
        forall t in tag do flag ~empty pick t & one as some-tag end\n\
        acyclic d0 as a\nempty d1 as b\nirreflexive d2 as c\nempty s as g\nflag ~empty e as d\nflag acyclic (p | q) as h\n\
        undefined_unless irreflexive one as u\n";
    text
}
