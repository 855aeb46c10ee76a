//! Loops whose trips are not recorded become functions of their own: `#[ad(checkpoint)] for ..`.
//!
//! The body of such a loop becomes a function, the step, and the loop a call of another one, the
//! driver, which runs the steps and knows how to run them backwards from few snapshots. Steps are
//! differentiated like any function; of the driver only the parameters are made here. Numbers that
//! change from trip to trip travel in an array, so that the state is what is lent by `&mut`.

mod uses;

use self::uses::{Fault, Uses, collect, states};
use crate::analysis::activity::activity;
use crate::analysis::control::Control;
use crate::analysis::views::Views;
use crate::error::{self, Message};
use crate::ir::{
    Arg, Body, Call, Exit, For, Frame, Init, Lit, Mode, Op, Param, Place, PlaceId, PlaceKind, Proj,
    Region, Role, Schedule, Stmt, Tokens, Tree, Type, Val,
};
use crate::mutation::seeded;
use crate::sorted::Map;
use crate::transform::structure::structure;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

/// A loop that was taken out.
pub(crate) struct Outlined {
    /// Number of the loop in its function.
    pub(crate) index: usize,
    pub(crate) schedule: Schedule,
    /// One trip. Its parameters are the number of the trip, and those of the driver but the first.
    pub(crate) step: Body,
    /// The whole loop: the number of trips comes first. It has no code.
    pub(crate) driver: Body,
}

/// A loop that cannot be taken out: where, why, and what is meant.
pub(crate) struct Refusal {
    pub(crate) span: Span,
    pub(crate) message: &'static Message,
    pub(crate) subject: String,
}

/// Takes all marked loops out of a body, and out of one another. `callee`: the path of the driver of
/// a loop and its generic arguments, by its number.
pub(crate) fn outline_all(
    body: &Body,
    marked: &Map<Val, Schedule>,
    callee: &dyn Fn(usize) -> (Tokens, Option<Tokens>),
) -> Result<(Body, Vec<Outlined>), Refusal> {
    let (body, mut found) = outline(body, marked, callee, 0)?;
    let mut next = 0;
    while next < found.len() {
        let (step, inner) = outline(&found[next].step, marked, callee, found.len())?;
        found[next].step = step;
        found.extend(inner);
        next += 1;
    }
    Ok((body, found))
}

/// Takes the marked loops out of a body; inner ones are left in the steps of outer ones, whose
/// bodies are to be taken through here again. Loops are marked by their induction variables.
fn outline(
    body: &Body,
    marked: &Map<Val, Schedule>,
    callee: &dyn Fn(usize) -> (Tokens, Option<Tokens>),
    first: usize,
) -> Result<(Body, Vec<Outlined>), Refusal> {
    if marked.is_empty() {
        return Ok((body.clone(), Vec::new()));
    }
    let views = Views::of(body);
    let facts = activity(body, &views);
    // pattern code has sets also of what a branch on inputs chooses among constants
    let control = Control::of(&structure(body).body).activity;
    let mut cx = Cx {
        primal: body,
        views: &views,
        generic_val: &|v| facts.is_generic(v) || control.is_generic(v),
        generic_place: &|p| facts.is_generic_place(p) || control.is_generic_place(p),
        marked,
        callee,
        first,
        literals: literals(&body.region),
        body: body.clone(),
        found: Vec::new(),
    };
    let region = cx.region(&body.region)?;
    Ok((Body { region, ..cx.body }, cx.found))
}

struct Cx<'a> {
    primal: &'a Body,
    views: &'a Views,
    generic_val: &'a dyn Fn(Val) -> bool,
    generic_place: &'a dyn Fn(PlaceId) -> bool,
    marked: &'a Map<Val, Schedule>,
    callee: &'a dyn Fn(usize) -> (Tokens, Option<Tokens>),
    first: usize,
    literals: Map<Val, Lit>,
    body: Body,
    found: Vec<Outlined>,
}

