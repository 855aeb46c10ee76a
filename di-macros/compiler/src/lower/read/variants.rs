//! Constants that a branch chooses, into which the compiler does not look. Which one it is is an integer, however that
//! is found, and passive code makes it of that.
//!
//! ```text
//! if x > 0.0 { Act::Tanh } else { w.act }   =>   match if x > 0.0 { 0 } else { 1 } { 0 => Act::Tanh, _ => w.act }
//! ```

use super::Reader;
use super::expr::{strip, unraw};
use super::lifted::behind_references;
use super::passive::effect;
use crate::ir::Tokens;
use crate::lower::free::free_names;
use crate::lower::hir::Expr;
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::sorted::Set;
use crate::template::parse_quote;
use crate::walk::{self, Node};
use quote::ToTokens;

impl Reader<'_> {
    /// An `if` or `match` all of whose values are variants, or constants that are not looked into.
    pub(super) fn chosen_constant(&mut self, e: &syn::Expr) -> Option<Expr> {
        let (mut which, mut values) = (e.clone(), Vec::new());
        if !number(&mut which, &mut values) {
            return None;
        }
        let of = match values.iter().all(is_variant) {
            true => None,
            false => Some(self.unseen_choice(e, &values)?),
        };
        // what patterns bind, and what depends on nothing that is differentiated, is carried along as it is
        let bound: Set<String> = walk::bound(Node::Expr(&which)).iter().map(unraw).collect();
        if of.is_some()
            && (values.iter()).any(|v| free_names(Node::Expr(v)).iter().any(|n| bound.contains(n)))
        {
            let is_constant = !self.may_be_active(e) && effect(e).is_none();
            return is_constant.then(|| self.chosen(e, of));
        }
        // of references it is known what they lead to
        if of.is_some() && values.iter().any(|v| self.is_reference(v)) {
            return None;
        }
        let last = values.pop()?;
        let variant = of.is_none().then(|| self.type_as_written(&last)).flatten();
        let first = (0..values.len()).map(syn::Index::from);
        let which = self.expr(&which);
        Some(self.keeping_as("__which", which, |r, _| {
            let choice = parse_quote!(match __which { #(#first => #values,)* _ => #last });
            let mut chosen = r.chosen(&choice, of);
            if let Some(of) = variant {
                chosen.ty = Ty::Opaque(Tokens(of.to_token_stream()));
            }
            chosen
        }))
    }

    fn is_reference(&self, value: &syn::Expr) -> bool {
        let local = self.local_shallow(value);
        matches!(strip(value), syn::Expr::Reference(_)) || matches!(local, Some(Ty::Ref(..)))
    }

    fn chosen(&mut self, choice: &syn::Expr, of: Option<syn::Type>) -> Expr {
        let mut chosen = self.passive(choice, false);
        if of.is_some() {
            chosen.ty = self.carried(of);
        }
        chosen
    }

    /// The type of values that are constants, if the compiler does not look into these.
    fn unseen_choice(&mut self, e: &syn::Expr, values: &[syn::Expr]) -> Option<syn::Type> {
        let of = values.iter().find_map(|value| self.unseen_type_of(value))?;
        let is_constant = |value| !self.may_be_active(value) && effect(value).is_none();
        let is_changed = |r: &mut Self, e| {
            walk::any(
                Node::Expr(e),
                &mut |node| matches!(node, Node::Expr(e) if r.is_change(e)),
            )
        };
        (values.iter().all(is_constant) && !is_changed(self, e)).then_some(of)
    }

    /// The type of a constant of which numbers in variables are no picture: a struct or an enum with floats that is not
    /// derived, or an option.
    fn unseen_type_of(&self, value: &syn::Expr) -> Option<syn::Type> {
        let of = self.env.expanded(&self.type_as_written(value)?);
        let of = behind_references(&of);
        let is_derived = walk::any(
            Node::Type(of),
            &mut |node| matches!(node, Node::Type(ty) if self.is_derived(ty)),
        );
        let path = of.to_token_stream().to_string();
        let is_unseen =
            types::is_option(of) || self.env.is_opaque(&path) && self.types.data(&path).is_none();
        (is_unseen && !is_derived).then(|| of.clone())
    }
}

/// Puts the number of each value in its place. Whether all branches have one.
fn number(e: &mut syn::Expr, values: &mut Vec<syn::Expr>) -> bool {
    match e {
        syn::Expr::If(i) => {
            let Some((_, els)) = &mut i.else_branch else {
                return false;
            };
            number_block(&mut i.then_branch, values) && number(els, values)
        }
        syn::Expr::Match(m) => (m.arms.iter_mut()).all(|arm| number(&mut arm.body, values)),
        syn::Expr::Block(b) if b.label.is_none() => number_block(&mut b.block, values),
        value => {
            let k = values.len();
            values.push(std::mem::replace(value, parse_quote!(#k)));
            true
        }
    }
}

fn number_block(block: &mut syn::Block, values: &mut Vec<syn::Expr>) -> bool {
    match block.stmts.as_mut_slice() {
        [syn::Stmt::Expr(e, None)] => number(e, values),
        _ => false,
    }
}

/// `Act::Tanh` by its looks: neither a constant in capitals nor an order, which is a number.
fn is_variant(value: &syn::Expr) -> bool {
    let syn::Expr::Path(p) = value else {
        return false;
    };
    let mut names = p.path.segments.iter().rev().map(|s| s.ident.to_string());
    let is_camel = |name: &String| {
        name.starts_with(char::is_uppercase)
            && (name.contains(char::is_lowercase) || name.chars().count() == 1)
    };
    let (variant, of) = (names.next(), names.next());
    let is_it = variant.as_ref().is_some_and(is_camel);
    is_it && of.is_some_and(|of| is_camel(&of) && of != "Ordering") && p.qself.is_none()
}
