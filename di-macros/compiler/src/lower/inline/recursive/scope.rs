//! Variables around a call, with the types that are written or follow from what is near.

use super::{Ident, behind};
use crate::lower::code::name_of;
use crate::lower::environment::Environment;
use crate::lower::methods::is_number;
use crate::lower::read::Types;
use crate::lower::types::{self, ungroup};
use crate::sorted::{Map, Set};
use crate::template::parse_quote;
use crate::tokens::{self, unraw};
use crate::walk;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

/// What a name stands for.
#[derive(Clone)]
pub(super) enum Variable {
    Of(Box<syn::Type>),
    /// A closure, by its number.
    Closure(usize),
    Unknown,
}

/// A closure that a variable holds.
struct Held {
    closure: syn::ExprClosure,
    /// How many variables are older.
    older: usize,
    /// What is taken of it, by names of its own.
    aliases: Map<String, (Ident, Ident)>,
}

pub(super) struct Scope<'a> {
    env: &'a Environment,
    types: Types<'a>,
    variables: Vec<(String, Variable)>,
    closures: Vec<Held>,
    /// Parameters of the function around it, and items of its body whose types are not written.
    open: Set<String>,
}

impl<'a> Scope<'a> {
    pub(super) fn new(env: &'a Environment, types: Types<'a>, sig: &syn::Signature) -> Scope<'a> {
        let mut scope = Scope {
            env,
            types,
            variables: Vec::new(),
            closures: Vec::new(),
            open: Set::new(),
        };
        for p in &sig.generics.params {
            match p {
                syn::GenericParam::Type(p) => scope.open.insert(p.ident.to_string()),
                syn::GenericParam::Const(p) => scope.open.insert(p.ident.to_string()),
                syn::GenericParam::Lifetime(_) => false,
            };
        }
        for input in &sig.inputs {
            if let syn::FnArg::Typed(p) = input {
                scope.bind(&p.pat, Some((*p.ty).clone()));
            }
        }
        scope
    }

    pub(super) fn len(&self) -> usize {
        self.variables.len()
    }

    pub(super) fn leave(&mut self, around: usize) {
        self.variables.truncate(around);
    }

    /// Binds the variables of a pattern.
    pub(super) fn bind(&mut self, pat: &syn::Pat, ty: Option<syn::Type>) {
        for (name, ty) in self.types.bound(pat, ty.as_ref()) {
            let known = match ty {
                Some(ty) if !walk::has_hole(&ty) => Variable::Of(Box::new(ty)),
                _ => Variable::Unknown,
            };
            self.variables.push((name, known));
        }
    }

    /// Binds those of a `let`. Returns the number of a closure.
    pub(super) fn local(&mut self, local: &syn::Local) -> Option<usize> {
        let init = local.init.as_ref();
        if let (syn::Pat::Ident(p), Some(init)) = (&local.pat, init)
            && let syn::Expr::Closure(closure) = behind(&init.expr)
        {
            let id = self.closures.len();
            self.closures.push(Held {
                closure: closure.clone(),
                older: self.variables.len(),
                aliases: Map::new(),
            });
            let name = unraw(&p.ident);
            self.variables.push((name, Variable::Closure(id)));
            return Some(id);
        }
        let ty = init.and_then(|init| self.types.of(&init.expr, &self.names()));
        self.bind(&local.pat, ty);
        None
    }

    pub(super) fn item(&mut self, item: &syn::Item) {
        if let syn::Item::Const(c) = item
            && (matches!(*c.ty, syn::Type::Infer(_)) || super::super::is_length(c))
        {
            self.open.insert(c.ident.to_string());
        }
    }

    /// What a name stands for now, or where a closure is made.
    pub(super) fn variable(&self, name: &str, at: Option<usize>) -> Option<Variable> {
        self.position(name, at).map(|k| self.variables[k].1.clone())
    }

    fn position(&self, name: &str, at: Option<usize>) -> Option<usize> {
        let until = at.map_or(self.variables.len(), |id| self.closures[id].older);
        let seen = &self.variables[..until.min(self.variables.len())];
        seen.iter().rposition(|(own, _)| own == name)
    }

    /// The closure that an expression names.
    pub(super) fn closure_of(
        &self,
        e: &syn::Expr,
        at: Option<usize>,
    ) -> Option<(syn::ExprClosure, usize)> {
        let syn::Expr::Path(p) = e else {
            return None;
        };
        match self.variable(&unraw(p.path.get_ident()?), at)? {
            Variable::Closure(id) => Some((self.closures[id].closure.clone(), id)),
            _ => None,
        }
    }

    /// The name by which what a closure takes can be named at a call.
    pub(super) fn alias(&mut self, id: usize, own: &Ident, is_borrowed: bool) -> Option<Ident> {
        let name = unraw(own);
        if is_borrowed {
            // it is not copied
            let is_same = self.position(&name, Some(id)) == self.position(&name, None);
            return is_same.then(|| own.clone());
        }
        let alias = name_of(&format!("__taken{id}_{name}"));
        let both = (alias.clone(), own.clone());
        self.closures[id].aliases.insert(name, both);
        Some(alias)
    }

    /// What is to be bound where a closure is made.
    pub(super) fn aliases(&mut self, id: usize) -> Vec<(Ident, Ident)> {
        let found = std::mem::take(&mut self.closures[id].aliases);
        found.into_iter().map(|(_, both)| both).collect()
    }

    /// Whether code names what another function cannot.
    pub(super) fn is_open(&self, tokens: &TokenStream) -> bool {
        tokens::any(tokens.clone(), &mut |tree| match tree {
            TokenTree::Ident(i) => i == "self" || i == "Self" || self.open.contains(&i.to_string()),
            TokenTree::Punct(p) => p.as_char() == '?',
            _ => false,
        })
    }

    /// How a value of this type is handed to an instance, and whether by reference.
    pub(super) fn handed(&self, ty: &syn::Type) -> Option<(syn::Type, bool)> {
        let mut ty = self.env.expanded(ungroup(ty));
        if self.is_open(&ty.to_token_stream()) {
            return None;
        }
        if let syn::Type::Reference(r) = &mut ty {
            r.lifetime = None;
            let is_known = r.mutability.is_none() && is_value(&r.elem);
            return is_known.then_some((ty, false));
        }
        match &ty {
            _ if !is_value(&ty) => None,
            syn::Type::Array(_) => Some((ty, false)),
            syn::Type::Tuple(t) if t.elems.iter().all(is_number) => Some((ty, false)),
            ty if is_number(ty) => Some((ty.clone(), false)),
            ty => Some((parse_quote!(&#ty), true)),
        }
    }

    /// A parameter, marked if its type is not differentiated.
    pub(super) fn marked(&self, mut input: syn::PatType) -> syn::FnArg {
        if input.attrs.is_empty() && self.env.is_constant(&input.ty) {
            input.attrs.push(parse_quote!(#[constant]));
        }
        syn::FnArg::Typed(input)
    }

    /// The type of the items of a loop.
    pub(super) fn item_of(&self, e: &syn::Expr) -> Option<syn::Type> {
        self.types.of_items(e, &self.names())
    }

    fn names(&self) -> Vec<(String, Option<syn::Type>)> {
        let all = self.variables.iter().map(|(name, known)| {
            let ty = match known {
                Variable::Of(ty) => Some((**ty).clone()),
                Variable::Closure(_) | Variable::Unknown => None,
            };
            (name.clone(), ty)
        });
        all.collect()
    }
}

/// Whether a type is that of a number, a list of them or a struct: what is shared and does not change.
fn is_value(ty: &syn::Type) -> bool {
    if let Some(of) = types::element(ty) {
        return is_value(of);
    }
    match ungroup(ty) {
        syn::Type::Tuple(t) => t.elems.iter().all(is_value),
        syn::Type::Path(p) => {
            const OTHERS: [&str; 9] = [
                "Box", "Rc", "Arc", "Cell", "RefCell", "Option", "Result", "String", "char",
            ];
            let last = p.path.segments.last();
            p.qself.is_none()
                && last.is_some_and(|s| {
                    s.arguments.is_empty() && OTHERS.iter().all(|name| s.ident != name)
                })
        }
        _ => false,
    }
}
