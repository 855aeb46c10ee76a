//! Blocks and statements.

use super::components::by_components;
use super::expr::{strip, unraw};
use super::grouped::Grouped;
use super::ranges::with_ranges;
use super::{Reader, effect};
use crate::error;
use crate::ir::Tokens;
use crate::lower::code;
use crate::lower::environment::spelled;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Block, Expr, Kind, Passive, Pat, Step};
use crate::lower::ty::Ty;
use crate::lower::types::element;
use crate::lower::{inline, types};
use crate::sorted::{Map, Set};
use crate::walk::is_assignment;
use crate::walk::{self, Node, Onward};
use quote::ToTokens;

impl Reader<'_> {
    /// A block in a scope of its own.
    pub(super) fn block(&mut self, block: &syn::Block) -> Block {
        self.scoped(|r| r.block_in_scope(block))
    }

    /// A block in the current scope.
    pub(super) fn block_in_scope(&mut self, block: &syn::Block) -> Block {
        let written = with_ranges(block);
        let block = written.as_ref().unwrap_or(block);
        let written = self.with_types_of_borrowed(block);
        let block = written.as_ref().unwrap_or(block);
        let written = self.with_collections(block);
        let block = written.as_ref().unwrap_or(block);
        for stmt in &block.stmts {
            if let syn::Stmt::Item(item) = stmt {
                self.item_stmt(item);
            }
        }
        let mut stmts = Vec::new();
        let mut value = None;
        let mut groups: Vec<Grouped> = Vec::new();
        for (k, stmt) in block.stmts.iter().enumerate() {
            let last = k + 1 == block.stmts.len();
            if let Some(made) = self.let_state(&block.stmts, k) {
                stmts.extend(made);
                continue;
            }
            groups.extend(self.grouped(&block.stmts, k));
            if let Some(group) = groups.iter().find(|g| g.members.contains(&k)) {
                if group.members.last() == Some(&k) {
                    stmts.push(self.let_grouped(group));
                }
                continue;
            }
            match stmt {
                syn::Stmt::Local(local) => {
                    self.cx.look_at(local.extent());
                    let placing = self.placing_behind(local);
                    if self.is_closure(local) {
                        stmts.extend(self.let_closure(local));
                    } else if let Some(each) = self.each_of_tuple(local) {
                        stmts.extend(self.block_in_scope(&each).stmts);
                    } else if let Some(found) = self.let_functions(local) {
                        stmts.extend(found);
                    } else if self.is_chain_let(local) {
                        stmts.extend(self.let_chain(local));
                    } else {
                        stmts.extend(self.let_stmt(local));
                    }
                    self.placing.extend(placing);
                    self.cx.look_away();
                }
                syn::Stmt::Item(syn::Item::Const(c)) if inline::is_type(c) => {
                    let rest = self.with_type(c, &block.stmts[k + 1..]);
                    let rest = self.block_in_scope(&rest);
                    stmts.extend(rest.stmts);
                    value = rest.value;
                    break;
                }
                syn::Stmt::Item(_) => {}
                syn::Stmt::Expr(e, None) if last => value = Some(Box::new(self.expr(e))),
                syn::Stmt::Expr(e, semi) => {
                    stmts.push(Step::Expr(self.discarded(e, semi.is_some())))
                }
                syn::Stmt::Macro(m) => {
                    self.no_attributes(&m.attrs);
                    let e = if self.writes_to_state(&m.mac) && effect::is_write(&m.mac) {
                        let (mac, attrs) = (m.mac.clone(), Vec::new());
                        self.discarded(&syn::ExprMacro { attrs, mac }.into(), true)
                    } else if m.semi_token.is_some() && effect::is_write(&m.mac) {
                        self.write_macro(&m.mac, None, m.mac.extent())
                    } else {
                        self.macro_expr(&m.mac)
                    };
                    if last && m.semi_token.is_none() {
                        value = Some(Box::new(e));
                    } else {
                        stmts.push(Step::Expr(e));
                    }
                }
            }
        }
        let mut block = Block {
            stmts,
            value,
            ty: Ty::unit(),
        };
        block.ty = match &block.value {
            Some(v) => v.ty.clone(),
            None if block_diverges(&block) => self.types.fresh(),
            None => Ty::unit(),
        };
        block
    }

    /// `let mut v = constant.to_vec();` is a vector of the function's own. So is what a constant is copied into that is
    /// assigned to later: it is a variable, of whatever type is written.
    fn own_copy(&mut self, pat: &syn::Pat, init: &syn::Expr, e: &mut Expr) {
        let syn::Pat::Ident(name) = pat else { return };
        let ty = self.types.peel(&e.ty);
        let is_foreign = self.types.is_foreign(&ty);
        if name.mutability.is_none() || !matches!(e.kind, Kind::Passive(_)) {
            return;
        }
        let is_copy = matches!(strip(init), syn::Expr::MethodCall(m)
            if matches!(&*m.method.to_string(), "clone" | "to_owned" | "to_vec"));
        if let (Ty::Slice(of), true) = (&ty, is_copy) {
            e.ty = Ty::Vec(of.clone());
        }
        if !is_foreign {
            return;
        }
        let assigned = self.assigned.get(&unraw(&name.ident)).copied();
        let copied = match strip(init) {
            syn::Expr::MethodCall(m) if m.method == "to_vec" => true,
            syn::Expr::MethodCall(m) if m.method == "clone" || m.method == "to_owned" => {
                assigned.is_some_and(|by| by.index)
            }
            _ => false,
        };
        let written = self.constant_type(&ty).filter(|_| assigned.is_some());
        let written = written.and_then(|ty| types::read_local(&ty, self.float, &mut self.types));
        let is_struct = |ty: &Ty| matches!(ty, Ty::Struct(_) | Ty::Opaque(_));
        let own = match written {
            Some(own) if !self.types.any(&own, &is_struct) => own,
            _ if copied => Ty::Vec(Box::new(self.foreign())),
            _ => return,
        };
        self.unify(&ty, &own, e.span);
    }

    pub(super) fn let_stmt(&mut self, local: &syn::Local) -> Option<Step> {
        self.no_attributes(&local.attrs);
        if let Some(local) = by_components(local) {
            return self.let_stmt(&local);
        }
        let (pat, written) = match &local.pat {
            syn::Pat::Type(t) if self.is_known_constant(&t.pat, &t.ty, local) => (&*t.pat, None),
            syn::Pat::Type(t) => (&*t.pat, Some(&*t.ty)),
            pat => (pat, None),
        };
        let known = match (written, &local.init) {
            (None, Some(init)) => self.integers_of(pat, &init.expr),
            _ => None,
        };
        let annotated = written.or(known.as_ref()).and_then(|t| self.annotation(t));
        let Some(init) = &local.init else {
            let ty = annotated.unwrap_or_else(|| self.types.fresh());
            let pat = self.pattern(pat, &ty);
            return Some(Step::Let { pat, init: None });
        };
        if let (syn::Pat::Wild(_), Some(mac)) = (pat, effect::as_write(&init.expr)) {
            return Some(Step::Expr(self.write_macro(mac, None, init.expr.extent())));
        }
        if let Some((_, els)) = &init.diverge {
            return self.let_else(pat, annotated, &init.expr, els);
        }
        let copied = super::copied::is_changed(pat).then(|| {
            self.copied_structs(&init.expr)
                .or_else(|| self.constant_rows(&init.expr, None))
        });
        let own = written.and_then(|ty| self.owned_tuples(&init.expr, ty));
        let mut e = match copied.flatten().or(own) {
            Some(copied) => self.expr(&copied),
            None => {
                let place = annotated.as_ref();
                let expected = place.and_then(|place| self.as_expected(&init.expr, place));
                self.initial(place, expected.as_ref().unwrap_or(&init.expr))
            }
        };
        if super::copied::is_changed(pat)
            && let Some(own) = self.own_struct(&e)
        {
            e = own;
        }
        if let Some(written) = written {
            self.take_apart(written, &mut e);
        }
        self.own_options(pat, &mut e);
        if self.is_taken_apart(pat, &e) {
            return Some(self.let_constant(pat, annotated, e));
        }
        self.own_copy(pat, &init.expr, &mut e);
        let ty = match annotated {
            Some(of)
                if self.is_of_objects(&of)
                    && matches!(e.kind, Kind::Passive(_))
                    && !self.is_to_box(&e.ty) =>
            {
                // it is given, and was not made here
                let written = written.map(|ty| Tokens(ty.to_token_stream()));
                e.ty = written.map_or(of, |ty| self.types.fresh_written(ty));
                e.ty.clone()
            }
            Some(ty) => {
                if self.is_of_objects(&ty) {
                    self.lift_to(&mut e, &ty);
                }
                let ty = self.held(ty, &e.ty);
                self.lift_to(&mut e, &ty);
                self.unify(&e.ty.clone(), &ty, e.span);
                if let (Some(code), Some(written)) = (code_of(&mut e), written)
                    && !self.scalar
                    && is_made_for(&init.expr)
                {
                    code.tokens = Tokens(code::typed(&code.tokens.0, written));
                }
                if is_made_here(&e) && !self.types.may_be(&ty, &e.ty) {
                    self.cx.mismatch();
                }
                // `let p: Poly<2> = Poly { .. };`
                if let (Kind::Struct { .. }, Ty::Struct(_)) = (&e.kind, &ty) {
                    e.ty = ty.clone();
                }
                // what the user wrote decides where a reference or an array is coerced
                if let Kind::Refused = e.kind {
                    e.ty = ty.clone();
                }
                ty
            }
            None => {
                if let syn::Pat::Wild(_) = pat {
                    self.unread(&e);
                }
                e.ty.clone()
            }
        };
        let pat = self.pattern(pat, &ty);
        self.note_owned(&pat, &e);
        self.note_unresolved(&pat, &e);
        self.note_made(&pat, &init.expr, &e);
        self.note_struct_of_constants(&pat, &init.expr);
        (!self.stands(&pat, &e)).then_some(Step::Let { pat, init: Some(e) })
    }

    /// What changes is an option of the function's own.
    fn own_options(&mut self, pat: &syn::Pat, e: &mut Expr) {
        match (pat, &mut e.kind) {
            (syn::Pat::Tuple(t), Kind::Tuple(values)) if t.elems.len() == values.len() => {
                for (pat, value) in t.elems.iter().zip(values.iter_mut()) {
                    self.own_options(pat, value);
                }
                e.ty = Ty::Tuple(values.iter().map(|value| value.ty.clone()).collect());
            }
            _ if super::copied::is_changed(pat) => {
                if let Some(of) = self.constant_type(&e.ty)
                    && types::is_option(&of)
                {
                    self.take_apart(&of, e);
                }
            }
            _ => {}
        }
    }

    /// What a call makes of constants is made once in each sweep, and not wherever it is used.
    fn note_made(&mut self, pat: &Pat, init: &syn::Expr, e: &Expr) {
        let makes = matches!(
            strip(init),
            syn::Expr::Array(_)
                | syn::Expr::Call(_)
                | syn::Expr::MethodCall(_)
                | syn::Expr::Macro(_)
                | syn::Expr::Block(_)
                | syn::Expr::If(_)
                | syn::Expr::Match(_)
        );
        let is_place = |ty: &Ty| !matches!(ty, Ty::Ref(..) | Ty::Float | Ty::Int(_) | Ty::Bool);
        let mut value = e;
        while let Kind::Block(Block {
            value: Some(inner), ..
        }) = &value.kind
        {
            value = inner;
        }
        if let (Pat::Bind(local), Kind::Passive(code)) = (pat, &value.kind)
            && makes
            && !code.explicit
            && is_place(&self.types.shallow(&e.ty))
        {
            self.locals[local.0].once = true;
        }
    }

    /// The type that is written where a constant may be bound, which stays one.
    pub(super) fn held(&self, written: Ty, found: &Ty) -> Ty {
        let within = |written: Box<Ty>, found: &Ty| Box::new(self.held(*written, found));
        match (written, self.types.shallow(found)) {
            (Ty::Struct(path), Ty::Opaque(of)) if of == path => Ty::Opaque(of),
            (Ty::Bundle(path, _), Ty::Bundle(of, found)) if is_same(&path, &of) => {
                Ty::Bundle(path, found)
            }
            (Ty::Struct(path), Ty::Ref(_, of)) => self.held(Ty::Struct(path), &of),
            (Ty::Ref(mutable, of), Ty::Ref(_, found)) => Ty::Ref(mutable, within(of, &found)),
            (Ty::Ref(mutable, of), found @ Ty::Opaque(_)) => Ty::Ref(mutable, within(of, &found)),
            (Ty::Ref(false, of), found) if self.types.traits(&found).is_some_and(|t| t.foreign) => {
                match *of {
                    Ty::Struct(path) => Ty::reference(false, Ty::Opaque(path)),
                    of => Ty::reference(false, of),
                }
            }
            (Ty::Slice(_) | Ty::Array(..) | Ty::Vec(_), Ty::Opaque(of)) if is_list(&of) => {
                Ty::Opaque(of)
            }
            (Ty::Slice(of), Ty::Slice(found)) => Ty::Slice(within(of, &found)),
            (Ty::Vec(of), Ty::Vec(found)) => Ty::Vec(within(of, &found)),
            (Ty::Array(of, n), Ty::Array(found, _)) => Ty::Array(within(of, &found), n),
            (Ty::Vec(of), found) if self.types.traits(&found).is_some_and(|t| t.foreign) => {
                match *of {
                    Ty::Struct(path) => Ty::Vec(Box::new(Ty::Opaque(path))),
                    of => Ty::Vec(Box::new(of)),
                }
            }
            (written, _) => written,
        }
    }

    /// Type of `let x: T`; foreign types are allowed, for passive code.
    pub(super) fn annotation(&mut self, ty: &syn::Type) -> Option<Ty> {
        match types::read_local(ty, self.float, &mut self.types) {
            Some(ty) => Some(self.resolved_parts(ty.with_own_rows())),
            None => {
                if types::is_other_float(ty, self.float) {
                    self.cx
                        .error_about(ty.extent(), &error::MIXED_FLOATS, ty.to_token_stream());
                } else {
                    self.cx
                        .error_about(ty.extent(), &error::LOCAL_TYPE, ty.to_token_stream());
                }
                None
            }
        }
    }

    /// Lengths may be constants of the function, and structs that are not derived hold constants.
    fn resolved_parts(&self, ty: Ty) -> Ty {
        let inner = |t: Box<Ty>| Box::new(self.resolved_parts(*t));
        let each = |ts: Vec<Ty>| ts.into_iter().map(|t| self.resolved_parts(t)).collect();
        match ty {
            Ty::Ref(false, t) => match *t {
                Ty::Struct(path) if self.env.is_opaque(&path.0.to_string()) => {
                    Ty::reference(false, Ty::Opaque(path))
                }
                t => Ty::reference(false, self.resolved_parts(t)),
            },
            Ty::Array(t, n) => Ty::Array(inner(t), Tokens(self.with_items(n.0))),
            Ty::Slice(t) => Ty::Slice(inner(t)),
            Ty::Vec(t) => Ty::Vec(inner(t)),
            Ty::Ref(m, t) => Ty::Ref(m, inner(t)),
            Ty::Tuple(ts) => Ty::Tuple(each(ts)),
            Ty::Sum(ts) => Ty::Sum(each(ts)),
            other => other,
        }
    }

    /// An expression whose value is dropped.
    fn discarded(&mut self, e: &syn::Expr, semi: bool) -> Expr {
        if let Some(found) = self.dropped_on_state(e).or_else(|| self.dropped(e)) {
            return found;
        }
        if let syn::Expr::MethodCall(m) = strip(e)
            && m.method == "ok"
            && let Some(mac) = effect::as_write(&m.receiver)
        {
            return self.write_macro(mac, None, e.extent());
        }
        if let Some(nothing) = self.drop_of_local(e) {
            return nothing;
        }
        let is_change = semi && self.has_change(e);
        if let (false, syn::Expr::MethodCall(_)) = (is_change, strip(e))
            && let Some(change) = self.change_opaque_field(strip(e))
        {
            return change;
        }
        let change = is_change.then(|| self.changing_statement(e)).flatten();
        let mut e = change.unwrap_or_else(|| self.expr(e));
        if is_change {
            super::data::drop_value(&mut e);
        }
        if !semi {
            // a block-like statement has the type `()`
            self.give_back(&e.ty.clone(), &Ty::unit(), e.span);
        }
        self.unread(&e);
        e
    }

    /// The result of a call is dropped: it may be anything, and nothing is asked of it.
    fn unread(&mut self, e: &Expr) {
        let call = matches!(e.kind, Kind::Call { .. });
        // `check(x)?;`
        let traits = self.types.traits(&e.ty).unwrap_or_default();
        let dropped = traits.callee && !(traits.field || traits.integer || traits.refused);
        if (call || dropped) && matches!(self.types.shallow(&e.ty), Ty::Var(_)) {
            self.unify(&e.ty.clone(), &Ty::unit(), e.span);
        }
    }

    /// Attributes on statements and expressions: lints only.
    pub(super) fn no_attributes(&mut self, attrs: &[syn::Attribute]) {
        for a in attrs {
            let lint = ["allow", "expect", "warn", "deny", "doc", "rustfmt"]
                .iter()
                .any(|n| a.path().segments.first().is_some_and(|s| s.ident == n));
            if a.path().is_ident("ad") {
                let name = a.meta.require_list().map(|l| l.tokens.to_string());
                self.cx
                    .error_about(a.extent(), &error::AD_PLACE, name.unwrap_or_default());
            } else if a.path().is_ident("cfg") || a.path().is_ident("cfg_attr") {
                self.cx.error(a.extent(), &error::CFG_STATEMENT);
            } else if !lint {
                self.cx.error(a.extent(), &error::STATEMENT_ATTRIBUTE);
            }
        }
    }
}

