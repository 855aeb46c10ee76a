//! What becomes of the result of a call in the glue: it is put in its place, or the error of a function that failed is
//! noted.

use super::family::struct_family;
use super::handle::{Form, Glue, Taken};
use super::names::{argument, nested, own};
use crate::ir::{Body, Fallible, Mode, Param, Returned, Role, Tree, Type};
use crate::template::quote;
use proc_macro2::TokenStream;

impl Glue<'_> {
    /// f(..)   =>   *__y = f(..);
    pub(super) fn result(&self, call: TokenStream) -> TokenStream {
        match (self.output, self.body.fallible) {
            (Some(_), None) => quote!(#call;),
            (Some(_), Some(_)) => self.check(&call),
            (None, None) => self.assign(&call, false),
            (None, Some(_)) => {
                let (assign, failed) = (self.assign(&quote!(__v), false), self.failed());
                quote! {
                    let (__ok, __v, _) = #call;
                    if __ok { #assign } else { #failed; }
                }
            }
        }
    }

    /// The same for a value and its tangent.
    pub(super) fn result_and_tangent(&self, call: &TokenStream) -> TokenStream {
        match (self.output, self.body.fallible) {
            (Some(_), None) => quote!(let _ = #call;),
            (Some(_), Some(_)) => self.check(&quote!({ let (__result, _) = #call; __result })),
            (None, None) => self.assign(call, true),
            (None, Some(_)) => {
                let (assign, failed) = (self.assign(&quote!((__v, __t)), true), self.failed());
                quote! {
                    let ((__ok, __v, _), (_, __t, _)) = #call;
                    if __ok { #assign } else { #failed; }
                }
            }
        }
    }

    /// Of a function that writes: whether it failed.
    fn check(&self, call: &TokenStream) -> TokenStream {
        let failed = self.failed();
        quote! {
            let (__ok, _, _) = #call;
            if !__ok { #failed; }
        }
    }

    /// Notes that the function failed, with its own error: generated code does not carry errors, so the function itself
    /// is called for it.
    fn failed(&self) -> TokenStream {
        let rt = self.target.rt;
        let error = match self.body.fallible {
            Some(Fallible::Result) => match self.call_of_original() {
                Some(call) => quote!({
                    use #rt::{ErrorOfAnyType as _, ErrorWithDebug as _};
                    match #call {
                        ::core::result::Result::Ok(_) => #rt::unknown_error(),
                        ::core::result::Result::Err(__e) => (&mut #rt::Cause::new(__e)).boxed(),
                    }
                }),
                None => quote!(#rt::unknown_error()),
            },
            Some(Fallible::Option) | None => quote!(#rt::error_of_none()),
        };
        self.note(&error, &quote!(__S))
    }

    /// Notes an error of the function, on some scalar.
    fn note(&self, error: &TokenStream, scalar: &TokenStream) -> TokenStream {
        let rt = self.target.rt;
        match self.output {
            Some(_) => quote!(#rt::fail(#error)),
            None => quote!(#rt::fail_at::<<Self as #rt::Handle>::Y, #scalar>(__y, #error)),
        }
    }

    /// `f(&values, constant, ..)` on floats. `None` if it cannot be named here, or takes what cannot be made of values
    /// in another scalar: structs, rows and arrays of ndarray.
    fn call_of_original(&self) -> Option<TokenStream> {
        let rt = self.target.rt;
        let (original, taken) = self.target.original.as_ref()?;
        let params = &self.body.params;
        if taken.len() != params.len() || !params.iter().all(is_plain) {
            return None;
        }
        let args = (0..params.len()).map(|k| {
            let (p, family) = (self.param(k), || self.family(k));
            let and = behind(p, taken[k]);
            match p.role {
                Role::Constant => {
                    let value = self.context(k);
                    quote!(#and #value)
                }
                Role::Active => {
                    let (a, family) = (argument(k), family());
                    let values = quote!(#rt::plain::<#family, __S>(#a));
                    match p.mode {
                        Mode::Value => quote!(#and #values),
                        Mode::Ref | Mode::Mut => quote!(&#values),
                    }
                }
                Role::Cache => {
                    let (example, family, float) = (self.example(k), family(), self.target.float);
                    quote!(&mut #rt::plain::<#family, #float>(#example))
                }
                Role::Output | Role::InOut => {
                    let family = family();
                    quote!(&mut #rt::blank::<#family, __S>(&__y))
                }
            }
        });
        Some(quote!(#original(#(#args),*)))
    }

    /// The user's function on floats, `*__y = f(values, constant, ..);`: differences of it know nothing of what the
    /// compiler has read. `None` if it cannot be named here, or takes or returns what generated code has in another form.
    pub(super) fn itself(&self) -> Option<TokenStream> {
        let (original, taken) = self.target.original.as_ref()?;
        let params = &self.body.params;
        let is_returned = |ty: &Type| *ty.leaf() == Type::Float;
        let is_array = self.target.result.is_some() || self.body.returns_rows;
        let returned = success(self.body)?.leaves();
        let fits = taken.len() == params.len()
            && params
                .iter()
                .zip(taken)
                .all(|(p, taken)| is_same(p, *taken))
            && (self.output.is_some() || !is_array && returned.into_iter().all(is_returned));
        if !fits {
            return None;
        }
        let args = (0..params.len()).map(|k| {
            let and = behind(&params[k], taken[k]);
            let value = match params[k].role {
                Role::Constant => self.context(k),
                _ => self.pass(k, Form::Values),
            };
            quote!(#and #value)
        });
        let (call, value) = (quote!(#original(#(#args),*)), quote!(__v));
        let put = |value: &TokenStream| match self.output {
            Some(_) => quote!(#value),
            None => quote!(*__y = #value),
        };
        let (put_value, rt) = (put(&value), self.target.rt);
        Some(match self.body.fallible {
            None => put(&call),
            Some(Fallible::Option) => {
                let failed = self.note(&quote!(#rt::error_of_none()), self.target.float);
                quote! {
                    match #call {
                        ::core::option::Option::Some(#value) => #put_value,
                        ::core::option::Option::None => #failed,
                    }
                }
            }
            Some(Fallible::Result) => {
                let error = quote!((&mut #rt::Cause::new(__e)).boxed());
                let failed = self.note(&error, self.target.float);
                quote! {
                    use #rt::{ErrorOfAnyType as _, ErrorWithDebug as _};
                    match #call {
                        ::core::result::Result::Ok(#value) => #put_value,
                        ::core::result::Result::Err(__e) => #failed,
                    }
                }
            }
        })
    }

    /// *__y = f(..);   or   (*__y, *__dy) = f(..);   the vectors that were there go back to the pool first
    fn assign(&self, call: &TokenStream, both: bool) -> TokenStream {
        let rt = self.target.rt;
        let with = |tangent: TokenStream| both.then_some(tangent);
        if let Some(Returned::Array(rank)) = self.target.result {
            let (value, tangent, lengths) = if rank == 2 {
                (
                    quote!((__v, __m, __n)),
                    quote!((__t, (), ())),
                    quote!([__m, __n]),
                )
            } else {
                (quote!(__v), quote!(__t), quote!([__v.len()]))
            };
            let given = with(quote!(#rt::nd::give(__dy, __pool);));
            let pattern = with(quote!((#value, #tangent))).unwrap_or(value);
            let put = with(quote!(*__dy = #rt::nd::array(__t, __lengths);));
            return quote!(
                #rt::nd::give(__y, __pool);
                #given
                let #pattern = #call;
                let __lengths = #lengths;
                *__y = #rt::nd::array(__v, __lengths);
                #put
            );
        }
        if self.body.returns_rows {
            let given = with(quote!(__pool.give(::core::mem::take(&mut __dy.data));));
            let value = quote!((data, rows));
            let pattern = with(quote!((#value, (tangent, ())))).unwrap_or(value);
            let put = with(quote!(__dy.rows.clone_from(&rows); __dy.data = tangent;));
            return quote!(
                __pool.give(::core::mem::take(&mut __y.data));
                __pool.give(::core::mem::take(&mut __y.rows));
                #given
                let #pattern = #call;
                #put
                *__y = #rt::Ragged { data, rows };
            );
        }
        let ret = success(self.body).unwrap_or(&self.body.ret);
        let mut give = TokenStream::new();
        give_back(ret, &quote!(__y), false, &mut give);
        if !both {
            let put = self.put(ret, call);
            return quote!(#give #put);
        }
        give_back(ret, &quote!(__dy), true, &mut give);
        if !self.returns_structs() {
            return quote!(#give (*__y, *__dy) = #call;);
        }
        let put = self.put(ret, &quote!(__v));
        quote!(#give let (__v, __t) = #call; #put *__dy = __t;)
    }

    /// Whether the result is made of derived structs, or of lists of them.
    pub(super) fn returns_structs(&self) -> bool {
        let ret = success(self.body).unwrap_or(&self.body.ret);
        self.output.is_none() && ret.leaves().into_iter().any(Type::is_structs)
    }

    /// let (a, p) = f(..); __y.0 = a; put(&mut __y.1, p);   where structs are stored by their floats
    fn put(&self, ret: &Tree<Type>, value: &TokenStream) -> TokenStream {
        if !self.returns_structs() {
            return quote!(*__y = #value;);
        }
        let (rt, mut k, mut puts) = (self.target.rt, 0, TokenStream::new());
        let parts = places(ret, &quote!(__y)).map(&mut |(ty, place)| {
            let part = own(&format!("__part{k}"));
            k += 1;
            let lent = match ty {
                Type::Struct(path) => {
                    let path = &path.0;
                    quote!(<#path as #rt::Differentiable>::lend(&#part))
                }
                _ => quote!(#rt::Rows::Made(&#part)),
            };
            puts.extend(match struct_family(ty, rt) {
                Some(family) => quote!(#rt::put::<#family, __S>(&mut *#place, #lent);),
                None => quote!(*#place = #part;),
            });
            if matches!(ty, Type::Vec(row) if row.is_structs()) {
                puts.extend(quote!(__pool.give(#part);));
            }
            quote!(#part)
        });
        let parts = nested(&parts);
        quote!(let #parts = #value; #puts)
    }
}

/// Whether an argument of this parameter can be made for the user's function.
fn is_plain(p: &Param) -> bool {
    p.array.is_none() && (p.role == Role::Constant || !p.ty.is_structs())
}

/// Whether generated code has the parameter as the user's function takes it: it has vectors behind `&` as slices.
fn is_same(p: &Param, taken: Taken) -> bool {
    let is_vector = taken == Taken::Behind && p.mode != Mode::Value;
    is_plain(p) && (p.role == Role::Constant || !is_vector)
}

/// `&`, if generated code has a number by value which the user's function takes behind it.
fn behind(p: &Param, taken: Taken) -> Option<TokenStream> {
    (taken != Taken::Value && p.mode == Mode::Value).then(|| quote!(&))
}

/// What the function returns if it does not fail; `None` if an error has floats, whose derivatives would be lost.
pub(super) fn success(body: &Body) -> Option<&Tree<Type>> {
    match (&body.ret, body.fallible) {
        (ret, None) => Some(ret),
        (Tree::Tuple(parts), Some(_)) => match &parts[..] {
            [_, value, error] => {
                let floats = error.leaves().into_iter().any(Type::has_floats);
                (!floats).then_some(value)
            }
            _ => None,
        },
        (Tree::Leaf(_), Some(_)) => None,
    }
}

/// Gives the vectors back that stand in the place of a result, or of its tangent.
fn give_back(ret: &Tree<Type>, place: &TokenStream, lanes: bool, tokens: &mut TokenStream) {
    for (ty, place) in places(ret, place).leaves() {
        // room for the values of structs stays, and is written to
        if matches!(ty, Type::Vec(row) if lanes || !row.is_structs()) {
            tokens.extend(quote!(__pool.give(::core::mem::take(&mut *#place));));
        }
    }
}

/// The parts of a result, and references to where they are stored.
fn places<'t>(ret: &'t Tree<Type>, place: &TokenStream) -> Tree<(&'t Type, TokenStream)> {
    match ret {
        Tree::Leaf(ty) => Tree::Leaf((ty, place.clone())),
        Tree::Tuple(parts) => {
            let parts = parts.iter().enumerate().map(|(k, part)| {
                let k = proc_macro2::Literal::usize_unsuffixed(k);
                places(part, &quote!((&mut #place.#k)))
            });
            Tree::Tuple(parts.collect())
        }
    }
}
