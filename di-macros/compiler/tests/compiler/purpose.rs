//! Which commands of rustc only check: for these no derivative code is made.

use di_compiler::purpose::checks_only;

fn checks(command: &str) -> bool {
    let command: Vec<String> = command.split(' ').map(String::from).collect();
    checks_only(&command)
}

#[test]
fn commands_that_write_metadata_alone() {
    assert!(checks(
        "/bin/rustc --crate-name a --emit=dep-info,metadata -C debuginfo=0"
    ));
    assert!(checks(
        "clippy-driver /bin/rustc a.rs --emit dep-info,metadata"
    ));
    assert!(checks("rustc a.rs --emit=metadata=a.rmeta"));
    assert!(checks("rustc.exe a.rs --emit=metadata --emit=dep-info"));
}

#[test]
fn editors() {
    assert!(checks("/libexec/rust-analyzer-proc-macro-srv"));
}

#[test]
fn commands_whose_result_may_run() {
    assert!(!checks("rustc a.rs"));
    assert!(!checks("rustc a.rs --emit=dep-info,metadata,link"));
    assert!(!checks("rustc a.rs --emit metadata --emit link"));
    assert!(!checks("rustc a.rs --emit=dep-info"));
    assert!(!checks("rustc a.rs --emit"));
    assert!(!checks("rustc @arguments"));
    assert!(!checks("/bin/miri a.rs --emit=dep-info,metadata"));
    assert!(!checks("a-1b2c3d --nocapture"));
}
