//! Names as the user wrote them: those of C++ and Rust are mangled by their compilers.

use super::rust::names;
use cpp_demangle::{DemangleOptions, Symbol};

/// The name of a function or variable, without parameters and template arguments: `app::Queue::push`.
pub fn readable(name: &str) -> String {
    // LLVM makes several variables of one, and numbers them.
    let number = name.find('.').map_or("", |at| &name[at..]);
    let path = || names::path(name).map(|path| path + number);
    of_cpp(name).or_else(path).unwrap_or_else(|| name.to_owned())
}

/// The same for names of C++; nothing for others.
pub fn of_cpp(name: &str) -> Option<String> {
    let options = DemangleOptions::new().no_params().no_return_type();
    cpp(name, &options).filter(|_| !is_of_rust(name)).map(|shown| tidied(&shown))
}

/// The name of a function with its parameters: `app::Queue<int>::push(int)`.
pub fn signature(name: &str) -> String {
    let shown = cpp(name, &DemangleOptions::new().no_return_type()).filter(|_| !is_of_rust(name));
    shown.or_else(|| names::path(name)).unwrap_or_else(|| name.to_owned())
}

/// Whether a name of the form that Rust shares with C++ ends with the hash that Rust's names have.
fn is_of_rust(name: &str) -> bool {
    let name = name.split('.').next().unwrap_or(name);
    let hash = name.strip_suffix('E').and_then(|rest| rest.get(rest.len().checked_sub(19)?..));
    hash.is_some_and(|hash| hash.starts_with("17h") && hash[3..].bytes().all(|b| b.is_ascii_hexdigit()))
}

fn cpp(name: &str, options: &DemangleOptions) -> Option<String> {
    if !name.starts_with("_Z") {
        return None;
    }
    // A number that LLVM has put behind it keeps private functions of one name apart.
    let symbol = Symbol::new(name.split('.').next().unwrap_or(name)).ok()?;
    symbol.demangle_with_options(options).ok()
}

/// Without template arguments and what compilers put into names; a lambda is called by the function that it is in.
fn tidied(name: &str) -> String {
    let kinds = [("{vtable(", "vtable of "), ("{typeinfo(", "type of "), ("{typeinfo name(", "name of ")];
    let kind = kinds.iter().find_map(|(kind, word)| Some((*word, name.strip_prefix(kind)?.strip_suffix(")}")?)));
    let (word, name) = kind.unwrap_or(("", name));
    let mut out = without_arguments(name);
    for noise in ["[abi:cxx11]", "__cxx11::", "(anonymous namespace)::", " const"] {
        out = out.replace(noise, "");
    }
    let is_lambda = |part: &str| part.starts_with("{lambda(") || part.starts_with("$_");
    let call = out.strip_suffix("::operator()").filter(|rest| rest.rsplit("::").next().is_some_and(is_lambda));
    let out = call.map_or(out.clone(), str::to_owned);
    match out.rsplit_once("::") {
        Some((inside, last)) if is_lambda(last) => format!("{word}lambda in {}", inside.trim_end_matches("()")),
        _ => format!("{word}{out}"),
    }
}

/// A name without what stands in angle brackets; operators have some that are part of their names.
fn without_arguments(name: &str) -> String {
    let mut out = String::new();
    let mut depth = 0_usize;
    let mut last = ' ';
    for c in name.chars() {
        let is_operator =
            depth == 0 && ["operator", "operator<", "operator>", "operator-"].iter().any(|o| out.ends_with(o));
        match c {
            '<' if !is_operator => depth += 1,
            '>' if !is_operator && depth > 0 && last != '-' => depth -= 1,
            _ if depth == 0 => out.push(c),
            _ => {}
        }
        last = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_they_were_written() {
        for (name, shown) in [
            ("main", "main"),
            ("_ZNSt6thread4joinEv", "std::thread::join"),
            ("_ZN3app8producerEv", "app::producer"),
            ("_ZN3BoxIN3app4ItemEE3putEPS1_", "Box::put"),
            ("_ZN3app3boxE", "app::box"),
            ("_ZL4data", "data"),
            ("_ZZ4mainE1x", "main::x"),
            ("_ZZ4mainENK3$_0clEv", "lambda in main"),
            ("_ZZ4mainENKUlvE_clEv", "lambda in main"),
            ("_ZlsRSoi", "operator<<"),
            ("_ZTVNSt6thread11_State_implINS_8_InvokerEEE", "vtable of std::thread::_State_impl"),
            ("_ZN4core9panicking5panic17h0123456789abcdefE.1", "core::panicking::panic.1"),
            ("_Znonsense", "_Znonsense"),
        ] {
            assert_eq!(readable(name), shown, "{name}");
        }
        assert_eq!(signature("_ZN3lib6helperEiRSt6atomicIiE"), "lib::helper(int, std::atomic<int>&)");
        assert_eq!(signature("fopen"), "fopen");
    }
}
