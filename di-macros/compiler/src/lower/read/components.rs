//! Tuples as arguments: each component goes to a parameter of its own.

use super::Reader;
use super::constant::identifiers;
use super::expr::{strip, unraw};
use super::memory::is_place;
use crate::ir::Tokens;
use crate::lower::environment::Known;
use crate::lower::hir::{Expr, Kind, Local, Pat};
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::sorted::Set;
use crate::template::parse_quote;
use crate::walk::{self, Node};
use quote::ToTokens;

/// A parameter.
pub(super) struct Input {
    pub(super) ty: syn::Type,
    /// It is marked as constant.
    pub(super) constant: bool,
}

/// How a struct is made of constants.
pub(super) struct Made {
    by: syn::Expr,
    /// What names mean there.
    names: Vec<(String, Option<Local>)>,
}

impl Reader<'_> {
    /// The parameters of a function with this signature, and whether it is generic.
    pub(super) fn inputs_of(&self, known: &Known) -> (Vec<Input>, bool) {
        let signature = &known.signature;
        let inputs = signature.inputs.iter().filter_map(types::typed);
        let inputs = inputs.map(|p| Input {
            ty: (*p.ty).clone(),
            constant: p.attrs.iter().any(|a| a.path().is_ident("constant")),
        });
        (inputs.collect(), !signature.generics.params.is_empty())
    }

    fn is_held(&self, input: &Input) -> bool {
        input.constant || self.env.is_constant(&self.env.expanded(&input.ty))
    }

    /// Arguments of a call by path. Lists of tuples and characters that are written out are carried as they are to
    /// parameters that are held constant.
    pub(super) fn arguments(&mut self, c: &syn::ExprCall, path: &syn::Path) -> Vec<Expr> {
        let resolved = self.resolve_use(path);
        let of = resolved.to_token_stream().to_string();
        let known = self.env.function(&of);
        let inputs = known.map_or_else(Vec::new, |known| self.inputs_of(&known).0);
        let taken = self.taken_by(&resolved, c.args.len());
        let args = c.args.iter().enumerate();
        args.map(|(k, arg)| {
            let expected = taken.get(k).and_then(|input| self.as_taken_by(arg, input));
            let arg = expected.as_ref().unwrap_or(arg);
            // of a tuple struct
            if self.env.constant_part(&of, &k.to_string()).is_some() {
                return self.field_value(&of, &k.to_string(), arg);
            }
            let held = inputs.get(k).is_some_and(|i| self.is_held(i));
            let written = held.then(|| self.as_made(arg)).flatten();
            let arg = written.as_ref().unwrap_or(arg);
            let copied = match inputs.get(k) {
                Some(input) if !self.is_held(input) => self.borrowed_rows(arg, &input.ty),
                _ => None,
            };
            if let Some(copied) = copied {
                return self.argument(&copied);
            }
            let is_list = !matches!(strip(arg), syn::Expr::Tuple(_)) && is_foreign(arg);
            let is_constant = is_list && is_written_out(arg)
                || self.is_struct_of_constants(arg)
                || is_made_whole(arg) && !self.may_be_active(arg);
            let Some(input) = inputs.get(k).filter(|_| is_constant && held) else {
                return self.argument(arg);
            };
            self.note_argument(arg, &self.env.expanded(&input.ty), &[]);
            let mut list = self.passive(arg, false);
            list.ty = Ty::Opaque(Tokens(arg.to_token_stream()));
            list
        })
        .collect()
    }

    /// `Speed(30.0)`, `&Site { lat: 0.3, lon: LON }`: a derived struct that is made of constants.
    fn is_struct_of_constants(&self, e: &syn::Expr) -> bool {
        let is_struct = |path: &syn::Path| self.env.is_struct(&path.to_token_stream().to_string());
        match strip(e) {
            syn::Expr::Reference(r) if r.mutability.is_none() => {
                self.is_struct_of_constants(&r.expr)
            }
            syn::Expr::Struct(s) => {
                is_struct(&s.path) && !self.may_be_active(e) && !self.has_namesakes(e)
            }
            syn::Expr::Call(c) => {
                matches!(strip(&c.func), syn::Expr::Path(p) if is_struct(&p.path))
                    && !self.may_be_active(e)
                    && !self.has_namesakes(e)
            }
            _ => false,
        }
    }

    /// Notes that a variable is a derived struct which is made of constants, and may be made again.
    pub(super) fn note_struct_of_constants(&mut self, pat: &Pat, init: &syn::Expr) {
        let Pat::Bind(local) = pat else { return };
        if self.locals[local.0].mutable
            || !is_repeatable(init)
            || !self.is_struct_of_constants(init)
        {
            return;
        }
        let mut names = Set::new();
        identifiers(init.to_token_stream(), &mut names);
        let names = names.iter().map(|name| (name.clone(), self.lookup(name)));
        let names: Vec<(String, Option<Local>)> = names.collect();
        let mut known = names.iter().filter_map(|(_, means)| *means);
        if !known.any(|l| l == *local || self.locals[l.0].mutable) {
            let by = init.clone();
            self.of_constants.insert(local.0, Made { by, names });
        }
    }

    /// `s`, or `&s`, as it was made, if its names mean what they meant there.
    fn as_made(&self, e: &syn::Expr) -> Option<syn::Expr> {
        match strip(e) {
            syn::Expr::Reference(r) if r.mutability.is_none() => {
                let of = self.as_made(&r.expr)?;
                Some(parse_quote!(&#of))
            }
            syn::Expr::Path(p) => {
                let local = self.local_by(&p.path)?;
                let made = self.of_constants.get(&local.0)?;
                let is_same = |(name, means): &(String, Option<Local>)| self.lookup(name) == *means;
                made.names.iter().all(is_same).then(|| made.by.clone())
            }
            _ => None,
        }
    }

    /// Whether a struct is written out of which a field has the name of a constant struct: one is taken for the other where
    /// code is carried.
    fn has_namesakes(&self, e: &syn::Expr) -> bool {
        walk::any(Node::Expr(e), &mut |node| {
            let Node::Expr(syn::Expr::Struct(s)) = node else {
                return false;
            };
            s.fields.iter().any(|f| {
                let syn::Member::Named(name) = &f.member else {
                    return false;
                };
                let local = self.lookup(&unraw(name));
                local.is_some_and(|l| {
                    let ty = self.types.peel(&self.locals[l.0].ty);
                    matches!(ty, Ty::Opaque(_) | Ty::Struct(_))
                })
            })
        })
    }

    /// Marks tuples and options among the arguments of a function, as far as its signature is known.
    pub(super) fn components_of(&mut self, path: &syn::Path, args: &mut [Expr]) {
        if let Some(known) = self.env.function(&path.to_token_stream().to_string()) {
            let (inputs, is_generic) = self.inputs_of(&known);
            self.components(&inputs, is_generic, args);
        }
    }

    /// Marks tuples and options among arguments for these parameters.
    pub(super) fn components(&mut self, inputs: &[Input], is_generic: bool, args: &mut [Expr]) {
        for (input, arg) in inputs.iter().zip(args) {
            let constant = self.is_held(input);
            let found = self.types.peel(&arg.ty);
            let is_value = matches!(&found, Ty::Tuple(ts) | Ty::Sum(ts) if !ts.is_empty());
            let written = self.env.expanded(&input.ty);
            let ty = match types::ungroup(&written) {
                syn::Type::Reference(r) => types::ungroup(&r.elem),
                ty => ty,
            };
            let is_tuple = match ty {
                syn::Type::Tuple(_) => true,
                syn::Type::Path(p) => types::is_sum(&p.path),
                _ => false,
            };
            // a path may be another name of a tuple
            let is_marked = match ty {
                syn::Type::Tuple(_) => !constant || is_value,
                syn::Type::Path(_) => is_value,
                _ => false,
            };
            if !is_marked {
                continue;
            }
            let float = self.float;
            if (is_tuple || constant)
                && !is_generic
                && let Some(ty) = types::read_local(ty, float, &mut self.types)
            {
                self.unify(&found, &ty, arg.span);
            }
            let of = Expr::new(
                std::mem::replace(&mut arg.kind, Kind::Refused),
                arg.ty.clone(),
                arg.span,
            );
            arg.kind = Kind::Components(Box::new(of), constant);
        }
    }
}

/// Literals, also in lists and tuples.
fn is_written_out(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Lit(_) => true,
        syn::Expr::Unary(u) => is_written_out(&u.expr),
        syn::Expr::Reference(r) => r.mutability.is_none() && is_written_out(&r.expr),
        syn::Expr::Tuple(t) => t.elems.iter().all(is_written_out),
        syn::Expr::Array(a) => a.elems.iter().all(is_written_out),
        _ => false,
    }
}