impl Cx<'_> {
    fn region(&mut self, region: &Region) -> Result<Region, Refusal> {
        let mut stmts = Vec::new();
        for stmt in &region.stmts {
            match stmt {
                Stmt::For(f) if self.marked.contains_key(&f.iv) => self.take_out(f, &mut stmts)?,
                Stmt::For(f) => stmts.push(Stmt::For(For {
                    body: self.region(&f.body)?,
                    ..f.clone()
                })),
                Stmt::If {
                    cond,
                    then,
                    els,
                    results,
                } => stmts.push(Stmt::If {
                    cond: *cond,
                    then: self.region(then)?,
                    els: self.region(els)?,
                    results: results.clone(),
                }),
                Stmt::While {
                    label,
                    cond,
                    body,
                    trip,
                    trips,
                    frame,
                } => stmts.push(Stmt::While {
                    label: label.clone(),
                    cond: cond.clone(),
                    body: self.region(body)?,
                    trip: *trip,
                    trips: *trips,
                    frame: frame.clone(),
                }),
                Stmt::Block { label, body } => stmts.push(Stmt::Block {
                    label: label.clone(),
                    body: self.region(body)?,
                }),
                other => stmts.push(other.clone()),
            }
        }
        Ok(Region {
            stmts,
            exit: region.exit.clone(),
        })
    }

    fn span(&self, f: &For) -> Span {
        self.primal.val(f.iv).span
    }

    fn take_out(&mut self, f: &For, out: &mut Vec<Stmt>) -> Result<(), Refusal> {
        let mut uses = Uses {
            state: states(self.primal),
            ..Uses::default()
        };
        uses.own_vals.insert(f.iv);
        let span = self.span(f);
        collect(&f.body, &f.label, &mut Vec::new(), &mut uses).map_err(|fault| Refusal {
            span,
            message: match fault {
                Fault::Exit => &error::CHECKPOINT_EXIT,
                Fault::Effect => &error::CHECKPOINT_EFFECT,
            },
            subject: String::new(),
        })?;
        // of a loop that changes nothing there is nothing to record
        let is_view = |p: &PlaceId| matches!(self.primal.place(*p).kind, PlaceKind::View);
        let changes = |p: &PlaceId| !uses.own_places.contains(p) || is_view(p);
        if !uses.written.iter().any(changes) {
            let body = self.region(&f.body)?;
            out.push(Stmt::For(For { body, ..f.clone() }));
            return Ok(());
        }
        uses.vals.extend([f.lo, f.hi]);
        let index = self.first + self.found.len();
        let mut parts = Parts {
            params: Vec::new(),
            args: Vec::new(),
            prologue: Vec::new(),
            epilogue: Vec::new(),
            places: self.body.places.clone(),
        };
        for place in &mut parts.places {
            // what is not handed over is not there
            if !matches!(place.kind, PlaceKind::View | PlaceKind::State) {
                place.kind = PlaceKind::Local;
            }
        }
        let outer_vals: Vec<Val> = uses.vals.difference(&uses.own_vals).copied().collect();
        for v in outer_vals {
            match self.literals.get(&v) {
                Some(lit) => parts.prologue.push(Stmt::Let(v, Op::Lit(lit.clone()))),
                None => self.hand_over_value(v, &mut parts),
            }
        }
        let outer: Vec<PlaceId> = uses.places.difference(&uses.own_places).copied().collect();
        self.check_aliases(&outer, &uses, span)?;
        let mut state = Vec::new();
        for p in outer {
            let info = self.primal.place(p).clone();
            if uses.replaced.contains(&p) {
                return Err(Refusal {
                    span: info.span,
                    message: &error::CHECKPOINT_STATE,
                    subject: info.hint,
                });
            }
            if !info.ty.is_scalar() {
                self.hand_over_place(p, uses.written.contains(&p), &mut parts, span)?;
            } else if !uses.written.contains(&p) {
                // read only: by value
                let v = self
                    .body
                    .new_val(info.ty.clone(), Some(&info.hint), info.span);
                out.push(Stmt::Load(v, Place::from(p)));
                self.hand_over_value(v, &mut parts);
                parts.prologue.push(Stmt::Declare(p, Init::Scalar(v)));
            } else if info.ty == Type::Float {
                state.push(p);
            } else {
                return Err(Refusal {
                    span: info.span,
                    message: &error::CHECKPOINT_STATE,
                    subject: info.hint,
                });
            }
        }
        let back = self.hand_over_state(&state, &mut parts, out, span);
        let trips = self.body.new_val(Type::usize(), None, span);
        out.push(Stmt::Let(
            trips,
            Op::Trips {
                lo: f.lo,
                hi: f.hi,
                inclusive: f.inclusive,
            },
        ));
        let (callee, instance) = (self.callee)(index);
        let mut args = vec![Arg::Value(trips)];
        args.append(&mut parts.args);
        let constants = parts.params.iter().enumerate();
        let constants = constants.filter(|(_, param)| param.role == Role::Constant);
        let constants = constants.map(|(k, _)| k + 1).collect();
        out.push(Stmt::Call(Call {
            callee,
            instance,
            target: None,
            args,
            constants,
            result: Tree::Tuple(Vec::new()),
        }));
        out.extend(back);
        let (step, driver) = self.functions(f, parts, uses.continues, span);
        self.found.push(Outlined {
            index,
            schedule: self.marked[&f.iv],
            step,
            driver,
        });
        Ok(())
    }

    /// The step with its code, and the driver without.
    fn functions(&mut self, f: &For, parts: Parts, continues: bool, span: Span) -> (Body, Body) {
        let name = format!("{}, a loop of it", self.primal.name);
        let number = |name: &str| Param {
            name: name.to_owned(),
            span,
            role: Role::Constant,
            mode: Mode::Value,
            ty: Type::usize(),
            place: None,
            written: Tokens(text("::core::primitive::usize")),
            array: None,
        };
        let mut vals = self.body.vals.clone();
        let mut new_val = |ty: Type| {
            vals.push(crate::ir::ValInfo {
                ty,
                hint: None,
                span,
            });
            Val(u32::try_from(vals.len() - 1).expect("fewer than 2^32 values"))
        };
        let trip = new_val(Type::usize());
        let mut stmts = vec![Stmt::Let(trip, Op::Param(0))];
        stmts.extend(parts.prologue);
        stmts.push(Stmt::Let(
            f.iv,
            Op::Induction {
                lo: f.lo,
                hi: f.hi,
                inclusive: f.inclusive,
                reversed: f.reversed && !seeded!(StepForwards),
                trip,
            },
        ));
        if continues {
            // a loop of one trip, which can be continued
            let (zero, one) = (new_val(Type::usize()), new_val(Type::usize()));
            let once = new_val(Type::usize());
            for (v, n) in [(zero, 0), (one, 1)] {
                stmts.push(Stmt::Let(v, Op::Lit(Lit::Int(n))));
            }
            stmts.push(Stmt::For(For {
                label: f.label.clone(),
                iv: once,
                lo: zero,
                hi: one,
                inclusive: false,
                reversed: false,
                body: f.body.clone(),
                frame: Frame::default(),
                overlapping: false,
            }));
        } else {
            stmts.extend(f.body.stmts.iter().cloned());
        }
        stmts.extend(parts.epilogue);
        let mut params = vec![number("trip")];
        params.extend(parts.params);
        let step = Body {
            name,
            span,
            strong_zeros: self.primal.strong_zeros,
            has_cells: self.primal.has_cells,
            generic: self.primal.generic.clone(),
            float: self.primal.float,
            params: params.clone(),
            returns_rows: false,
            fallible: None,
            lengths: self.primal.lengths.clone(),
            ret: Tree::Tuple(Vec::new()),
            vals,
            places: parts.places,
            region: Region {
                stmts,
                exit: Exit::Return(Vec::new()),
            },
        };
        params[0] = number("trips");
        let driver = Body {
            params,
            vals: Vec::new(),
            places: Vec::new(),
            region: Region {
                stmts: Vec::new(),
                exit: Exit::Return(Vec::new()),
            },
            ..step.clone()
        };
        (step, driver)
    }

    // ---- parameters ----

    fn hand_over_value(&mut self, v: Val, parts: &mut Parts) {
        let info = self.body.val(v).clone();
        let k = parts.params.len() + 1;
        let known = (v.0 as usize) < self.primal.vals.len();
        let active = info.ty == Type::Float && (!known || (self.generic_val)(v));
        parts.params.push(Param {
            name: info.hint.clone().unwrap_or_else(|| "t".to_owned()),
            span: info.span,
            role: if active { Role::Active } else { Role::Constant },
            mode: Mode::Value,
            ty: info.ty.clone(),
            place: None,
            written: Tokens(written(&info.ty, self.primal.float)),
            array: None,
        });
        parts.args.push(Arg::Value(v));
        parts.prologue.push(Stmt::Let(v, Op::Param(k)));
    }

    fn hand_over_place(
        &mut self,
        p: PlaceId,
        is_written: bool,
        parts: &mut Parts,
        span: Span,
    ) -> Result<(), Refusal> {
        let info = self.primal.place(p).clone();
        let k = parts.params.len() + 1;
        let slice = match &info.ty {
            Type::Vec(t) => Type::Slice(t.clone()),
            other => other.clone(),
        };
        let refused = |message| Refusal {
            span,
            message,
            subject: info.hint.clone(),
        };
        if is_written && !matches!(info.ty.leaf(), Type::Float) {
            return Err(refused(&error::CHECKPOINT_STATE));
        }
        let of_user = match info.kind {
            PlaceKind::SharedParam(n) | PlaceKind::ValueParam(n) | PlaceKind::MutParam(n) => {
                Some(self.primal.params[n].clone())
            }
            PlaceKind::Local
            | PlaceKind::State
            | PlaceKind::View
            | PlaceKind::Row
            | PlaceKind::Slot(_)
            | PlaceKind::ResultSlot(_) => None,
        };
        let constant = !(self.generic_place)(p);
        let (mode, role) = match is_written {
            true => (Mode::Mut, Role::InOut),
            false if constant => (Mode::Ref, Role::Constant),
            false => (Mode::Ref, Role::Active),
        };
        // what is not looked into goes over as it came
        let opaque = matches!(info.ty, Type::Opaque(_));
        let (mode, written) = match &of_user {
            Some(param) if opaque => (param.mode, param.written.clone()),
            _ => {
                let mut ty = text("&");
                ty.extend(written(&slice, self.primal.float));
                (mode, Tokens(ty))
            }
        };
        parts.params.push(Param {
            name: info.hint.clone(),
            span: info.span,
            role,
            mode,
            ty: slice.clone(),
            place: Some(p),
            written,
            array: None,
        });
        parts.places[p.0 as usize].ty = slice;
        parts.places[p.0 as usize].kind = match mode {
            Mode::Mut => PlaceKind::MutParam(k),
            Mode::Ref => PlaceKind::SharedParam(k),
            Mode::Value => PlaceKind::ValueParam(k),
        };
        parts.args.push(match mode {
            Mode::Mut => Arg::Mut(Place::from(p)),
            _ if opaque => Arg::Place(Place::from(p)),
            _ => Arg::Ref(Place::from(p)),
        });
        Ok(())
    }

    /// Numbers that change travel in an array; returns what follows the call.
    fn hand_over_state(
        &mut self,
        state: &[PlaceId],
        parts: &mut Parts,
        out: &mut Vec<Stmt>,
        span: Span,
    ) -> Vec<Stmt> {
        if state.is_empty() {
            return Vec::new();
        }
        let k = parts.params.len() + 1;
        let n = state.len();
        let ty = Type::Array(Box::new(Type::Float), Tokens(text(&n.to_string())));
        let array = self
            .body
            .new_place(ty.clone(), "state", PlaceKind::Local, span);
        parts.places.push(crate::ir::PlaceInfo {
            kind: PlaceKind::MutParam(k),
            ..self.body.place(array).clone()
        });
        let mut values = Vec::new();
        let mut back = Vec::new();
        for (i, p) in state.iter().enumerate() {
            let hint = self.primal.place(*p).hint.clone();
            let mut val = |ty: Type| self.body.new_val(ty, Some(&hint), span);
            let (before, after) = (val(Type::Float), val(Type::Float));
            let (first, last) = (val(Type::Float), val(Type::Float));
            let index = || Type::usize();
            let (at, at_first, at_last) = (val(index()), val(index()), val(index()));
            let literal = Op::Lit(Lit::Int(i as i128));
            let element = |at: Val| Place {
                root: array,
                path: vec![Proj::Index(at)],
            };
            out.push(Stmt::Load(before, Place::from(*p)));
            values.push(before);
            if seeded!(StepStateLost) {
                continue;
            }
            back.extend([
                Stmt::Let(at, literal.clone()),
                Stmt::Load(after, element(at)),
                Stmt::Store(Place::from(*p), after),
            ]);
            parts.prologue.extend([
                Stmt::Let(at_first, literal.clone()),
                Stmt::Load(first, element(at_first)),
                Stmt::Declare(*p, Init::Scalar(first)),
            ]);
            parts.epilogue.extend([
                Stmt::Load(last, Place::from(*p)),
                Stmt::Let(at_last, literal),
                Stmt::Store(element(at_last), last),
            ]);
        }
        out.push(Stmt::Declare(array, Init::List(values)));
        parts.params.push(Param {
            name: "state".to_owned(),
            span,
            role: Role::InOut,
            mode: Mode::Mut,
            ty: ty.clone(),
            place: Some(array),
            written: Tokens(written(&ty, self.primal.float)),
            array: None,
        });
        parts.args.push(Arg::Mut(Place::from(array)));
        back
    }

    /// A place that is written may be handed over under one name only.
    fn check_aliases(&self, outer: &[PlaceId], uses: &Uses, span: Span) -> Result<(), Refusal> {
        let mut seen: Map<PlaceId, PlaceId> = Map::new();
        for p in outer {
            let base = self.views.root(*p);
            if let Some(other) = seen.insert(base, *p)
                && (uses.written.contains(p) || uses.written.contains(&other))
            {
                return Err(Refusal {
                    span,
                    message: &error::CHECKPOINT_ALIAS,
                    subject: self.primal.place(base).hint.clone(),
                });
            }
        }
        Ok(())
    }
}

