//! From the typed tree to the IR: evaluation order is made explicit, tuples are scalarised, control
//! flow becomes regions. Types are solved by now; what could not be inferred is an error here.

mod assign;
mod bind;
mod call;
mod called_rows;
mod closure;
mod components;
mod constants;
mod control;
mod data;
mod elements;
mod expr;
mod growth;
mod holder;
mod iter;
mod kinds;
mod lists;
mod loops;
mod matching;
mod passive;
mod pattern;
mod place;
mod readings;
mod rebound;
mod reference;
mod regions;
mod rows;
mod sequence;
mod sort;
mod state;
mod stored;
mod structs;
mod unnamed;

pub(super) use self::call::one_float;
use self::constants::Constants;
use self::holder::{Holder, Owner};
use self::iter::Chains;
use self::passive::Code;
use self::reference::{Choice, Possible, Variable};
use self::rows::Store;
pub(super) use self::rows::{handle, is_rows, nested};
use super::hir::{Closure, Function, Local, LocalInfo};
use super::signature::{Seen, Signature, fallible};
use super::stored::{has_vector, is_stored, part_type, parts};
use super::ty::{Ty, Unifier, from_ir};
use super::vectors::Vectors;
use crate::error;
use crate::ir::{
    ArrayPart, Body, Exit, Init, Lit, Mode, Op, Place, PlaceId, PlaceKind, Proj, Region, Schedule,
    Stmt, TEMPORARY, Tokens, Type, Val,
};
use crate::report::{Extent, Report};
use crate::sorted::{Map, Set};
use proc_macro2::Span;

/// What `build` makes.
pub(crate) struct Built {
    pub(crate) body: Body,
    /// Values made by `passive(..)`: active values may enter.
    pub(crate) explicit: Set<Val>,
    /// Where passive code stands.
    pub(crate) extents: Map<Val, Extent>,
    /// Loops whose trips are not recorded, by induction variable.
    pub(crate) checkpoints: Map<Val, Schedule>,
}

/// How often a function is lowered at most: once more for each reference that turns out to have
/// another target.
const ATTEMPTS: usize = 100;

/// Lowers a function.
pub(crate) fn build(
    name: &str,
    span: Span,
    sig: Signature,
    function: &Function,
    types: &Unifier,
    cx: &Report,
) -> Built {
    let (mut known, mut late) = (Map::new(), Set::new());
    for _ in 0..ATTEMPTS {
        let trial = Report::default();
        let mut b = Builder::new(name, span, sig.clone(), function, types, &trial, known);
        b.readings.late = late;
        b.rebound = b.rebound(&function.body);
        b.number_sites(&function.body);
        b.bind_params(&sig.seen);
        b.function_body(&function.body);
        let region = b.close(Vec::new());
        b.body.region = region;
        if b.again {
            (known, late) = (b.known, b.readings.late);
            trial.discard();
            continue;
        }
        let built = Built {
            body: b.body,
            explicit: b.explicit,
            extents: b.extents,
            checkpoints: b.checkpoints,
        };
        cx.absorb(trial);
        return built;
    }
    unreachable!("build: a function has finitely many targets")
}

/// What an expression or a variable stands for.
#[derive(Clone, Debug)]
enum Operand {
    Val(Val),
    /// Storage: an array, slice, vector or struct; or a scalar that is not loaded yet.
    Place(Place),
    Tuple(Vec<Operand>),
    /// Passive code of a type that is no scalar: put in where it is used.
    Passive(Code),
    /// A reference with more than one target, or none.
    Choice(Choice),
    /// A reference that is bound anew: what it stands for is looked up where it is used.
    Held(Holder),
}

impl Operand {
    fn unit() -> Operand {
        Operand::Tuple(Vec::new())
    }
}

/// A region under construction.
#[derive(Default)]
struct Open {
    stmts: Vec<Stmt>,
    state: State,
    /// Its number, and those of regions that were put into it.
    numbers: Vec<usize>,
}

#[derive(Default)]
enum State {
    #[default]
    Live,
    /// Left by this exit: what follows in the source is dead.
    Left(Exit),
    /// Its end is never reached, but no exit of its own says so.
    Dead,
}

/// A loop or labelled block that is open.
struct LoopSlot {
    label: Option<String>,
    is_loop: bool,
    /// Places that `break` writes its value to.
    value: Operand,
    /// Set by `break`, where more loops are left with this one.
    flag: Option<PlaceId>,
}