/// Whether there are tuples or characters in a list.
fn is_foreign(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Tuple(_) => true,
        syn::Expr::Lit(lit) => matches!(lit.lit, syn::Lit::Char(_) | syn::Lit::Str(_)),
        syn::Expr::Reference(r) => is_foreign(&r.expr),
        syn::Expr::Array(a) => a.elems.iter().any(is_foreign),
        _ => false,
    }
}

/// `Some(..)`, `None` and tuples, and lists of these, as they are written.
fn is_made_whole(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Call(c) => {
            matches!(strip(&c.func), syn::Expr::Path(p) if p.path.is_ident("Some"))
        }
        syn::Expr::Path(p) => p.path.is_ident("None"),
        syn::Expr::Reference(r) => is_made_whole(&r.expr),
        syn::Expr::Tuple(_) => true,
        syn::Expr::Array(a) => a.elems.iter().any(|e| is_row(e) || is_made_whole(e)),
        _ => false,
    }
}

/// `vec![..]` in a list
fn is_row(e: &syn::Expr) -> bool {
    matches!(strip(e), syn::Expr::Macro(m) if m.mac.path.is_ident("vec"))
}

/// Whether an expression gives the same each time.
fn is_repeatable(e: &syn::Expr) -> bool {
    let is_named = |name: &syn::Ident, known: &[&str]| known.iter().any(|n| name == n);
    !walk::any(Node::Expr(e), &mut |node| match node {
        Node::Expr(e) => match e {
            syn::Expr::Call(c) => !matches!(strip(&c.func), syn::Expr::Path(p)
                if p.path.segments.last().is_some_and(|s| s.ident.to_string().starts_with(char::is_uppercase))),
            syn::Expr::MethodCall(m) => {
                !is_named(&m.method, &["clone", "len", "to_owned", "to_vec"])
            }
            syn::Expr::Macro(m) => !m
                .mac
                .path
                .get_ident()
                .is_some_and(|name| is_named(name, &["vec"])),
            syn::Expr::Array(_)
            | syn::Expr::Binary(_)
            | syn::Expr::Cast(_)
            | syn::Expr::Field(_)
            | syn::Expr::Group(_)
            | syn::Expr::Index(_)
            | syn::Expr::Lit(_)
            | syn::Expr::Paren(_)
            | syn::Expr::Path(_)
            | syn::Expr::Reference(_)
            | syn::Expr::Struct(_)
            | syn::Expr::Tuple(_)
            | syn::Expr::Unary(_) => false,
            _ => true,
        },
        _ => false,
    })
}

