//! The tests of a crate that rustc has compiled with its test harness, each as a program of its own.
//!
//! The harness has a table with an entry a test: its name, what is expected of it, and the function to call. It is read from the module; the harness is never run.

use super::reduce::{Module, reduce_from};

/// A function that is marked as a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Test {
    /// Its path in the crate.
    pub name: String,
    /// The function that runs it, as the linker knows it.
    pub function: String,
    /// Whether it is marked `#[ignore]`.
    pub is_ignored: bool,
    /// Whether it is marked `#[should_panic]`.
    pub should_panic: bool,
}

/// Where `ignore` is in the last of the constants before the function.
const IGNORE: usize = 32;
/// How long those constants are.
const FLAGS: &str = "[36 x i8] c\"";

/// The tests of a module, in the order of their names.
pub fn tests(module: &Module<'_>) -> Vec<Test> {
    let mut tests: Vec<Test> = module.globals().filter_map(|(_, line)| test(module, line)).collect();
    tests.sort_by(|a, b| a.name.cmp(&b.name));
    tests
}

/// An entry of the table: `should_panic`, the name, where it stands, `ignore`, the function.
fn test(module: &Module<'_>, line: &str) -> Option<Test> {
    let flags = bytes(&line[line.find(FLAGS)? + FLAGS.len()..]);
    let (_, value) = line.split_once(" <{ ")?.1.split_once(" <{ ")?;
    let pointers = || value.split("ptr @").skip(1).map(|rest| rest.split([',', ' ']).next().unwrap_or(""));
    let function = pointers().find(|name| module.is_function(name))?;
    let name = module.text(pointers().next()?)?;
    let should_panic = !value.starts_with("[8 x i8] zeroinitializer");
    let is_ignored = flags.get(IGNORE).is_some_and(|&flag| flag == 1);
    Some(Test { name, function: function.to_owned(), is_ignored, should_panic })
}

/// The bytes of a constant up to the end of its text.
pub(super) fn bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next().filter(|&byte| byte != b'"') {
        let digit = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16)).unwrap_or(0) as u8;
        bytes.push(if byte == b'\\' { digit(rest.next()) * 16 + digit(rest.next()) } else { byte });
    }
    bytes
}

/// The program that a test is: what its function reaches, called by a `main`, which fails where the test returns an error.
pub fn program(module: &Module<'_>, test: &Test) -> Option<String> {
    let mut text = reduce_from(module, &test.function)?;
    // `Ok` is where the capacity of the message of an error would be.
    text += &format!(
        "@.returned = private constant [20 x i8] c\"the test returns Ok\\00\"\n\
         declare void @__assert_fail(ptr, ptr, i32, ptr)\n\
         define i32 @main() {{\n  \
           %result = alloca [24 x i8], align 8\n  \
           call void @{}(ptr %result)\n  \
           %capacity = load i64, ptr %result, align 8\n  \
           %is_ok = icmp eq i64 %capacity, -9223372036854775808\n  \
           br i1 %is_ok, label %passed, label %failed\n\
         failed:\n  \
           call void @__assert_fail(ptr @.returned, ptr null, i32 0, ptr null)\n  \
           unreachable\n\
         passed:\n  \
           ret i32 0\n\
         }}\n",
        test.function
    );
    Some(text)
}

#[cfg(test)]
mod tests_of_this {
    use super::*;

    const MODULE: &str = "@name = private unnamed_addr constant [6 x i8] c\"t::one\", align 1\n\
        @entry = private unnamed_addr constant <{ [8 x i8], [16 x i8], ptr, [36 x i8], ptr }> <{ [8 x i8] zeroinitializer, [16 x i8] undef, ptr @name, \
        [36 x i8] c\"\\0D\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\01\\00\\00\\00\", ptr @run }>, align 8\n\
        define internal void @run(ptr sret([24 x i8]) %_0) {\n  ret void\n}\n";

    #[test]
    fn the_table_is_read() {
        let module = Module::read(MODULE);
        let found = tests(&module);
        let expected = Test { name: "t::one".into(), function: "run".into(), is_ignored: true, should_panic: false };
        assert_eq!(found, std::slice::from_ref(&expected));
        let text = program(&module, &expected).expect("a program");
        assert!(text.contains("define internal void @run") && text.contains("call void @run(ptr %result)"));
    }
}
