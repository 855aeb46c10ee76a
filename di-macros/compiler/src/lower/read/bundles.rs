//! Structs that borrow: literals, fields, patterns and methods. A value is a tuple of its fields.

use super::Reader;
use super::expr::{strip, unraw};
use super::pattern::Mode;
use super::stmt::is_same;
use crate::error;
use crate::ir::Tokens;
use crate::lower::bundles::read_bundle;
use crate::lower::code;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Kind, Pat, Step};
use crate::lower::inline;
use crate::lower::ty::Ty;
use crate::report::Extent;
use crate::template::parse_quote;

/// A method of a bundle whose body is being read: its name, where the first of all of them is called, and the number of
/// the body.
pub(super) type Placing = (String, Extent, Option<usize>);

impl Reader<'_> {
    /// The struct with this path, if it borrows.
    fn bundle_named(&mut self, path: &syn::Path) -> Option<Ty> {
        let path = self.resolve_use(path);
        read_bundle(&path, self.float, &mut self.types)
    }

    /// The type of a field of a struct that borrows, if it names nothing that is not known.
    pub(super) fn written_part(&self, path: &str, name: &str) -> Option<syn::Type> {
        let parts = self.types.bundles.parts(path)?;
        parts.iter().find(|part| part.name == name)?.ty.clone()
    }

    /// The number of a field.
    fn number_of(&self, path: &Tokens, name: &str) -> Option<usize> {
        let parts = self.types.bundles.parts(&path.0.to_string())?;
        parts.iter().position(|part| part.name == name)
    }

    /// `P { a, b }`, `P { a, ..base }`, or `P(a, b)`, if the struct borrows: its fields are evaluated in the order in
    /// which they are written.
    pub(super) fn make_bundle(
        &mut self,
        path: &syn::Path,
        fields: &[(String, Expr)],
        base: Option<&syn::Expr>,
        span: Extent,
    ) -> Option<Expr> {
        let declared = self.bundle_named(path)?;
        let Ty::Bundle(path, mut parts) = declared.clone() else {
            return None;
        };
        let (mut stmts, mut values) = (Vec::new(), vec![None; parts.len()]);
        let is_in_order = base.is_none()
            && fields.len() == parts.len()
            && (fields.iter().enumerate())
                .all(|(k, (name, _))| self.number_of(&path, name) == Some(k));
        for (name, mut value) in fields.iter().cloned() {
            let Some(k) = self.number_of(&path, &name) else {
                self.cx.mismatch();
                return Some(self.refused(span));
            };
            if self.is_of_objects(&parts[k]) {
                self.lift_to(&mut value, &parts[k]);
            }
            match self.stays_constant(&value.ty, &parts[k]) {
                true => parts[k] = value.ty.clone(),
                false => self.unify(&parts[k], &value.ty.clone(), value.span),
            }
            values[k] = Some(match is_in_order {
                true => value,
                false => self.bound(value, &mut stmts),
            });
        }
        if let Some(base) = base {
            let base = self.expr(base);
            let known = match self.types.peel(&base.ty) {
                Ty::Bundle(of, known) if is_same(&of, &path) => known,
                found => {
                    self.unify(&declared, &found, base.span);
                    parts.clone()
                }
            };
            let base = self.bound(base, &mut stmts);
            for (k, value) in values.iter_mut().enumerate() {
                value.get_or_insert_with(|| {
                    parts[k] = known[k].clone();
                    part_of(base.clone(), k, &known[k], span)
                });
            }
        }
        let Some(values) = values.into_iter().collect::<Option<Vec<Expr>>>() else {
            self.cx.mismatch();
            return Some(self.refused(span));
        };
        let ty = Ty::Bundle(path, parts);
        let whole = Expr::new(Kind::Tuple(values), ty.clone(), span);
        if stmts.is_empty() {
            return Some(whole);
        }
        Some(Expr::block(stmts, whole, span))
    }

    /// Whether a constant in the place of a list of tuples, or of structs, is borrowed as what it is.
    fn stays_constant(&self, found: &Ty, declared: &Ty) -> bool {
        let (Ty::Ref(false, found), Ty::Ref(false, declared)) =
            (self.types.shallow(found), self.types.shallow(declared))
        else {
            return false;
        };
        let (found, declared) = (self.types.shallow(&found), self.types.shallow(&declared));
        let of_parts = |of: &Ty| matches!(self.types.shallow(of), Ty::Tuple(_) | Ty::Struct(_));
        match (found, declared) {
            (Ty::Opaque(_), Ty::Slice(_) | Ty::Vec(_) | Ty::Array(..) | Ty::Struct(_)) => true,
            (Ty::Slice(_) | Ty::Vec(_) | Ty::Array(..), Ty::Opaque(_)) => true,
            (
                Ty::Slice(found) | Ty::Vec(found) | Ty::Array(found, _),
                Ty::Slice(declared) | Ty::Vec(declared) | Ty::Array(declared, _),
            ) => self.is_to_lift(&found, &declared),
            (found @ Ty::Var(_), Ty::Slice(of) | Ty::Vec(of) | Ty::Array(of, _)) => {
                self.types.traits(&found).is_some_and(|t| t.foreign) && of_parts(&of)
            }
            _ => false,
        }
    }

    /// An element of such a constant, or what a method of it returns.
    pub(super) fn read_part_of_bundle(&mut self, e: &syn::Expr) -> Option<Expr> {
        if !matches!(strip(e), syn::Expr::Index(_) | syn::Expr::MethodCall(_)) {
            return None;
        }
        self.open_scope();
        let read = self.on_part_of_bundle(e).map(|(chain, bound)| {
            let read = self.expr(&chain);
            Expr::after(vec![bound], read)
        });
        self.close_scope();
        read
    }

    // self.nodes.windows(2)   =>   { let __of = self.nodes; __of.windows(2) }
    /// A chain on a constant that such a struct borrows, with a variable for that.
    pub(super) fn on_part_of_bundle(&mut self, e: &syn::Expr) -> Option<(syn::Expr, Step)> {
        let mut chain = e.clone();
        let mut inner = &mut chain;
        loop {
            inner = match inner {
                syn::Expr::Paren(p) => &mut p.expr,
                syn::Expr::Reference(r) => &mut r.expr,
                syn::Expr::Index(i) => &mut i.expr,
                syn::Expr::MethodCall(m) => &mut m.receiver,
                syn::Expr::Field(f) if matches!(self.place_type(&f.base), Some(Ty::Bundle(..))) => {
                    break;
                }
                syn::Expr::Field(f) => &mut f.base,
                _ => return None,
            };
        }
        let found = self.place_type(inner)?;
        let is_unseen = |ty: &Ty| {
            let foreign = self.types.is_foreign(ty);
            foreign || matches!(self.types.peel(ty), Ty::Opaque(_) | Ty::Tuple(_))
        };
        let is_list = match &found {
            Ty::Opaque(path) => self.types.data(&path.0.to_string()).is_none(),
            Ty::Slice(of) | Ty::Vec(of) | Ty::Array(of, _) => is_unseen(of),
            ty => matches!(ty, Ty::Var(_)) && is_unseen(ty),
        };
        let part = self.expr(inner);
        if !is_list || !matches!(self.types.shallow(&part.ty), Ty::Ref(false, _)) {
            return None;
        }
        let name = format!("__of{}", self.locals.len());
        let local = self.bind(&name, false, part.ty.clone(), part.span);
        let name = code::name_of(&name);
        *inner = parse_quote!(#name);
        let bound = Step::bind(local, part);
        Some((chain, bound))
    }

    /// A variable of its own for a value.
    fn bound(&mut self, value: Expr, stmts: &mut Vec<Step>) -> Expr {
        let (ty, span) = (value.ty.clone(), value.span);
        let name = format!("__part{}", stmts.len());
        let local = self.unnamed(&name, ty.clone(), span);
        stmts.push(Step::bind(local, value));
        Expr::local(local, ty, span)
    }

    /// `p.a` of a struct that borrows.
    pub(super) fn field_of_bundle(
        &mut self,
        base: &Expr,
        name: &str,
        span: Extent,
    ) -> Option<Expr> {
        let Ty::Bundle(path, parts) = self.types.peel(&base.ty) else {
            return None;
        };
        Some(match self.number_of(&path, name) {
            Some(k) => part_of(base.clone(), k, &parts[k], span),
            None => {
                self.cx.mismatch();
                self.refused(span)
            }
        })
    }

    /// The type of this field.
    pub(super) fn part_type(&self, of: &Ty, name: &str) -> Option<Ty> {
        let Ty::Bundle(path, parts) = of else {
            return None;
        };
        Some(parts[self.number_of(path, name)?].clone())
    }

    /// `P { a, b: pat, .. }` of a struct that borrows.
    pub(super) fn pattern_of_bundle(
        &mut self,
        path: &syn::Path,
        fields: &[(String, &syn::Pat)],
        ty: &Ty,
        mode: Mode,
    ) -> Option<Pat> {
        let declared = self.bundle_named(path)?;
        let of = self.held(declared, &self.types.peel(ty));
        let Ty::Bundle(name, parts) = &of else {
            return None;
        };
        self.unify(&of, ty, path.extent());
        let mode = self.through_reference(ty, mode);
        let mut pats: Vec<Pat> = parts.iter().map(|_| Pat::Wild).collect();
        for (field, pat) in fields {
            match self.number_of(name, field) {
                Some(k) => pats[k] = self.pat(pat, &parts[k], mode),
                None => self.cx.mismatch(),
            }
        }
        Some(Pat::Tuple(pats))
    }

    /// A call of a method of a struct that borrows: the body of the method.
    pub(super) fn method_of_bundle(
        &mut self,
        m: &syn::ExprMethodCall,
        receiver: Expr,
        path: &Tokens,
    ) -> Expr {
        if matches!(
            strip(&m.receiver),
            syn::Expr::Call(_) | syn::Expr::MethodCall(_)
        ) {
            let mut call = m.clone();
            *call.receiver = parse_quote!(__receiver);
            return self.keeping_as("__receiver", receiver, |r, receiver| {
                r.method_of_bundle(&call, receiver, path)
            });
        }
        let called = format!("{}::{}", self.env.of(&path.0.to_string()), unraw(&m.method));
        // the user's own code calls the first one
        let at = self.placing.first().map_or(m.extent(), |(_, at, _)| *at);
        if self.placing.iter().any(|(name, ..)| *name == called) {
            return self.refuse_about(at, &error::BUNDLE_RECURSION, &m.method);
        }
        match self.method_in_place(m, &receiver.ty, path) {
            Some(body) => {
                self.placing.push((called, at, number_of(&body)));
                let value = self.expr(&body);
                self.placing.pop();
                value
            }
            None => self.refuse_about(m.method.extent(), &error::UNKNOWN_METHOD, &m.method),
        }
    }

    /// The method whose argument a variable is, and those that it calls: none of them calls what is in the argument.
    pub(super) fn placing_behind(&mut self, local: &syn::Local) -> Vec<Placing> {
        let of = argument_of(local);
        let mut placing = self.placing.iter();
        match placing.position(|(.., number)| of.is_some() && of == *number) {
            Some(k) => self.placing.split_off(k),
            None => Vec::new(),
        }
    }

    /// `p.clone()` of a struct that borrows: what it borrows stays where it is.
    pub(super) fn clone_of_bundle(
        &mut self,
        m: &syn::ExprMethodCall,
        path: &Tokens,
        parts: &[Ty],
    ) -> Expr {
        let Some(known) = self.types.bundles.parts(&path.0.to_string()) else {
            return self.refused(m.extent());
        };
        let of = &m.receiver;
        let fields = known
            .iter()
            .zip(parts)
            .map(|(part, ty)| -> syn::FieldValue {
                let name: syn::Member = syn::parse_str(&part.name).expect("the name of a field");
                match self.types.shallow(ty) {
                    Ty::Ref(..) => parse_quote!(#name: #of.#name),
                    _ => parse_quote!(#name: #of.#name.clone()),
                }
            });
        let fields: Vec<syn::FieldValue> = fields.collect();
        let path: syn::Path = match syn::parse_str(&self.env.of(&path.0.to_string())) {
            Ok(path) => path,
            Err(_) => return self.refused(m.extent()),
        };
        self.expr(&parse_quote!(#path { #(#fields),* }))
    }
}

fn part_of(base: Expr, k: usize, ty: &Ty, span: Extent) -> Expr {
    Expr::new(Kind::TupleField(Box::new(base), k), ty.clone(), span)
}

/// The number of the body in the place of a call: that of its receiver.
fn number_of(body: &syn::Expr) -> Option<usize> {
    let syn::Expr::Block(body) = body else {
        return None;
    };
    body.block.stmts.iter().find_map(|stmt| match stmt {
        syn::Stmt::Local(local) => argument_of(local),
        _ => None,
    })
}

fn argument_of(local: &syn::Local) -> Option<usize> {
    match &local.pat {
        syn::Pat::Ident(name) => inline::argument_of(&name.ident),
        _ => None,
    }
}