/// A function's parameters under construction, and the arguments that go with them.
struct Parts {
    params: Vec<Param>,
    args: Vec<Arg>,
    prologue: Vec<Stmt>,
    epilogue: Vec<Stmt>,
    places: Vec<crate::ir::PlaceInfo>,
}

fn literals(region: &Region) -> Map<Val, Lit> {
    let literal = |stmt: &Stmt| match stmt {
        Stmt::Let(v, Op::Lit(lit)) => Some((*v, lit.clone())),
        _ => None,
    };
    region.all().filter_map(literal).collect()
}

fn text(code: &str) -> TokenStream {
    code.parse().expect("code of our own is well-formed")
}

/// A type of plain floats.
fn written(ty: &Type, float: &str) -> TokenStream {
    match ty {
        Type::Float | Type::Lane => text(&format!("::core::primitive::{float}")),
        Type::Int(name) if name.starts_with('<') => text(name),
        Type::Int(name) => text(&format!("::core::primitive::{name}")),
        Type::Bool => text("::core::primitive::bool"),
        Type::Array(t, n) => {
            let mut inner = written(t, float);
            inner.extend(text(";"));
            inner.extend(n.0.clone());
            bracketed(inner)
        }
        Type::Slice(t) | Type::Vec(t) => bracketed(written(t, float)),
        Type::Struct(path) | Type::Lanes(path) | Type::Opaque(path) => path.0.clone(),
    }
}

fn bracketed(inner: TokenStream) -> TokenStream {
    TokenTree::from(Group::new(Delimiter::Bracket, inner)).into()
}
