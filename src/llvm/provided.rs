//! Functions of libraries that come with hmc as source text (`include/library`): a file of these is linked to a program that calls one of its functions and
//! does not define it. What they do to memory is events of the caller, as if the caller had made them.

/// A file, and the functions in it that programs call.
pub struct Provided {
    /// Its name.
    pub name: &'static str,
    /// The text.
    pub text: &'static str,
    functions: &'static [&'static str],
}

static ALL: [Provided; 6] = [
    Provided {
        name: "text.c",
        text: include_str!("../../include/library/text.c"),
        functions: &[
            "snprintf",
            "vsnprintf",
            "sprintf",
            "vsprintf",
            "asprintf",
            "vasprintf",
            "strtok",
            "strtok_r",
            "strsep",
        ],
    },
    Provided {
        name: "exceptions.c",
        text: include_str!("../../include/library/exceptions.c"),
        functions: &[
            "__cxa_allocate_exception",
            "__cxa_free_exception",
            "__cxa_throw",
            "__cxa_rethrow",
            "__cxa_begin_catch",
            "__cxa_end_catch",
            "__cxa_get_exception_ptr",
        ],
    },
    Provided {
        name: "waiting.c",
        text: include_str!("../../include/library/waiting.c"),
        functions: &["poll", "ppoll", "select", "epoll_create", "epoll_create1", "epoll_ctl", "epoll_wait"],
    },
    Provided {
        name: "tree.cpp",
        text: include_str!("../../include/library/tree.cpp"),
        functions: &[
            "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_",
            "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_",
            "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base",
            "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base",
            "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base",
            "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base",
        ],
    },
    Provided {
        name: "list.cpp",
        text: include_str!("../../include/library/list.cpp"),
        functions: &[
            "_ZNSt8__detail15_List_node_base7_M_hookEPS0_",
            "_ZNSt8__detail15_List_node_base9_M_unhookEv",
            "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_",
            "_ZNSt8__detail15_List_node_base10_M_reverseEv",
            "_ZNSt8__detail15_List_node_base4swapERS0_S1_",
        ],
    },
    Provided {
        name: "hash.cpp",
        text: include_str!("../../include/library/hash.cpp"),
        functions: &[
            "_ZSt11_Hash_bytesPKvmm",
            "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm",
            "_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm",
        ],
    },
];

/// The exceptions of C++'s library.
static EXCEPTIONS: Provided =
    Provided { name: "stdexcept.cpp", text: include_str!("../../include/library/stdexcept.cpp"), functions: &[] };

/// The files that these texts of LLVM IR need.
pub fn needed(texts: &[&str]) -> Vec<&'static Provided> {
    let is_needed = |provided: &&Provided| provided.functions.iter().any(|name| is_missing(texts, name));
    ALL.iter().filter(is_needed).chain(names_exceptions(texts).then_some(&EXCEPTIONS)).collect()
}

/// Whether a program that may throw names exceptions of the library, or what throws them. Where it may not, they are never seen.
fn names_exceptions(texts: &[&str]) -> bool {
    let names = |text: &&str| {
        let types = text.lines().any(|line| line.starts_with("@_ZTISt") && line.contains(" = external "));
        types || text.contains("__throw_")
    };
    is_missing(texts, "__gxx_personality_v0") && texts.iter().any(names)
}

/// Whether a function is declared in a text, and defined in none.
fn is_missing(texts: &[&str], name: &str) -> bool {
    let told = format!("@{name}(");
    let begins = |text: &str, word: &str| {
        let mut places = text.match_indices(&told).map(|(at, _)| at);
        places.any(|at| text[..at].rsplit('\n').next().is_some_and(|line| line.starts_with(word)))
    };
    texts.iter().any(|text| begins(text, "declare ")) && !texts.iter().any(|text| begins(text, "define "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_defines_itself_is_not_provided() {
        let calls = "define i32 @main() {\n  %1 = call ptr @strtok(ptr null, ptr null)\n  ret i32 0\n}\ndeclare ptr @strtok(ptr, ptr)\n";
        let defines = "define ptr @strtok(ptr %0, ptr %1) {\n  ret ptr null\n}\n";
        let names = |texts: &[&str]| needed(texts).into_iter().map(|file| file.name).collect::<Vec<_>>();
        assert_eq!(names(&[calls]), ["text.c"]);
        assert!(names(&[calls, defines]).is_empty());
        assert!(names(&[defines]).is_empty());
    }

    #[test]
    fn every_function_is_in_its_file() {
        for provided in &ALL {
            for name in provided.functions {
                // Of a name of C++ its last word.
                let plain = name.strip_prefix("_Z").map_or(*name, |mangled| {
                    let words = [
                        "_Rb_tree_insert_and_rebalance",
                        "_Rb_tree_rebalance_for_erase",
                        "_Rb_tree_increment",
                        "_Rb_tree_decrement",
                    ];
                    let others = [
                        "_M_hook",
                        "_M_unhook",
                        "_M_transfer",
                        "_M_reverse",
                        "swap",
                        "_Hash_bytes",
                        "_M_next_bkt",
                        "_M_need_rehash",
                    ];
                    words.into_iter().chain(others).find(|word| mangled.contains(word)).unwrap_or("?")
                });
                assert!(provided.text.contains(&format!("{plain}(")), "{name}");
            }
        }
    }
}