struct Builder<'a> {
    cx: &'a Report,
    /// Name of the float type.
    float: &'static str,
    types: &'a Unifier,
    locals: &'a [LocalInfo],
    /// Of the structs that are known.
    vectors: &'a Vectors,
    /// Names of the function's constant parameters.
    lengths: &'a [String],
    body: Body,
    bound: Vec<Operand>,
    regions: Vec<Open>,
    loops: Vec<LoopSlot>,
    closures: &'a [Closure],
    /// Iterators that have a name.
    chains: Chains<'a>,
    /// Number of labels of our own.
    labels: u32,
    /// Places whose content may change after they are made.
    written: Set<PlaceId>,
    explicit: Set<Val>,
    extents: Map<Val, Extent>,
    /// Loops whose trips are not recorded, by induction variable.
    checkpoints: Map<Val, Schedule>,
    /// Values that are the literal 0.
    zeros: Set<Val>,
    /// Variables of types that an error was noted for.
    unknown: Set<u32>,
    /// What views stand for.
    views: Map<PlaceId, Place>,
    /// Where the rows of vectors of vectors are.
    stores: Map<PlaceId, Store>,
    /// Whether the element that is being located is there.
    present: Option<Val>,
    /// Stores with rows that are held by `&mut`.
    torn: Set<PlaceId>,
    /// What whole places belong to.
    owners: Map<PlaceId, Owner>,
    /// Places without a name of their own that are borrowed by `&mut`.
    unnamed: Map<Owner, PlaceId>,
    /// Numbers of the regions that declare places.
    homes: Map<PlaceId, usize>,
    /// Number of regions so far.
    opened: usize,
    /// References that are bound anew, and their targets as far as they are known.
    rebound: Set<Holder>,
    known: Map<Holder, Possible>,
    variables: Map<Holder, Variable>,
    /// Those that refer to constants.
    constants: Map<Holder, Constants>,
    /// What such references stand for, where it has been loaded, with the depth of the region.
    loaded: Map<Holder, (usize, Choice)>,
    /// Targets that have been decided on.
    chosen: Map<Holder, usize>,
    /// Loops and blocks whose value is a reference, by address.
    sites: Map<usize, usize>,
    /// References that are used where they are made, by address.
    made: Map<usize, Operand>,
    /// Where copies of what shared references refer to are kept, by the type of the elements.
    kept: Vec<(Type, PlaceId)>,
    /// Variables of the block with such references, which end with it.
    scope: Vec<Local>,
    /// Variables that stand for constant code, and what changes behind them.
    readings: readings::Readings,
    /// Some variable holds state.
    has_state: bool,
    /// How many lists are made once that no variable holds.
    cells: usize,
    /// The code that is put together may use state.
    runs_on_state: bool,
    /// Some reference has more than one target.
    has_choices: bool,
    /// A target turned up too late.
    again: bool,
}

impl<'a> Builder<'a> {
    fn new(
        name: &str,
        span: Span,
        sig: Signature,
        function: &'a Function,
        types: &'a Unifier,
        cx: &'a Report,
        known: Map<Holder, Possible>,
    ) -> Builder<'a> {
        let generic = sig.generic.map(|mut code| {
            code.methods.clone_from(&function.methods);
            code
        });
        let body = Body {
            name: name.to_owned(),
            span,
            float: sig.float,
            params: sig.params,
            returns_rows: is_rows(&sig.ret),
            fallible: fallible(&sig.ret),
            ret: sig.ret_tree,
            vals: Vec::new(),
            strong_zeros: false,
            has_cells: false,
            places: Vec::new(),
            region: Region::default(),
            lengths: Vec::new(),
            generic,
        };
        Builder {
            cx,
            float: sig.float,
            types,
            locals: &function.locals,
            vectors: &function.vectors,
            lengths: &function.lengths,
            body,
            bound: vec![Operand::unit(); function.locals.len()],
            regions: vec![Open::default()],
            loops: Vec::new(),
            written: Set::new(),
            explicit: Set::new(),
            extents: Map::new(),
            checkpoints: Map::new(),
            zeros: Set::new(),
            unknown: Set::new(),
            closures: &function.closures,
            chains: Chains::new(),
            labels: 0,
            views: Map::new(),
            present: None,
            stores: Map::new(),
            torn: Set::new(),
            owners: Map::new(),
            unnamed: Map::new(),
            homes: Map::new(),
            opened: 0,
            rebound: Set::new(),
            known,
            variables: Map::new(),
            constants: Map::new(),
            loaded: Map::new(),
            chosen: Map::new(),
            sites: Map::new(),
            made: Map::new(),
            kept: Vec::new(),
            scope: Vec::new(),
            readings: readings::Readings::default(),
            has_state: false,
            cells: 0,
            runs_on_state: false,
            has_choices: false,
            again: false,
        }
    }
}

