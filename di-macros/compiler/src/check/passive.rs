//! Passive code must not read what depends on the inputs, unless it is written as `passive(..)`, or gives an integer
//! or a bool: the derivative would be lost without a word.

use super::lost;
use crate::analysis::flow::{Node, each_flow};
use crate::error;
use crate::ir::{
    Arg, Body, Call, Effect, Gives, Leaf, OPAQUE_PART, Op, Place, PlaceId, PlaceKind, Region, Role,
    Stmt, Tokens, Type, Val,
};
use crate::lower::{Lowered, is_integer_name};
use crate::report::{Extent, Report};
use crate::sorted::{Map, Set};
use proc_macro2::Ident;

/// Notes an error for each operand of passive code that may carry a derivative.
pub(crate) fn check_passive_code(lowered: &Lowered, cx: &Report) {
    let varied = Varied::of(lowered);
    varied.check(&lowered.body.region, cx);
}

/// What may depend on an active parameter. Places count as a whole, and once varied always varied:
/// an approximation on the safe side.
struct Varied<'a> {
    body: &'a Body,
    explicit: &'a Set<Val>,
    extents: &'a Map<Val, Extent>,
    open: &'a [Ident],
    vals: Set<Val>,
    places: Set<PlaceId>,
}

impl<'a> Varied<'a> {
    fn of(lowered: &'a Lowered) -> Varied<'a> {
        let body = &lowered.body;
        let mut v = Varied {
            body,
            explicit: &lowered.explicit,
            extents: &lowered.extents,
            open: &lowered.open,
            vals: Set::new(),
            places: Set::new(),
        };
        for p in &body.params {
            if p.role != Role::Constant {
                v.places.extend(p.place);
            }
        }
        loop {
            let before = (v.vals.len(), v.places.len());
            body.region.all().for_each(|stmt| v.stmt(stmt));
            if before == (v.vals.len(), v.places.len()) {
                return v;
            }
        }
    }

    fn mark(&mut self, v: Val, varied: bool) {
        if varied && self.body.val(v).ty == Type::Float {
            self.vals.insert(v);
        }
    }

    fn reads(&self, place: &Place) -> bool {
        self.places.contains(&place.root)
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(v, Op::Param(n)) => {
                self.mark(*v, self.body.params[*n].role == Role::Active);
            }
            Stmt::View { view, of, .. } => {
                // writes through the view reach what it stands for, and the other way round
                if self.reads(of) {
                    self.places.insert(*view);
                } else if self.places.contains(view) {
                    self.places.insert(of.root);
                }
            }
            Stmt::Call(call) => self.call(call),
            Stmt::Effect(e) => self.effect(e),
            _ => {}
        }
        each_flow(stmt, &mut |from, to| {
            let varied = match from {
                Node::Val(v) => self.vals.contains(&v),
                Node::Place(p) => self.places.contains(&p),
            };
            match to {
                Node::Val(v) => self.mark(v, varied),
                Node::Place(p) if varied => self.write(p),
                Node::Place(_) => {}
            }
        });
    }

    /// What varies may go into state, and no float that may come of it out again.
    fn effect(&mut self, e: &Effect) {
        let is_state = |p: &&PlaceId| self.body.place(**p).kind == PlaceKind::State;
        let states = e.places.iter().map(|(_, p)| p).filter(is_state);
        let mut states: Vec<PlaceId> = states.copied().collect();
        let varied = e.operands.iter().any(|(_, v)| self.vals.contains(v))
            || states.iter().any(|p| self.places.contains(p));
        if let Gives::State(p) = e.gives {
            states.push(p);
        }
        if varied && e.is_on_state() {
            self.places.extend(states);
            e.vals().iter().for_each(|v| self.mark(*v, true));
        }
    }

    fn write(&mut self, root: PlaceId) {
        self.places.insert(root);
    }

    /// A callee may let each active argument reach each result and each `&mut` argument.
    fn call(&mut self, call: &Call) {
        let varied = call.args.iter().any(|a| match a {
            Arg::Value(v) => self.vals.contains(v),
            Arg::Place(p) | Arg::Ref(p) | Arg::Mut(p) => self.reads(p),
            Arg::Verbatim { .. } => false,
        });
        if !varied {
            return;
        }
        for a in &call.args {
            match a {
                Arg::Mut(p) => self.write(p.root),
                Arg::Value(_) | Arg::Place(_) | Arg::Ref(_) | Arg::Verbatim { .. } => {}
            }
        }
        for leaf in call.result.leaves() {
            match leaf {
                Leaf::Val(v) => self.mark(*v, true),
                Leaf::Place(p) => self.write(*p),
            }
        }
    }

