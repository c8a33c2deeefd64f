//! Programs in C and IR, and the listings that they become. Tests that need clang say so and pass when there is none.

use super::*;
use crate::program::Instr;
use crate::program::show::Listing;
use std::io::Write;

/// Compiles C text, unless there is no clang.
fn compile_c(text: &str, arch: Option<&str>) -> Option<Result<Program, Vec<Error>>> {
    if let Err(e) = clang::find() {
        eprintln!("skipped: {e}");
        return None;
    }
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join("test.c");
    std::fs::File::create(&path).and_then(|mut f| f.write_all(text.as_bytes())).expect("a writable directory");
    Some(compile(&CompileRequest { path, mapping: Mapping::for_arch(arch), ..Default::default() }))
}

/// The listing of one function, without registers' names and source lines.
fn listing(program: &Program, name: &str) -> String {
    let function = program.functions.iter().find(|f| f.name == name).expect("the function is there");
    let text = Listing { program, function }.to_string();
    let lines = text.lines().skip(1).map(|l| l.split("  ;").next().unwrap_or("").trim_start().to_owned());
    lines.collect::<Vec<_>>().join("\n")
}

fn events(text: &str, arch: Option<&str>) -> Option<Vec<String>> {
    let program = compile_c(text, arch)?.expect("it compiles");
    let wanted = |l: &&str| ["load.", "store.", "fence", "if "].iter().any(|w| l.contains(w));
    let name = |l: &str| l.split_once(' ').map_or("", |(_, rest)| rest).to_owned();
    Some(listing(&program, "f").lines().filter(wanted).map(name).collect())
}

const MESSAGE: &str = "#include <stdatomic.h>\nstatic int data; static atomic_int ready;\n\
    int f(void) { data = 1; atomic_store_explicit(&ready, 1, memory_order_release);\n\
    return atomic_load_explicit(&ready, memory_order_acquire); }\nint main(void) { return f(); }\n";

#[test]
fn accesses_carry_c11_tags() {
    let Some(events) = events(MESSAGE, None) else { return };
    assert_eq!(events[0], "store.4 [&data] = 1 {NA}");
    assert!(events[1].starts_with("store.4 [&ready] = ") && events[1].ends_with("{A REL}"), "{events:?}");
    assert!(events[2].ends_with("= load.4 [&ready] {A ACQ}"), "{events:?}");
    assert_eq!(events.len(), 3);
}

#[test]
fn a_mapping_changes_the_events() {
    let Some(events) = events(MESSAGE, Some("PPC")) else { return };
    let kinds: Vec<&str> = events
        .iter()
        .map(|e| e.split(' ').find(|w| ["load.4", "store.4", "fence", "if"].contains(w)).unwrap_or(""))
        .collect();
    assert_eq!(kinds, ["store.4", "fence", "store.4", "load.4", "if", "fence"]);
    assert!(events[1].contains("{LWSYNC}") && events[5].contains("{ISYNC}") && events[4].contains("Never"));
}

#[test]
fn locals_are_registers() {
    let text = "struct s { int a, b; }; int f(int n) { struct s s = {n, 2}, t = s; int v[4] = {0}; v[n] = t.a;\n\
                int *p = &s.b; *p += v[n]; return s.b; }\nint main(void) { return f(1); }\n";
    let Some(events) = events(text, None) else { return };
    assert!(events.is_empty(), "{events:?}");
}

#[test]
fn an_escaping_local_is_memory() {
    let text = "int *g; int f(void) { int v = 1; g = &v; return v; }\nint main(void) { return f(); }\n";
    let Some(events) = events(text, None) else { return };
    assert_eq!(events.len(), 3, "{events:?}");
}

#[test]
fn objects_are_described_by_their_types() {
    let text = "struct node { int v; struct node *next; }; struct { struct node msg[2]; } m;\n\
                struct node *p = &m.msg[1]; const int k = 5; int main(void) { return m.msg[0].v + k + (p == 0); }\n";
    let Some(program) = compile_c(text, None) else { return };
    let program = program.expect("it compiles");
    let object = |name: &str| program.objects.iter().find(|o| o.name == name).expect("the object is there");
    let paths: Vec<&str> = object("m").cells.iter().map(|c| c.path.as_str()).collect();
    assert_eq!(paths, [".msg[0].v", ".msg[0].next", ".msg[1].v", ".msg[1].next"]);
    let target = u64::from_le_bytes(object("p").bytes[..8].try_into().expect("eight bytes"));
    assert_eq!(target, object("m").address + 16);
    assert!(object("k").read_only && !object("m").read_only);
}

