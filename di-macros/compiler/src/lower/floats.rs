//! Which float a function is of.

use super::environment::Environment;
use crate::walk::Node;
use quote::ToTokens;

/// `f32` if the signature names it and not `f64`; where it names neither, the fields of the structs that it names, or
/// else the body, decide.
pub(crate) fn float_of(
    sig: &syn::Signature,
    block: &syn::Block,
    env: &Environment,
) -> &'static str {
    let signature = [sig.inputs.to_token_stream(), sig.output.to_token_stream()];
    let signature = signature.map(|of| of.to_string()).join(" ");
    single_float(&signature)
        .or_else(|| {
            let mut fields = Vec::new();
            env.collect_fields(Node::Signature(sig), &mut fields);
            let fields: Vec<String> = (fields.iter())
                .map(|ty| ty.to_token_stream().to_string())
                .collect();
            single_float(&fields.join(" "))
        })
        .or_else(|| single_float(&block.to_token_stream().to_string()))
        .unwrap_or("f64")
}

/// The float type that a text speaks of; `f64` if of both.
pub(super) fn single_float(text: &str) -> Option<&'static str> {
    let has = |name: &str| {
        text.split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|w| w == name)
    };
    match (has("f64"), has("f32")) {
        (true, _) => Some("f64"),
        (false, true) => Some("f32"),
        (false, false) => None,
    }
}