    // ---- the check itself ----

    fn check(&self, region: &Region, cx: &Report) {
        for stmt in region.all() {
            match stmt {
                Stmt::Let(
                    v,
                    Op::Verbatim {
                        tokens,
                        operands,
                        places,
                        ..
                    },
                ) => {
                    self.check_code(
                        tokens,
                        operands,
                        places,
                        self.explicit.contains(v) || is_counted(&self.body.val(*v).ty),
                        self.extents
                            .get(v)
                            .copied()
                            .unwrap_or(self.body.val(*v).span.into()),
                        cx,
                    );
                }
                Stmt::Call(call) => {
                    for a in &call.args {
                        if let Arg::Verbatim {
                            tokens,
                            operands,
                            places,
                            ..
                        } = a
                        {
                            self.check_code(
                                tokens,
                                operands,
                                places,
                                false,
                                call_extent(call, self.body),
                                cx,
                            );
                        }
                    }
                }
                // what is printed is seen, and no more; state keeps what goes into it
                Stmt::Effect(e) if e.is_on_state() => {
                    let start = e.tokens.0.clone().into_iter().next();
                    let span = start.map_or(self.body.span, |tree| tree.span());
                    let is_kept = !e.vals().iter().any(|v| self.body.val(*v).ty == Type::Float);
                    self.check_code(&e.tokens, &e.operands, &e.places, is_kept, span.into(), cx);
                }
                _ => {}
            }
        }
    }

    fn check_code(
        &self,
        tokens: &Tokens,
        operands: &[(String, Val)],
        places: &[(String, PlaceId)],
        explicit: bool,
        extent: Extent,
        cx: &Report,
    ) {
        let at = |name: &str| extent.or_read_of(name, &tokens.0);
        let lost = |name: &str| match self.open_struct(tokens) {
            Some(of) => cx.error_about(of.span(), &error::OPEN_STRUCT, of),
            None => {
                let is_parameter = |name: &str| self.names_parameter(name);
                let help = lost::help(name, &tokens.0, &is_parameter);
                cx.error_with_help(at(name), &error::PASSIVE_ACTIVE, shown(name), help);
            }
        };
        for (name, v) in operands {
            if !explicit && self.vals.contains(v) {
                lost(name);
            }
        }
        for (name, p) in places {
            let is_state = self.body.place(*p).kind == PlaceKind::State;
            if is_state && !explicit && self.places.contains(p) {
                let help = Some(lost::of_state());
                cx.error_with_help(at(name), &error::PASSIVE_ACTIVE, shown(name), help);
            }
            let is_free = name == OPAQUE_PART || self.body.place(*p).ty.is_constant_list();
            if self.body.is_generic(*p) && !is_free {
                match explicit {
                    true if self.body.reads_values(*p) => {}
                    true => cx.error_about(at(name), &error::PASSIVE_SEQUENCE, shown(name)),
                    false => lost(name),
                }
            }
        }
    }

    /// Whether this is the name of a parameter.
    fn names_parameter(&self, name: &str) -> bool {
        self.body.params.iter().any(|p| p.name == name)
    }

    /// The struct that code makes, if that is generic over types.
    fn open_struct(&self, code: &Tokens) -> Option<&'a Ident> {
        if self.open.is_empty() {
            return None;
        }
        let text = code.0.to_string();
        let words: Set<&str> = text
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .collect();
        let mut open = self.open.iter();
        open.find(|of| words.contains(&&*of.to_string()))
    }
}

/// Whether rustc checks that this is an integer or a bool, which carry no derivative.
fn is_counted(ty: &Type) -> bool {
    match ty {
        Type::Int(name) => is_integer_name(name),
        ty => *ty == Type::Bool,
    }
}

/// The callee's path.
fn call_extent(call: &Call, body: &Body) -> Extent {
    let mut trees = call.callee.0.clone().into_iter();
    match (trees.next(), trees.last()) {
        (Some(first), Some(last)) => Extent {
            start: first.span(),
            end: last.span(),
        },
        (Some(first), None) => first.span().into(),
        (None, _) => body.span.into(),
    }
}

/// A variable as its author knows it: not by the names that parts and arguments have in passive code.
fn shown(name: &str) -> &str {
    match name.strip_prefix("__") {
        Some(own) if own.starts_with("arg") => "an argument",
        Some(own) => own
            .trim_start_matches('_')
            .split("_part")
            .next()
            .unwrap_or(own),
        None => name,
    }
}
