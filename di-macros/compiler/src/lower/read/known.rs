//! Calls of functions whose signatures are known: the types of their arguments and of their results.

use super::Reader;
use super::expr::strip;
use super::expr::unraw;
use super::lifted::behind_references;
use super::taken::is_beside;
use crate::ir::Tokens;
#[cfg(feature = "ndarray")]
use crate::lower::arrays::write_out_signature;
use crate::lower::code;
use crate::lower::environment::{names_of, with_lengths};
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Kind, Step};
use crate::lower::methods::is_number;
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::template::parse_quote;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// What the parameters of a generic function stand for, by their names: lengths, and the float.
type Lengths = Vec<(String, Tokens)>;

/// Crates whose functions have no signature to ask for.
const OF_STD: [&str; 3] = ["std", "core", "alloc"];

impl Reader<'_> {
    /// The type of what the function with this path returns, if its signature is known. Arguments whose types are
    /// not inferred yet get those of the parameters; notes which go to constants. Asks for the signature if it is not
    /// known.
    pub(super) fn known_result(
        &mut self,
        path: &syn::Path,
        instance: &mut Option<Tokens>,
        args: &mut [Expr],
        constants: &mut Vec<bool>,
    ) -> Option<Ty> {
        let text = path.to_token_stream().to_string();
        let Some(known) = self.env.function(&text) else {
            let first = path.segments.first().map(|s| s.ident.to_string());
            if first.is_some_and(|name| !OF_STD.contains(&&*name)) {
                self.cx.ask(path.to_token_stream());
            }
            return None;
        };
        let mut signature = known.signature.clone();
        let mut nothing: syn::Block = parse_quote!({});
        self.env.prepare(&mut signature, &mut nothing);
        #[cfg(feature = "ndarray")]
        {
            signature = write_out_signature(&signature).unwrap_or(signature);
        }
        let parameters: Vec<&syn::PatType> =
            signature.inputs.iter().filter_map(types::typed).collect();
        if parameters.len() != args.len() {
            return None;
        }
        let mut known = self.lengths_of_call(&signature, instance.as_ref());
        for (p, arg) in parameters.iter().zip(args.iter_mut()) {
            self.borrow_row(&p.ty, arg);
            match_float(self, &signature, &p.ty, &arg.ty, &mut known);
            if names_one_of(&p.ty, &|word| known.iter().any(|(name, _)| name == word)) {
                self.match_type(&known_as(&p.ty, &known), &arg.ty);
            }
        }
        // what a type parameter stands for is not looked into, unless it is the float
        let mut types = signature.generics.type_params();
        if types.any(|t| known.iter().all(|(name, _)| t.ident != name)) {
            return None;
        }
        for (p, arg) in parameters.iter().zip(args.iter_mut()) {
            // constants go on as they are
            let constant = is_marked(p);
            constants.push(constant);
            if !constant {
                self.lift(arg);
            }
            if !constant || is_scalar(&p.ty) {
                self.known_argument(&known_as(&p.ty, &known), arg);
            } else {
                self.known_integers(&known_as(&p.ty, &known), &arg.ty);
            }
        }
        if instance.is_none() {
            *instance = self.lengths_as_written(&signature, &known);
        }
        match &signature.output {
            syn::ReturnType::Default => Some(Ty::unit()),
            syn::ReturnType::Type(_, ty) => {
                let is_open = |word: &str| {
                    let mut lengths = known.iter().filter(|(name, _)| name == word);
                    lengths.any(|(_, length)| self.types.is_unlinked(length))
                };
                if names_one_of(ty, &is_open) {
                    return None;
                }
                let lengths = names_of(&signature.generics);
                let lengths: Vec<_> = (lengths.iter())
                    .filter_map(|of| known.iter().find(|(name, _)| name == of))
                    .map(|(_, length)| &length.0)
                    .collect();
                let mut of = path.to_token_stream();
                match lengths.is_empty() {
                    true => of.extend(instance.as_ref().map(|i| i.0.clone())),
                    false => of.extend(code::lengths(&lengths)),
                }
                let result = self.projection(&of, "::Returns>::Result");
                self.known_type(&known_as(ty, &known), result)
            }
        }
    }

    /// What the lengths of a generic function are at a call: as they are written, `f::<3>(..)`, or to be found.
    fn lengths_of_call(
        &mut self,
        signature: &syn::Signature,
        instance: Option<&Tokens>,
    ) -> Lengths {
        let written = instance
            .and_then(|i| syn::parse2::<syn::AngleBracketedGenericArguments>(i.0.clone()).ok());
        let mut written = written.into_iter().flat_map(|w| w.args);
        let names = names_of(&signature.generics).into_iter();
        let each = names.map(|name| {
            let length = match written.next() {
                None | Some(syn::GenericArgument::Type(syn::Type::Infer(_))) => {
                    self.types.fresh_length()
                }
                Some(length) => Tokens(length.into_token_stream()),
            };
            (name, length)
        });
        each.collect()
    }

    /// A slice that was collected is a row of its own here, see [`Ty::with_own_rows`]: it is borrowed where a
    /// reference is wanted.
    fn borrow_row(&mut self, parameter: &syn::Type, arg: &mut Expr) {
        let wants_reference = matches!(types::ungroup(parameter), syn::Type::Reference(_));
        if !wants_reference || !matches!(arg.kind, Kind::Index(..) | Kind::Local(_)) {
            return;
        }
        if let ty @ Ty::Vec(_) = self.types.shallow(&arg.ty) {
            let span = arg.span;
            let row = std::mem::replace(arg, self.refused(span));
            *arg = Expr::reference(false, Expr { ty, ..row });
        }
    }

    /// An argument whose type is not inferred yet has that of its parameter.
    pub(super) fn known_argument(&mut self, parameter: &syn::Type, arg: &mut Expr) {
        self.copy_list(parameter, arg);
        self.take_apart(parameter, arg);
        let found = self.types.peel(&arg.ty);
        let is_open = match &found {
            Ty::Array(of, n) => self.types.length(n).is_none() || self.has_variable(of),
            Ty::Vec(of) => self.has_variable(of),
            _ => false,
        };
        if !(is_open || matches!(found, Ty::Var(_))) || self.is_tainted(&found) {
            return;
        }
        let float = self.float;
        let ty = types::read_plain(parameter, float, &mut self.types)
            .or_else(|| types::read_tuples(behind_references(parameter), float, &mut self.types));
        let ty = ty.or_else(|| self.struct_of_parameter(parameter, &found));
        let is_foreign = self.types.traits(&found).is_some_and(|t| t.foreign);
        let Some(ty) = ty.map(|ty| self.types.peel(&ty)) else {
            return;
        };
        // a constant sequence becomes part of what is differentiated by a copy of its numbers
        let numbers = match &ty {
            Ty::Slice(of) if is_foreign && matches!(**of, Ty::Float) => Some(of.clone()),
            _ => None,
        };
        if let (Ty::Slice(of), Ty::Array(elem, _) | Ty::Vec(elem)) = (&ty, &found) {
            self.unify(elem, of, arg.span);
        } else if let Some(of) = numbers {
            let ty = match self.types.shallow(&arg.ty) {
                Ty::Ref(..) => Ty::Vec(of),
                _ => Ty::reference(false, Ty::Vec(of)),
            };
            self.unify(&found, &ty, arg.span);
        } else if !matches!(ty, Ty::Var(_) | Ty::Slice(_)) && !self.has_variable(&ty) {
            // `view.point` of a constant may be a reference itself, which numbers need not be
            let by_reference = matches!(types::ungroup(parameter), syn::Type::Reference(_))
                && matches!(self.types.shallow(&arg.ty), Ty::Var(_));
            let ty = match (&ty, by_reference && is_foreign) {
                (Ty::Array(..), true) => Ty::reference(false, ty),
                _ => ty,
            };
            self.unify(&found, &ty, arg.span);
        }
    }

    fn has_variable(&self, ty: &Ty) -> bool {
        self.types.any(ty, &|ty| matches!(ty, Ty::Var(_)))
    }

    /// The struct that a parameter takes, for an argument of which it is known how it is reached.
    fn struct_of_parameter(&self, parameter: &syn::Type, found: &Ty) -> Option<Ty> {
        let path = self.types.name(found)?.clone();
        match self.types.peel(&types::read_structs(parameter)?) {
            Ty::Struct(written) => Some(self.named(written, path)),
            _ => None,
        }
    }

    /// A type as a signature writes it. `path`: how generated code reaches it, since its structs need not be in
    /// scope here.
    pub(super) fn known_type(&mut self, ty: &syn::Type, path: Tokens) -> Option<Ty> {
        let plain = types::read_plain(ty, self.float, &mut self.types);
        if let Some(plain) = plain.filter(|ty| !self.has_variable(ty)) {
            return Some(match holds_numbers(&plain) {
                true => plain,
                false => types::with_rows(plain),
            });
        }
        let of_tuples = || match types::ungroup(ty) {
            syn::Type::Path(p) => {
                types::vec_element(p).filter(|of| matches!(of, syn::Type::Tuple(_)))
            }
            _ => None,
        };
        if let Some(row) = types::rows_of(ty).or_else(of_tuples) {
            let item = self.projection(&path.0, "::Sequence>::Item");
            return Some(Ty::Vec(Box::new(self.known_type(row, item)?)));
        }
        match types::ungroup(ty) {
            syn::Type::Tuple(tuple) => {
                let parts = tuple.elems.iter().enumerate().map(|(k, ty)| {
                    let part = self.projection(&path.0, &format!("::PartOf<{k}>>::Type"));
                    self.known_type(ty, part)
                });
                parts.collect::<Option<Vec<Ty>>>().map(Ty::Tuple)
            }
            syn::Type::Array(array) => {
                let item = self.projection(&path.0, "::Sequence>::Item");
                let of = self.known_type(&array.elem, item)?;
                let n = Tokens(types::length(&array.len));
                Some(types::with_rows(Ty::Array(Box::new(of), n)))
            }
            syn::Type::Path(p) if types::is_sum(&p.path) => {
                let sum = types::read_local(ty, self.float, &mut self.types)?;
                self.names_structs(&sum).then_some(sum)
            }
            _ => match types::read_structs(ty)? {
                Ty::Struct(written) => Some(self.named(written, path)),
                Ty::Vec(of) => Some(Ty::Vec(Box::new(self.known_row(*of, &path)?))),
                _ => None,
            },
        }
    }

    /// What is in a sequence of structs that is reached like this: one of them, or an array of them.
    fn known_row(&mut self, row: Ty, sequence: &Tokens) -> Option<Ty> {
        let item = self.projection(&sequence.0, "::Sequence>::Item");
        match row {
            Ty::Struct(written) => Some(self.named(written, item)),
            Ty::Array(of, n) => Some(Ty::Array(Box::new(self.known_row(*of, &item)?), n)),
            _ => None,
        }
    }

    /// Whether all structs in a type go by their own names.
    fn names_structs(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Struct(path) => self.env.is_struct(&path.0.to_string()),
            Ty::Tuple(ts) | Ty::Sum(ts) => ts.iter().all(|t| self.names_structs(t)),
            Ty::Array(t, _) | Ty::Vec(t) => self.names_structs(t),
            _ => true,
        }
    }

    /// A struct goes by its own name where that is known, else by the way that leads to it. What is not
    /// differentiated is not looked into.
    fn named(&self, written: Tokens, path: Tokens) -> Ty {
        let text = written.0.to_string();
        if self.env.is_opaque(&text) {
            Ty::Opaque(written)
        } else if self.env.is_struct(&text) {
            Ty::Struct(written)
        } else {
            Ty::Struct(path)
        }
    }

    /// A call of a function that is not differentiated, which is carried along: its arguments are evaluated first,
    /// but for those that are written with names and literals alone. None of another function.
    pub(super) fn passive_call(&mut self, call: &syn::ExprCall, path: &syn::Path) -> Option<Expr> {
        if let Some(value) = self.called_variant(call, path) {
            return Some(value);
        }
        if let Some(value) = self.constant_variant(call, path) {
            return Some(value);
        }
        let mut plain = self.resolve_use(path);
        for segment in &mut plain.segments {
            segment.arguments = syn::PathArguments::None;
        }
        let text = plain.to_token_stream().to_string();
        let known = self.env.function(&text);
        let made = self.constant_made(&plain).filter(|_| known.is_none());
        let is_passive = match &known {
            Some(known) => !known.is_differentiated,
            None => match of_std(&plain) {
                Some(is_known) => !is_known,
                None => self.env.is_opaque(&text) || made.is_some(),
            },
        };
        let is_local = path.get_ident().is_some_and(|i| {
            let name = unraw(i);
            self.lookup(&name).is_some() || self.names_closure(i)
        });
        if !is_passive || is_local {
            return None;
        }
        let span = call.extent();
        let output = known
            .as_ref()
            .and_then(|k| types::result_of(&k.signature.output));
        let output = output.map(|ty| self.env.expanded(ty));
        let is_unknown = known.is_none();
        let gives = output
            .clone()
            .or_else(|| is_unknown.then(|| parse_quote!(_)));
        if let Some(changed) = self.changing_function(call, gives.as_ref()) {
            return Some(changed);
        }
        Some(self.scoped(|r| {
            let (mut call, mut stmts) = (call.clone(), Vec::new());
            let changed: Vec<_> = (call.args.iter())
                .flat_map(|arg| r.changed_within(arg))
                .collect();
            for arg in &mut call.args {
                r.evaluate_beside(&changed, arg, &mut stmts);
            }
            let mut value = r.passive(&syn::Expr::Call(call), false);
            if let Some(owner) = made {
                value.ty = Ty::Opaque(Tokens(owner));
            } else if let Some(ty) = output {
                let plain = types::read_plain(&ty, r.float, &mut r.types);
                value.ty = match plain {
                    Some(ty @ (Ty::Float | Ty::Int(_) | Ty::Bool)) => ty,
                    // behind steps it is not carried
                    Some(Ty::Vec(of))
                        if !stmts.is_empty() && matches!(*of, Ty::Int(_) | Ty::Bool) =>
                    {
                        Ty::Vec(of)
                    }
                    _ if r.types.traits(&value.ty).is_some_and(|t| t.foreign) => {
                        r.foreign_part(Some(&ty))
                    }
                    _ => value.ty,
                };
            }
            if stmts.is_empty() {
                return value;
            }
            Expr::block(stmts, value, span)
        }))
    }

    /// The type that is not differentiated of which a function of its own, with this path, makes a value.
    pub(super) fn constant_made(&self, path: &syn::Path) -> Option<TokenStream> {
        let (owner, called) = super::callee::owner_of(path)?;
        let (of, name) = (owner.to_token_stream().to_string(), unraw(&called.name));
        let is_owner = |ty: &syn::Type| {
            let made = match types::ungroup(ty) {
                syn::Type::Path(p) => p.path.segments.last().map(|s| &s.ident),
                _ => None,
            };
            made.is_some_and(|made| owner.segments.last().is_some_and(|s| s.ident == *made))
        };
        let is_made = match self.env.passive(&of, &name) {
            Some(output) => is_owner(&output),
            // as it is derived
            None => name == "default" && self.types.names_data(&owner),
        };
        let is_it = is_made && self.env.is_opaque(&of) && self.env.method(&of, &name).is_none();
        is_it.then(|| owner.to_token_stream())
    }

    /// Binds an argument to a variable, unless it can be carried and reads none of the variables that are changed.
    pub(super) fn evaluate_beside(
        &mut self,
        changed: &[syn::Ident],
        arg: &mut syn::Expr,
        stmts: &mut Vec<Step>,
    ) {
        if !is_beside(arg, changed) {
            return self.evaluate_first(arg, stmts);
        }
        let value = self.expr(arg);
        self.name_first(arg, value, stmts);
    }

    /// Binds an argument to a variable, unless it can be carried as it is written.
    pub(super) fn evaluate_first(&mut self, arg: &mut syn::Expr, stmts: &mut Vec<Step>) {
        if let syn::Expr::Macro(text) = arg
            && text.mac.path.is_ident("format")
        {
            return self.written_first(&mut text.mac, stmts);
        }
        if self.is_carried(arg) {
            return;
        }
        // of a list that is written out the elements
        match arg {
            syn::Expr::Reference(r) if matches!(strip(&r.expr), syn::Expr::Array(_)) => {
                return self.evaluate_first(&mut r.expr, stmts);
            }
            syn::Expr::Array(a) => {
                return (a.elems.iter_mut()).for_each(|e| self.evaluate_first(e, stmts));
            }
            _ => {}
        }
        let value = self.expr(arg);
        self.name_first(arg, value, stmts);
    }

    /// `let name = value;`, and the name in the place of the expression.
    pub(super) fn name_first(&mut self, arg: &mut syn::Expr, value: Expr, stmts: &mut Vec<Step>) {
        let name = format!("__arg{}", stmts.len());
        let local = self.bind(&name, false, value.ty.clone(), value.span);
        stmts.push(Step::bind(local, value));
        let ident = syn::Ident::new(&name, proc_macro2::Span::call_site());
        *arg = parse_quote!(#ident);
    }

    /// Literals, variables, constants, and what is reached from those that the compiler does not look into.
    fn is_carried(&self, e: &syn::Expr) -> bool {
        match super::expr::strip(e) {
            syn::Expr::Lit(_) | syn::Expr::Path(_) => true,
            syn::Expr::Reference(r) => self.is_carried(&r.expr),
            syn::Expr::Array(a) => a.elems.iter().all(|e| self.is_carried(e)),
            syn::Expr::Unary(u) => self.is_carried(&u.expr),
            syn::Expr::Field(f) => self.is_carried(&f.base),
            syn::Expr::Binary(b) => self.is_carried(&b.left) && self.is_carried(&b.right),
            _ => false,
        }
    }

    /// Lengths as they are written at a call, `::<3>`, if all are known. Otherwise rustc finds them in the arguments,
    /// but not in constants.
    fn lengths_as_written(&self, signature: &syn::Signature, lengths: &Lengths) -> Option<Tokens> {
        let names = names_of(&signature.generics);
        if names.is_empty() || signature.generics.type_params().next().is_some() {
            return None;
        }
        let found = lengths.iter().filter(|(name, _)| names.contains(name));
        let found: Vec<_> = found.map(|(_, n)| self.types.with_lengths(n)).collect();
        let is_open = found.iter().any(|n| self.types.has_open_in(n));
        let found: Vec<_> = found.iter().map(|n| &n.0).collect();
        (!is_open).then(|| Tokens(code::lengths(&found)))
    }
}

