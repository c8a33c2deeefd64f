//! Specifications that come with hmc: the C files of `include/specifications`.

use super::search::Synchronised;
use std::fmt::Write;
use std::path::PathBuf;

/// A specification of the library.
pub struct Known {
    /// Its name.
    pub name: &'static str,
    /// What its operations are called when the user does not say.
    pub operations: &'static [&'static str],
    text: &'static str,
}

/// All.
pub const KNOWN: [Known; 8] = [
    known("queue", &["enqueue", "dequeue"], include_str!("../../include/specifications/queue.c")),
    known("stack", &["push", "pop"], include_str!("../../include/specifications/stack.c")),
    known("set", &["add", "remove", "contains"], include_str!("../../include/specifications/set.c")),
    known("register", &["write", "read"], include_str!("../../include/specifications/register.c")),
    known("counter", &["increment", "get"], include_str!("../../include/specifications/counter.c")),
    known("lock", &["lock", "unlock"], include_str!("../../include/specifications/lock.c")),
    known("deque", &["push", "pop", "steal"], include_str!("../../include/specifications/deque.c")),
    known("priority-queue", &["insert", "delete_min"], include_str!("../../include/specifications/priority-queue.c")),
];

const FORMS: &str = include_str!("../../include/specifications/forms.h");
const PLACES: [&str; 3] = ["FIRST", "SECOND", "THIRD"];

const fn known(name: &'static str, operations: &'static [&'static str], text: &'static str) -> Known {
    Known { name, operations, text }
}

/// What the calls of a program are held against.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linearizable {
    /// The specification.
    pub by: By,
    /// Which calls have to be seen by which.
    pub synchronised: Synchronised,
    /// Files have only the structure: all clients of up to so many calls are looked at.
    pub clients: Option<usize>,
}

impl Linearizable {
    /// The C type of values that are stored through pointers.
    pub fn value(&self) -> String {
        match &self.by {
            By::File(_) => "int".to_owned(),
            By::Library(wanted) => wanted.value.clone(),
        }
    }
}

/// A specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum By {
    /// A C file.
    File(PathBuf),
    /// One that comes with hmc.
    Library(Wanted),
}

/// How a specification of the library is to be understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// Its name.
    pub name: String,
    /// What its operations are called.
    pub operations: Vec<String>,
    /// What stands for "there is nothing".
    pub empty: i64,
    /// The most values.
    pub capacity: u32,
    /// Whether operations wait instead of failing.
    pub waits: bool,
    /// The C type of values.
    pub value: String,
}

/// How a program's function is declared, as far as a specification has to follow it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shape {
    /// It returns something.
    pub returns: bool,
    /// It stores through a pointer that is not the object.
    pub stores: bool,
}

impl Wanted {
    /// Reads `NAME[:FUNCTION,…][;SETTING…]`, with the settings `empty=N`, `capacity=N`, `value=TYPE` and `waits`.
    pub fn read(text: &str) -> Result<Wanted, String> {
        let mut parts = text.split(';');
        let head = parts.next().unwrap_or_default();
        let (name, functions) = head.split_once(':').map_or((head, None), |(name, rest)| (name, Some(rest)));
        let known = KNOWN.iter().find(|known| known.name == name).ok_or_else(|| {
            let names: Vec<&str> = KNOWN.iter().map(|known| known.name).collect();
            format!("`{name}` is neither a C file nor one of the specifications {}", names.join(", "))
        })?;
        let operations: Vec<String> = match functions {
            Some(names) => names.split(',').map(|name| name.trim().to_owned()).collect(),
            None => known.operations.iter().map(|&name| name.to_owned()).collect(),
        };
        let is_name = |name: &String| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if operations.len() > known.operations.len() || !operations.iter().all(is_name) {
            return Err(format!("`{name}` has the operations {}, in this order", known.operations.join(", ")));
        }
        let mut wanted = Wanted {
            name: name.to_owned(),
            operations,
            empty: -1,
            capacity: 63,
            waits: false,
            value: "int".to_owned(),
        };
        for setting in parts {
            let number = |text: &str| text.parse().map_err(|_| format!("`{setting}` needs a number"));
            match setting.split_once('=') {
                Some(("empty", value)) => wanted.empty = number(value)?,
                Some(("capacity", value)) => {
                    let capacity = number(value)?;
                    let fits = u32::try_from(capacity).ok().filter(|n| (1..=63).contains(n));
                    wanted.capacity = fits.ok_or("the capacity is between 1 and 63")?;
                }
                Some(("value", value)) if value.chars().all(|c| c.is_ascii_alphanumeric() || "_ ".contains(c)) => {
                    value.clone_into(&mut wanted.value);
                }
                None if setting == "waits" => wanted.waits = true,
                _ => return Err(format!("`{setting}` is none of empty=N, capacity=N, value=TYPE, waits")),
            }
        }
        Ok(wanted)
    }

    /// The text of the specification, for functions that are declared like these.
    pub fn text(&self, shapes: &[Shape]) -> String {
        let mut text = String::new();
        let mut define = |name: &str, value: &str| {
            // Writing to a text does not fail.
            let _ = writeln!(text, "#define {name} {value}");
        };
        define("VALUE", &self.value);
        define("EMPTY", &format!("({})", self.empty));
        define("CAPACITY", &self.capacity.to_string());
        if self.waits {
            define("WAITS", "1");
        }
        for (number, place) in PLACES.iter().enumerate() {
            let unused = format!("hmc_unused_{number}");
            define(place, self.operations.get(number).unwrap_or(&unused));
            let shape = shapes.get(number).copied().unwrap_or_default();
            define(&format!("RETURNS_{place}"), if shape.returns { "1" } else { "0" });
            define(&format!("STORES_{place}"), if shape.stores { "1" } else { "0" });
        }
        let body = KNOWN.iter().find(|known| known.name == self.name).map_or("", |known| known.text);
        text + &body.replace("#include \"forms.h\"\n", FORMS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_settings_are_read() {
        let wanted = Wanted::read("queue:put,take;empty=0;capacity=2;waits;value=long").expect("right");
        assert_eq!(wanted.operations, ["put", "take"]);
        assert_eq!((wanted.empty, wanted.capacity, wanted.waits, wanted.value.as_str()), (0, 2, true, "long"));
        assert_eq!(Wanted::read("stack").expect("right").operations, ["push", "pop"]);
        for wrong in ["heap", "queue:a,b,c", "queue;capacity=0", "queue;many", "queue;empty=x", "queue:a b"] {
            assert!(Wanted::read(wrong).is_err(), "{wrong}");
        }
    }
}
