//! Mangled names of Rust.

/// The path that a mangled name stands for, without the hashes of crates: `core::option::unwrap_failed`. `None` for other names.
pub fn path(name: &str) -> Option<String> {
    if !name.starts_with("_R") && !name.starts_with("_ZN") {
        return None;
    }
    // A number that LLVM has put behind it keeps private functions of one name apart.
    let name = name.split('.').next().unwrap_or(name);
    rustc_demangle::try_demangle(name).ok().map(|demangled| format!("{demangled:#}"))
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn names_of_both_schemes() {
        assert_eq!(
            path("_RNvNtCsgEmfK2I1SDS_4core6option13unwrap_failed").as_deref(),
            Some("core::option::unwrap_failed")
        );
        assert_eq!(path("_ZN4core9panicking5panic17h0123456789abcdefE").as_deref(), Some("core::panicking::panic"));
        assert_eq!(
            path("_RINvNtCsgEmfK2I1SDS_4core9panicking13assert_failedmmECsjrHSEGnQ3l9_3std").as_deref(),
            Some("core::panicking::assert_failed::<u32, u32>")
        );
        assert_eq!(path("main"), None);
        assert_eq!(path("_ZNSt6thread4joinEv"), None);
    }
}
