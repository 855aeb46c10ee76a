//! Runs the cases: `fail/<area>/di<code>_<mistake>.rs` with the message of that code, `fail/rustc/` with what rustc says
//! of ordinary mistakes in annotated functions, and `pass/`.
//!
//! Messages of rustc change with its version, so that the cases are only run with the pinned one.
//! `TRYBUILD=overwrite cargo test -p di-ui-tests` writes the `.stderr` files anew.

use std::process::Command;

/// Minor version of rustc that the `.stderr` files are of.
const PINNED: &str = "1.95.";

#[test]
fn messages_are_as_written() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = Command::new(rustc).arg("--version").output();
    let version = version
        .map(|o| String::from_utf8_lossy(&o.stdout).into_owned())
        .unwrap_or_default();
    if version
        .split_whitespace()
        .nth(1)
        .is_none_or(|v| !v.starts_with(PINNED))
    {
        eprintln!("skipped: the messages are those of rustc {PINNED}x, this is {version}");
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.pass("pass/*.rs");
    cases.compile_fail("fail/*/*.rs");
}
