//! Iterators of one's own: structs with a method `next`.

use super::Reader;
use super::chain::ended_by;
use super::consume::{PICKS, REDUCTIONS};
use super::expr::{as_path, strip};
use super::iter::ADAPTERS;
use super::memory::is_place;
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::template::parse_quote;
use quote::ToTokens;

/// The other methods of iterators, whether they are supported or not.
const OTHERS: [&str; 9] = [
    "cmp",
    "eq",
    "find_map",
    "is_sorted",
    "partition",
    "reduce",
    "rfind",
    "try_fold",
    "try_for_each",
];

/// Methods that borrow the iterator, which goes on behind what they took.
const BORROWING: [&str; 8] = [
    "all",
    "any",
    "find",
    "find_map",
    "nth",
    "position",
    "try_fold",
    "try_for_each",
];

impl Reader<'_> {
    /// `Newton::new(a)`, `it`, `&mut it` or `it.by_ref()` of such a struct in simpler words:
    /// `{ let mut own = it; std::iter::from_fn(|| own.next()) }`.
    pub(super) fn own_iterator(&mut self, e: &syn::Expr) -> Option<syn::Expr> {
        if !self.env.has_iterators() {
            return None;
        }
        let (of, value): (&syn::Expr, syn::Expr) = match strip(e) {
            syn::Expr::Reference(r) if r.mutability.is_some() => (&r.expr, e.clone()),
            syn::Expr::MethodCall(m) if m.method == "by_ref" => {
                let of = &*m.receiver;
                (of, parse_quote!(&mut #of))
            }
            of => (of, of.clone()),
        };
        // of one that is not differentiated, the position stays where it is
        let is_lent = !std::ptr::eq(of, strip(e));
        let path = self.path_of(of)?;
        let next = self.env.own_next(&path, is_lent)?;
        if !types::is_option(&next) {
            return None;
        }
        let own = syn::Ident::new("__own", proc_macro2::Span::call_site());
        Some(parse_quote!({
            let mut #own = #value;
            ::std::iter::from_fn(|| #own.next())
        }))
    }

    /// The path of the struct that an expression is.
    fn path_of(&mut self, e: &syn::Expr) -> Option<String> {
        let path = match self.place_type(e).map(|ty| self.types.peel(&ty)) {
            Some(Ty::Struct(path) | Ty::Opaque(path) | Ty::Bundle(path, _)) => path.0,
            Some(_) => return None,
            None => self.made_type(e)?.into_token_stream(),
        };
        Some(path.to_string())
    }

    /// The type of `Newton::new(a)`, of `Newton { .. }`, or of the result of a function; also at the end of its body, in
    /// the place of its call.
    pub(super) fn made_type(&self, e: &syn::Expr) -> Option<syn::Type> {
        if let Some(last) = ended_by(e) {
            return self.made_type(last);
        }
        let own = match strip(e) {
            syn::Expr::Call(c) => self.result_of_function(&as_path(&c.func)?.path),
            _ => None,
        };
        let found = own.or_else(|| self.type_as_written(e));
        found.or_else(|| match strip(e) {
            syn::Expr::Struct(syn::ExprStruct { path, .. }) => Some(parse_quote!(#path)),
            _ => None,
        })
    }

    /// The call of a method that all iterators have with such a struct in those words.
    pub(super) fn of_own_iterator(
        &mut self,
        m: &syn::ExprMethodCall,
    ) -> Option<syn::ExprMethodCall> {
        let name = m.method.to_string();
        let all = [&ADAPTERS[..], &REDUCTIONS[..], &PICKS[..], &OTHERS[..]];
        // which is its own
        if name == "next" || !all.iter().any(|names| names.contains(&&*name)) {
            return None;
        }
        let of = &m.receiver;
        // a method that the block writes itself
        let is_written = |path: String| {
            self.env.method(&path, &name).is_some() || self.env.passive(&path, &name).is_some()
        };
        if self.path_of(of).is_some_and(is_written) {
            return None;
        }
        let is_variable = is_place(of) && !matches!(self.place_type(of), Some(Ty::Ref(..)));
        let receiver = match BORROWING.contains(&&*name) && is_variable {
            true => self.own_iterator(&parse_quote!(&mut #of))?,
            false => self.own_iterator(of)?,
        };
        Some(syn::ExprMethodCall {
            receiver: Box::new(receiver),
            ..m.clone()
        })
    }
}
