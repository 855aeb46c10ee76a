//! Whether code that is generated can ever run. `cargo check`, clippy and editors want to know what is wrong with a
//! crate, and compile nothing: there a handle is declared, with its types and with what must hold of the function, and its
//! derivative code, most of what an annotation costs, is left out.

use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Name of the environment variable with a directory for what is generated, see `dump`.
pub(crate) const DUMP: &str = "DI_DUMP";

/// Name of the environment variable with which code is generated always, if its value is `always`.
const VARIABLE: &str = "DI_GENERATE";

/// Whether derivative code is generated.
pub(crate) fn runs() -> bool {
    static RUNS: LazyLock<bool> = LazyLock::new(|| {
        // macros run in the process of the compiler
        let command: Vec<String> = std::env::args_os()
            .map(|arg| arg.to_string_lossy().into_owned())
            .collect();
        let always = std::env::var_os(VARIABLE).is_some_and(|value| value == "always");
        let dumps = std::env::var_os(DUMP).is_some();
        always || dumps || !checks_only(&command)
    });
    *RUNS
}

static FINDS_PATTERNS: AtomicBool = AtomicBool::new(true);

/// Whether code for sparsity patterns is generated from now on. Without it, expansions take less time to compile.
///
/// The macros say what their features are. If it were a feature of this package, all of it would be built again with
/// and without.
pub fn find_patterns(whether: bool) {
    FINDS_PATTERNS.store(whether, Ordering::Relaxed);
}

/// Whether code for sparsity patterns is generated.
pub(crate) fn finds_patterns() -> bool {
    FINDS_PATTERNS.load(Ordering::Relaxed)
}

/// Whether a command is rust-analyzer's server of macros, or one of rustc or clippy that writes nothing but metadata.
/// Of others nothing is known: some run or verify code that is not compiled.
pub fn checks_only(command: &[String]) -> bool {
    let program = command.first().and_then(|p| Path::new(p).file_stem());
    match program.and_then(|p| p.to_str()) {
        Some("rust-analyzer-proc-macro-srv") => return true,
        Some("rustc" | "clippy-driver") => {}
        _ => return false,
    }
    let mut written = Vec::new();
    for (k, arg) in command.iter().enumerate() {
        let kinds = match arg.strip_prefix("--emit") {
            Some("") => command.get(k + 1).map(String::as_str),
            Some(rest) => rest.strip_prefix('='),
            None => None,
        };
        written.extend(kinds.into_iter().flat_map(|kinds| kinds.split(',')));
    }
    // `metadata=path` says where
    let kind = |written: &&str| written.split('=').next().unwrap_or_default().to_string();
    let kinds: Vec<String> = written.iter().map(kind).collect();
    kinds.iter().any(|k| k == "metadata")
        && kinds.iter().all(|k| k == "metadata" || k == "dep-info")
}