/// Finds what the float of a function stands for by comparing a parameter with its argument.
fn match_float(
    r: &Reader<'_>,
    signature: &syn::Signature,
    parameter: &syn::Type,
    found: &Ty,
    known: &mut Lengths,
) {
    match (types::ungroup(parameter), r.types.peel(found)) {
        (syn::Type::Reference(of), found) => match_float(r, signature, &of.elem, &found, known),
        (syn::Type::Array(syn::TypeArray { elem, .. }), Ty::Array(of, _))
        | (
            syn::Type::Slice(syn::TypeSlice { elem, .. }),
            Ty::Array(of, _) | Ty::Slice(of) | Ty::Vec(of),
        ) => match_float(r, signature, elem, &of, known),
        (syn::Type::Path(p), Ty::Float) => {
            let mut types = signature.generics.type_params();
            if let Some(t) = types.find(|t| p.path.is_ident(&t.ident)) {
                let float = syn::Ident::new(r.float, Span::call_site());
                known.push((t.ident.to_string(), Tokens(float.into_token_stream())));
            }
        }
        (syn::Type::Tuple(tuple), Ty::Tuple(found)) => {
            for (parameter, found) in tuple.elems.iter().zip(&found) {
                match_float(r, signature, parameter, found, known);
            }
        }
        _ => {}
    }
}

