//! Which aliases of a file an item sees.

use di_compiler::aliases_seen;

fn seen(text: &str, line: usize) -> Vec<(String, String)> {
    let mut seen = aliases_seen(text, line);
    seen.sort();
    seen
}

fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(a, b): &(&str, &str)| ((*a).to_owned(), (*b).to_owned());
    all.iter().map(owned).collect()
}

#[test]
fn attributes_of_the_file_hide_nothing() {
    let text = "#![allow(unused)]
        type A = f64;
        fn here() {}";
    assert_eq!(seen(text, 3), pairs(&[("A", "type A = f64;")]));
}

#[test]
fn modules_hide_what_is_around() {
    let text = "
        type A = f64;
        pub(crate) type B = [f64; 3];
        mod inner {
            type A = (f64, [f64; 2]);
            fn here() {}
        }
        fn there() {}
        mod other { type C = f64; }
    ";
    assert_eq!(
        seen(text, 6),
        pairs(&[
            ("A", "type A = (f64, [f64; 2]);"),
            ("B", "type B = [f64; 3];")
        ])
    );
    assert_eq!(
        seen(text, 8),
        pairs(&[("A", "type A = f64;"), ("B", "type B = [f64; 3];")])
    );
}

#[test]
fn what_is_no_alias_of_a_module() {
    let text = r##"
        //! type A = f64;
        /* type B = f64; /* type C = f64; */ type D = f64; */
        const TEXT: &str = "type E = f64; \" type F = f64;";
        const RAW: &str = r#"type G = " f64;"#;
        const QUOTES: [char; 3] = ['"', '\'', '{'];
        impl Iterator for It<'_> { type Item = f64; }
        trait Has { type Real = f64; }
        fn f<'a>(x: &'a [f64]) { type Local = f64; }
        type Many<const N: usize> = [f64; N];
        type Default<T = f64> = Vec<T>;
        #[cfg(unix)]
        type Conditional = f64;
        #[allow(dead_code)]
        type Found = f64;
        macro_rules! m { () => { type Made = f64; } }
        fn r#type() {}
    "##;
    assert_eq!(
        seen(text, 17),
        pairs(&[
            ("Found", "type Found = f64;"),
            ("Many", "type Many<const N: usize> = [f64; N];")
        ])
    );
}

#[test]
fn what_is_there_twice_is_not_seen() {
    let text = "
        type A = f64;
        type A = f32;
        type B = f32;
    ";
    assert_eq!(seen(text, 2), pairs(&[("B", "type B = f32;")]));
}

#[test]
fn files_that_do_not_end() {
    for text in [
        "mod a {",
        "type A = f64",
        "'",
        "\"",
        "r#\"",
        "/*",
        "}}",
        "'\\",
        "b'",
    ] {
        assert_eq!(seen(text, 1), pairs(&[]), "{text}");
    }
}
