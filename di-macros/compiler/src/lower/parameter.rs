//! One parameter as it is written: its name or pattern, its mark, its type. A tuple is its components, each a
//! parameter of its own.

use super::build::{nested, one_float};
use super::changes::{borrowed_vector, changed_vector, is_vector_path};
use super::environment::has_no_floats;
use super::signature::{Seen, Written, rows_of, without_lifetimes};
use super::ty::{Ty, Unifier, to_ir};
use super::types;
use crate::error;
use crate::ir::{Mode, PRESENCE, Param, Role, Tokens, Type};
use crate::lower::extent::HasExtent;
use crate::options::{self, Mark};
use crate::report::{Extent, Report};
use crate::sorted::{Map, Set};
use crate::template::parse_quote;
use crate::tokens::unraw;
use crate::walk::{self, Node};
use proc_macro2::Span;
use quote::ToTokens;

/// What parameters are read with.
pub(super) struct Reading<'a> {
    pub(super) names: &'a Written<'a>,
    /// The body, which may change the length of a vector.
    pub(super) block: &'a syn::Block,
    pub(super) unifier: &'a mut Unifier,
    /// Those that were read.
    pub(super) params: &'a mut Vec<Param>,
    pub(super) cx: &'a Report,
}

/// What a parameter and the components of a tuple have in common.
struct Around {
    span: Span,
    mark: Option<(Mark, Extent)>,
    /// The tuple is behind `&`, or `&mut` when true.
    behind: Option<bool>,
}

