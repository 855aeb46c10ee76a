//! Copies of constants that may be differentiated later, since they are changed or passed on: lists of derived structs,
//! `let mut bodies = data.bodies.clone();`, each made anew, field by field, and vectors of vectors. Tuples of
//! integers are copied as well.

use super::Reader;
use super::expr::strip;
use super::lifted::behind_references;
use crate::lower::data;
use crate::lower::hir::{Expr, Iter, Kind, Passive};
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::lower::types::element;
use crate::report::Extent;
use crate::template::parse_quote;
use crate::walk;
use proc_macro2::{Span, TokenTree};
use quote::ToTokens;

fn is_semicolon(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(p) if p.as_char() == ';')
}

/// Whether a pattern is a variable that may be changed.
pub(super) fn is_changed(pat: &syn::Pat) -> bool {
    matches!(pat, syn::Pat::Ident(p) if p.mutability.is_some())
}

impl Reader<'_> {
    /// `data.bodies.clone()`, as a list of structs of the function's own.
    pub(super) fn copied_structs(&self, e: &syn::Expr) -> Option<syn::Expr> {
        let m = match strip(e) {
            syn::Expr::MethodCall(m) => m,
            syn::Expr::Macro(m) if m.mac.path.is_ident("vec") => return self.owned_list(&m.mac),
            syn::Expr::Array(a) => {
                let elems = self.owned_elements(a.elems.iter().cloned())?;
                return Some(parse_quote!([#(#elems),*]));
            }
            of @ (syn::Expr::Path(_) | syn::Expr::Field(_)) if !self.may_be_active(of) => {
                return self.copied_array(of);
            }
            _ => return None,
        };
        let is_copy = matches!(&*m.method.to_string(), "clone" | "to_vec" | "to_owned");
        if !is_copy || !m.args.is_empty() || !self.is_of_opaque(e) {
            return None;
        }
        let list = self.env.expanded(&self.type_as_written(&m.receiver)?);
        let list = behind_references(&list);
        let of = element(list).filter(|of| self.is_of_parts(of))?;
        if matches!(list, syn::Type::Array(_)) && m.method != "to_vec" {
            return self.copied_array(&m.receiver);
        }
        self.copied_list(of, &m.receiver, 0)
    }

    /// `vec![start]` of constant structs, as a list of the function's own: `vec![{ let mut own = start; own }]`.
    fn owned_list(&self, mac: &syn::Macro) -> Option<syn::Expr> {
        let is_fill = mac
            .tokens
            .clone()
            .into_iter()
            .any(|tree| is_semicolon(&tree));
        let elems = self.owned_elements(walk::arguments(mac)?)?;
        Some(match &elems[..] {
            [of, len] if is_fill => parse_quote!(vec![#of; #len]),
            _ => parse_quote!(vec![#(#elems),*]),
        })
    }

    /// None if nothing has to be owned.
    fn owned_elements(&self, elems: impl IntoIterator<Item = syn::Expr>) -> Option<Vec<syn::Expr>> {
        let mut is_one = false;
        let elems = elems.into_iter().map(|e| match strip(&e) {
            _ if self.is_constant_value(&e) => {
                is_one = true;
                parse_quote!({ let mut __own = #e; __own })
            }
            syn::Expr::Tuple(t) => match self.owned_elements(t.elems.iter().cloned()) {
                Some(parts) => {
                    is_one = true;
                    parse_quote!((#(#parts,)*))
                }
                None => e,
            },
            _ => e,
        });
        let elems: Vec<syn::Expr> = elems.collect();
        is_one.then_some(elems)
    }

    /// Whether this is a derived struct in a constant, and no reference to one.
    fn is_constant_value(&self, e: &syn::Expr) -> bool {
        let is_constant = match strip(e) {
            syn::Expr::Path(_) => matches!(self.local_shallow(e), Some(Ty::Opaque(_))),
            syn::Expr::Field(_) | syn::Expr::Index(_) => !self.may_be_active(e),
            _ => false,
        };
        let of = self.type_as_written(e).filter(|_| is_constant);
        of.is_some_and(|of| self.is_derived(&self.env.expanded(&of)))
    }

    /// A constant vector of vectors of floats, as one that may be changed and passed on as part of what is differentiated:
    /// `let mut c = zeros(n);`, `quadratic(&market.covariance, w)`.
    /// `wanted`: the type where it goes, if no other is known.
    pub(super) fn constant_rows(
        &self,
        e: &syn::Expr,
        wanted: Option<&syn::Type>,
    ) -> Option<syn::Expr> {
        let of_use = || wanted.filter(|_| self.is_foreign_variable(e)).cloned();
        let list = self.env.expanded(&self.type_as_written(e).or_else(of_use)?);
        let row = element(behind_references(&list))?;
        let is_vector = matches!(row, syn::Type::Path(_));
        let of_floats = element(row)
            .is_some_and(|of| matches!(of, syn::Type::Path(p) if p.path.is_ident(self.float)));
        let is_constant = self.is_foreign_variable(e) || !self.may_be_active(e);
        if !(is_vector && of_floats && is_constant) {
            return None;
        }
        Some(parse_quote!({
            let __list = &(#e);
            let mut __copied: Vec<#row> = Vec::new();
            for __of in __list.iter() {
                __copied.push(__of.to_vec());
            }
            __copied
        }))
    }

    /// The same behind a reference, as an argument.
    pub(super) fn borrowed_rows(&self, arg: &syn::Expr, wanted: &syn::Type) -> Option<syn::Expr> {
        let list = match strip(arg) {
            syn::Expr::Reference(r) if r.mutability.is_none() => &*r.expr,
            list => list,
        };
        let copied = self.constant_rows(list, Some(wanted))?;
        Some(parse_quote!(&#copied))
    }

    /// A constant list of tuples of floats, as one of values of the function's own where such is wanted.
    pub(super) fn owned_tuples(&self, arg: &syn::Expr, wanted: &syn::Type) -> Option<syn::Expr> {
        let (list, is_borrowed) = match strip(arg) {
            syn::Expr::Reference(r) if r.mutability.is_none() => (strip(&r.expr), true),
            list => (list, false),
        };
        let is_borrowed = is_borrowed || matches!(types::ungroup(wanted), syn::Type::Reference(_));
        let is_path = matches!(list, syn::Expr::Path(_));
        let is_constant = is_path && (self.is_foreign_variable(list) || !self.may_be_active(list));
        let ty = self
            .env
            .expanded(&self.type_as_written(list).filter(|_| is_constant)?);
        let of = element(&ty).filter(|of| self.is_of_parts(of))?;
        let is_array = matches!(types::ungroup(wanted), syn::Type::Array(_));
        let copied = match types::ungroup(&ty) {
            syn::Type::Array(_) if is_array => self.copied_array(list)?,
            _ => self.copied_list(of, list, 0)?,
        };
        Some(match is_borrowed {
            true => parse_quote!(&#copied),
            false => copied,
        })
    }

    /// The type of a tuple of integers that is taken apart, as it is written elsewhere: `let (i, j) = mesh.bars[k];`
    pub(super) fn integers_of(&self, pat: &syn::Pat, init: &syn::Expr) -> Option<syn::Type> {
        if let syn::Pat::Ident(_) = pat {
            let written = self.env.expanded(&self.chosen_as_written(init)?);
            let is_it =
                types::is_integer(&written) || element(&written).is_some_and(types::is_integer);
            return is_it.then_some(written);
        }
        if !matches!(pat, syn::Pat::Tuple(_)) {
            return None;
        }
        let written = self.env.expanded(&self.type_as_written(init)?);
        let is_it =
            matches!(&written, syn::Type::Tuple(t) if t.elems.iter().all(types::is_integer));
        is_it.then_some(written)
    }

    /// Whether a variable that does not change is for a constant list of lists or of anything that is no number, in an
    /// option or result of which the type is known: `let rows: Vec<Vec<f64>> = parse(text)?;`. Then it stays a constant,
    /// as a text does.
    pub(super) fn is_known_constant(
        &self,
        pat: &syn::Pat,
        written: &syn::Type,
        local: &syn::Local,
    ) -> bool {
        let Some(init) = local.init.as_ref().filter(|_| !is_changed(pat)) else {
            return false;
        };
        let written = self.env.expanded(written);
        if data::text(&written).is_some() {
            return true;
        }
        let syn::Expr::Try(t) = strip(&init.expr) else {
            return false;
        };
        let is_number = |ty: &syn::Type| self.has_default(&ty.to_token_stream().to_string());
        let found = self.chosen_as_written(&init.expr);
        let is_same = |of: syn::Type| {
            let of = self.env.expanded(&of);
            of.to_token_stream().to_string() == written.to_token_stream().to_string()
        };
        element(&written).is_some_and(|of| !is_number(of))
            && !self.may_be_active(&t.expr)
            && found.is_some_and(is_same)
    }

    /// The type of what a branch chooses, or of what is in an option or result: `if c { order(3) } else { order(2) }`,
    /// `order(3)?`.
    fn chosen_as_written(&self, e: &syn::Expr) -> Option<syn::Type> {
        let of_block = |block: &syn::Block| match block.stmts.last()? {
            syn::Stmt::Expr(value, None) => self.value_as_written(value),
            _ => None,
        };
        match strip(e) {
            syn::Expr::If(i) => of_block(&i.then_branch).or_else(|| {
                let (_, other) = i.else_branch.as_ref()?;
                self.chosen_as_written(other)
            }),
            syn::Expr::Block(b) => of_block(&b.block),
            syn::Expr::Match(m) => m
                .arms
                .iter()
                .find_map(|arm| self.value_as_written(&arm.body)),
            syn::Expr::Try(t) => {
                let of = self.env.expanded(&self.type_as_written(&t.expr)?);
                let syn::Type::Path(p) = &of else {
                    return None;
                };
                let last = p.path.segments.last()?.ident.to_string();
                let payload = types::arguments(&p.path).first().map(|ty| (*ty).clone());
                payload.filter(|_| ["Option", "Result"].contains(&&*last))
            }
            _ => None,
        }
    }

    fn value_as_written(&self, e: &syn::Expr) -> Option<syn::Type> {
        self.chosen_as_written(e).or_else(|| match strip(e) {
            call @ syn::Expr::Call(_) => self.type_as_written(call),
            _ => None,
        })
    }

    /// Whether this is a variable for a constant that a call has made, or of which nothing is known.
    fn is_foreign_variable(&self, e: &syn::Expr) -> bool {
        let local = self.local_of(e);
        local.is_some_and(|l| {
            let ty = self.types.peel(&self.locals[l.0].ty);
            let traits = self.types.traits(&ty);
            self.locals[l.0].once || traits.is_some_and(|t| t.foreign && !t.integer)
        })
    }

    /// A list of derived structs, of tuples or of lists that constant code makes, or an option of such, as one of values of
    /// the function's own. None of other types.
    pub(super) fn made_list(
        &mut self,
        ty: &syn::Type,
        code: Passive,
        span: Extent,
    ) -> Option<Expr> {
        let (list, path) = (syn::Ident::new("__list", Span::call_site()), path_of(ty)?);
        let whole = parse_quote!(#list);
        let copied = match (types::vec_element(path), option_of(ty)) {
            (Some(of), _) if self.is_of_parts(of) || element(of).is_some() => {
                self.copied_list(of, &whole, 0)?
            }
            (_, Some(of)) if self.is_of_parts(of) => self.copied_option(of, &whole, 0)?,
            _ => return None,
        };
        let whole = Expr::new(Kind::Passive(code), self.carried(Some(ty.clone())), span);
        Some(self.keeping_as(&list.to_string(), whole, |r, _| r.expr(&copied)))
    }

    /// Whether values of this type are made of others, of which some may be differentiated.
    fn is_of_parts(&self, ty: &syn::Type) -> bool {
        self.is_derived(ty) || matches!(ty, syn::Type::Tuple(_)) && self.env.is_active(ty)
    }

    // { let mut copied = Vec::new(); for of in list.iter() { copied.push(P { x: of.x, .. }); } copied }
    pub(super) fn copied_list(
        &self,
        of: &syn::Type,
        list: &syn::Expr,
        depth: usize,
    ) -> Option<syn::Expr> {
        let [each, copied] = ["of", "copied"]
            .map(|name| syn::Ident::new(&format!("__{name}{depth}"), Span::call_site()));
        let from = match self.env.is_derived_enum(&of.to_token_stream().to_string()) {
            true => parse_quote!(*#each),
            false => parse_quote!(#each),
        };
        let one = self.copied_value(of, &from, depth + 1)?;
        Some(parse_quote!({
            let mut #copied: Vec<#of> = Vec::new();
            for #each in #list.iter() {
                #copied.push(#one);
            }
            #copied
        }))
    }

    // std::array::from_fn::<_, 2, _>(|k| P { x: list[k].x, .. })
    /// A constant array of derived structs or of tuples.
    fn copied_array(&self, list: &syn::Expr) -> Option<syn::Expr> {
        let ty = self.env.expanded(&self.type_as_written(list)?);
        let syn::Type::Array(syn::TypeArray { elem: of, len, .. }) = behind_references(&ty) else {
            return None;
        };
        let from = parse_quote!((#list)[__k]);
        let one = (self.is_of_parts(of)).then(|| self.copied_value(of, &from, 0))??;
        Some(parse_quote!(::core::array::from_fn::<_, { #len }, _>(|__k| #one)))
    }

    // if option.is_some() { Some(P { x: option.as_ref().expect(..).x, .. }) } else { None }
    fn copied_option(&self, of: &syn::Type, from: &syn::Expr, depth: usize) -> Option<syn::Expr> {
        let value = match self.env.is_derived_enum(&of.to_token_stream().to_string()) {
            true => parse_quote!(*#from.as_ref().expect("there is one")),
            false => parse_quote!(#from.as_ref().expect("there is one")),
        };
        let one = self.copied_value(of, &value, depth)?;
        Some(parse_quote!(if #from.is_some() { Some(#one) } else { None }))
    }

    /// A constant, made anew part by part.
    fn copied_value(&self, ty: &syn::Type, from: &syn::Expr, depth: usize) -> Option<syn::Expr> {
        let text = ty.to_token_stream().to_string();
        if self.env.is_derived_enum(&text) || self.has_default(&text) {
            return Some(from.clone());
        }
        if let syn::Type::Tuple(tuple) = ty {
            let parts = tuple.elems.iter().enumerate().map(|(k, ty)| {
                let k = syn::Index::from(k);
                self.copied_value(ty, &parse_quote!(#from.#k), depth)
            });
            let parts: Vec<syn::Expr> = parts.collect::<Option<_>>()?;
            return Some(parse_quote!((#(#parts,)*)));
        }
        if self.is_derived(ty) {
            return self.copied_struct(ty, from, depth);
        }
        if let Some(of) = option_of(ty).filter(|of| self.is_of_parts(of)) {
            return self.copied_option(of, from, depth);
        }
        match path_of(ty).and_then(types::vec_element) {
            Some(of) if self.is_of_parts(of) => self.copied_list(of, from, depth),
            _ if element(ty).is_some_and(|of| self.is_of_parts(of)) => None,
            Some(_) => Some(parse_quote!(#from.to_vec())),
            None => Some(parse_quote!(#from.clone())),
        }
    }

    /// A derived struct, made of the fields of another one.
    fn copied_struct(&self, of: &syn::Type, from: &syn::Expr, depth: usize) -> Option<syn::Expr> {
        let fields = self.env.fields(&of.to_token_stream().to_string())?;
        let mut made: Vec<syn::FieldValue> = Vec::new();
        for (name, ty) in fields {
            let member: syn::Member = match name.parse::<usize>() {
                Ok(number) => syn::Member::Unnamed(number.into()),
                Err(_) => syn::Member::Named(syn::Ident::new(&name, Span::call_site())),
            };
            let value = self.copied_value(&ty, &parse_quote!(#from.#member), depth)?;
            made.push(parse_quote!(#member: #value));
        }
        Some(parse_quote!(#of { #(#made),* }))
    }
}

/// What an option is one of.
pub(super) fn option_of(ty: &syn::Type) -> Option<&syn::Type> {
    let path = &path_of(ty)?.path;
    let is_option = path.segments.last().is_some_and(|s| s.ident == "Option");
    is_option
        .then(|| types::arguments(path).first().copied())
        .flatten()
}

fn path_of(ty: &syn::Type) -> Option<&syn::TypePath> {
    match types::ungroup(ty) {
        syn::Type::Path(path) => Some(path),
        _ => None,
    }
}

impl Iter {
    /// Whether the items are elements of a sequence, or none of them has a place.
    pub(crate) fn is_of_elements(&self) -> bool {
        match self {
            Iter::Seq { .. } | Iter::Parts { .. } | Iter::Range { .. } => true,
            Iter::Rev(i, _)
            | Iter::Cycle(i, _)
            | Iter::Take(i, _)
            | Iter::Skip(i, _)
            | Iter::StepBy(i, _)
            | Iter::Copied(i)
            | Iter::Inspect(i, _)
            | Iter::Test { iter: i, .. } => i.is_of_elements(),
            Iter::Chain(a, b) => a.is_of_elements() && b.is_of_elements(),
            _ => false,
        }
    }
}