/// Whether the type of what a method returns follows from where it goes.
fn is_made_for(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::MethodCall(m) => m.method == "collect" && m.turbofish.is_none(),
        syn::Expr::Block(b) => {
            matches!(b.block.stmts.last(), Some(syn::Stmt::Expr(e, None)) if is_made_for(e))
        }
        _ => false,
    }
}

/// Constant code, also at the end of a block.
fn code_of(e: &mut Expr) -> Option<&mut Passive> {
    match &mut e.kind {
        Kind::Passive(code) => Some(code),
        Kind::Block(block) => code_of(block.value.as_deref_mut()?),
        _ => None,
    }
}

/// Whether the end of the block is never reached.
pub(super) fn block_diverges(block: &Block) -> bool {
    block.stmts.iter().any(|s| match s {
        Step::Let { init, .. } => init.as_ref().is_some_and(diverges),
        Step::LetElse { init, .. } => diverges(init),
        Step::Expr(e) => diverges(e),
        Step::Closure(_) | Step::Chain(_) => false,
    }) || block.value.as_ref().is_some_and(|v| diverges(v))
}

/// Whether the expression never gives a value.
pub(super) fn diverges(e: &Expr) -> bool {
    match &e.kind {
        Kind::Return(_) | Kind::Break(..) | Kind::Continue(_) => true,
        Kind::Block(b) => block_diverges(b),
        Kind::If { cond, then, els } => {
            diverges(cond) || (block_diverges(then) && els.as_ref().is_some_and(|e| diverges(e)))
        }
        Kind::Loop { broken, .. } => !broken,
        Kind::Labelled { body, broken, .. } => !broken && block_diverges(body),
        Kind::Match(e, arms) => {
            diverges(e) || (!arms.is_empty() && arms.iter().all(|a| diverges(&a.body)))
        }
        Kind::Effect(e) => e.diverges,
        Kind::Lit(_)
        | Kind::Local(_)
        | Kind::Passive(_)
        | Kind::OnState(_)
        | Kind::Cut(..)
        | Kind::Neg(_)
        | Kind::Not(_)
        | Kind::Deref(_)
        | Kind::Bin(..)
        | Kind::Cmp(..)
        | Kind::And(..)
        | Kind::Or(..)
        | Kind::Cast(_)
        | Kind::Elementary(..)
        | Kind::SinCos(_)
        | Kind::Classify(..)
        | Kind::Shared(..)
        | Kind::IntMethod(..)
        | Kind::Len(_)
        | Kind::IsEmpty(_)
        | Kind::Index(..)
        | Kind::Range { .. }
        | Kind::Field(..)
        | Kind::TupleField(..)
        | Kind::Ref(..)
        | Kind::Receiver(_)
        | Kind::Components(..)
        | Kind::Tuple(_)
        | Kind::List(_)
        | Kind::Struct { .. }
        | Kind::Blank
        | Kind::Repeat(..)
        | Kind::VecFill(..)
        | Kind::CopyOf(_)
        | Kind::While { .. }
        | Kind::For { .. }
        | Kind::Checkpoint(..)
        | Kind::Assign(..)
        | Kind::AssignOp(..)
        | Kind::Call { .. }
        | Kind::CopyFrom(..)
        | Kind::Fill(..)
        | Kind::Swap(..)
        | Kind::Seq(..)
        | Kind::Reduce(..)
        | Kind::Pick(..)
        | Kind::CallClosure(..)
        | Kind::Chain { .. }
        | Kind::Order(..)
        | Kind::Let(..)
        | Kind::Variant(..)
        | Kind::Checked(..)
        | Kind::CheckedInt(..)
        | Kind::Refused => false,
    }
}

