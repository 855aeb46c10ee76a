//! `DI_DUMP=<dir>`: the IR and the formatted expansion of each annotated function, as files.

use crate::emit::Generated;
use crate::ir::{Body, print};
use crate::purpose;
use proc_macro2::TokenStream;
use std::path::Path;

/// Writes `<dir>/<function>.ir` and `<dir>/<function>.rs` if the variable is set. The error says
/// which file could not be written.
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
    let write = |ending: &str, text: &str| {
        let file = dir.join(format!("{}.{ending}", body.name));
        std::fs::create_dir_all(dir)
            .and_then(|()| std::fs::write(&file, text))
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
    write("ir", &ir)?;
    write("rs", &formatted(expansion))
}

/// The expansion as rustfmt would write it, or as tokens if it does not parse as items.
fn formatted(expansion: &TokenStream) -> String {
    match syn::parse2::<syn::File>(expansion.clone()) {
        Ok(file) => prettyplease::unparse(&file),
        Err(_) => expansion.to_string(),
    }
}