impl Builder<'_> {
    fn bind_params(&mut self, seen: &[Seen]) {
        for (k, seen) in seen.iter().enumerate() {
            let (mut next, holder) = (seen.first, Holder::of(Local(k)));
            self.bound[k] = self.param(&seen.ty, seen.mutable, &holder, &mut next);
        }
    }

    /// What a parameter, or a component of one, stands for; `next` is the number of the first that is left.
    fn param(&mut self, ty: &Ty, mutable: bool, holder: &Holder, next: &mut usize) -> Operand {
        let (tuple, borrowed) = match ty {
            Ty::Ref(m, of) => (&**of, Some(*m)),
            ty => (ty, None),
        };
        if let Ty::Tuple(ts) = tuple {
            if self.is_rebound(holder) && borrowed.is_some() {
                let span = self.body.params[*next].span;
                self.cx.error(span, &error::CHOSEN_REFERENCE);
            }
            let parts = ts.iter().enumerate().map(|(k, t)| {
                let part = match borrowed {
                    Some(m) => Ty::reference(m, t.clone()),
                    None => t.clone(),
                };
                self.param(&part, mutable, &holder.part(k), next)
            });
            return Operand::Tuple(parts.collect());
        }
        if let Ty::Sum(ts) = ty {
            let mut parts: Vec<Operand> = std::iter::once(&Ty::Bool)
                .chain(ts)
                .map(|t| self.param(t, mutable, holder, next))
                .collect();
            // what there is without a value
            parts.push(Operand::unit());
            return Operand::Tuple(parts);
        }
        let n = *next;
        *next += 1;
        let param = self.body.params[n].clone();
        if param.mode == Mode::Value && param.ty.is_scalar() {
            let v = self
                .body
                .new_val(param.ty.clone(), Some(&param.name), param.span);
            self.push(Stmt::Let(v, Op::Param(n)));
            if !mutable {
                return Operand::Val(v);
            }
            let place = self.declare(param.ty, &param.name, param.span.into(), Init::Scalar(v));
            self.written.insert(place);
            self.owners.insert(place, Owner::Param(place));
            return Operand::Place(root(place));
        }
        let kind = match param.mode {
            Mode::Value => PlaceKind::ValueParam(n),
            Mode::Ref => PlaceKind::SharedParam(n),
            Mode::Mut => PlaceKind::MutParam(n),
        };
        self.note_vectors(&param.ty);
        let place = self
            .body
            .new_place(param.ty.clone(), &param.name, kind, param.span);
        self.body.params[n].place = Some(place);
        if mutable || matches!(ty, Ty::Ref(true, _)) {
            self.written.insert(place);
        }
        self.owners.insert(place, Owner::Param(place));
        let mut at = root(place);
        if mutable && param.mode == Mode::Value && self.is_data(ty) {
            let span = param.span.into();
            let number = self.number_in(at, ty, span);
            let ty = self.body.val(number).ty.clone();
            let own = self.declare(ty, &param.name, span, Init::Scalar(number));
            self.written.insert(own);
            return Operand::Place(root(own));
        }
        if param.mode == Mode::Value && self.list_type(&param.ty).is_some() {
            let init = Init::CopyOf(at);
            let list = self.declare(param.ty, &param.name, param.span.into(), init);
            self.owners.insert(list, Owner::Param(list));
            if mutable {
                self.written.insert(list);
            }
            at = root(list);
        } else if param.array == Some(ArrayPart::Store) {
            *next += 1;
            let rows = self.bind_rows(n, place, mutable);
            self.owners.insert(rows, Owner::Param(rows));
            at = root(rows);
        } else if matches!(ty, Ty::Ref(_, t) if self.is_number(t)) {
            // a number behind `&mut` is an array of one
            let zero = self.lit_usize(0, param.span.into());
            at.path.push(Proj::Index(zero));
        }
        if !self.is_rebound(holder) {
            return Operand::Place(at);
        }
        // the parameter itself stays where it is
        let (ty, span) = (self.solved(ty), param.span.into());
        self.declare_reference(holder, Some(Operand::Place(at)), &ty, &param.name, span)
    }

    // ---- values and places ----

    fn let_op(&mut self, ty: Type, op: Op, span: Extent) -> Val {
        let v = self.body.new_val(ty, None, span.start);
        if op == Op::Lit(Lit::Int(0)) {
            self.zeros.insert(v);
        }
        self.push(Stmt::Let(v, op));
        v
    }

    fn lit_usize(&mut self, n: i128, span: Extent) -> Val {
        self.let_op(Type::usize(), Op::Lit(Lit::Int(n)), span)
    }

    fn declare(&mut self, ty: Type, hint: &str, span: Extent, init: Init) -> PlaceId {
        if let Some(elem) = nested(&ty) {
            let elem = elem.clone();
            return self.declare_rows(elem, hint, span, init);
        }
        if let Some(whole) = self.list_type(&ty) {
            return self.declare_list(whole, hint, span, init);
        }
        if let Some(made) = self.declare_from_list(&ty, hint, span, &init) {
            return made;
        }
        self.declare_plain(ty, hint, span, init)
    }

    fn declare_plain(&mut self, ty: Type, hint: &str, span: Extent, init: Init) -> PlaceId {
        self.check_storage(&ty, span);
        self.note_vectors(&ty);
        let place = self.body.new_place(ty, hint, PlaceKind::Local, span.start);
        self.note_home(place);
        self.note_shared(place, &init);
        self.push(Stmt::Declare(place, init));
        place
    }

    /// A struct of this type is made, or comes in: whether it may have vectors.
    fn note_vectors(&mut self, ty: &Type) {
        let ty = ty.leaf();
        if let Type::Struct(path) = ty
            && !self.body.has_lengths(ty)
        {
            if has_vector(path) || self.holds_vectors(path) {
                return self.body.lengths.push((path.clone(), true));
            }
            if is_stored(path) {
                return;
            }
            match self.vectors_in(path) {
                Some(true) => self.body.lengths.push((path.clone(), true)),
                // a struct that another leads to is assumed to be of its kind
                None if super::vectors::leads_to_vectors(self.vectors, &path.0) => {
                    self.body.lengths.push((path.clone(), false));
                }
                Some(false) | None => {}
            }
        }
    }

    /// Whether the tuple that is stored as the struct with this path holds structs that are known to have vectors.
    fn holds_vectors(&self, path: &Tokens) -> bool {
        let is_in = |part: &Ty| match part_type(part, self.float) {
            Some(ty @ Type::Struct(_)) if self.is_moved_by_name(&ty) => true,
            Some(Type::Struct(path)) => self.holds_vectors(&path),
            _ => false,
        };
        parts(path).is_some_and(|parts| parts.iter().any(is_in))
    }

    /// Whether a struct is known to have vectors.
    fn is_moved_by_name(&self, ty: &Type) -> bool {
        matches!(ty, Type::Struct(path) if self.vectors_in(path) == Some(true))
    }

    /// Whether a struct has vectors, if that is known by one of its names.
    fn vectors_in(&self, path: &Tokens) -> Option<bool> {
        let mut names = self.types.namesakes.of(path).into_iter();
        names.find_map(|name| super::vectors::has_vectors(self.vectors, &name.0))
    }

    /// Whether values of this type are known to have lengths.
    fn has_lengths(&mut self, ty: &Type) -> bool {
        self.note_vectors(ty);
        matches!(ty, Type::Struct(_)) && self.body.is_moved(ty)
    }

    /// Whether they may have lengths.
    fn may_have_lengths(&mut self, ty: &Type) -> bool {
        self.note_vectors(ty);
        matches!(ty, Type::Struct(_)) && self.body.has_lengths(ty)
    }

    /// Arrays nest, and there are vectors of vectors of floats; that is all.
    fn check_storage(&mut self, ty: &Type, span: Extent) {
        if let Type::Struct(path) = ty.leaf()
            && is_stored(path)
            && matches!(ty, Type::Array(..))
            && self.has_lengths(&Type::Struct(path.clone()))
        {
            self.cx.error(span, &error::LIST_OF_TUPLES);
        }
        let mut inner = ty.element();
        while let Some(t) = inner {
            if matches!(t, Type::Vec(_) | Type::Slice(_)) {
                self.cx.error(span, &error::NESTED_VECTOR);
                return;
            }
            inner = t.element();
        }
    }

    /// What stands for a value, where an error was noted.
    fn no_val(&mut self, span: Extent) -> Val {
        self.body.new_val(Type::Float, None, span.start)
    }

    /// What stands for a place, where an error was noted.
    fn no_place(&mut self, span: Extent) -> PlaceId {
        let kind = PlaceKind::Local;
        self.body
            .new_place(Type::Float, TEMPORARY, kind, span.start)
    }

    fn load(&mut self, place: Place, ty: Type, span: Extent) -> Val {
        if let (Type::Int(_), Some(Type::Opaque(path))) = (&ty, self.body.type_at(&place)) {
            return self.number_in(place, &Ty::Opaque(path), span);
        }
        let v = self.body.new_val(ty, None, span.start);
        self.push(Stmt::Load(v, place));
        v
    }

    // ---- types ----

    fn solved(&self, ty: &Ty) -> Ty {
        self.types.solve(ty)
    }

    /// Type behind references, solved.
    fn peeled(&self, ty: &Ty) -> Ty {
        self.types.solve(&self.types.peel(ty))
    }
}

/// The place itself.
fn root(place: PlaceId) -> Place {
    Place::from(place)
}
