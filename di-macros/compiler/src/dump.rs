//! `DI_DUMP=<dir>`: the IR and the expansion of each annotated function, as files.

use crate::emit::Generated;
use crate::ir::{Body, print};
use crate::purpose;
use proc_macro2::TokenStream;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes `<dir>/<function>.ir` and `<dir>/<function>.rs` if the variable is set. The error says
/// which file could not be written. The Rust is formatted if there is a rustfmt.
pub(crate) fn dump(
    body: &Body,
    generated: &Generated,
    expansion: &TokenStream,
) -> Result<(), String> {
    let Some(dir) = std::env::var_os(purpose::DUMP) else {
        return Ok(());
    };
    let Some(sweeps) = &generated.sweeps else {
        return Ok(());
    };
    let dir = Path::new(&dir);
    let file = |ending: &str| dir.join(format!("{}.{ending}", body.name));
    let write = |file: &Path, text: &str| {
        std::fs::create_dir_all(dir)
            .and_then(|()| std::fs::write(file, text))
            .map_err(|err| format!("{}: {err}", file.display()))
    };
    let ir = [
        ("as written", body),
        ("tangent", &sweeps.tangent),
        ("augmented forward sweep", &sweeps.augmented),
        ("adjoint sweep", &sweeps.reverse),
    ]
    .map(|(title, body)| format!("// {title}\n{}", print::body(body)))
    .join("\n");
    write(&file("ir"), &ir)?;
    let rust = file("rs");
    write(&rust, &expansion.to_string())?;
    // for readers alone: without it the code is the same
    let _ = Command::new("rustfmt")
        .args(["--edition", "2024"])
        .arg(&rust)
        .stderr(Stdio::null())
        .status();
    Ok(())
}