impl Reading<'_> {
    pub(super) fn parameter(&mut self, typed: &syn::PatType) -> Option<Seen> {
        let first = self.params.len();
        let (name, span, mutable, pattern) = match &*typed.pat {
            syn::Pat::Ident(syn::PatIdent {
                ident,
                mutability,
                by_ref: None,
                subpat: None,
                ..
            }) => {
                let name = unraw(ident);
                (name, ident.span(), mutability.is_some(), None)
            }
            pat => {
                let (name, span) = (name_of(pat), pat.extent().start);
                (name, span, false, Some(pat.clone()))
            }
        };
        let around = Around {
            span,
            mark: options::mark_of(&typed.attrs, self.cx),
            behind: None,
        };
        let written = types::ungroup(&typed.ty);
        if let Some(vector) = changed_vector(written, &name, self.block) {
            let text = vector.to_token_stream();
            self.cx
                .error_about(vector.extent(), &error::PARAMETER_VEC_REF, text);
            return None;
        }
        let ty = self.read(&name, pattern.as_ref(), written, &around)?;
        Some(Seen {
            is_vector: is_vector(written),
            name,
            span,
            ty,
            mutable,
            pattern,
            first,
        })
    }

    fn read(
        &mut self,
        name: &str,
        pattern: Option<&syn::Pat>,
        written: &syn::Type,
        around: &Around,
    ) -> Option<Ty> {
        if matches!(around.mark, Some((Mark::Constant, _))) {
            return self.leaf(name, written, around);
        }
        match written {
            syn::Type::Tuple(tuple) if !tuple.elems.is_empty() => {
                self.components(name, pattern, tuple, around)
            }
            syn::Type::Reference(r) => match types::ungroup(&r.elem) {
                syn::Type::Tuple(tuple) if !tuple.elems.is_empty() => {
                    let mutable = r.mutability.is_some();
                    let inner = Around {
                        behind: Some(mutable),
                        span: around.span,
                        mark: around.mark,
                    };
                    let tuple = self.components(name, pattern, tuple, &inner)?;
                    Some(Ty::reference(mutable, tuple))
                }
                _ => self.leaf(name, written, around),
            },
            written => match optional(written) {
                Some(of) => self.option(name, of, around),
                None => self.leaf(name, written, around),
            },
        }
    }

    /// An option of a number is a bool and the number.
    fn option(&mut self, name: &str, of: &syn::Type, around: &Around) -> Option<Ty> {
        let is_some = parse_quote!(bool);
        self.leaf(&format!("{name}{PRESENCE}"), &is_some, around)?;
        let some = self.leaf(name, of, around)?;
        Some(Ty::Sum(vec![some]))
    }

    fn components(
        &mut self,
        name: &str,
        pattern: Option<&syn::Pat>,
        tuple: &syn::TypeTuple,
        around: &Around,
    ) -> Option<Ty> {
        if around.mark.is_some() {
            let text = tuple.to_token_stream();
            self.cx
                .error_about(tuple.extent(), &error::PARAMETER_TUPLE, text);
            return None;
        }
        let parts = tuple.elems.iter().enumerate().map(|(k, ty)| {
            let ty = types::ungroup(ty);
            let pattern = pattern.and_then(|p| component_of(p, k, tuple.elems.len()));
            let name = pattern.map_or_else(|| format!("{name}_{k}"), name_of);
            if let syn::Type::Tuple(inner) = ty
                && !inner.elems.is_empty()
            {
                return self.components(&name, pattern, inner, around);
            }
            self.component(&name, ty, around)
        });
        parts.collect::<Option<Vec<Ty>>>().map(Ty::Tuple)
    }

    fn component(&mut self, name: &str, ty: &syn::Type, around: &Around) -> Option<Ty> {
        let is_written = around.behind == Some(true);
        let is_borrowed = match ty {
            syn::Type::Reference(r) => around.behind.is_some() || r.mutability.is_some(),
            _ => false,
        };
        // a vector could change its length
        if is_borrowed || is_written && is_vector_path(ty) {
            let text = ty.to_token_stream();
            self.cx
                .error_about(ty.extent(), &error::PARAMETER_TUPLE, text);
            return None;
        }
        let Some(mutable) = around.behind else {
            return self.leaf(name, ty, around);
        };
        let mutability = mutable.then(<syn::Token![mut]>::default);
        let borrowed = parse_quote!(&#mutability #ty);
        match self.leaf(name, &borrowed, around)? {
            // behind the reference the vector is one
            Ty::Ref(_, of) => Some(match *of {
                Ty::Slice(of) if is_vector_path(ty) => Ty::Vec(of),
                of => of,
            }),
            of => Some(of),
        }
    }

    /// A parameter that is not taken apart further.
    fn leaf(&mut self, name: &str, written: &syn::Type, around: &Around) -> Option<Ty> {
        let (names, cx) = (self.names, self.cx);
        let constant = matches!(around.mark, Some((Mark::Constant, _)));
        let float = names.float;
        if !constant && !names.is_plain(written, self.unifier) {
            cx.error(written.extent(), &error::GENERICS);
            return None;
        }
        let ty = if constant {
            types::read_constant_type(written, float, self.unifier)
        } else {
            types::read_param_type(written, float, self.unifier, cx)?
        };
        let (mode, inner) = match &ty {
            Ty::Ref(false, t) => (Mode::Ref, (**t).clone()),
            Ty::Ref(true, t) => (Mode::Mut, (**t).clone()),
            other => (Mode::Value, other.clone()),
        };
        if mode == Mode::Value
            && (constant || matches!(inner, Ty::Opaque(_)))
            && types::owns(written)
        {
            cx.error_about(
                written.extent(),
                &error::CONSTANT_BY_VALUE,
                written.to_token_stream(),
            );
            return None;
        }
        let tokens = names.as_float(written.to_token_stream());
        let mut ir_ty =
            to_ir(&inner, names.primitive()).unwrap_or_else(|| Type::Opaque(Tokens(tokens)));
        let mut mode = mode;
        let mut taken = without_lifetimes(written);
        if let (syn::Type::Reference(of), true) = (written, ir_ty.is_scalar()) {
            // a number behind `&` goes by value, one behind `&mut` as an array of one
            let number = &of.elem;
            if mode == Mode::Ref {
                (mode, taken) = (Mode::Value, number.to_token_stream());
            } else if ir_ty == Type::Float {
                let array: syn::Type = parse_quote!(&mut [#number; 1]);
                (ir_ty, taken) = (one_float(), array.into_token_stream());
            }
        }
        if let (Some(elem), Mode::Mut) = (element_of_vector(written), mode) {
            // its length stays
            taken = without_lifetimes(&parse_quote!(&mut [#elem]));
        }
        let has_floats = ir_ty.has_floats();
        let role = match around.mark {
            Some((Mark::Constant, span)) => {
                if mode == Mode::Mut {
                    cx.error(span, &error::CONSTANT_MUT);
                }
                Role::Constant
            }
            Some((Mark::Cache, span)) => {
                if mode != Mode::Mut || !has_floats {
                    cx.error(span, &error::CACHE_NOT_MUT);
                }
                Role::Cache
            }
            Some((Mark::InOut, span)) => {
                if mode != Mode::Mut || !has_floats {
                    cx.error(span, &error::INOUT_NOT_MUT);
                }
                Role::InOut
            }
            None if !has_floats => {
                if mode == Mode::Mut {
                    cx.error(written.extent(), &error::MUT_WITHOUT_FLOATS);
                }
                Role::Constant
            }
            None if mode == Mode::Mut => Role::Output,
            None => Role::Active,
        };
        let param = Param {
            name: name.to_owned(),
            span: around.span,
            role,
            mode,
            ty: ir_ty,
            place: None,
            written: Tokens(names.as_float(taken)),
            array: None,
        };
        let of = self.params.len();
        match nested(&param.ty).cloned() {
            Some(elem) if param.role != Role::Constant => {
                self.params.extend(rows_of(param, elem, of, cx));
            }
            _ => self.params.push(param),
        }
        Some(ty)
    }
}

/// The float in `Option<f64>`.
pub(super) fn optional(ty: &syn::Type) -> Option<&syn::Type> {
    match ty {
        syn::Type::Path(p) if p.path.segments.last()?.ident == "Option" => {
            let of = *types::arguments(&p.path).first()?;
            let is_float = matches!(of, syn::Type::Path(p) if p.path.is_ident("f64") || p.path.is_ident("f32"));
            let is_struct = || matches!(types::read_structs(of), Some(Ty::Struct(_)));
            (is_float || is_struct()).then_some(of)
        }
        _ => None,
    }
}

/// Whether variables may be of this type, and parameters of a function that is called by its handle may not: an
/// option, or a list of options, tuples or rows, of more than numbers.
pub(crate) fn is_of_variables(ty: &syn::Type) -> bool {
    let holds_parts = |of: &syn::Type| match types::ungroup(of) {
        syn::Type::Tuple(_) => true,
        syn::Type::Path(p) => types::is_sum(&p.path) || types::vec_element(p).is_some(),
        _ => false,
    };
    let is_one = match types::behind_pointers(ty) {
        syn::Type::Slice(s) => holds_parts(&s.elem),
        syn::Type::Array(a) => holds_parts(&a.elem),
        syn::Type::Path(p) if types::is_sum(&p.path) => optional(ty).is_none(),
        syn::Type::Path(p) => types::vec_element(p).is_some_and(holds_parts),
        _ => false,
    };
    is_one && types::is_no_parameter(ty)
}

/// The pattern of a component: `a` of `(a, b)`.
fn component_of(pat: &syn::Pat, k: usize, len: usize) -> Option<&syn::Pat> {
    match pat {
        syn::Pat::Reference(r) => component_of(&r.pat, k, len),
        syn::Pat::Paren(p) => component_of(&p.pat, k, len),
        syn::Pat::Tuple(t) if t.elems.len() == len => {
            let is_whole = !t.elems.iter().any(|p| matches!(p, syn::Pat::Rest(_)));
            is_whole.then(|| &t.elems[k])
        }
        _ => None,
    }
}

/// A name for what is taken apart: the names in the pattern.
fn name_of(pat: &syn::Pat) -> String {
    let names = walk::bound(Node::Pat(pat));
    let names: Vec<String> = names.iter().map(unraw).collect();
    match names.is_empty() {
        true => "unused".to_owned(),
        false => names.join("_"),
    }
}

/// Components and rows get names that no other parameter has.
pub(super) fn name_apart(params: &mut [Param], seen: &[Seen]) {
    let own = seen.iter().filter(|s| s.pattern.is_none());
    let own = own.filter(|s| params.get(s.first).is_some_and(|p| p.name == s.name));
    let own: Map<usize, String> = own.map(|s| (s.first, s.name.clone())).collect();
    let mut taken: Set<String> = own.values().cloned().collect();
    for (k, p) in params.iter_mut().enumerate() {
        if !own.contains_key(&k) {
            while !taken.insert(p.name.clone()) {
                p.name.push('_');
            }
        }
    }
}

/// The `T` of `&mut Vec<T>`.
fn element_of_vector(ty: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(p) = borrowed_vector(ty)? else {
        return None;
    };
    types::arguments(&p.path).first().copied()
}

fn is_vector(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Reference(r) if is_vector_path(types::ungroup(&r.elem)))
}

/// Whether there are parameters, all of them integers, truth values, or of types for which `is_data` holds.
pub(crate) fn takes_numbers(sig: &syn::Signature, is_data: &dyn Fn(&str) -> bool) -> bool {
    let is_number = |ty: &syn::Type| {
        let name = ty.to_token_stream().to_string();
        types::is_integer(ty) || name == "bool" || is_data(&name)
    };
    takes(sig, &is_number)
}

/// The same, also of types of std without floats, such as texts.
pub(crate) fn takes_no_floats(sig: &syn::Signature, is_data: &dyn Fn(&str) -> bool) -> bool {
    let has_none = |ty: &syn::Type| has_no_floats(ty) || is_data(&ty.to_token_stream().to_string());
    takes(sig, &has_none)
}

fn takes(sig: &syn::Signature, is_one: &dyn Fn(&syn::Type) -> bool) -> bool {
    let is_one = |input: &syn::FnArg| match input {
        syn::FnArg::Typed(p) => is_one(&p.ty),
        syn::FnArg::Receiver(_) => false,
    };
    !sig.inputs.is_empty() && sig.inputs.iter().all(is_one)
}