#[test]
fn what_cannot_run_says_so_when_it_is_reached() {
    let text = "void elsewhere(void); void f(long double x) { if (x) elsewhere(); }\nint main(void) { return 0; }\n";
    let Some(program) = compile_c(text, None) else { return };
    let program = program.expect("what is not reached is no error");
    let fails =
        program.functions.iter().flat_map(|f| &f.code).filter(|i| matches!(i, Instr::Fail { unsupported: true, .. }));
    assert!(fails.count() >= 2);
}

#[test]
fn what_is_wrong_with_a_global_variable_has_its_line() {
    let wide = "int before;\nlong double wide = 1;\nint main(void) { return 0; }\n";
    // The table is a constant that the compiler makes.
    let labels = "int which;\nint main(void) {\nvoid *table[] = {&&one, &&two};\ngoto *table[which];\none: return 0;\ntwo: return 1; }\n";
    for (text, line) in [(wide, 2), (labels, 3)] {
        let Some(result) = compile_c(text, None) else { return };
        let errors = result.expect_err("it is refused");
        assert_eq!((errors[0].kind, errors[0].line), (ErrorKind::Unsupported, line), "{errors:?}");
    }
    let zero = "_Atomic __int128 wide;\nint main(void) { return 0; }\n";
    assert!(compile_c(zero, None).is_none_or(|result| result.is_ok()), "it is refused");
}

#[test]
fn errors_of_the_compiler_are_passed_on() {
    let Some(result) = compile_c("int main(void) { return x; }\n", None) else { return };
    let errors = result.expect_err("it does not compile");
    assert_eq!((errors.len(), errors[0].kind), (1, ErrorKind::ClangFailed));
    assert!(errors[0].message.contains("undeclared identifier"));
}

#[test]
fn a_module_needs_a_main_and_a_file_must_exist() {
    let error =
        &compile_ir("define void @f() {\nentry:\n ret void\n}\n", "x.ll", &Mapping::default()).expect_err("no main")[0];
    assert_eq!(error.kind, ErrorKind::BadInput);
    for path in ["/nonexistent.ll", "/nonexistent.c", "/tmp"] {
        let request = CompileRequest { path: path.into(), clang: Some("clang".into()), ..Default::default() };
        assert_eq!(compile(&request).expect_err("it cannot be read")[0].kind, ErrorKind::BadInput);
    }
}

#[test]
fn a_missing_compiler_is_explained() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join("t.c");
    std::fs::write(&path, "int main(void) { return 0; }").expect("a writable directory");
    let request = CompileRequest { path, clang: Some("/nonexistent/clang".into()), ..Default::default() };
    let errors = compile(&request).expect_err("no compiler");
    assert_eq!(errors[0].kind, ErrorKind::ClangMissing);
    assert!(errors[0].help.as_deref().is_some_and(|h| h.contains("apt-get install clang")));
}

#[test]
fn absurd_sizes_are_no_trouble() {
    let text = "%e = type {}\n@a = global [18446744073709551615 x %e] zeroinitializer\n\
                define i32 @main() {\nentry:\n %p = alloca [4611686018427387904 x i64]\n\
                %q = getelementptr [4611686018427387904 x i64], ptr %p, i64 3, i64 -1\n store i64 1, ptr %q\n\
                call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 -1, i1 false)\n ret i32 0\n}\n";
    assert!(compile_ir(text, "x.ll", &Mapping::default()).is_ok());
    let huge = "@b = global { i8, [18446744073709551615 x i64], i64 } zeroinitializer\n";
    let errors = compile_ir(&(huge.to_owned() + text), "x.ll", &Mapping::default()).expect_err("it is too large");
    assert!(errors[0].message.contains("`b`"), "{errors:?}");
}

/// A phi's value depends on the condition that chose its edge.
#[test]
fn phis_keep_the_dependency_on_their_condition() {
    let text = "define i32 @main() {\nentry:\n %a = load atomic i32, ptr @x monotonic, align 4\n %c = icmp ne i32 %a, 0\n\
                br i1 %c, label %then, label %end\nthen:\n br label %end\nend:\n\
                %v = phi i32 [ 1, %entry ], [ 2, %then ]\n ret i32 %v\n}\n@x = global i32 0\n";
    let program = compile_ir(text, "x.ll", &Mapping::default()).expect("it lowers");
    let selects = program.functions[0].code.iter().filter(|i| matches!(i, Instr::Select { on_cond: true, .. }));
    assert_eq!(selects.count(), 2);
}