/// A sequence of which it is certain whether it is an array, a vector or a slice.
fn is_made_here(e: &Expr) -> bool {
    match &e.kind {
        Kind::Ref(_, inner) => is_made_here(inner),
        Kind::Range { .. } | Kind::List(_) | Kind::VecFill(..) | Kind::Repeat(..) => true,
        _ => false,
    }
}

/// How a name of the function is assigned to, and whether something of that name has an index.
#[derive(Clone, Copy)]
pub(super) struct Assigned {
    index: bool,
}

/// The names that the function assigns to, as a whole or in part.
pub(super) fn assigned_in(block: &syn::Block) -> Map<String, Assigned> {
    let root = |e: &syn::Expr| {
        let mut e = strip(e);
        loop {
            e = match e {
                syn::Expr::Index(i) => strip(&i.expr),
                syn::Expr::Field(f) => strip(&f.base),
                syn::Expr::Path(p) => break p.path.get_ident().map(unraw),
                _ => break None,
            };
        }
    };
    let (mut assigned, mut indexed) = (Set::new(), Set::new());
    walk::read(Node::Block(block), &mut |node| {
        if let Node::Expr(e) = node {
            match e {
                syn::Expr::Assign(a) => assigned.extend(root(&a.left)),
                syn::Expr::Binary(b) if is_assignment(&b.op) => assigned.extend(root(&b.left)),
                syn::Expr::Index(i) => indexed.extend(root(&i.expr)),
                _ => {}
            }
        }
        Onward::Into
    });
    let of = |name: String| {
        let index = indexed.contains(&name);
        (name, Assigned { index })
    };
    assigned.into_iter().map(of).collect()
}

/// Whether two paths lead to one struct, whatever it borrows.
pub(super) fn is_same(path: &Tokens, other: &Tokens) -> bool {
    let [path, other] = [path, other].map(|of| spelled(&of.0.to_string()));
    path == other
}

/// Whether this is the type of an array, slice or vector.
fn is_list(of: &Tokens) -> bool {
    syn::parse2(of.0.clone()).is_ok_and(|ty| element(&ty).is_some())
}
