//! How one small function travels through the compiler: the forms that CONTRIBUTING.md shows, in order.
//! `UPDATE_SNAPSHOTS=1` writes them anew.

use super::expansions::{expansion, forms, plain};
use di_compiler::ir::{Body, print};
use quote::ToTokens;
use std::path::Path;

const SOURCE: &str = "\
#[differentiable]
fn damped(x: f64, rate: f64) -> f64 {
    let decay = (-rate * x).exp();
    x * decay
}
";
const BEGIN: &str = "<!-- written by di-macros/compiler/tests/compiler/travels.rs -->\n";
const END: &str = "<!-- end of what is written -->";

fn block(language: &str, text: &str) -> String {
    format!("```{language}\n{}\n```\n\n", text.trim())
}

fn rust(file: &syn::File) -> String {
    block("rust,ignore", &prettyplease::unparse(file))
}

fn ir(body: &Body) -> String {
    block("text", &print::body(body))
}

/// All forms, with a sentence before each.
fn travels() -> String {
    let function: syn::ItemFn = syn::parse_str(SOURCE).unwrap();
    let function = plain(&function);
    let mut expansion = expansion(&function, &[]);
    let handing_on = expansion.items.iter().find_map(|item| match item {
        syn::Item::Macro(m) => Some(m.mac.tokens.to_string()),
        _ => None,
    });
    // `(@signature ..) => { $next! { @signature [.. { fn damped(..) }] .. } }`
    let handing_on = handing_on.expect("the function hands its signature on");
    let signature = function.sig.to_token_stream();
    assert!(
        handing_on.contains(&format!("{{ {signature} {{ }} }}")),
        "{handing_on}"
    );
    let body = di_compiler::lower_str(&function.to_token_stream().to_string()).unwrap();
    let sweeps = di_compiler::sweeps(&body);
    let emitted = forms(&mut expansion, &["__tangent"]);
    let handle = &function.sig.ident;
    let mut text = String::from(BEGIN);
    text += "\nThe source:\n\n";
    text += &block("rust,ignore", SOURCE);
    text += "Its signature. A macro with the path of the function hands it to the attributes of functions that call it (`expand/signatures.rs`); they put it into their environment (`lower/environment.rs`):\n\n";
    text += &rust(&syn::parse_quote!(#signature {}));
    text += "The typed IR. `lower/read` resolves names and infers types, and `lower/build` writes one operation a line: `%n` is a value, `@n` a place in memory (`ir/mod.rs`):\n\n";
    text += &ir(&body);
    text += "The transformed IR (`transform/`). Beside each value that varies, its tangent:\n\n";
    text += &ir(&sweeps.tangent);
    text += "For reverse mode, a forward sweep that records what the adjoints read, and the adjoint sweep:\n\n";
    text += &ir(&sweeps.augmented);
    text += &ir(&sweeps.reverse);
    text += "The emitted Rust (`emit/`), here of the tangent; `rt` is the hidden module of the runtime:\n\n";
    text += &rust(&syn::parse_quote!(impl #handle { #(#emitted)* }));
    text + END
}

#[test]
fn contributing_shows_how_a_function_travels() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../CONTRIBUTING.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("the section begins");
    let (shown, after) = rest.split_once(END).expect("the section ends");
    let travels = travels();
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, format!("{before}{travels}{after}")).unwrap();
        return;
    }
    let shown = format!("{BEGIN}{shown}{END}");
    for (k, (shown, found)) in shown.lines().zip(travels.lines()).enumerate() {
        assert_eq!(shown, found, "line {} of the section", k + 1);
    }
    assert_eq!(shown.lines().count(), travels.lines().count());
}
