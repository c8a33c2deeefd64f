//! Programs with exceptions that are not thrown: LLVM IR without what only unwinding comes to. Throwing one is unsupported where it happens.

use super::rust::body;

/// What clang says of a program that throws or catches when it may not.
pub const NEEDED: &str = "with exceptions disabled";

/// A text of LLVM IR in which every call comes back.
pub fn without(ir: String) -> String {
    if !ir.contains(" invoke ") {
        return ir;
    }
    let mut out = String::with_capacity(ir.len());
    let mut lines = ir.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("define ") && line.ends_with('{') {
            let body: Vec<&str> = std::iter::once(line).chain(lines.by_ref().take_while(|line| *line != "}")).collect();
            for line in body::without_unwinding(&body) {
                out += &line;
                out.push('\n');
            }
            out += "}\n";
        } else {
            out += line;
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn calls_come_back() {
        let text = "@x = global i32 0\ndefine void @f() personality ptr @p {\n  invoke void @g()\n          to label %on unwind label %pad\n\non:\n  ret void\n\npad:\n  \
                    %e = landingpad { ptr, i32 }\n          catch ptr null\n  ret void\n}\n\ndeclare void @g()\n";
        let made = super::without(text.to_owned());
        assert_eq!(
            made,
            "@x = global i32 0\ndefine void @f() {\n  call void @g()\n  br label %on\non:\n  ret void\n}\n\ndeclare void @g()\n"
        );
        let plain = "define void @f() {\n  ret void\n}\n";
        assert_eq!(super::without(plain.to_owned()), plain);
    }
}