/// `let [a, b] = [&p[i], &p[j]];`, `let [a, b] = e.map(|i| &p[i]);`   =>   `let (a, b) = (&p[i], &p[j]);`: elements by their
/// names, where there would be a list of references.
pub(super) fn by_components(local: &syn::Local) -> Option<syn::Local> {
    let syn::Pat::Slice(list) = &local.pat else {
        return None;
    };
    let init = local.init.as_ref().filter(|i| i.diverge.is_none())?;
    let is_rest = |pat: &syn::Pat| match pat {
        syn::Pat::Rest(_) => true,
        syn::Pat::Ident(p) => p.subpat.is_some(),
        _ => false,
    };
    if list.elems.iter().any(is_rest) {
        return None;
    }
    let values: Vec<syn::Expr> = match strip(&init.expr) {
        syn::Expr::Array(a) if a.elems.len() == list.elems.len() => {
            a.elems.iter().cloned().collect()
        }
        syn::Expr::MethodCall(m) if m.method == "map" => {
            let (of, args) = (&m.receiver, m.args.iter().map(strip).collect::<Vec<_>>());
            let [syn::Expr::Closure(c)] = args[..] else {
                return None;
            };
            let (body, input) = (&c.body, c.inputs.first()?);
            if !matches!(strip(body), syn::Expr::Reference(_)) || !is_place(of) {
                return None;
            }
            let value = |k: usize| parse_quote!({ let #input = #of[#k]; #body });
            (0..list.elems.len()).map(value).collect()
        }
        _ => return None,
    };
    let names = list.elems.iter();
    let syn::Stmt::Local(of) = parse_quote!(let (#(#names,)*) = (#(#values,)*);) else {
        return None;
    };
    Some(of)
}