fn is_marked(p: &syn::PatType) -> bool {
    p.attrs.iter().any(|a| a.path().is_ident("constant"))
}

/// A number or a bool, also behind `&`.
pub(super) fn is_scalar(ty: &syn::Type) -> bool {
    match types::ungroup(ty) {
        syn::Type::Reference(r) => is_scalar(&r.elem),
        ty => is_number(ty),
    }
}

/// The type with what the names of the signature stand for.
fn known_as(ty: &syn::Type, known: &Lengths) -> syn::Type {
    with_lengths(ty, known).unwrap_or_else(|| ty.clone())
}

/// Whether a type speaks of one of these names.
fn names_one_of(ty: &syn::Type, is_one: &dyn Fn(&str) -> bool) -> bool {
    let tokens = ty.to_token_stream().to_string();
    tokens
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(is_one)
}

/// Whether there are integers or bools at the bottom of a sequence.
fn holds_numbers(ty: &Ty) -> bool {
    match ty {
        Ty::Array(of, _) | Ty::Slice(of) | Ty::Vec(of) => holds_numbers(of),
        ty => matches!(ty, Ty::Int(_) | Ty::Bool),
    }
}

/// Of a function of std, also by its module alone or as the prelude has it: whether it is looked into.
fn of_std(path: &syn::Path) -> Option<bool> {
    let names: Vec<String> = path.segments.iter().map(|s| unraw(&s.ident)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let is_module = |name: &str| {
        let is_type = matches!(name, "f64" | "f32" | "bool" | "char" | "str");
        name.starts_with(char::is_lowercase) && !is_type && !types::is_integer_name(name)
    };
    match names.as_slice() {
        [.., "mem", "swap" | "replace" | "take"] | [.., "hint", "black_box"] => Some(true),
        [.., "cmp", "max" | "min"] => Some(true),
        ["char" | "str", _] => Some(false),
        ["size_of" | "size_of_val" | "align_of" | "align_of_val"]
        | [
            ..,
            "mem",
            "size_of" | "size_of_val" | "align_of" | "align_of_val",
        ]
        | [.., "ptr", "eq" | "addr_eq"] => Some(false),
        ["std" | "core" | "alloc", .., "array" | "iter", _] => Some(true),
        ["std" | "core" | "alloc", .., module, function] => {
            (is_module(module) && is_module(function)).then_some(false)
        }
        _ => None,
    }
}
