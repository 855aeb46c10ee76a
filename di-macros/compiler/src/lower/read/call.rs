//! Calls by path.

use super::Reader;
use super::operators::is_of_operator;
use crate::error;
use crate::ir::Tokens;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Kind, Pat, Variant};
use crate::lower::ty::{Traits, Ty};
use crate::lower::types::INTEGERS;
use crate::report::Extent;
use crate::symbol;
use crate::template::parse_quote;
use quote::ToTokens;

/// Containers of std that no derivative is carried through.
const CONTAINERS: &[&str] = &[
    "Arc",
    "BTreeMap",
    "BTreeSet",
    "Box",
    "Cell",
    "Cow",
    "HashMap",
    "HashSet",
    "LinkedList",
    "Mutex",
    "OnceCell",
    "Rc",
    "RefCell",
    "RwLock",
    "VecDeque",
];

impl Reader<'_> {
    pub(super) fn call(&mut self, c: &syn::ExprCall) -> Expr {
        let span = c.extent();
        if let Some(call) = self.call_in_place(c) {
            return call;
        }
        let syn::Expr::Path(path) = super::expr::strip(&c.func) else {
            // a function in a constant: `(setup.force)(t)`
            if self.opaque_chain(&c.func).is_some() {
                return self.passive(&syn::Expr::Call(c.clone()), false);
            }
            if !self.functions.is_empty() {
                let f = self.expr(&c.func);
                if let Some(table) = self.functions_of(&f.ty) {
                    let args = c.args.iter().map(|a| self.expr(a)).collect();
                    return self.call_one_of(f, &table, args, span);
                }
            }
            return self.refuse(c.func.extent(), &error::CALL_OF_VALUE);
        };
        // `<T as Float>::sqrt(x)`
        let plain = self.of_float(path);
        let path = plain.as_ref().unwrap_or(path);
        if path.qself.is_some() {
            let args: Vec<&syn::Expr> = c.args.iter().collect();
            return match self.qualified_call(path, &args, span) {
                Some(call) => call,
                None => self.refuse(path.extent(), &error::QUALIFIED_PATH),
            };
        }
        if super::plain::is_passive(c) && self.lookup("passive").is_none() {
            return self.explicit_passive(c, path, &c.args[0]);
        }
        if c.args.iter().any(super::instance::is_handle) {
            let name = path.path.segments.last().map(|s| s.ident.to_string());
            let name = name.unwrap_or_default();
            return self.refuse_about(path.extent(), &error::OPERATOR_CALL, name);
        }
        if let Some(call) = self.called_for_items(c, &path.path) {
            return call;
        }
        if let Some(message) = self.refused_in_place(&path.path) {
            return self.refuse(span, message);
        }
        let found = self.sum_path(path, c);
        if let Some(found) = found.or_else(|| self.array_from_fn(c)) {
            return found;
        }
        if let Some(call) = self.passive_call(c, &path.path) {
            return call;
        }
        if self.is_text_made(&path.path) && !c.args.iter().any(|arg| self.may_be_active(arg)) {
            return self.constant_of(parse_quote!(String), &c.clone().into());
        }
        if path.path.segments.last().is_some_and(|s| s.ident == "Err")
            && let [arg] = c.args.iter().collect::<Vec<_>>()[..]
            && is_foreign(arg)
        {
            let error = self.error(arg);
            return self.variant(Variant::Err, Some(error), span);
        }
        if super::width::is_from_of(&path.path, self.float)
            && let Some(arg) = c.args.first()
            && let Some(back) = self.back_from_other_width(arg, span)
        {
            return back;
        }
        let args = self.arguments(c, &path.path);
        if let ([arg], Some(last)) = (args.as_slice(), path.path.segments.last())
            && last.ident == "from"
            && self.is_own_float(&path.path)
            && matches!(self.types.peel(&arg.ty), Ty::Opaque(_))
        {
            // of the other float
            let e = self.passive(&syn::Expr::Call(c.clone()), false);
            self.unify(&e.ty.clone(), &Ty::Float, span);
            return e;
        }
        if let ([arg], [written]) = (args.as_slice(), &c.args.iter().collect::<Vec<_>>()[..])
            && super::width::is_from_of(&path.path, self.float)
            && let Some(number) = self.as_own_number(written, &arg.ty)
        {
            return number;
        }
        self.call_path(path, args, span)
    }

    /// A call by path, with arguments that are read already.
    pub(super) fn call_path(
        &mut self,
        path: &syn::ExprPath,
        mut args: Vec<Expr>,
        span: Extent,
    ) -> Expr {
        if let Some(local) = self.local_by(&path.path) {
            if self.is_tainted(&self.locals[local.0].ty) {
                return self.refused(span);
            }
            let ty = self.locals[local.0].ty.clone();
            if let Some(table) = self.functions_of(&ty) {
                let kind = Kind::Local(local);
                return self.call_one_of(Expr { kind, ty, span }, &table, args, span);
            }
            let name = self.locals[local.0].name.clone();
            return self.refuse_about(path.extent(), &error::CALL_OF_LOCAL, name);
        }
        if let Some(id) = path.path.get_ident().and_then(|i| self.closure_of(i)) {
            return self.call_closure(id, args, span);
        }
        if path.path.get_ident().is_some_and(|i| self.names_closure(i)) {
            return self.refuse(span, &error::CLOSURE);
        }
        let resolved = self.resolve_use(&path.path);
        let names: Vec<String> = resolved
            .segments
            .iter()
            .map(|s| s.ident.to_string())
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        match (names.as_slice(), args.len()) {
            ([.., float, method], 1..) if *float == self.float => {
                let receiver = args.remove(0);
                self.method_path(method, receiver, args, Ty::Float, span)
            }
            ([of, "default"], 0) if self.has_default(of) => self.default_named(of, span),
            ([.., of, method], 1 | 2) if is_of_operator(of, method) => {
                match self.operator_by_name(method, &mut args, span) {
                    Some(found) => found,
                    None => self.refused(span),
                }
            }
            ([.., "f64" | "f32", method], _) => {
                self.refuse_about(path.extent(), &error::MIXED_FLOATS, method)
            }
            ([.., int, method], 1..) if INTEGERS.contains(int) => {
                let receiver = args.remove(0);
                self.method_path(method, receiver, args, Ty::Int((*int).to_owned()), span)
            }
            ([.., "cmp", method @ ("max" | "min")], 2) => {
                let (a, b) = (args.remove(0), args.remove(0));
                self.unify(&a.ty.clone(), &b.ty.clone(), b.span);
                let ty = self.types.peel(&a.ty);
                if self.has_own_order(&ty) {
                    return self.keeping_as("__first", a, |r, _| {
                        r.keeping_as("__second", b, |r, _| Expr {
                            ty,
                            ..r.passive(&parse_quote!(#path(__first, __second)), false)
                        })
                    });
                }
                Expr::new(Kind::IntMethod((*method).to_owned(), vec![a, b]), ty, span)
            }
            // storage of its own, as every variable has
            ([.., "Box", "new"], 1) => self.boxed(args.remove(0)),
            ([.., "Rc" | "Arc", "new" | "clone"], 1) if self.is_to_box(&args[0].ty) => {
                self.boxed(args.remove(0))
            }
            ([.., container, _], _)
                if CONTAINERS.contains(container) && !self.env.is_struct(container) =>
            {
                self.refuse_about(path.extent(), &error::CONTAINER, container)
            }
            // a hint to the compiler of the user's function: the value as it is
            ([.., "hint", "black_box"], 1) => args.remove(0),
            ([.., "mem", "swap"], 2) => {
                let (a, b) = (args.remove(0), args.remove(0));
                self.mem_swap(a, b, span)
            }
            ([.., "mem", "replace"], 2) => {
                let (a, b) = (args.remove(0), args.remove(0));
                self.mem_replace(a, b, span)
            }
            ([.., "Default", "default"], 0) => self.refuse(path.extent(), &error::QUALIFIED_PATH),
            ([.., "mem", "take"], 1) => self.mem_take(args.remove(0), span),
            (["Vec", "new"] | [.., "vec", "Vec", "new"], 0)
            | (["Vec", "with_capacity"] | [.., "vec", "Vec", "with_capacity"], 1) => {
                self.new_vector(&resolved, args, span)
            }
            (["Vec", "from" | "clone"] | [.., "vec", "Vec", "from" | "clone"], 1) => {
                let source = args.remove(0);
                match self.element_of(&source) {
                    Some(elem) => Expr::new(
                        Kind::CopyOf(Box::new(source)),
                        Ty::Vec(Box::new(elem)),
                        span,
                    ),
                    None => self.refused(span),
                }
            }
            (["Vec", name] | [.., "vec", "Vec", name], _) => {
                self.refuse_about(path.extent(), &error::VEC_NEW, name)
            }
            (
                ["Some" | "Ok" | "Err"] | [.., "Option", "Some"] | [.., "Result", "Ok" | "Err"],
                1,
            ) => {
                let value = args.remove(0);
                match super::option::variant_of(&resolved) {
                    Some(variant) => self.variant(variant, Some(value), span),
                    None => self.refused(span),
                }
            }
            ([.., "Option" | "Result", _], _) => self.refuse(path.extent(), &error::OPTION),
            ([.., last], _)
                if last.starts_with(char::is_uppercase) && !self.names_function(&resolved) =>
            {
                let fields = args.into_iter().enumerate();
                let fields = fields.map(|(k, e)| (k.to_string(), e)).collect();
                self.make_struct(&path.path, fields, None, span)
            }
            ([.., owner, name], _) if owner.starts_with(char::is_uppercase) => {
                if let Some(of) = self.type_with_trait(owner, name, &args) {
                    return self.call_by_trait(&of, owner, name, args, span);
                }
                match super::callee::owner_of(&resolved) {
                    Some((owner, called)) => {
                        let owner = self.with_open_lengths(&owner);
                        self.owned_call(&owner, &called, None, args, span)
                    }
                    None => self.refuse(path.extent(), &error::TURBOFISH),
                }
            }
            _ => match super::instance::split_instance(&resolved) {
                Some((callee, instance)) => self.differentiable_call(&callee, instance, args, span),
                None => self.refuse(path.extent(), &error::TURBOFISH),
            },
        }
    }

    /// Whether a function is known by this path, also one in capitals.
    fn names_function(&self, path: &syn::Path) -> bool {
        self.env
            .function(&path.to_token_stream().to_string())
            .is_some()
    }

    /// `h(a, &x, ..)`: a call to another annotated function.
    fn differentiable_call(
        &mut self,
        path: &syn::Path,
        instance: Option<Tokens>,
        mut args: Vec<Expr>,
        span: Extent,
    ) -> Expr {
        let mut instance = instance.map(|i| self.with_float(i));
        let mut constants = Vec::new();
        let known = self.known_result(path, &mut instance, &mut args, &mut constants);
        self.note_outgoing(&args);
        self.components_of(path, &mut args);
        let mut of = path.to_token_stream();
        of.extend(instance.as_ref().map(|i| i.0.clone()));
        let kind = Kind::Call {
            callee: Tokens(path.to_token_stream()),
            instance,
            args,
            constants,
        };
        let ty = known.unwrap_or_else(|| {
            let result = self.projection(&of, "::Returns>::Result");
            let traits = Traits {
                callee: true,
                ..Traits::default()
            };
            self.types.fresh_named(result, traits)
        });
        Expr { kind, ty, span }
    }

    /// What is handed to another function.
    pub(super) fn note_outgoing(&mut self, args: &[Expr]) {
        for arg in args {
            // what is negated is no `usize`: `i32` by default
            if !matches!(&arg.kind, Kind::Neg(e) if !matches!(e.kind, Kind::Lit(_))) {
                self.types.set_outgoing(&arg.ty, is_literal(arg));
            }
            if let (Kind::Ref(_, _), Ty::Ref(true, inner)) =
                (&arg.kind, self.types.shallow(&arg.ty))
                && matches!(self.types.shallow(&inner), Ty::Int(_) | Ty::Bool)
            {
                self.cx.error(arg.span, &error::SCALAR_REFERENCE);
            }
        }
    }

    /// `f64::max(a, b)` is `a.max(b)`.
    fn method_path(
        &mut self,
        method: &str,
        receiver: Expr,
        rest: Vec<Expr>,
        ty: Ty,
        span: Extent,
    ) -> Expr {
        if method == "from" && rest.is_empty() {
            return match self.types.peel(&receiver.ty) {
                Ty::Bool => self.number_of_flag(receiver, ty),
                Ty::Float if matches!(ty, Ty::Float) => receiver,
                _ => Expr::new(Kind::Cast(Box::new(receiver)), ty, span),
            };
        }
        self.unify(&receiver.ty.clone(), &ty, receiver.span);
        self.scalar_method(method, receiver, rest, span, span)
    }

    /// A method of a float or an integer with operands that are read already.
    pub(super) fn scalar_method(
        &mut self,
        name: &str,
        receiver: Expr,
        rest: Vec<Expr>,
        name_span: Extent,
        span: Extent,
    ) -> Expr {
        let ty = self.types.peel(&receiver.ty);
        let is_int = self.types.is_integer(&ty);
        if let Some(refused) = di_elementary::find_refused(name).filter(|_| !is_int) {
            let text = format!("`{name}`: {}", refused.hint);
            return self.refuse_about(name_span, &error::REFUSED_METHOD, text);
        }
        let mut operands = vec![receiver];
        operands.extend(rest);
        if let Some(found) = self.operator_by_name(name, &mut operands, span) {
            return found;
        }
        match (name, operands.len()) {
            ("total_cmp", 2) | ("cmp", 2) if is_int || name == "total_cmp" => {
                let b = operands.swap_remove(1);
                let a = operands.swap_remove(0);
                return self.total_cmp(name, a, b, span);
            }
            ("partial_cmp", 2) => {
                let b = operands.swap_remove(1);
                let a = operands.swap_remove(0);
                return self.partial_order(a, b, span);
            }
            // of an `Ordering`: integers have no such method
            ("reverse", 1) if is_int => {
                let ty = Ty::Int("i8".to_owned());
                self.unify(&operands[0].ty.clone(), &ty, span);
                let kind = Kind::Neg(Box::new(operands.swap_remove(0)));
                return Expr { kind, ty, span };
            }
            _ => {}
        }
        if is_int
            && operands.len() <= 2
            && let Some(what) = name.strip_prefix("overflowing_")
        {
            return self.overflowing(what, operands, ty, name_span, span);
        }
        if is_int {
            return self.int_method(name, operands, ty, name_span, span);
        }
        self.note_method(name, &ty, name_span.start);
        if let (Some(shared), Ty::Var(_)) = (symbol::shared(name), &ty) {
            for e in &operands[1..] {
                let (a, b) = (operands[0].ty.clone(), e.ty.clone());
                self.unify(&a, &b, e.span);
            }
            return Expr::new(Kind::Shared(shared, operands), ty, span);
        }
        // of `num_traits::Signed`
        let name = match (name, &ty) {
            ("is_positive", Ty::Float) => "is_sign_positive",
            ("is_negative", Ty::Float) => "is_sign_negative",
            _ => name,
        };
        if let Some(name) = symbol::classify(name) {
            self.unify(&ty, &Ty::Float, span);
            let receiver = operands.swap_remove(0);
            return Expr::new(Kind::Classify(name, Box::new(receiver)), Ty::Bool, span);
        }
        if name == "sin_cos" {
            self.unify(&ty, &Ty::Float, span);
            let receiver = operands.swap_remove(0);
            let ty = Ty::Tuple(vec![Ty::Float, Ty::Float]);
            return Expr::new(Kind::SinCos(Box::new(receiver)), ty, span);
        }
        let Some((name, arity)) = symbol::elementary(name) else {
            return self.refuse_about(name_span, &error::UNKNOWN_METHOD, name);
        };
        if operands.len() != arity {
            self.cx.mismatch();
            return Expr::new(Kind::Refused, Ty::Float, span);
        }
        let integer = symbol::has_integer(name);
        for (k, e) in operands.iter().enumerate() {
            let wanted = if integer && k + 1 == arity {
                Ty::Int("i32".to_owned())
            } else {
                Ty::Float
            };
            self.unify(&e.ty.clone(), &wanted, e.span);
        }
        Expr::new(Kind::Elementary(name, operands), Ty::Float, span)
    }

    /// What is left, and whether it does not fit.
    fn overflowing(
        &mut self,
        what: &str,
        operands: Vec<Expr>,
        ty: Ty,
        name_span: Extent,
        span: Extent,
    ) -> Expr {
        let mut operands = operands.into_iter();
        let receiver = operands.next().expect("a method has a receiver");
        self.keeping_value(receiver, |r, receiver| {
            let both = |r: &mut Self, operands: Vec<Expr>| {
                let rest = format!("wrapping_{what}");
                let rest = r.int_method(&rest, operands.clone(), ty.clone(), name_span, span);
                let fits = format!("checked_{what}");
                let fits = r.int_method(&fits, operands, ty.clone(), name_span, span);
                let expr = |kind: Kind, ty: Ty| Expr { kind, ty, span };
                let some = expr(
                    Kind::Let(
                        Pat::Variant(Variant::Some, Box::new(Pat::Wild)),
                        Box::new(fits),
                    ),
                    Ty::Bool,
                );
                let lost = expr(Kind::Not(Box::new(some)), Ty::Bool);
                let tys = Ty::Tuple(vec![rest.ty.clone(), Ty::Bool]);
                expr(Kind::Tuple(vec![rest, lost]), tys)
            };
            match operands.next() {
                None => both(r, vec![receiver]),
                Some(other) => r.keeping_value(other, |r, other| both(r, vec![receiver, other])),
            }
        })
    }

    fn int_method(
        &mut self,
        name: &str,
        operands: Vec<Expr>,
        ty: Ty,
        name_span: Extent,
        span: Extent,
    ) -> Expr {
        if let Some(same) = symbol::checked_method(name) {
            let other = if same { ty } else { Ty::Int("u32".to_owned()) };
            for e in &operands[1..] {
                self.unify(&e.ty.clone(), &other, e.span);
            }
            return self.checked_int(name, operands, span);
        }
        let Some((result, same)) = symbol::int_method(name) else {
            return self.refuse_about(name_span, &error::UNKNOWN_INT_METHOD, name);
        };
        let other = if same {
            ty.clone()
        } else {
            Ty::Int("u32".to_owned())
        };
        for e in &operands[1..] {
            self.unify(&e.ty.clone(), &other, e.span);
        }
        let result = match result {
            symbol::IntResult::Same => ty,
            symbol::IntResult::U32 => Ty::Int("u32".to_owned()),
            symbol::IntResult::Bool => Ty::Bool,
            symbol::IntResult::Unsigned => match ty {
                Ty::Int(name) => Ty::Int(symbol::unsigned(&name)),
                ty => {
                    let traits = self.types.traits(&ty).unwrap_or_default();
                    match self.types.name(&ty).cloned().filter(|_| traits.field) {
                        Some(path) => {
                            let path = self.projection(&path.0, "::Unsigned>::Type");
                            self.types.fresh_named(path, traits)
                        }
                        None => self.types.fresh_with(Traits {
                            integer: true,
                            ..Traits::default()
                        }),
                    }
                }
            },
        };
        Expr::new(Kind::IntMethod(name.to_owned(), operands), result, span)
    }
}

/// A literal, also with a sign.
fn is_literal(e: &Expr) -> bool {
    match &e.kind {
        Kind::Lit(_) => true,
        Kind::Neg(e) => matches!(e.kind, Kind::Lit(_)),
        _ => false,
    }
}

/// Whether the expression makes a value of a foreign type: an error to be returned.
pub(super) fn is_foreign(e: &syn::Expr) -> bool {
    match super::expr::strip(e) {
        syn::Expr::Macro(m) => m.mac.path.is_ident("format"),
        syn::Expr::Struct(_) => true,
        syn::Expr::Call(c) => match super::expr::strip(&c.func) {
            syn::Expr::Path(p) => {
                let mut last = p.path.segments.iter().rev().take(2);
                last.any(|s| s.ident.to_string().starts_with(char::is_uppercase))
            }
            _ => false,
        },
        syn::Expr::MethodCall(m) => {
            matches!(
                m.method.to_string().as_str(),
                "to_string" | "into" | "to_owned"
            ) && matches!(super::expr::strip(&m.receiver), syn::Expr::Lit(_))
        }
        _ => false,
    }
}
