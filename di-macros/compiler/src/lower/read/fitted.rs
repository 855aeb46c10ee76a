//! Constant structs where values of the function's own are wanted: `if i == 0 { w.anchor } else { free[i] }`.

use super::Reader;
use super::copied::option_of;
use super::lifted::carried;
use super::stmt::diverges;
use crate::ir::Tokens;
use crate::lower::code;
use crate::lower::hir::{Block, Expr, Iter, Kind, Lambda, Passive, Pat, Variant};
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::report::Extent;
use crate::template::parse_quote;
use proc_macro2::TokenStream;
use quote::ToTokens;

impl Reader<'_> {
    /// A value is of the type that is wanted.
    pub(super) fn fit(&mut self, e: &mut Expr, wanted: &Ty) {
        self.lift_to(e, wanted);
        self.unify(&e.ty.clone(), wanted, e.span);
    }

    /// The same of what stands in the place of a payload, unless it is that which is lifted.
    pub(super) fn fit_other(&mut self, e: &mut Expr, payload: &Ty) {
        if !self.is_to_lift(payload, &e.ty) {
            self.fit(e, payload);
        }
    }

    /// A constant struct in `Some` or `Ok`, where nothing would be kept of it. Nobody looks into one that is an error.
    pub(super) fn lift_payload(&mut self, variant: Variant, value: &mut Expr) {
        if let (true, Some(own @ Ty::Struct(_))) = (variant.flag(), self.lifted_type(&value.ty)) {
            self.lift_to(value, &own);
        }
    }

    /// Two values become of one type, if one of them is a constant struct.
    pub(super) fn meet(&mut self, a: &mut Expr, b: &mut Expr) {
        self.lift_to(a, &b.ty.clone());
        self.lift_to(b, &a.ty.clone());
    }

    /// The same of the elements of a list.
    pub(super) fn meet_all(&mut self, elems: &mut [Expr]) {
        let Some(first) = elems.first().map(|e| e.ty.clone()) else {
            return;
        };
        let mut others = elems.iter();
        let other = others.find(|e| self.is_to_lift(&first, &e.ty));
        let wanted = other.map_or(first, |e| e.ty.clone());
        let boxed = elems.iter().find_map(|e| self.boxed_of_two(&wanted, &e.ty));
        let wanted = boxed.unwrap_or(wanted);
        for e in elems {
            self.lift_to(e, &wanted);
        }
    }

    /// The items of a chain that go into a list: constant structs become the list's own.
    pub(super) fn own_items(&mut self, iter: Iter, item: Ty, span: Extent) -> (Iter, Ty) {
        let Some(own) = self.own_type(&item) else {
            return (iter, item);
        };
        let outside = self.locals.len();
        let found = self.unnamed("item", item.clone(), span);
        let mut value = Expr::local(found, item, span);
        self.lift_to(&mut value, &own);
        let lifted = Lambda::new(vec![Pat::Bind(found)], Box::new(value), outside);
        let ty = lifted.body.ty.clone();
        (Iter::Map(Box::new(iter), lifted), ty)
    }

    /// The type of a value with constant structs, once these are lifted.
    fn own_type(&self, ty: &Ty) -> Option<Ty> {
        match self.types.shallow(ty) {
            Ty::Tuple(parts) => {
                let own = parts.iter().map(|part| self.own_type(part));
                let own: Vec<Option<Ty>> = own.collect();
                let is_one = own.iter().any(Option::is_some);
                let parts = own.into_iter().zip(parts);
                let parts = parts.map(|(own, part)| own.unwrap_or(part));
                is_one.then(|| Ty::Tuple(parts.collect()))
            }
            Ty::Opaque(_) => self.lifted_type(ty),
            _ => None,
        }
    }

    /// Whether a constant struct in a value of one type has to be lifted for the other.
    pub(super) fn is_to_lift(&self, found: &Ty, wanted: &Ty) -> bool {
        match (self.types.shallow(found), self.types.shallow(wanted)) {
            (found, Ty::Struct(wanted)) if self.is_boxed(&wanted, &found) => true,
            (Ty::Opaque(found), Ty::Struct(_)) => self.env.is_struct(&found.0.to_string()),
            (Ty::Ref(false, found), Ty::Ref(false, wanted))
            | (Ty::Vec(found) | Ty::Array(found, _), Ty::Vec(wanted)) => {
                self.is_to_lift(&found, &wanted)
            }
            (Ty::Tuple(found), Ty::Tuple(wanted)) | (Ty::Sum(found), Ty::Sum(wanted)) => {
                let mut pairs = found.iter().zip(&wanted);
                pairs.any(|(found, wanted)| self.is_to_lift(found, wanted))
            }
            (found, Ty::Sum(_)) => self.is_constant_sum(&found),
            (found, Ty::Tuple(parts)) => !parts.is_empty() && self.constant_tuple(&found).is_some(),
            _ => false,
        }
    }

    /// Lifts constant structs in a value that has to be of this type.
    pub(super) fn lift_to(&mut self, e: &mut Expr, wanted: &Ty) {
        if !self.is_to_lift(&e.ty, wanted) || diverges(e) {
            return;
        }
        let (parts, wanted_parts) = (self.parts_of(&e.ty), self.parts_of(wanted));
        match &mut e.kind {
            Kind::Block(block) => self.lift_block(block, wanted),
            Kind::If { then, els, .. } => {
                self.lift_block(then, wanted);
                if let Some(els) = els {
                    self.fit_arm(els, wanted);
                }
            }
            Kind::Match(_, arms) => {
                for arm in arms {
                    self.fit_arm(&mut arm.body, wanted);
                }
            }
            Kind::Tuple(values) => {
                for (value, wanted) in values.iter_mut().zip(&wanted_parts) {
                    self.fit(value, wanted);
                }
            }
            Kind::Variant(variant, value) => {
                let own = variant.payload();
                for (k, (found, wanted)) in parts.iter().zip(&wanted_parts).enumerate() {
                    match value {
                        Some(value) if k == own => self.fit(value, wanted),
                        _ if self.is_to_lift(found, wanted) => {}
                        _ => self.unify(found, wanted, e.span),
                    }
                }
            }
            Kind::Ref(false, of) if wanted_parts.len() == 1 => self.fit(of, &wanted_parts[0]),
            Kind::List(values) => {
                for value in values {
                    self.fit(value, &wanted_parts[0]);
                }
            }
            _ => {
                match self.constant_tuple(&e.ty) {
                    Some(of) => self.take_apart(&of, e),
                    None => self.take_sum_apart(e, &wanted_parts),
                }
                let own = match self.boxed_whole(e, wanted) {
                    Some(own) => Some(own),
                    None => match wanted {
                        Ty::Vec(of) => self.lifted_list(e, of),
                        Ty::Tuple(_) if matches!(self.types.shallow(&e.ty), Ty::Tuple(_)) => {
                            Some(self.lifted_tuple(e, wanted))
                        }
                        _ => self.lifted_whole(e),
                    },
                };
                if let Some(own) = own {
                    *e = own;
                }
                return;
            }
        }
        e.ty = wanted.clone();
    }

    /// The same of the value of a block.
    pub(super) fn lift_block(&mut self, block: &mut Block, wanted: &Ty) {
        if let Some(value) = &mut block.value
            && self.is_to_lift(&block.ty, wanted)
            && !diverges(value)
        {
            self.fit(value, wanted);
            block.ty = wanted.clone();
        }
    }

    fn fit_arm(&mut self, e: &mut Expr, wanted: &Ty) {
        if !diverges(e) {
            self.fit(e, wanted);
        }
    }

    fn parts_of(&self, ty: &Ty) -> Vec<Ty> {
        match self.types.shallow(ty) {
            Ty::Tuple(parts) | Ty::Sum(parts) => parts,
            Ty::Ref(_, of) | Ty::Vec(of) => vec![*of],
            _ => Vec::new(),
        }
    }

    /// A list of constant structs, or of tuples with such.
    fn lifted_list(&mut self, e: &Expr, of: &Ty) -> Option<Expr> {
        let of = self.written_value(&as_constant(of))?;
        let copied = self.copied_list(&of, &parse_quote!(__list), 0)?;
        Some(self.keeping_as("__list", e.clone(), |r, _| r.expr(&copied)))
    }

    /// A tuple that is no constant, with constant structs in it.
    fn lifted_tuple(&mut self, e: &Expr, wanted: &Ty) -> Expr {
        let parts = (0..self.parts_of(wanted).len()).map(|k| code::name_of(&format!("__part{k}")));
        let parts: Vec<_> = parts.collect();
        let parts = parse_quote!({ let (#(#parts,)*) = __tuple; (#(#parts,)*) });
        self.keeping_as("__tuple", e.clone(), |r, _| {
            let mut parts = r.expr(&parts);
            r.lift_to(&mut parts, wanted);
            parts
        })
    }

    /// A constant struct, or a reference to one.
    fn lifted_whole(&mut self, e: &Expr) -> Option<Expr> {
        let Ty::Ref(_, of) = self.types.shallow(&e.ty) else {
            let own = self.own_struct(e);
            // the result of a closure is evaluated once
            return own.or_else(|| match &e.kind {
                Kind::CallClosure(..) => {
                    let kept = |r: &mut Self, kept: Expr| r.own_struct(&kept).unwrap_or(kept);
                    Some(self.keeping_value(e.clone(), kept))
                }
                _ => None,
            });
        };
        let of = Expr::new(Kind::Deref(Box::new(e.clone())), *of, e.span);
        let own = self.own_struct(&of)?;
        Some(Expr::reference(false, own))
    }

    /// A constant struct as a value of the function's own: `let mut pose = start;`. None of what is no constant struct.
    pub(super) fn own_struct(&mut self, e: &Expr) -> Option<Expr> {
        let Ty::Struct(path) = self.lifted_type(&e.ty)? else {
            return None;
        };
        let code = carried(self, e)?;
        self.lifted_code(&path, &code, e.span, false)
    }

    /// `is_view`: the code is a view of the struct, whose fields all modules see.
    pub(super) fn lifted_code(
        &mut self,
        path: &Tokens,
        code: &Passive,
        span: Extent,
        is_view: bool,
    ) -> Option<Expr> {
        let name = path.0.to_string();
        let known = self.env.fields(&name)?;
        let by_view = is_view || self.env.hides_fields(&name);
        let whole = match by_view && !is_view {
            true => code::viewed(&code.tokens.0),
            false => code.tokens.0.clone(),
        };
        let mut fields = Vec::new();
        for (name, written) in known {
            let of = Passive {
                tokens: Tokens(code::field(&whole, &name)),
                ..code.clone()
            };
            let value = match self.lifted_parts(&written, &of, span, by_view) {
                Some(parts) => parts?,
                None => {
                    let with = |put: fn(&TokenStream) -> TokenStream| match by_view {
                        true => Passive {
                            tokens: Tokens(put(&of.tokens.0)),
                            ..of.clone()
                        },
                        false => of.clone(),
                    };
                    let part = self.env.constant_part(&path.0.to_string(), &name);
                    let list = match &part {
                        Some(_) => None,
                        None => {
                            let is_option = super::copied::option_of(&written).is_some();
                            let put = if is_option {
                                code::optional
                            } else {
                                code::listed_anew
                            };
                            self.made_list(&written, with(put), span)
                        }
                    };
                    list.unwrap_or_else(|| {
                        Expr::new(
                            Kind::Passive(with(code::owned)),
                            match part {
                                Some(ty) => Ty::Opaque(Tokens(ty.to_token_stream())),
                                None => self.field_type(path, &name),
                            },
                            span,
                        )
                    })
                }
            };
            let is_struct = |of: &Ty| matches!(of, Ty::Struct(_));
            let is_unknown = match self.types.shallow(&value.ty) {
                Ty::Array(of, _) => is_struct(&of),
                Ty::Vec(of) if matches!(value.kind, Kind::Passive(_)) => is_struct(&of),
                // a text, a map
                Ty::Var(_) => types::read_plain(&written, self.float, &mut self.types).is_none(),
                _ => false,
            };
            if is_unknown {
                return None;
            }
            fields.push((name, value));
        }
        Some(Expr::new(
            Kind::Struct { fields, base: None },
            Ty::Struct(path.clone()),
            span,
        ))
    }

    /// The same of a struct or a tuple that has structs, of this type. None of other types.
    fn lifted_parts(
        &mut self,
        ty: &syn::Type,
        code: &Passive,
        span: Extent,
        is_view: bool,
    ) -> Option<Option<Expr>> {
        if let syn::Type::Tuple(tuple) = types::ungroup(ty) {
            let mut parts = Vec::new();
            let is_struct = |ty: &syn::Type| self.env.is_struct(&ty.to_token_stream().to_string());
            if !tuple.elems.iter().any(is_struct) {
                return None;
            }
            for (k, ty) in tuple.elems.iter().enumerate() {
                let of = Passive {
                    tokens: Tokens(code::field(&code.tokens.0, &k.to_string())),
                    ..code.clone()
                };
                parts.push(match self.lifted_parts(ty, &of, span, is_view) {
                    Some(part) => part?,
                    None => Expr {
                        ty: types::read_plain(ty, self.float, &mut self.types)?,
                        kind: Kind::Passive(Passive {
                            tokens: Tokens(code::owned(&of.tokens.0)),
                            ..of
                        }),
                        span,
                    },
                });
            }
            let types = parts.iter().map(|part| part.ty.clone());
            return Some(Some(Expr {
                ty: Ty::Tuple(types.collect()),
                kind: Kind::Tuple(parts),
                span,
            }));
        }
        // an option in a view has a zero where there is no value
        if is_view && let Some(of) = option_of(ty).filter(|of| self.is_derived(of)) {
            let with = |put: fn(&TokenStream) -> TokenStream| Passive {
                tokens: Tokens(put(&code.tokens.0)),
                ..code.clone()
            };
            let of = Tokens(of.to_token_stream());
            let value = self.lifted_code(&of, &with(code::value_in_view), span, true);
            let is_some = Expr::new(Kind::Passive(with(code::is_some)), Ty::Bool, span);
            let chosen = parse_quote!(if __is_some { Some(__value) } else { None });
            return Some(value.map(|value| {
                self.keeping_as("__is_some", is_some, |r, _| {
                    r.keeping_as("__value", value, |r, _| r.expr(&chosen))
                })
            }));
        }
        match types::read_structs(ty) {
            Some(Ty::Struct(inner)) if self.env.is_struct(&inner.0.to_string()) => {
                Some(self.lifted_code(&inner, code, span, is_view))
            }
            _ => None,
        }
    }
}

/// The type that a value has where it is constant.
fn as_constant(ty: &Ty) -> Ty {
    match ty {
        Ty::Struct(path) => Ty::Opaque(path.clone()),
        Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(as_constant).collect()),
        ty => ty.clone(),
    }
}
