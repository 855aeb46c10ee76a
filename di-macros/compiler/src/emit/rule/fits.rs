//! Whether the functions that a rule names are annotated, and take and return what it asks for: as plain calls, in
//! whose words rustc says what is wrong.

use super::super::binding::with_lifetime;
use super::super::names::own;
use super::{Derivatives, Equation, Rule};
use crate::template::quote;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};

impl Rule<'_> {
    /// A constant with a call of each. Nothing if what the rule names is no function.
    pub(super) fn fits(&self, derivatives: &Derivatives) -> Option<TokenStream> {
        let calls: Vec<TokenStream> = match derivatives {
            Derivatives::Partials(paths) => paths.iter().map(|p| self.partial(p)).collect(),
            Derivatives::Tangent(tangent, adjoint) => {
                let adjoint = adjoint.iter().map(|path| self.adjoint(path));
                let tangent = self.tangent(tangent);
                std::iter::once(tangent).chain(adjoint).collect()
            }
            Derivatives::Adjoint(path) => vec![self.adjoint(path)],
            Derivatives::Implicit(equation) => vec![self.equation(equation)],
            Derivatives::Row(_) | Derivatives::Backend(_) => return None,
        };
        Some(quote!(
            const __FITS: () = {
                #(const _: () = { #calls };)*
            };
        ))
    }

    /// fn fits(x: f64, k: i32) -> f64 { slope(x, k) }
    fn partial(&self, path: &TokenStream) -> TokenStream {
        let real = self.e.real();
        self.call(path, self.inputs(&[]), &real)
    }

    /// fn fits(x, y, dx) -> dy { t(x, y, dx) }
    fn tangent(&self, path: &TokenStream) -> TokenStream {
        let mut taken = self.inputs(&[]);
        taken.extend(self.results_read("__y"));
        let mut again = self.each_active(|k| self.written(k));
        again.extend(self.output.map(|k| self.written(k)));
        taken.extend(numbered("__d", again));
        let real = self.e.real();
        let result = self.results_as(|_| real.clone());
        let result = match self.output {
            Some(_) => quote!(()),
            None => result,
        };
        self.call(path, taken, &result)
    }

    /// fn fits(x, y, yb) -> xb { a(x, y, yb) }
    fn adjoint(&self, path: &TokenStream) -> TokenStream {
        let real = self.e.real();
        let mut taken = self.inputs(&[]);
        taken.extend(self.results_read("__y"));
        taken.extend(self.results_read("__yb"));
        let slices = self.slices().into_iter().map(|k| {
            let target = self.target_of(k);
            quote!(&mut #target)
        });
        taken.extend(numbered("__b", slices));
        let result = self.numbers_as(|_| real.clone());
        self.call(path, taken, &result)
    }

    /// fn fits(y, p) -> f64 { r(y, p) }, or of (y, p, r)
    fn equation(&self, equation: &Equation) -> TokenStream {
        let real = self.e.real();
        let mut taken = self.results_read("__y");
        taken.extend(self.inputs(&equation.without));
        let out = self.output.map(|k| self.written(k));
        taken.extend(numbered("__r", out));
        let result = match self.output {
            Some(_) => quote!(()),
            None => real,
        };
        let call = self.call(&equation.function, taken, &result);
        let rt = self.target.rt;
        let solver = equation.solver.as_ref().map(|solver| {
            quote!(
                fn __solves<T: #rt::implicit::Solver>() {}
                let _ = __solves::<#solver>;
            )
        });
        quote!(#call #solver)
    }

    fn call(
        &self,
        path: &TokenStream,
        taken: Vec<(TokenStream, TokenStream)>,
        result: &TokenStream,
    ) -> TokenStream {
        let (names, types): (Vec<_>, Vec<_>) = taken.into_iter().unzip();
        let handle = needs_the_attribute(path);
        quote!(
            use #path as #handle;
            type __Handle = #handle;
            fn __fits<'__c>(#(#names: #types),*) -> #result {
                #path(#(#names),*)
            }
        )
    }

    /// The parameters but for the output and these.
    fn inputs(&self, without: &[usize]) -> Vec<(TokenStream, TokenStream)> {
        let taken =
            (0..self.body.params.len()).filter(|k| Some(*k) != self.output && !without.contains(k));
        taken
            .map(|k| {
                let arg = self.arg(k);
                (quote!(#arg), self.written(k))
            })
            .collect()
    }

    /// The results, as parameters that are read.
    fn results_read(&self, name: &str) -> Vec<(TokenStream, TokenStream)> {
        let real = self.e.real();
        let types: Vec<TokenStream> = match self.output {
            Some(k) => {
                let target = self.target_of(k);
                vec![quote!(&#target)]
            }
            None => vec![real; self.results],
        };
        numbered(name, types).collect()
    }

    fn written(&self, k: usize) -> TokenStream {
        with_lifetime(self.body.params[k].written.0.clone(), false)
    }

    /// `[f64; 3]` of a parameter `&[f64; 3]`.
    fn target_of(&self, k: usize) -> TokenStream {
        let written = self.body.params[k].written.0.clone();
        written.into_iter().last().into_iter().collect()
    }
}

/// What a function's handle is called, which is what rustc says if there is none.
fn needs_the_attribute(path: &TokenStream) -> Ident {
    let last = path.clone().into_iter().last();
    let (name, at) = match &last {
        Some(TokenTree::Ident(last)) => (last.to_string(), last.span()),
        _ => ("it".to_owned(), Span::call_site()),
    };
    let name = name.trim_start_matches("r#");
    Ident::new(&format!("{name}_needs_the_attribute_differentiable"), at)
}

/// Names for what has these types.
fn numbered(
    name: &str,
    types: impl IntoIterator<Item = TokenStream>,
) -> impl Iterator<Item = (TokenStream, TokenStream)> {
    types.into_iter().enumerate().map(move |(k, ty)| {
        let name = own(&format!("{name}{k}"));
        (quote!(#name), ty)
    })
}
