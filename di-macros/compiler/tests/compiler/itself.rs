//! Which functions differences call as the user wrote them: those whose arguments and results generated code has in the
//! same form.

use quote::{ToTokens, quote};

/// The body of `plain` in what is generated for a function, if there is one.
fn called(function: &str) -> Option<String> {
    let item: syn::ItemFn = syn::parse_str(function).unwrap();
    let expansion = super::expansions::expansion(&item, &[]);
    let mut file = expansion.clone();
    let found = super::expansions::forms(&mut file, &["plain"]);
    found.first().map(|f| f.block.to_token_stream().to_string())
}

fn calls(function: &str, call: proc_macro2::TokenStream) {
    let body = called(function).unwrap_or_else(|| panic!("{function} is not called"));
    assert!(body.contains(&call.to_string()), "{function}: {body}");
}

#[test]
fn functions_of_numbers_and_lists_are_called() {
    calls(
        "fn f(x: &[f64]) -> f64 { x[0] * x[0] }",
        quote!(*__y = f(__arg0)),
    );
    calls(
        "fn f(x: &f64, #[constant] n: &usize) -> f64 { x.powi(*n as i32) }",
        quote!(*__y = f(&__arg0, &__ctx1)),
    );
    calls(
        "fn f(x: [f64; 2], #[constant] w: &[f64], y: &mut [f64]) { y[0] = x[0] * w[0]; }",
        quote!(f(*__arg0, __ctx1, __y)),
    );
    calls(
        "fn f(x: &[f64]) -> Option<Vec<f64>> { if x.is_empty() { return None; } Some(vec![x[0]; 2]) }",
        quote!(Some(__v) => *__y = __v),
    );
    calls(
        "fn f(x: &[f64]) -> Result<f64, String> { if x.is_empty() { return Err(String::new()); } Ok(x[0]) }",
        quote!(Ok(__v) => *__y = __v),
    );
}

#[test]
fn functions_in_another_form_are_not() {
    for function in [
        "fn f(x: &Vec<f64>) -> f64 { x[0] * x[0] }",
        "fn f(x: &[f64]) -> Vec<Vec<f64>> { vec![vec![x[0]]] }",
        "fn f(x: &Vec<Vec<f64>>) -> f64 { x[0][0] }",
        "fn f((x, y): (f64, f64)) -> f64 { x * y }",
    ] {
        assert_eq!(called(function), None, "{function}");
    }
}
